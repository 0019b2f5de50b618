"""Statements that belong elsewhere or nowhere: facts of the organisation, the moment, raw conversation."""

from __future__ import annotations

from memwarden.guard.rule import Rule, rule
from memwarden.model.verdict import Reason

_O, _M, _C = Reason.POLICY, Reason.TRANSIENT, Reason.TRANSCRIPT

_TOPIC = (
    r"(?:(?:casual|sick|paid|annual|unused|maternity|paternity|parental|earned|medical|study|bereavement) leave|leave|notice period|allowances?|carry-?(?:forward|over)|reimbursements?|claims?|refunds?|returns?|meal\w*|travel (?:claims?|expenses?)|hotel (?:cap|limit|rate)|per diem"
    r"|bonus(?:es)?|probation(?: period)?|prices?|pricing|(?:\w+ )?plans?|tiers?|subscriptions?|warrant(?:y|ies)|holidays?|limits?|caps?|quotas?|polic(?:y|ies)|stock plan|contractors?|employees?|new joiners?|interns?|managers|staff|overtime|remote work|work from home|wfh|working from home|dress code|receipts?|invoices?|expenses?|laptops|company laptops|passwords|visitors|orders|deliveries|shipping|delivery|version \d+|app|product|release|expense reports?|travel|taxi claims?|fees?|discounts?|deductibles?|coverage|office hours|the office|gratuity|provident fund|increments?|appraisals?|vouchers?|parking|guests|suppliers|vendors|customers|users|accounts|sessions|tickets|api|free tier|trial|rate limit|sla|support hours|retention)"
)
_RULES = r"(?:is|are|was|were|must|can(?:'t|not)?|may(?: not)?|shall|should|will|lapses?|expires?|costs?|includes?|requires?|needs?|need|gets?|get|has to|have to|drops?|ends?|starts?|covers?|allows?|caps?|applies|apply|carry over|carries over|accrues?|renews?|supports?|comes? with|closes?|opens?|counts?|qualif(?:y|ies)|don't|doesn't|do not|does not)"

POLICIES: tuple[Rule, ...] = (
    rule(_O, "house_offer",
         r"\b(?:we|they|the (?:shop|store|bank|clinic|branch|school|college|hotel|airline)) (?:only |always |now |also )?(?:gives?|offers?|allows?|accepts?|charges?|refunds?|deducts?|reimburses?|cap|caps|pays?)\b[^.;]{0,25}?(?:[$€£₹]|rs\.?|\b)\s?\d[\d,.]*\s?(?:%|percent|days?|weeks?|months?|hours?|rupees|euros?|dollars?|pounds?)?\b[^.;]{0,20}\b(?:returns?|refunds?|leave|notice|fees?|claims?|on|for|per|of|to|trips?|warranty)\b",
         r"తప్పనిసరి|अनिवार्य|கட்டாயம்|obligatorio|obligatoire|verpflichtend|obrigatorio"),
    rule(_O, "organisation_rule",
         rf"(?:^|[.;:,]\s+(?:and |but )?|\band |\bthat |\bwhile )(?:the |our |all |any |every |each |unused |full-time |part-time |new |old |company(?:'s)? |team |office )*(?:\w+ )?{_TOPIC}(?: (?:in|at|for|above|over|below|under|of|on|from|to|with|by|older) (?:[\w,.']+ ?){{1,5}}?)?,? {_RULES}\b",
         r"\b(?:our|the|my|this) (?:company|firm|organi[sz]ation|employer|office|hr|business|department|bank|school|university|hospital|agency)(?: policy| handbook| rules?)? (?:gives?|offers?|allows?|pays?|reimburses?|requires?|provides?|observes?|closes?|bans?|grants?|does not|doesn't|charges?|sells?|refunds?|covers?|permits?|policy|rule|mandates?|expects?)\b|^company (?:gives|offers|allows|pays|policy|provides|requires|does)",
         r"\b(?:policy|handbook|rules?|guidelines?) (?:is|are|says?|states?|requires?|that)\b|\b(?:company|office|public|bank|national) holidays?\b(?=.*\b(?:is|are|on)\b)|\bare office holidays\b|\bhow (?:our|the) (?:firm|company|team|office) does it\b|\b(?:here|in our company|at our company|at our firm|in this office)\b[^.;]{0,12}\b(?:must|need|have to|is|are|get)\b",
         r"\b(?:costs?|is|are|at|capped at|priced at|limit(?:ed)? (?:to|of)|cap of|maximum of|up to|within|after|above|below|over|under) (?:rs\.?|inr|usd|eur|[$€£₹])?\s?\d[\d,.]* ?(?:rupees|euros?|dollars?|francs?|pounds?|pesos|reais|%|percent|lakh)\b[^.;]{0,30}\b(?:a|per|each|every)?\s?(?:month|year|seat|night|user|day|person|trip|claim|bill)\b",
         r"\bnotice period\b|\bcarry-?forward limit\b|\brequests? (?:a|per) (?:minute|second|hour|day)\b|\b(?:is|are) (?:allowed|permitted|accepted|reimbursed|capped|limited|required|mandatory|compulsory|forbidden|prohibited|banned|replaced) (?:only|twice|once|up to|at|within|every|for|to|after|until|from|above|below|by)\b|\bnot required for\b|\bneeds? (?:vp|manager|director|hr|finance|prior) approval\b",
         but_not=r"^(?:i|i'm|i've|my (?!company|firm|employer|office policy|organisation)|prefers?|likes?|wants?|uses?|works?|owns?|maintains?|reviews?|writes?)\b(?!.*\b(?:and|but) (?:the|our) (?:\w+ )?(?:cap|limit|polic\w+|plan|allowance|price|hotel|company)\b)(?!.*\b(?:hotel cap|notice period|per diem|allowance is)\b)[^;]*$"),
)  # fmt: skip
"""Rules for facts that documents of the organisation hold better, in English."""

