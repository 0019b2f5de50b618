"""Statements about a person that memory is not for: special categories, other people, guesses."""

from __future__ import annotations

from memwarden.guard.rule import Rule, rule
from memwarden.model.verdict import Reason

_S, _T, _N = Reason.SENSITIVE, Reason.THIRD_PARTY, Reason.INFERENCE

_AS_WORK = (
    r"(?:[\s-]+(?:&|and|or)\s+\w+)?[\s-]+(?:tracking|apps?|teams?|units?|departments?|projects?|imprint|products?|sites?|analytics|insurance|services?|portals?|courses?"
    r"|adverts?|ads|desks?|readers?|scanners?|sector|industry|data|software|systems?|station|devices?|group|research|squad|plant|modul\w+|risk|educators?|calendars?|sensors?|workflows?|dashboards?|benefits|law|studies|history|books?|charity|clinics?)\b"
)
_NOT_WORK = rf"(?!{_AS_WORK})"

SENSITIVE: tuple[Rule, ...] = (
    rule(_S, "health",
         r"\b(?:diabet\w*|cancer|tumou?r|chemo\w*|leuk\w+|lymphoma|asthma\w*|epilep\w+|arthritis|lupus|colitis|crohn'?s|ibs\b|coeliac|celiac|migraines?|hypertension|blood pressure|cholesterol"
         r"|thyroid\w*|pcos|endometriosis|anaemi\w+|anemi\w+|hepatitis|hiv\b|aids patient|std\b|tuberculosis|covid|stroke survivor|heart (?:condition|disease|attack|failure|surgery)|kidney (?:disease|stones?|failure)|fibromyalgia"
         r"|multiple sclerosis|parkinson\w*|alzheimer\w*|dementia|depress(?:ion|ed|ive)\b|anxiety|anxious|bipolar|schizo\w+|ptsd|ocd\b|adhd|autis\w+|asperger\w*|dyslexi\w+|dyspraxi\w+|dyscalculi\w+|neurodiver\w+|eating disorder|anorexi\w+|bulimi\w+"
         r"|panic attacks?|suicid\w+|self-harm\w*|psychiatr\w+|psychotherap\w*|antidepressants?|lithium|insulin|inhaler|methadone|chemotherapy|dialysis|transplant|alcoholi\w+|addict(?:ion|ed)?|in recovery|rehab|sober"
         rf"|pregnan\w+|miscarr\w+|ivf\b|abortion|menopaus\w+|infertil\w+|vasectomy|hysterectomy|deaf\b|hard of hearing|(?<!colour[- ])(?<!color[- ])blind\b(?! copy| spot| review)|paraly\w+|wheelchair|amputee|prosthe\w+|chronic (?:pain|illness|fatigue)|recovering from|surgery|hearing aids?|insomnia|blood (?:group|type)|aa meetings|alcoholics anonymous|\w{3,12}(?:itis|aemia|algia|phobia|ectomy|plegia|sclerosis)|psycholog(?:ist|ists)|psychiatrists?|therapists?|counsell?ors?|oncologists?|cardiologists?|terminally ill|long covid)\b{_NOT_WORK}",
         r"\b(?:diagnos\w+|prescribed|hospitali[sz]ed|admitted to (?:the )?hospital|hospital stay|(?:take|takes|taking|on) (?:\w+ ){0,2}(?:medicines?|medication|meds|tablets|pills)|(?:had|having|need|undergo\w*) (?:\w+ ){0,2}(?:surgery|operation|biopsy)|my (?:therapist|psychiatrist|oncologist|doctor|disability|illness|disease|condition)"
         r"|suffer\w* from|(?:have|has|having) (?:an? )?(?:\w+ ){0,2}(?:disease|disorder|syndrome|disability|illness|allerg(?:y|ies)|condition\b|headache|fever|migraine)|allergic to(?! (?:jargon|long|small|buzz|fluff|emoji|meetings|bullet|verb|filler))|side effects|in therapy|sick leave|mental health|symptoms?|due (?:date )?in \w+ with|expecting (?:a baby|twins|our))\b",
         but_not=r"^(?:i |we |my (?:thesis|dissertation|research|phd|novel|book|work)\b|builds?\b|teach(?:es)?\b|sells?\b|designs?\b|maintains?\b)[^.;,]{0,50}\b(?:awareness|screening|hearing aids?|class|classes|course|campaign|literacy|novels?)\b|\b(?:mental health|allerg\w+|symptoms?|medication|diagnos\w+|disab\w+|pregnan\w+|patients?)\b[\s-]+(?:tracking|apps?|teams?|project|portal|product|service|data|desk|software|charity|clinic|research|dashboard|module)|^(?:i|my|works?|we)\b[^.;,]{0,40}\b(?:build|edit|maintain|document|translate|design|support)\w*\b[^.;,]{0,60}\b(?:for|about|of)\b[^.;,]*$"),
    rule(_S, "worship",
         r"\b(?:go|goes|going|attend|attends|attending|visit|visits|pray|prays|praying|volunteer|volunteers|at|to)\b[^.;]{0,25}\b(?:mosque|masjid|church|temple|mandir|gurdwara|gurudwara|synagogue|chapel|mass|shul|vihara|friday prayers?|bible study|sunday service|satsang)\b(?! (?:street|road|lane|hill|town|square|view|gate))"),
    rule(_S, "time_served",
         r"\b(?:did|done|served|serving|spent) (?:\w+ ){0,3}(?:months?|years?|weeks?|time|a stretch) (?:inside|in (?:prison|jail|custody|borstal)|behind bars)\b|\binside for (?:fraud|theft|robbery|assault|drugs|burglary|\w+ing)\b|\bex-?(?:con|offender|convict|prisoner)\b"),
    rule(_S, "take_home",
         r"\b(?:take|takes|bring|brings|make|makes|clear|clears|pocket|pockets) (?:home )?(?:about |around |roughly |over |nearly )?(?:rs\.?|inr|usd|eur|[$€£₹])?\s?\d[\d,.]*\s?(?:k|lakhs?|thousand|grand|lpa)?\b[^.;]{0,12}\b(?:a|per|each|every) (?:month|year|week|annum|hour|shift)\b"),
    rule(_S, "medicine",
         r"\b(?:take|takes|taking|on|prescribed|started|use|uses|need|needs|swallow\w*|inject\w*)\b(?:\W+\w+){0,3}?\W+\w{2,}(?:raline|xetine|zepam|zolam|prazole|statin|sartan|[aeo]pril|[aeo]lol|formin|mycin|cillin|conazole|peridone|apine|triptan|glutide|profen|codone|thyroxine|tadine|gabalin|triptyline|oprolol|azosin)\b"),
    rule(_S, "union_member",
         r"\b(?:paid-?up |card-carrying |founding |active |lifelong |proud )(?:\w+ )?member of (?:the )?\w+|\bmember(?:ship)? of (?:the )?(?:unite|unison|gmb|rmt|usdaw|citu|intuc|aituc|bms|ver\.?di|ig metall|ugt|ccoo|cgt|cfdt|cut|afl-cio|seiu|teamsters|uaw)\b|\b(?:unite|unison|gmb|rmt|usdaw|citu|intuc|aituc|ver\.?di|ugt|ccoo|cgt|cfdt|seiu|teamsters|uaw)(?:'s)? (?:union )?(?:member|rep|steward|delegate)\b|\bshop steward\b|\bunion (?:dues|card)\b"),
    rule(_S, "finances",
         r"\b(?:salary|take-?home|ctc|wages?|pay ?check|income|net worth|bonus|pension)\b(?:\W+\w+){0,3}?\W+(?:is|of|was|around|about|comes|:)?\W*(?:rs\.?|inr|usd|eur|[$€£₹])?\s?\d[\d,.]*|\bearn(?:s|ed|ing)?\b(?:\W+\w+){0,2}?\W+[\d₹$€£]|\bearns? (?:more|less|well|little|the)\b",
         r"\b(?:in debt|debts?\b|owes?\b|owing|overdraft|bankrupt\w*|insolven\w+|foreclos\w+|credit score|credit rating|credit history|cibil|mortgage|home loan|personal loan|car loan|student loan|(?:has|have|took|got|took out) (?:an? )?loan|emi\b|defaulted|old default|loan default|savings? (?:are|is|of|account balance)|my savings|can't afford|cannot afford|broke\b|garnish\w+|alimony|child support|payday|below the poverty|welfare benefits|unemployment benefit|lives? paycheck)\b",
         but_not=r"^(?:i|my|works?|we|is|i'm)\b[^.;,]{0,60}\b(?:build|maintain|document|analyst|module|team|portal|app|service|modelling|project|product|test|write|support|developer|software)\w*\b(?:(?!\bi owe\b|\bmy (?:salary|savings|debt)\b).)*$"),
    rule(_S, "religion",
         rf"\b(?:muslim|hindu|christian|catholic|protestant|sikh|jain|buddhist|jewish|atheist|agnostic|baptist|evangelical|mormon|orthodox christian|shia|sunni|parsi|zoroastrian|bahai|pagan|hare krishna|jehovah'?s witness|lutheran|anglican|methodist|pentecostal){_NOT_WORK}\b",
         r"\b(?:convert(?:ed|ing)? to (?:islam|christianity|hinduism|buddhism|judaism|sikhism|catholicism)|(?:observe|observes|keep|keeps|celebrate|fast|fasts|fasting) (?:\w+ ){0,3}(?:ramadan|ramzan|lent|navratri|sabbath|shabbat|yom kippur|good friday|paryushan|ekadashi|karva chauth)|(?:during|for|in) (?:ramadan|ramzan|navratri|lent)|pray(?:s|ing)? (?:\w+ ){0,2}(?:times|daily|every|at)|(?:my|his|her) (?:faith|religion|mosque|temple|church|parish|gurdwara|synagogue|religious|beliefs?)|practising|practicing (?:muslim|catholic|hindu|jew)|go(?:es)? to (?:church|mosque|temple|mass)|non-?believer|born again)\b",
         but_not=r"\bpractising (?:law|lawyer|nurse|doctor|engineer|accountant|architect)"),
    rule(_S, "ethnicity",
         r"\b(?:obc|dalit|brahmin|kshatriya|vaishya|shudra|adivasi|scheduled (?:caste|tribe)s?|sc quota|st quota|sc/st|caste|jaati|kayastha|rajput|maratha caste|yadav|jatav|reddy caste|kamma|kapu caste|nair caste|ezhava|vokkaliga|lingayat|backward class(?:es)?|ews quota|creamy layer)\b",
         r"\b(?:of|from|my|mixed|by) (?:\w+ )?(?:descent|heritage|ancestry|ethnicity|ethnic (?:origin|background)|race|tribe|origin family|clan)\b|\broma descent\b|\b(?:i'm|i am|am|is) (?:a )?(?:black|white|asian|latino|latina|hispanic|roma|arab|kurdish|aboriginal|native american|mixed race|biracial|african american)\b(?! belt| box| label)|\bundocumented\b|\b(?:immigration|visa|asylum|refugee|residency) (?:status|application|seeker|claim)\b|\basylum\b|\b(?:on|have|has|hold|holds) (?:an? )?(?:h-?1b|h4|student visa|work visa|green card|temporary visa|spouse visa)\b|\bvisa (?:expires|runs out|was refused|ends)\b",
         but_not=r"^my (?:thesis|dissertation|research|phd|novel|book|paper|course) (?:is |looks )?(?:about|on|at)\b"),
    rule(_S, "politics_union",
         r"\b(?:vot(?:e|es|ed|ing) (?:for|against)|supports? (?:the )?(?:bjp|congress|aap|labour|labor|tories|conservatives?|democrats?|republicans?|liberals?|greens|communists?|left|right|party|trump|biden|modi)|(?:democrat|republican|socialist|communist|marxist|conservative|leftist|right-winger|liberal) (?:voter|by conviction|at heart|party|all my)|party member|political (?:views?|party|beliefs?|activis\w*|opinions?)|member of (?:the )?(?:\w+ ){0,2}party|(?:attended|joined|went to|march(?:ed)? (?:in|at)|organi[sz]ed) (?:the |a |an )?(?:\w+ ){0,3}(?:protests?|demonstration|rally|strike)|campaign(?:s|ed|ing)? for (?:the )?(?:\w+ )?(?:party|candidate|election))\b",
         r"\b(?:trade|labou?r|workers'?|my|the|an active|active|teachers'?|works'?|a) union\b(?! station| square| budget| bank| jack| territory| type)|\bunion(?:'s)? (?:member\w*|rep\w*|organi[sz]er|steward|dues|delegate|activist|official|card)\b|\b(?:member|part|officer|rep\w*|delegate|joined|belongs?|active)\b[^.;]{0,30}\bunion\b(?! station| square)|\bshop steward\b|\bworks council\b|\bunioni[sz]\w+"),
    rule(_S, "sexuality",
         r"\b(?:i'm|i am|am|is|as an?|came out(?: as)?|identif(?:y|ies) as|be|being|openly|out as)\b(?:\W+\w+){0,2}?\W+(?:gay|lesbian|bisexual|bi|queer|trans|transgender|transsexual|non-?binary|genderfluid|asexual|pansexual|homosexual|intersex)\b|^(?:gay|lesbian|bisexual|transgender|queer)\b|\b(?:same-sex|my (?:sexuality|sexual orientation|gender identity|transition|sex life)|not out at|came out|gender reassignment|hormone therapy|sexually active|dead ?name)\b"),
    rule(_S, "biometrics",
         r"\b(?:fingerprints?|thumb-?prints?|face ?scan|facial|iris|retina\w*|voice ?prints?|palm|dna|genetic|genome|thumb|gait)\b(?:\W+\w+){0,2}?\W+(?:templates?|scans?|id\b|is enrolled|was recorded|enrolled|recorded|minutiae|on file|data|profile|test results?|markers?|hash)\b|\bminutiae\b|\b(?:my|his|her) (?:fingerprints?|face scan|faceprint|iris|retina|voice ?print|dna|genetic|genome)\b|\bbiometric\w*\b",
         but_not=r"^(?:i|works?|we|my (?:job|team|work|project))\b[^.;,]{0,30}\b(?:write|build|maintain|test|work|develop|design|firmware)\w*"),
    rule(_S, "criminal_record",
         r"\b(?:convict(?:ed|ion)s?\b|criminal record|arrested|on parole|on probation for|prison|jail(?:ed)?|been in custody|restraining order|charged with|pleaded guilty|felony|misdemeanou?r|police record|court case|lawsuit against me|sentenced|community service order|dui\b|drink[- ]driving)\b",
         but_not=r"\b(?:conviction rate|by conviction|with conviction)\b"),
)  # fmt: skip

