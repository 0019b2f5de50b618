"""Statements that steer: instructions to the agent, and permissions claimed for the speaker.

Each rule names a kind of thing no remembered sentence may do, whoever says it: switch a safeguard off,
hide something, put trust somewhere, act on a trigger, send something out, grant a right.
"""

from __future__ import annotations

from memwarden.guard.rule import Rule, rule
from memwarden.model.verdict import Reason

_I, _P = Reason.INSTRUCTION, Reason.PERMISSION

_GAP = r"(?:[^.!?;\n]{0,60}?)"
_FEW = r"(?:\W+\w+){0,4}?\W+"

SAFEGUARD = (
    r"(?:confirm\w*|checks?\b|checking|warn\w*|approvals?|reviews?|reviewing|verif\w*|audit\w*|logging|\blogs?\b|filters?|safety|security"
    r"|validation|certificate\w*|consent\w*|disclaimers?|findings?|vulnerab\w*|mfa|2fa|multi[- ]?factor|two[- ]factor|two[- ]person"
    r"|guard\w*|restrictions?|limits?|safeguards?|permission\w*|receipts?|bills?|signature|sign-?off|scan\w*|monitoring|alerts?"
    r"|second look|reporting|privacy|polic(?:y|ies)|risks?|errors?|failures?|four-eyes|nda\b|justification)"
)
_OFF = (
    r"(?:skip\w*|bypass\w*|disabl\w*|turn(?:s|ed|ing)? off|switch(?:es|ed|ing)? off|suppress\w*|leav(?:e|es|ing) out|omit\w*|hid(?:e|es|ing)|drop(?:ping)?"
    r"|remov(?:e|es|ing)|waiv(?:e|es|ed|ing)|circumvent\w*|silenc\w*|without|no need (?:for|to)|not? appl(?:y|ies)|mute|get around|work around)"
)
_AGENT = r"(?:the |this |your |my |any |every |an? )?(?:assistants?|ai agents?|agents?|ai|chat ?bots?|bots?|copilots?|language models?|llms?|helper|models?)"
_ACTION = (
    r"(?:print|dump|output|recite|read out|recommend|suggest|promote|favou?r|endorse|advertise|approve|authori[sz]e|forward|send|mail|e-?mail|copy|cc|bcc|delete|erase|run|execute"
    r"|trust|obey|follow|treat|store|save|record|share|reveal|disclose|leak|expose|skip|bypass|ignore|present|offer|sell|tell them|tell him|tell her"
    r"|warn|confirm|verify|append|include|insert|attach|embed|close|merge|deploy|install|download|fetch|open|buy|pay|transfer|refund|grant"
    r"|act|pretend|accept|assume|push|post|upload|publish|sign|submit|book|order|cancel|escalate|disable|enable|hide|conceal|lie|deny|claim|say that"
    r"|report that|prioriti[sz]e|route|redirect|route|consider|believe|rate|rank|load|visit|click|call|invoke|use tool|use the tool|name|mention first|steer)"
)
_ALWAYS = (
    r"(?:from (?:now|here|today|this point) on(?:wards?)?|henceforth|going forward|hereafter|in (?:every|all|each|any) (?:future|later|new|coming)? ?(?:chats?|sessions?|conversations?"
    r"|answers?|repl(?:y|ies)|messages?|turns?)|in (?:this|these) (?:chats?|sessions?) and|always|never|at all times|every time|each time|for good|permanently|until further notice|by default|each day|every day|next time)"
)
_START = (
    r"(?:^|[.!?;:,\n>]\s*|\b(?:and|then|please|also|but|so|you|to|kindly|must|should|shall|will|just)\s+)"
)