_SOON = (
    r"(?:right now|at the moment|at this moment|just now|for now|currently|presently|today|tonight|tomorrow|yesterday|last night|this (?:morning|afternoon|evening|week|weekend|month|minute|second|once)|next (?:week|hour|monday|tuesday|wednesday|thursday|friday|saturday|sunday|few (?:days|hours|minutes))"
    r"|later (?:today|this)|earlier today|any minute|in (?:a|an|\w+|\d+) (?:minutes?|mins?|hours?|hrs?|days?|moment|bit|second)s?|for (?:the next|another|the rest of) [\w ]{1,16}|for (?:a|an|\w+) (?:minutes?|hours?)\b|in half an hour|back (?:at|in|by) \w+|since (?:this morning|yesterday|last night|noon|monday)|one last|shortly|still waiting|as we speak|these past few (?:days|hours))"
)

MOMENTS: tuple[Rule, ...] = (
    rule(_M, "time_word", rf"\b{_SOON}\b",
         but_not=r"\bcurrently (?:live|lives|living|work|works|based|learn\w*|study\w*|reside\w*) (?:in|at|as|on|for|from)\b(?! the (?:train|airport|meeting|car))|\b(?:every|each) (?:day|week|morning)\b.*\bby default\b|\b(?:answers?|replies|summar\w+|reminders?) (?:in|within) \w+ (?:minutes?|hours?)|\b(?:reminders?|notice|alerts?|warn\w*|remind\w*)\b[^.;]{0,30}\bin advance\b|\b(?:ask|tell|remind|show|greet)\b[^.;]{0,30}\btoday'?s\b"),
    rule(_M, "until_soon",
         r"\buntil (?:noon|midnight|lunch|then|later|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|next \w+|the end of (?:the )?(?:day|week|month)|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\d{1,2}(?::\d\d)?\s?(?:am|pm|o'clock)?\b(?![\d/.-]))",
         but_not=r"\b(?:work|works|working|shift|hours|online|available|open|from \w+(?: \w+)? until|usually|every|always)\b[^.;]{0,40}\buntil\b|\bleave until (?:20\d\d)"),
    rule(_M, "place_of_now",
         r"\b(?:i'm|i am|we're|we are|am|is|currently|stuck|sitting|waiting|standing) (?:\w+ )?(?:at|by|outside|inside|in) (?:the |my )?(?:gate|platform|counter|reception|lobby|check-?in|security|car ?park|waiting room|departures?|arrivals?|checkout|till|clinic|bus stop)\b",
         r"\b(?:server|system|site|net|vpn|laptop|app|portal)\b[^.;]{0,20}\b(?:down|band|slow|hang|crash) (?:undi|ayindi|ayyindi|hai|ho gaya|ho gayi|aithundi)\b|\b(?:reboot|restart|update|install|download|upload) (?:chestunna\w*|avutondi|avthundi|kar raha|kar rahi|ho raha)\b",
         r"\b(?:boarding|queu(?:e)?ing|checking in|on hold|en route|in transit)\b(?! (?:school|house|pass|kennel))",
         r"\bat (?:the|a) (?:repair|service|workshop|mechanic'?s?|garage)(?: (?:shop|centre|center))?\b|\b(?:in|out|away|gone|off) for (?:repairs?|service|servicing|cleaning|an? (?:check|fix|upgrade))\b|\b(?:on|using) (?:a |this |an? \w+ )?(?:loaner|borrowed|spare|temporary|replacement)\b"),
    rule(_M, "state_of_now",
         r"\b(?:i'm|i am|am|is|we're|we are|^in|^on|^at|^stuck|^out)\b ?(?:in|on|at|out|stuck|off|away|heading|running|boarding|waiting|driving|walking|still|about|already|just)? ?(?:in )?(?:(?:an? |the |my |\d\S* |[ap]m ){0,3})?(?:meeting|interview|traffic|line|train|bus|plane|flight|airport|call|lunch|queue|taxi|cab|vacation|holiday|leave|sick|office until|late|annual leave|road|dentist)\b(?! (?:team|desk|portal|service|tracker|app|project|room|page|module|balance|dashboard|system|scheduling|unit))",
         r"\b(?:is|are|has been|have been|keeps?|went|was) (?:\w+ )?(?:down|offline|broken|crashed|crashing|frozen|freezing|restarting|rebooting|updating|loading|flickering|blinking|stuck|not (?:working|loading|responding|starting)|unreachable|unavailable|red|slow|lagging|delayed|cancelled|canceled|postponed|missing|lost|late\b(?! shift)|out of (?:battery|paper|space))\b|\bbattery (?:is )?(?:at|low|dead|dying)\b|\b(?:about to|on my way|running late|out of office|ooo\b|be right back|brb\b|logged in as|session idle|just (?:landed|arrived|left|started|finished|passed|woke|got))\b|\bcan't (?:hear|see|connect|log ?in|reach|open)\b|\bi have (?:an? )?(?:\w+ )?(?:interview|meeting|call|appointment|panel|exam|deadline|flight)\b[^.;]{0,20}\b(?:at|in|on)\b|\bcovering (?:for|the)\b[^.;]{0,30}\b(?:this|tomorrow|today)\b|\bdebugging a\b",
         but_not=r"^(?:i )?(?:work|maintain|write|own|build|test|prefer|like|use)s?\b[^.;,]{0,40}\b(?:status|pages?|dashboards?|slow|offline|red|full)\b|\bwhen (?:the|my|a)\b[^.;,]{0,30}\bis (?:down|slow|offline)\b|\bfull[- ](?:time|stack|text|name)"),
)  # fmt: skip
"""Rules for what will not be true next week, in English."""