_KIN = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fiance|son|daughter|kids?|children|child|baby|mother|father|mom|mum|dad|parents?|brother|sister|sibling|cousin|uncle|aunt|nephew|niece|grand\w+|in-?laws?|friend|neighbou?r|flatmate|roommate|ex\b"
    r"|\w+-in-law|twins|family)"
)
_MATE = r"(?:manager|boss|supervisor|colleague|co-?worker|team-?mate|teammates|report|director|team lead|lead|intern|trainee|assistant|deputy|client|customer|supplier|landlord|tenant|teacher|student|doctor|mentor|mentee|skip-level|ceo|cto|cfo|head of \w+|secretary|recruiter|predecessor|successor|desk neighbou?r|trainer|caller)"
_DOES = r"(?:is|are|was|were|has|have|had|wants?|earns?|got|gets|never|always|often|failed|fails|drinks?|hates?|likes?|loves?|prefers?|lives?|works?|left|leaves|lost|swears?|needs?|seems?|keeps?|said|says|told|thinks?|refuses?|prays?|smokes?|quit|resigned|went|goes|takes?|makes?|does|doesn't|can't|cannot|won't|will|plans?|cheated|cries|owes?|moved|divorced|married|retire[sd]?|snores|complains?|sleeps?|uses?|speaks?|forgets?|arrives?)"