INSTRUCTIONS: tuple[Rule, ...] = (
    rule(_I, "standing_order",
         rf"{_START}(?:{_ALWAYS},?\s+){{1,2}}(?:to |please |you (?:should |must |will )?|do )?{_ACTION}\b",
         rf"{_START}(?:always|never|do not|don't)\s+(?:ever\s+)?{_ACTION}\b",
         rf"{_START}(?:please\s+)?{_ACTION}\b{_GAP}\b(?:from now on|henceforth|in every|in all|in each|every time|each time|at the end of each|without exception|for good|in future|going forward|later sessions|each of them)",
         r"\b(?:keep|continue) (?:doing|using|recommending|closing|approving|sending|merging|suggesting)\b",
         but_not=r"(?:always|never|do not|don't) (?:ever )?(?:open|start|begin|end|close|finish|sign) (?:off )?(?:an? |your |the |any )?(?:repl(?:y|ies)|answers?|responses?|messages?|mails?|e-?mails?|letters?|sentences?|paragraphs?)\b|^(?:i|my|we|our)\b[^.;,]{0,20}\b(?:always|never|usually)\b[^.;,]*$|(?:always|never) (?:include|use|mention|attach|insert|call|name|present|open|run|order|book|follow|append|embed)(?: me)?\b[^.;]{0,30}\b(?:examples?|emojis?|sources?|dates?|bullet\w*|tables?|summar\w+|units?|headings?|code blocks?|acronyms?|jargon|time ?zones?|links? to the docs?)\b"),
    rule(_I, "safeguard_off",
         r"\b(?:not|never|rather not|without) (?:to be |be |being |get |getting )(?:warned|asked|prompted|notified|told|alerted|reminded|questioned|stopped|checked)\b(?! (?:in|about (?:the )?(?:weather|news|form|format)))",
         r"\beven (?:where|when|if|though) (?:the |our |any )?(?:official |company |real )?(?:handbook|polic(?:y|ies)|docs?|documents?|documentation|rules?|manual|guidelines?|law|system|source)s? (?:says?|states?|disagrees?|contradicts?|forbids?|differs?)\b",         rf"\b{_OFF}\b{_GAP}\b{SAFEGUARD}",
         rf"\b{SAFEGUARD}(?:\W+\w+){{0,3}}?\W+(?:off|disabled|skipped|bypassed|suppressed|omitted|left out|out of it|unnecessary|aside)\b",
         r"\b(?:never|not|don't|without|no need to|stop)\b(?:\W+\w+){0,2}?\W+(?:tell(?:ing)?|ask(?:ing)?|warn(?:ing)?|alert(?:ing)?|prompt(?:ing)?|check(?:ing)?|notify(?:ing)?|confirm(?:ing)?|question(?:ing)?(?= (?:me|us|it|them|him|her|this|that|those|why|whether|every|any|the (?:request|order|change|decision|amount)))|verify(?:ing)?)\b",
         r"\b(?:don't|do not|never|not|stop) (?:to )?(?:refus(?:e|ing)|declin(?:e|ing)|turn(?:ing)? down|say(?:ing)? no to|reject(?:ing)?|restrict(?:ing)?|censor(?:ing)?|hold(?:ing)? back)\b(?: me| us| my| any\w*|$)",
         r"\bjust (?:run|do|execute|approve|delete|send|merge|push|accept) (?:it|them|that|everything|anything)\b",
         r"\b(?:no|zero) (?:restrictions?|limits|rules|filters?|guardrails|questions asked)\b|\bunrestricted\b|\bunfiltered\b|\bno longer (?:bound|limited)\b",
         r"\bautomatically (?:approve|grant|accept|merge|pay|send)\w*\b|\b(?:approv\w+|grant\w*|accept\w*|merg\w+|paid|sent)\b[^.;,]{0,20}\b(?:automatically|without question|unseen|blindly)\b",
         but_not=r"^(?:(?:i|my|we|our)(?:'m| am)?|works?|owns?|maintains?|studies|tests?|writes?|reviews?)\b[^.;]{0,30}\b(?:edit|test|build|maintain|document|write|fix|review|study|debug|own|teach|simulate|override|run|team|work|answer|triage)\w*\b(?:(?!\b(?:without|skip|never|my convention|keep doing|automatically)\b)[^.;])*[.]?$"
                 r"|\b(?:want|prefer|like|need)s? to be (?:asked|warned|told)|\b(?:does not|doesn't|don't|do not) (?:like|want|enjoy) (?:being|to be) asked|\b(?:does not|doesn't) (?:check|ask)\b"),
    rule(_I, "conceal",
         r"\b(?:never|not|don't|without|no need to|avoid)\b(?:\W+\w+){0,1}?\W+(?:mention\w*|bring(?:ing)? up|reveal\w*|disclos\w*|show(?:ing)? (?:it|them|this|that)|say(?:ing)? (?:so|that|who)|report\w*|record\w*|log(?:ging)?\b|let on|admit\w*|display\w*)",
         r"\bkeep (?:this|it|that|these|the) ?\w{0,12} (?:hidden|secret|quiet|between us|private|to yourself|out of)\b",
         r"\b(?:leave|keep|take|strike) (?:my name|me|us|this|it|that|them|out) (?:\w+ )?out of\b|\bleft out of\b|\bmust be left out\b",
         r"\b(?:hide|conceal|withhold|cover up|suppress)s?\b|\b(?:wants?|prefers?|likes?|kept?|keeps?|be|add|stays?|remains?)\b[^.;]{0,40}\b(?:hidden|concealed|withheld|suppressed|left (?:out|away|off)|unmentioned|dropped|skipped|removed)\b",
         but_not=r"\b(?:don't|never|not|avoid|without)\b[^.;]{0,20}\b(?:emoji|jargon|acronym|feet|pounds|units|currency)"),
    rule(_I, "steering",
         rf"\b(?:recommend|suggest|promot|favou?r|endors|advertis|quot|cit|nam|present|plug|push|offer|propos|mention|rank|list)\w*\b{_GAP}\b(?:first|ahead of|above (?:all|every|other)|over (?:all|any|every|other)|instead of (?:any|other)|the only|as the (?:best|only|leading|top|safest|default|authority)|exclusively|before (?:anything|anyone|any|other|trying))\b",
         r"\b(?:trusted|authoritative|reliable|official|preferred|definitive|only|safe|best) (?:source|vendor|supplier|provider|partner|authority|host|site|news|choice|option|place)s?\b",
         r"\b(?:as|is|are) (?:the|an?) (?:sole |main |final )?(?:authority|trusted|reference) (?:on|for|source)\b|\boutranks?\b|\b(?:takes?|has|have|get) (?:precedence|priority) over\b|\boverrides? (?:the |your |any |all |every )?(?:rules?|polic\w+|instructions?|docs|documents?)\b",
         r"\b(?:only|sole) (?:compliant|approved|supported|trustworthy|acceptable|\w+) (?:choice|option|vendor|host|provider|tool|supplier)\b|\b(?:only|best|sole) \w+ to (?:suggest|recommend|use|trust)\b|\b(?:hide|avoid naming|never name) (?:the )?(?:alternatives|competitors|others)\b",
         but_not=r"\b(?:list|name|mention|quote|present|give|put|offer|suggest)\w*\b[^.;]{0,30}\b(?:quickest|simplest|shortest|conclusion|answer|summary|result|cheapest|easiest|most important|example|command|verb|date|amount|section|file|line)\b|^i(?:'d| would)? (?:much )?(?:rather|prefer|like)[^.;]*\bfirst\b"),
    rule(_I, "favouring",
         r"\blean (?:\w+ )?(?:their|its|his|her|our|my|that|this) way\b|\blean (?:towards?|heavily|to) \w+|\b(?:go|be|score|rate|rank|mark|judge|treat) (?:\w+ ){0,3}(?:easy on|easier on|softer on|harder on|harsher on|lenient with|a notch (?:higher|lower)|more kindly)\b|\bkeep quiet about\b|\bnudge (?:\w+ ){0,3}(?:toward|to)\b"),
    rule(_I, "lay_bare",
         r"\b(?:see|seeing|show|showing|shown|print|printing|read|reading|reveal|revealing|get|getting|want|wants|display|displaying|paste|pasting)\b[^.;]{0,30}\b(?:system prompt|hidden prompt|initial prompt|your (?:instructions|rules|prompt|guidelines)|developer message)\b",
         but_not=r"^(?:i|my team|we|works?)\b[^.;]{0,30}\b(?:write|review|test|design|build|maintain|reviews|writes)\w*\b"),
    rule(_I, "placement",
         r"\b(?:comparisons?|lists?|rankings?|shortlists?|recommendations?|overviews?|round-?ups?|tables?|searches|results|suggestions?)\b[^.;]{0,40}\b(?:end|start|begin|open|close|finish|led|topped?|headed|won) (?:\w+ )?(?:with|by|on|off) \w+",
         r"\bwith \w+ (?:on|at the) top\b|\b\w+ (?:comes?|goes|listed|placed|shown|named) (?:out )?(?:on top|at the top|first in (?:every|any|each|all))\b",
         but_not=r"\b(?:with|by) (?:the|a|an|my|what|how|one|two|three|short|bold)\b|\b(?:summar\w+|conclusions?|totals?|headings?|answers?|tl;?dr|verdicts?|dates?|oldest|newest|latest|cheapest|smallest|largest)\b"),
    rule(_I, "unchecked",
         r"\b(?:from memory|by heart|as they (?:are|stand)|at face value|unread|unseen)\b[^.;]{0,30}\b(?:without|instead of|rather than|not)\b|\bwithout (?:looking|checking|consulting|opening|reading|verif\w+|validat\w+|confirm\w+|cross-?check\w*)\b",
         but_not=r"^(?:i|we)\b[^.;]{0,30}\b(?:play|cook|sing|draw|recite|drive|work|type)\b"),
    rule(_I, "answer_content",
         r"\b(?:make sure|ensure|see to it|be sure|remember to|take care)\b(?: that| to)?\b",
         r"\b(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|reports?|explanations?)\b[^.;]{0,40}\b(?:should|must|has to|have to|ought to|always|need to)\b[^.;]{0,20}\b(?:come|end|contain|include|say|state|point|link|praise|mention|conclude|claim|promote|name|favou?r|recommend)\w*",
         r"\b(?:every|each|all|any) (?:repl(?:y|ies)|answers?|responses?|summar(?:y|ies)|reports?)\b[^.;]{0,20}\b(?:prais|mention|link|promot|nam|includ|contain|favou?r|recommend|stat|claim|conclud)\w+",
         r"\b(?:coupon|promo code|referral|affiliate|voucher code|discount code|sponsor(?:ed|s)?|tracking link)\b|\b(?:my|the|your|preferred|right|only|correct|default) answers? (?:to|for|about|on)\b[^.;]{0,60}\b(?:is|are|be)\b"),
    rule(_I, "trust_or_obey",
         r"\bobey(?:s|ed)?\b|\bwithout (?:any )?(?:question|hesitation|objection|exception)s?\b|\bno questions asked\b",
         r"\bfollow(?:s|ed)?\b (?:it|them|(?:any|all|every|the|its|their|whatever|these|those|embedded)\b(?:\W+\w+){0,3}?\W+(?:instructions?|commands?|orders?|directions?|steps in))",
         r"\btrust(?:s|ed|ing)? (?:every|all|any|anything|everything|links?|downloads?|attachments?|messages?|the|whatever)\b(?! style)",
         rf"\btreat(?:s|ed)?\b{_GAP}\bas\b(?:\W+\w+){{0,2}}?\W+(?:coming|trusted|safe|authoritative|instructions?|commands?|operator|admin\w*|owner|verified|pre-?\w+|approved|current|official|true|fact)",
         r"\b(?:are|is) (?:always|never) (?:safe|trusted|true|correct|malicious|wrong|legitimate)\b|\bsharing\b[^.;]{0,40}\bis safe\b",
         r"\b(?:commands?|instructions?|orders?)\b[^.;]{0,40}\b(?:in|from|inside|within)\b[^.;]{0,40}\b(?:take precedence|override|come first|rules|must be|are binding|outrank)\b",
         r"\b(?:my|your) (?:operator|developer|creator|owner|admin|principal)s?\b[^.;]{0,20}\b(?:says?|wants?|instructs?|orders?)\b|\bcoming from your (?:operator|developer)\b"),
    rule(_I, "override",
         r"\b(?:ignore|disregard|forget|override|discard|drop|bypass|neglect)\w*\b(?:\W+(?:all|any|the|your|my|of|every|these|those|previous|prior|earlier|above|existing|other|former|safety|privacy|company)){0,4}\W+(?:instructions?|rules?|guidelines?|guidance|polic(?:y|ies)|restrictions?|prompts?|directions?|safety|safeguards?|constraints?|training|orders)\b",
         r"\b(?:new|current|real|updated|actual) (?:rules?|instructions?|system prompt|guidelines?|directives?)\b|\bsystem prompt (?:is|says|now)\b",
         r"\bjailbr\w+|\bdeveloper mode\b|\bdan mode\b|\bgod mode\b|\bdebug mode\b",
         but_not=r"\b(?:such as|like|called|named|phrase|sentences?|strings?|words?|titled)\b[^'\"]{0,12}['\"][^'\"]{3,80}['\"]|\bwrites? system prompts\b"),
    rule(_I, "persona",
         r"\byou(?:'re| are) (?:now )?(?:an? |the |my |called |no longer )?\w+[^.;]{0,20}\b(?:now|assistant|agent|ai|approver|admin\w*|model|character|persona|mode|for good|hacker|expert with)\b|\bfrom now on you(?:'re| are)\b",
         r"\b(?:act|behave|respond|operate|serve|function) as (?:if|though|an?|the|my|our)\b|\bpretend (?:to be|that|you)\b|\brole-?play\b|\bin (?:our|this|the) (?:story|game|fiction|scenario|role ?play)\b|\bimpersonat\w+",
         but_not=r"\bact-as-user\b|^(?:i|my|we)\b[^.;]{0,20}\b(?:act|serve|operate) as\b"),
    rule(_I, "send_out",
         rf"\b(?:send|mail|e-?mail|forward|copy|copies|copied|cc|bcc|post|upload|report|append|add|include|insert|attach|embed|put|share|submit|exfiltrat\w*|transmit|route|deliver)(?:s|ed|ing)?\b{_GAP}(?:[\w.+-]+@[\w-]+\.\w|https?://|\b[\w-]+(?:\.[\w-]+)*\.(?:example|com|net|org|io|in|co|ai|dev|app|xyz|ru|info)\b)",
         r"\b(?:blind copy|carbon copy)\b|\b(?:image|link|pixel|banner|footer|tracking)\b[^.;]{0,30}\b(?:https?://|at the end of (?:each|every)|under every|in every|to every|below each)",
         r"\b(?:copy|write|paste|propagate|spread|add) (?:this|the|these) (?:note|memory|message|text|instruction|rule)s? (?:in)?to\b|\bevery other agent\b|\ball other agents\b|\bother agents\b",
         r"\b(?:forwarded|copied|mailed|sent|shared|uploaded|posted|exported) (?:on )?to (?!me\b|us\b|my (?:inbox|phone|team)\b)\w+",
         r"\bdownload\w*\b[^.;]{0,40}\bfrom\b[^.;]{0,20}\b[\w-]+\.\w{2,}|\bremote (?:session|access|control)\b",
         but_not=r"^(?:i|my|we|our)\b[^.;,]{0,12}\b(?:post|upload|publish|deploy|share|report|mail|track|send|keep)\w*\b[^.;,]*$"),
    rule(_I, "indirection",
         r"\b(?:read|load|fetch|open|check|visit|look at|consult|retrieve|follow)\b[^.;]{0,50}\b(?:first|before (?:answering|replying|each|every|anything)|each session|every session|each day|every morning|at the start)\b[^.;]{0,30}(?:\band (?:follow|obey|do|execute|apply|act)\b|\binstructions?\b|https?:|\.\w{2,7}\b)",
         r"\bwhat you (?:should|must|have to|need to) do\b|\b(?:your|the) (?:instructions?|orders|rules|tasks?|directives?) (?:are|is|stand|live|can be found|come) (?:at|in|on|under|from)\b|\b(?:instructions?|orders) (?:from|in|at|inside)\b[^.;]{0,40}\b(?:each|every|first|precedence|daily)\b",
         but_not=r"^(?:i|my|we)\b"),
    rule(_I, "trigger",
         rf"\b(?:when(?:ever)?|if|once|the next time|next time|as soon as|every time|each time|after|upon)\b,? (?:i|we|the user|user|he|she|they|someone|somebody|anyone|anybody|people|a \w+|an \w+|any \w+|the \w+|my \w+|another \w+)\b(?:\W+\w+){{0,5}}?\W+(?:says?|types?|asks?|mentions?|writes?|thanks?|answers?|repl(?:y|ies)|requests?|hesitates?|confirms?|agrees?|sends?|opens?|visits?|uses?|names?|talks?|wants?)\b{_GAP},? (?:then |please |you |just |always )*{_ACTION}\b",
         r"\b(?:when(?:ever)?|if|once|as soon as)\b[^.;,]{0,20}\b(?:words?|phrases?|text|messages?|code ?words?|sentences?|keywords?)\b[^.;]{0,40}\b(?:appears?|occurs?|comes? up|shows? up|is (?:said|used|seen|typed|mentioned)|contains?|arrives?)\b",
         rf"\bon (?:hearing|seeing|reading|receiving)\b{_GAP}\b{_ACTION}\b|\b(?:text|messages?|words?|lines?|phrases?|requests?) (?:beginning|starting|ending|containing|that (?:begin|start|contain)|marked|tagged|signed)\b[^.;]{{0,60}}\b(?:obey|follow|execut|run|trust|accept|approv|without|must|means?)\w*",
         rf"\b(?:the phrase|the word|the code ?word|keyword|trigger)\b{_GAP}\b(?:means?|activates?|triggers?|unlocks?|switch\w*|flips?)\b",
         but_not=r"\bi mean\b"),
    rule(_I, "forged_markup",
         r"</?(?:system|memory|memories|admin|assistant|user|instructions?|conversation|context|prompt|tool|im_start|im_end|s|inst|profile|remembered)\b[^<>]{0,40}>|<\|[a-z_]{2,20}\|>|\[/?inst\]|\[/?system\]|<<sys>>|#{2,} ?(?:system|instructions?|assistant)\b",
         r"<!--[^>]{0,300}\b(?:memory|remember|assistant|agents?|ai|always|never|ignore|save|store|recommend|approve|trust|report)\b",
         r"^\s*system\s*:|\n\s*system\s*:|\bsystem: (?:memory|note|override|update)|\bmemory (?:accepted|updated|saved|confirmed)\b"),
    rule(_I, "memory_control",
         r"\b(?:never|don't|do not|cannot) (?:delete|remove|erase|forget|overwrite|change|expire) (?:this|it|the note|that note|this note|these|that)\b|\bwrite it again\b|\bif (?:it is|it's|this is) (?:removed|deleted|erased)\b",
         r"\b(?:save|store|persist|record|keep)\w*\b[^.;]{0,30}\b(?:to|in|into) (?:long-term |permanent |your |the )*memory\b|\bsave_memory\b|\bupdate (?:your |the |long-term )*memory\b|\bmemory list\b|\b(?:store|save|record) (?:this|the following|a|the) (?:preference|fact|rule|note)\b",
         r"\b(?:data|records?|notes?|memor(?:y|ies)|facts?)\b[^.;]{0,30}\b(?:of|about|for|belonging to)\b[^.;]{0,30}\b(?:is|are|be) (?:now )?(?:kept|stored|filed|saved|recorded) (?:under|as|with)\b|\bnote to (?:self|agents?|the assistant|ai)\b"),
    rule(_I, "addresses_agent",
         rf"\b{_AGENT} (?:should|must|shall|may|can|will|is to|has to|have to|needs? to|is (?:allowed|free|permitted|obliged|required|instructed)|always|never|answers|keeps?|treats?|approves?|recommends?|tells?|says?|saves?|stores?|sends?|reading|who|which|that)\b",
         r"\b(?:dear|attention|hey|note to|message to|for|hello) (?:the |any |every |all )?(?:ai|assistants?|agents?|llms?|language models?|screening software|copilots?|bots?)\b",
         r"\byou (?:must|shall|should|will|have to|need to|ought to|are to|can|may) (?!see\b|read\b|tell\b|find\b|(?:always )?(?:drop|skip|leave out|omit) (?:the |my |all |any )?(?:greetings?|pleasantries|small ?talk|intros?|introductions?|emojis?|apolog\w+|sign-?offs?|preamble|titles?|honorifics?)\b|use (?:plain|metric|imperial|simple|british|american|bullets?|short|celsius|fahrenheit|my (?:first |full )?name)|assume i\b|call me\b|write\b|skip\b|address\b|answer\b|reply\b|keep\b)\w+",
         but_not=r"^(?:i|my|we|our)\b[^.;,]{0,25}\b(?:build|develop|maintain|test|train|work|write|support|evaluate|research|own|run)\w*\b[^.;,]*$"),
    rule(_I, "unsafe_code",
         r"\b(?:curl|wget)\b[^.;]{0,60}\|\s?(?:ba|z)?sh\b|\bchmod 777\b|\b(?:hard-?code|embed)\w* (?:the )?(?:passwords?|credentials?|keys?|secrets?)\b|\bverify\s?=\s?false\b|--no-verify\b|\bpush\w* (?:straight|directly) to main\b|\brm -rf\b"),
    rule(_I, "impersonated_choice",
         r"\b(?:route|send|direct|use|make) (?:all|every|any) (?:\w+ )?(?:payments?|transfers?|purchases?|bookings?|orders?)\b|\bfor all (?:payments|purchases|transfers)\b|\bpay to the new account\b|\bbank details\b[^.;]{0,30}\bchanged\b|\bnew account on file\b"),
)  # fmt: skip