TRANSCRIPTS: tuple[Rule, ...] = (
    rule(_C, "dialogue",
         r"(?:^|[\s>\"'])(?P<a>user|human|customer|caller|me|client|usuario|utilisateur|kunde|cliente|q|यूज़र|ग्राहक|వినియోగదారు|用户|ユーザー|المستخدم)\s?:\s[\s\S]{0,400}?[\s>\"'.?!](?:assistant|ai|bot|agent|support|system|helpdesk|asistente|agente|assistente|chatbot|user|caller|customer|human|kunde|a|सहायक|సహాయకుడు|助手|アシスタント|المساعد)\s?:\s",
         r"(?:^|[\s>])(?:assistant|ai|bot|agent|support|asistente|chatbot|助手|アシスタント)\s?:\s[\s\S]{0,400}?[\s>.?!](?:user|human|customer|caller|usuario|kunde|用户|ユーザー)\s?:\s",
         r"\[\d{1,2}:\d\d(?::\d\d)?\s?(?:am|pm)?\]\s*\w+|\b\d{1,2}:\d\d(?::\d\d)?\s?(?:am|pm)?\s?[-\]>]\s?\w+: ",
         r"(?:^|[.?!]\s)[a-z]{2,15}: [^:]{2,120}[.?!]\s[a-z]{2,15}: [^:]{2,120}[.?!]\s[a-z]{2,15}: "),
    rule(_C, "pasted",
         r"^\s*>\s|\n\s*>\s|\bon \w{3,9}[^.\n]{0,40}\bwrote:|-{3,} ?(?:original|forwarded) message|^(?:from|subject|sent|to|cc|date): .{1,80}\b(?:from|subject|sent|to|cc|date): |begin forwarded message",
         r"traceback \(most recent|\bat [\w.$]+\([\w]+\.java:\d+\)|\bexception in thread\b|\b(?:error|warn|info|debug)\b \[?\w+\]? .{0,40}\d{2}:\d{2}:\d{2}|\bkeyerror: |\bnullpointerexception\b|segmentation fault",
         r"^(?:hi|hello|dear|hey|good (?:morning|afternoon)|hola|bonjour|hallo|ola)\b[\s\S]{0,400}\b(?:best regards|kind regards|warm regards|regards,|sincerely|cheers,|thanks and regards|yours (?:truly|faithfully)|saludos|cordialement|mit freundlichen|atenciosamente)",
         r"```|^\s*(?:<!doctype|<html|<\?xml|\{\s*\"|\[\s*\{)|\b(?:select|insert|update|delete)\b [\s\S]{1,80}\b(?:from|into|set|where)\b [\s\S]{0,60};|^\s*(?:def|class|import|function|public class|#include)\b.*[({:]|^\s*\|.+\|.+\|"),
    rule(_C, "thanks_only", r"^(?:hi|hello|hey|thanks|thank you|ok|okay|yes|no|sure|great|cool|bye|good (?:morning|night|evening))[\s.!,]*$"),
)  # fmt: skip
"""Rules for raw pieces of conversation, mail, logs and code."""