OTHERS: tuple[Rule, ...] = (
    rule(_T, "someone_of_mine",
         rf"\b(?:my|our|his|her|their|the|user's|[a-z]+'s) (?:(?!password|product|project|package|account|window|task|credential)\w+ )?(?:{_KIN}|{_MATE})\b,?(?: (?!is what|for|at|in which)[\w.-]+){{0,5}}?,? {_DOES}\b",
         rf"\b(?:my|his|her|their|[a-z]+'s) {_KIN}\b(?! (?:of mine )?(?:plan|tree|room|day|medicine))",
         but_not=r"\b(?:my|our) (?:manager|team lead|boss|lead|director|supervisor|client|customer)s?\b[^.;]{0,30}\b(?:prefers? to be copied|reads my)\b|\b(?:the|a) (?:report|lead|customer|client|student|assistant|head|deputy|teacher|doctor|caller)s? (?:\w+ )?(?:is|are|has|have|uses?|needs?) (?:written|called|named|due|in|on|a|the)\b|^(?:i|works?|we) [^.;]{0,30}\b(?:my|the) (?:customers?|clients?|students?|team)\b[^.;]*$"),
    rule(_T, "pronoun_subject",
         r"^(?:he|she|they)(?:'s|'re)?\b|^(?:his|her|their) \w+|[.;,] (?:and |but )?(?:he|she)(?:'s)? (?:is|was|has|wants|got|will|likes|never|always|lost|needs|said)\b|^(?:that|this) (?:guy|woman|man|person|girl|boy)\b"),
    rule(_T, "reported_other",
         r"\b(?:is|are|was|were|has been|going through|getting|went through|just got) (?:\w+ )?(?:divorced|a divorce|separated|pregnant|expecting|fired|laid off|chemotherapy|treatment|promoted|demoted|on a pip|arrested|an affair|engaged|dating|job hunting|interviewing elsewhere)\b",
         but_not=r"^(?:i|i'm|my|we)\b"),
)  # fmt: skip
"""Rules for statements about somebody else, in English."""