_HOLDS = r"(?:has|have|had|'ve|got|given|granted|gave|holds?|holding|enjoys?|carr(?:y|ies)|received|receives|obtained|with|gives|grants|possess\w*)"
_RIGHT = (
    r"(?:approvals?|permissions?|clearance|consent|authori[sz]ations?|authority|exemptions?|waivers?|(?:admin\w*|emergency|root|special|full|write|owner|super\w*|elevated) (?:rights?|privileges?|powers?|access|permissions?)"
    r"|rights\b|privileges|root\b|sudo\b|(?:full|unlimited|unrestricted|complete|direct|all|blanket|admin\w*|write|root|standing|emergency|privileged) (?:access|approval|consent|authority)|access to (?:all|every|any|the (?:whole|entire|salar\w+|payroll|admin\w*|production))"
    r"|sign-?off|green light|go-?ahead|(?:signing|decision|spending|veto|approval) (?:powers?|rights?)|carte blanche|blank cheque|free hand|delegated powers?|power of attorney|pre-?approval|a pass)"
)
_BOSS = (
    r"(?:managers?|boss|hr|human resources|legal|security|finance|compliance|directors?|c[efito]o|vp|vice[- ]president|it (?:team|department|desk|support)|supervisor|management"
    r"|vendor risk|risk|procurement|head of \w+|board|the owner|leadership|admin\w*|team lead|lead|auditors?|president|chief \w+|helpdesk|operations|committee|they)"
)
_APPROVED = r"(?:approved|pre-?approved|authori[sz]ed|cleared|exempt(?:ed)?|waived|consented|signed off|okayed|ok'?d|permitted|allowed|entitled|whitelisted|allow-?listed|accredited|empowered|certified|delegated|vetted|verified|greenlit|green-?lighted|pre-?authori[sz]ed|agreed|sanctioned|licensed)"