GUESSES: tuple[Rule, ...] = (
    rule(_N, "hedged",
         r"^(?:the |this )?(?:user |person |employee |customer |he |she |they )?(?:also )?(?:seems?|appears?|sounds?|looks?|comes across|came across|gives the impression|tends? to|strikes|acts? like|behaves? like|feels? like|must be|may be|might be|could be|is likely|is probably|is apparently|is presumably|is possibly|is perhaps)\b",
         r"^(?:probably|likely|apparently|presumably|possibly|perhaps|maybe|evidently|seemingly|obviously|judging|i (?:guess|suspect|sense|assume|infer)|my (?:guess|impression|sense) is)\b",
         r"\b(?:user|person|employee|she|he)\b (?:may|might|could|must|seems?|appears?|sounds?|is likely|probably|presumably) \w+",
         r"\b(?:it would seem|it seems|by the look of|by the sound of|judging (?:from|by)|to go by|is anything to go by|gives? the impression|the impression (?:that|of)|reading between the lines|i get the feeling|one gets the|presumed \w+|inferred|suspected|comes across)\b"),
    rule(_N, "temper",
         r"^(?:is |the user is |user is )?(?:an? )?(?:perfectionist|control freak|pushover|micromanager|procrastinator|worrier|pessimist|optimist|loner|gossip|workaholic|people[- ]pleaser|know-it-all|attention[- ]seeker|hothead|slacker)\b",
         r"\b(?:takes?|handles?|reacts? to|responds? to|copes? with|deals? with) (?:\w+ )?(?:criticism|feedback|pressure|stress|conflict|rejection|failure|setbacks)\b[^.;]{0,20}\b(?:badly|poorly|well|personally|hard|calmly)\b|\b(?:badly|poorly) (?:takes|handles|copes)\b",
         but_not=r"^(?:i|i'm|my)\b"),
    rule(_N, "character",
         r"\b(?:is|are|was|as|a|an|very|so|quite|rather|bit|little|too|often|gets?|becomes?|is easily)\s+(?:\w+ )?(?:insecure|lazy|arrogant|rude|impatient|jealous|aggressive|passive|naive|dishonest|unreliable|incompetent|immature|needy|moody|irritable|irritated|angry|hostile|lonely|sad|unhappy|stressed|overwhelmed|burn(?:ed|t)[- ]?out|demotivated|unmotivated|disengaged|disgruntled|frustrated|bored|depressed|nervous|paranoid|narcissis\w+|stubborn|careless|clumsy|stupid|clueless|slow learner|low performer|under-?performer|poor performer|under-?performing|flight risk|not (?:a )?team player|troublemaker|bitter|resentful|envious|timid|gullible|distracted|defensive|cynical|vain|greedy|selfish|disloyal|manipulative|under pressure)\b",
         r"^(?:lazy|careless|rude|angry|moody|stressed|burn(?:ed|t) out|demotivated|low performer|slow learner|underperformer|poor at|bad at (?:people|teamwork|deadlines)|insecure|arrogant|unreliable|disengaged)\b|\b(?:kind|sort|type) of person (?:who|that)\b|\b(?:is|was) an? (?!morning|night|people|visual|dog|cat|details?|numbers|data)\w+ (?:person|employee|worker|performer|communicator|listener|individual)\b|^(?:poor|bad|good|weak|great) (?:communicator|listener|performer|worker)\b|\blacks? (?:\w+ )?(?:confidence|motivation|empathy|discipline|focus|commitment|ambition|integrity)\b|\blow (?:self-esteem|morale|performer|engagement|motivation|confidence)\b|\b(?:shifts? blame|bends? the truth|distrust\w*|job hunting|planning to (?:resign|quit|leave)|close to (?:quitting|burning out)|about to (?:quit|resign)|engagement score|sentiment score|attrition risk|personality type|needs praise|holds? grudges?|gets? (?:angry|upset|annoyed|nervous|jealous))\b",
         but_not=r"^(?:i|my|we|i'm)\b(?![^.;]*\b(?:user|seems)\b)"),
)  # fmt: skip
"""Rules for conclusions about a person that nobody stated, in English."""