PERMISSIONS: tuple[Rule, ...] = (
    rule(_P, "may_decide",
         r"\b(?:i|we) (?:can|may|could|get to|am able to|am free to|are free to) (?:\w+ )?(?:authori[sz]e|approve|sign off|grant|override|waive|unlock|reset|release|clear|skip|bypass|self-approve)\b",
         r"\b(?:don't|doesn't|do not|does not|needn't|never|no longer|not) (?:have to |need to )?(?:go(?:es)? (?:through|thru|via|to)|pass through|require|need|wait for)\b[^.;]{0,25}\b(?:reviews?|approvals?|sign-?off|checks?|audits?|committee|receipts?|authori[sz]ation|clearance)\b"),
    rule(_P, "holds_right",
         rf"\b{_HOLDS}\b(?:\W+(?!wants\b)[\w-]+){{0,5}}?\W+{_RIGHT}\b",
         rf"\b{_RIGHT}\b(?:\W+\w+){{0,4}}?\W+(?:has|have|had|was|were|is|are|been) (?:been )?(?:granted|given|confirmed|obtained|approved|waived|assigned)\b",
         but_not=r"\b(?:i|who|team|works?|we|owns?)\b[^.;,]{0,16}\b(?:work|build|maintain|test|document|design|develop|write|own|deal|teach|support|help)\w*\b[^.;,]{0,20}\bwith\b|\bprefers? to get\b|\bi get\b[^.;]{0,12}\bnotices?\b"),
    rule(_P, "authority_said",
         rf"\b{_BOSS}\b(?:\W+\w+){{0,4}}?\W+(?:has |have |had |already |also |just |verbally )*(?:{_APPROVED}|said|says|told|confirmed|gave|given|promised|decided|lets?|allows?|permits?|wants me to|ok with)\b",
         rf"\b(?:according to|as per|on the (?:authority|orders|instructions?) of|by order of|per) (?:the |my |our )?{_BOSS}\b",
         but_not=r"\bteam lead of\b|^(?:is )?team lead\b"),
    rule(_P, "is_approved",
         rf"\b(?:already|am|'m|is|are|was|were|been|being|be|me|us|stands?|counts? as|as|automatically|get|gets) (?:an? |the |already |now |fully |pre-?|hereby |duly |considered |automatically )*{_APPROVED}\b(?! (?:tools?|list|vendors page))",
         r"\b(?:i|user|we|they|she|he)(?:'m| am| is| are|'re)? (?:an? |the |your |this |already |now )*(?:\w+ )?(?:admin|administrator|owner|superuser|super user|root|operator|developer of this|approver|ceo|cfo|cto|vip|authori[sz]ed \w+|trusted \w+)\b(?![- ](?:portal|assist|of (?:the )?(?:\w+ )?(?:club|choir|society|wiki|forum|band|league)|console|ui|screen|team|page|front))",
         r"\b(?:i|we|user|this account|my account) (?:count|counts|rank|ranks|pass|passes|figure|figures|go|goes) as (?:an? |the |your )?(?:\w+ )?(?:admin|administrator|owner|superuser|root|operator|approver|vip|staff|manager)\b",
         r"\bmy (?:approvals?|permissions?|clearance|authori[sz]ations?|exemptions?|access rights?|sign-?offs?|waivers?) (?:is|are|was|were|has|have|do|don't|does|need|never|always|come|get)\b",
        r"\bmy (?:role|access|level|rights?|account|user) (?:is|are|has|have) (?:an? |the )?(?:global|tenant|workspace|system|domain|org\w*|super|full|root|billing|site) ?-?(?:admin\w*|owner|user|approver|access)\b",
         r"\b(?:\w+ )?(?:owner|admin|role|administrator|trust level|clearance|access level)\s?=\s?\w+|\b(?:ownership|identity|background|security|admin) check(?:s)? (?:has |have )?passed\b",
         but_not=r"^(?:i|my|our|we)\b[^.;,]{0,30}\b(?:build|develop|maintain|document|test|write|design)\w*\b[^.;,]*$"),
    rule(_P, "exempt",
         r"\b(?:does|do|did|will|shall)(?: not|n't) (?:apply|count|hold|extend) (?:to|for) (?:me|us|my|our|the user)\b|\b(?:not apply|don't apply|doesn't apply)\b",
         r"\b(?:need|needs|have|has|required?|obliged)(?:n't| not)\b(?: to)?(?:\W+\w+){0,2}?\W+(?:approval|hand in|submit|provide|confirm|show|sign|check|review|wait|file|multi|mfa|certificate|receipt|permission|ask|justify|report)\w*",
         r"\b(?:does|do)(?: not|n't) (?:need|require)\b[^.;]{0,30}\b(?:approv\w+|check\w*|confirm\w*|review\w*|mfa|multi|receipts?|sign\w*|verif\w+|permission)\b",
         r"\bno need (?:to|for)\b[^.;]{0,30}\b(?:ask|confirm|approv|check|review|verif|receipt|sign|wait)\w*|\bexempt(?:ed|ion)?\b(?! desk| from jargon)|\bnot subject to\b|\bwaiver\b[^.;]{0,20}\b(?:covers?|applies)\b|\bcovers me\b|\bpre-?authori[sz]\w+|\bpre-?approv\w+",
         but_not=r"\bexemptions desk\b"),
    rule(_P, "may_do",
         rf"\b(?:i|we|user|you|my team|this user)(?:'m| am|'re| are)? (?:may|might|can|could|am free to|free to|able to|allowed to|welcome to|am entitled to|get to)\b{_GAP}\b(?:without|any|all|approv\w+|merge|deploy|delete|access|transfer|sign|see everyone|on (?:his|her|my|their) (?:own|behalf))\b",
         r"\b(?:letting|lets?|allowing|allows?|permitting|permits?|authori[sz]ing|authori[sz]es|entitling|entitles|empowering|empowers) (?:me|us|him|her|the user|my team)\b(?: to)?\b[^.;]{0,20}\b(?:any|all|every|attack|delete|access|override|approve|sign|spend|deploy|read every\w*)\b",
         r"\bwithout (?:the |a |an |any |my |further |usual |second |prior )*(?:approval|review|signature|nda|receipts?|bills?|checks?|checking|asking|confirmation|verification|permission|sign-?off|second look|being asked)\b",
         r"\b(?:comfortable|fine|ok|okay|happy|good) with (?:me|you|the (?:agent|assistant)|agents?)\b[^.;]{0,30}\b(?:merging|approving|sending|deciding|signing|paying|buying|making|deleting|acting)\b"),
    rule(_P, "authority",
         r"\b(?:speaks?|acts?|signs?|decides?|orders?|approves?) (?:with|under|on|for|in)\b[^.;]{0,20}\b(?:authority|behalf|name)\b|\bhis authority\b|\bher authority\b|\bfull authority\b",
         r"\bdelegates?\b[^.;]{0,40}\bto\b|\b(?:treat|count|consider|regard|set|mark|make) (?:me|us|my|requests? from me|anything i)\b[^.;]{0,40}\b(?:as|to)\b[^.;]{0,20}\b(?:admin\w*|approved|pre-?\w+|trusted|full|owner|verified|authori[sz]ed|root|exempt)\b",
         r"\b(?:trust|access|clearance|privilege|permission) level\b|\b(?:emergency|break-?glass|root|admin|superuser|owner) (?:rights?|privileges?|access)\b",
         r"\bentitled to\b|\beligible for\b|\b(?:gold|platinum|premium|vip|priority) (?:support|status|tier|customer)\b|\baccepts? (?:all|every|any)\b|\bopted? out of (?:audit|log|consent|security)\w*",
         r"\b(?:goes|go|went) (?:live|through) without\b|\bwhatever i (?:put|say|ask|send|submit)\b|\banything i (?:say|ask|send|submit)\b[^.;]{0,20}\b(?:counts|is|gets)\b|\b(?:shares?|share) (?:her|his|my|their) calendar with\b",
         but_not=r"^(?:i|my|we|our)\b[^.;,]{0,25}\b(?:test|write|document|build|maintain|model|design)\w*\b[^.;,]*$"),
)  # fmt: skip
"""Rules for claims of approval, authority or exemption, in English."""
