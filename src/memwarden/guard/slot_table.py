"""The slots that every application starts with.

Each pattern describes a whole sentence: first person ("I prefer replies in Telugu"), a request about
form ("Please answer me in Hindi"), or the elliptical form of extracted notes ("Prefers replies in Telugu").
"""

from __future__ import annotations

from memwarden.guard.slot_values import FORMATS, LANGUAGES, LENGTHS, PRONOUNS, UNITS
from memwarden.guard.slots import Slot, SlotRegistry
from memwarden.model.record import MemoryType

_FACT, _PREFERENCE = MemoryType.FACT, MemoryType.PREFERENCE

_END = (
    r"(?:[,;]?\s*(?:please|thanks|thank you|if possible|por favor|s'il (?:te|vous) pla[iî]t|bitte))?\s*[.!।]*"
)
_WANT = (
    r"(?:(?:i(?:'d| would)?|we)\s+(?:really\s+|much\s+)?(?:prefer|like|want|need|rather have|love|appreciate)"
    r"(?:\s+(?:to\s+(?:get|have|receive|see)|getting|having))?|(?:from now on,?\s+)?(?:prefers|likes|wants|needs|expects)"
    r"(?:\s+(?:to\s+(?:get|have|receive|see)|getting|having))?|my preference is|(?:please\s+)?(?:give|send|show|write) me)"
)
_ORDER = r"(?:please\s+|(?:from now on|going forward),?\s+)*(?:always\s+)?(?:please\s+)?"
_ANSWERS = r"(?:(?:all\s+|your\s+|the\s+|my\s+)*(?:answers?|replies|reply|responses?|messages?|explanations?|communication|summaries|output)\s+(?:to me\s+)?(?:to be\s+|should be\s+|in\s+)?)"
_I_AM = r"(?:(?:i(?:'m| am)|is|am)\s+)"
_WORDS = r"[^.;!?\n]"
_NAME = r"(?P<value>(?!(?:a|an|the|on|in|at|by|to|back|when|if|once|after|before|later|tomorrow|today|tonight|now|every|any|anytime|only|not|as|for|your|my|his|her|our|soon|again|over|out|crazy|maybe|next|this|that|immediately|asap|whenever)\b)(?:(?:dr|mr|mrs|ms|mx|prof|shri|smt|sri)\.?\s+)?[^\W\d_][\w.'’-]*(?:\s+[^\W\d_][\w.'’-]*){0,3}?)"
_NOT_OTHER = r"(?:,?\s*(?:and\s+)?(?:not|instead of|rather than|never)\s+[^.;,]{1,40})?"

_LANGUAGE = Slot(
    "language", _PREFERENCE, "To answer in the language you want", "Prefers replies in {value}",
    (
        rf"{_WANT}\s+{_ANSWERS}?in\s+(?P<value>[^\d.,;]{{2,30}}?){_END}",
        rf"{_WANT}\s+(?:the\s+)?(?P<value>[^\d.,;\s]{{2,20}}(?:\s(?:english|chinese|portuguese))?)\s+(?:answers|replies|responses){_END}",
        rf"{_ORDER}(?:answer|reply|respond|write|speak|talk|communicate|explain)\s*(?:to\s+)?(?:me\s+)?(?:always\s+|only\s+)?in\s+(?P<value>[^\d.,;]{{2,30}}?)(?:\s+(?:only|always|from now on))?{_END}",
        rf"{_ORDER}use\s+(?P<value>[^\d.,;\s]{{2,20}})\s+(?:with me|when (?:answering|talking|replying).{{0,20}}|for (?:answers|replies)){_END}",
        rf"my (?:preferred |reply )?language is\s+(?P<value>[^\d.,;]{{2,30}}?){_END}",
        rf"(?:display |preferred |reply )?language(?: is|:| set to)\s+(?P<value>[^\d.,;\s]{{2,20}}){_END}",
        # Hindi and Telugu, in their scripts and romanised
        r"(?:कृपया\s+)?(?:मुझे\s+|मुझसे\s+)?(?:हमेशा\s+)?(?:जवाब\s+|उत्तर\s+)?(?:हमेशा\s+|सिर्फ़?\s+|केवल\s+)?(?P<value>\S{2,20})\s+(?:में|मे)\s+(?:ही\s+)?(?:जवाब\s+|उत्तर\s+|बात\s+)?(?:दीजिए|दीजिये|दें|दो|देना|पसंद हैं?|चाहिए|करें|कीजिए|लिखें|लिखिए)[।.\s]*",
        r"(?:please\s+)?(?:mujhe\s+|mujhse\s+)?(?:hamesha\s+)?(?:jawab\s+|jawaab\s+|reply\s+)?(?:hamesha\s+|sirf\s+)?(?P<value>[a-z]{3,15})\s+(?:mein|me|main)\s+(?:hi\s+)?(?:jawab\s+|jawaab\s+|reply\s+|answer\s+|baat\s+)?(?:dijiye|dijie|do|dena|pasand hai|pasand hain|chahiye|karo|karna|karein|likho|likhna)[.\s]*",
        r"(?:దయచేసి\s+)?(?:నాకు\s+|నాతో\s+)?(?:ఎప్పుడూ\s+)?(?:సమాధానాలు\s+|జవాబులు\s+)?(?P<value>[ఀ-౿]{2,20}?)(?:లోనే|లో)\s+(?:సమాధానం\s+|జవాబు\s+)?(?:ఇవ్వండి|ఇవ్వు|చెప్పండి|చెప్పు|కావాలి|మాట్లాడండి|రాయండి)[.\s]*",
        r"(?:dayachesi\s+)?(?:naaku\s+|naku\s+|naatho\s+)?(?:eppudu\s+)?(?:samadhanalu\s+|javabulu\s+)?(?P<value>[a-z]{3,15}?)\s?(?:lone|lo)\s+(?:samadhanam\s+|javabu\s+)?(?:ivvandi|ivvu|cheppandi|cheppu|kavali|matladandi|rayandi)[.\s]*",
        # Spanish, French, German
        rf"(?:por favor,?\s+)?(?:prefiero (?:las |que me )?(?:respuestas|respondas|contestes)|(?:siempre\s+)?(?:resp[oó]nd[ea]me|cont[eé]stame|contesta|responde|h[aá]blame|escr[ií]beme))\s+(?:siempre\s+)?en\s+(?P<value>\S{{2,15}}){_END}",
        rf"(?:je pr[eé]f[eè]re (?:les |des )?r[eé]ponses|r[eé]pond[sz](?:-moi)?|parle(?:z)?-moi|[eé]cri(?:s|vez)-moi)\s+(?:toujours\s+)?en\s+(?P<value>\S{{2,15}}){_END}",
        rf"(?:bitte\s+)?(?:ich (?:bevorzuge|m[oö]chte|will|h[aä]tte gern)\s+(?:die\s+)?antworten|(?:antworte|antworten sie|schreib|sprich)(?:\s+(?:mir|mit mir))?(?:\s+bitte)?)\s+(?:immer\s+)?(?:nur\s+)?auf\s+(?P<value>\S{{2,15}}){_END}",
        r"请?(?:始终|总是|一直)?用(?P<value>\S{2,6}?)(?:来)?(?:回答|回复|答复)我?[。.]?",
    ),
    30, LANGUAGES, closed=True,
)  # fmt: skip

_NAME_SLOT = Slot(
    "name", _PREFERENCE, "To address you the way you want", "Wants to be called {value}",
    (
        rf"{_ORDER}(?:just\s+)?(?:call|address)\s+me\s+(?:as\s+)?{_NAME}{_NOT_OTHER}{_END}",
        rf"(?:i(?:'d| would)?\s+(?:prefer|like|want)|prefers|likes|wants)\s+(?:to be|being)\s+(?:called|addressed as|known as)\s+{_NAME}{_NOT_OTHER}{_END}",
        rf"(?:i\s+go|goes)\s+by\s+{_NAME}{_NOT_OTHER}{_END}",
        rf"should be (?:called|addressed as)\s+{_NAME}{_END}",
        rf"my (?:preferred |first |nick)?name is\s+{_NAME}{_END}",
        r"(?:मुझे\s+)(?:सिर्फ़?\s+)?(?P<value>\S{2,20})\s+(?:कहिए|कहो|कहें|बुलाओ|बुलाइए|बुलाएं|कहकर बुलाएं)[।.\s]*",
        r"मेरा नाम\s+(?P<value>\S{2,20}(?:\s\S{2,20})?)\s+है[।.\s]*",
        r"(?:mujhe\s+)(?:sirf\s+|bas\s+)?(?P<value>[a-z]{2,20})\s+(?:kahiye|kaho|kehna|bulao|bulana|bulaiye|bolo)[.\s]*",
        r"mera naam\s+(?P<value>[a-z]{2,20}(?:\s[a-z]{2,20})?)\s+hai[.\s]*",
        r"(?:నన్ను\s+)(?P<value>\S{2,20})\s+అని\s+(?:పిలవండి|పిలువు|పిలు|పిలవు)[.\s]*",
        r"నా పేరు\s+(?P<value>\S{2,20}(?:\s\S{2,20})?)[.\s]*",
        r"(?:nannu\s+)(?P<value>[a-z]{2,20})\s+ani\s+(?:pilavandi|piluvu|pilu|pilavu)[.\s]*",
        r"naa? peru\s+(?P<value>[a-z]{2,20}(?:\s[a-z]{2,20})?)[.\s]*",
        rf"(?:ll[aá]mame|me llamo|mi nombre es|prefiero que me llames)\s+{_NAME}{_END}",
        rf"(?:appelle(?:z)?-moi|je m'appelle|mon pr[eé]nom est)\s+{_NAME}{_END}",
        rf"(?:nenn(?:e|en sie)? mich|ich hei(?:ß|ss)e|mein name ist)\s+(?:bitte\s+)?{_NAME}{_END}",
        rf"(?:(?:pode )?me cham(?:ar|e) de|meu nome [eé]|me chamo)\s+{_NAME}{_END}",
    ),
    40,
)  # fmt: skip

_CITY = r"(?P<value>(?!(?:a|an|my|our|his|her|fear|hope|this|that|constant|some|one)\b)[^\W\d_][\w.'’-]*(?:(?:,\s*|\s+|-)(?!and\b|but\b|so\b|or\b|with\b|for\b|to\b|because\b|which\b|where\b|when\b|if\b|always\b|never\b|y\b|et\b|und\b|e\b)[^\W\d_][\w.'’-]*){0,3}?)"
_LOCATION = Slot(
    "location", _FACT, "To fit answers to where you are", "Is based in {value}",
    (
        rf"(?:i(?:'m| am)?\s+)?(?:(?:currently\s+)?(?:live|lives|living|reside|resides|based|located|stay|stays)|am based|is based|is located)\s+in\s+{_CITY}{_END}",
        rf"my (?:location|city|base|home city) is\s+{_CITY}{_END}",
        rf"(?:i|we)(?:'ve)?\s+(?:moved|relocated|have moved)\s+to\s+{_CITY}{_END}",
        rf"(?:i\s+)?works?\s+(?:from|in|out of)\s+(?:the\s+)?{_CITY}\s+office{_END}",
        r"(?:मैं|हम)\s+(?P<value>\S{2,25}(?:\s\S{2,25})?)\s+(?:में|मे)\s+(?:रहता|रहती|रहते)\s+(?:हूँ|हूं|हैं)[।.\s]*",
        r"(?:main|mai|mein|hum)\s+(?P<value>[a-z]{3,25})\s+(?:mein|me)\s+(?:rehta|rehti|rahta|rahti|rehte)\s+(?:hoon|hun|hu|hain)[.\s]*",
        r"(?:నేను\s+)?(?P<value>[ఀ-౿\u200c]{2,30}?)(?:లో)\s+(?:ఉంటాను|నివసిస్తున్నాను|ఉంటున్నాను)[.\s]*",
        r"(?:nenu\s+)?(?P<value>[a-z]{3,25}?)\s?lo\s+(?:untanu|untaanu|nivasistunnanu|untunnanu)[.\s]*",
        rf"(?:yo\s+)?vivo en\s+{_CITY}{_END}",
        rf"j'habite (?:[àa]|en|au)\s+{_CITY}{_END}",
        rf"ich (?:wohne|lebe) in\s+{_CITY}{_END}",
        rf"(?:eu\s+)?moro em\s+{_CITY}{_END}",
    ),
    60,
)  # fmt: skip

_LENGTH = Slot(
    "length", _PREFERENCE, "To make answers as long as you want them", "Prefers {value} answers",
    (
        rf"{_WANT}\s+(?:my |your |the )?(?P<value>[\w-]+)(?:,? (?:clear|simple|direct|to-the-point))?\s+(?:answers|replies|responses|explanations|messages){_END}",
        rf"{_WANT}\s+(?:my |your |the )?(?:answers|replies|responses|messages)\s+(?:to be\s+|kept\s+)?(?P<value>[\w-]+){_END}",
        rf"{_ORDER}keep\s+(?:it|things|(?:your |the |all )?(?:answers|replies|responses|messages))\s+(?P<value>[\w-]+){_END}",
        rf"{_ORDER}(?:be|make (?:it|your answers))\s+(?P<value>[\w-]+){_END}",
        r"(?:मुझे\s+)?(?:हमेशा\s+)?(?P<value>\S+)\s+(?:जवाब|उत्तर)\s+(?:पसंद हैं?|चाहिए|दीजिए|दें|दो)[।.\s]*",
        r"(?:mujhe\s+)?(?:hamesha\s+)?(?P<value>\w+)\s+(?:jawab|jawaab|replies|answers)\s+(?:pasand hain?|chahiye|do|dijiye|dena)[.\s]*",
        r"(?:నాకు\s+)?(?P<value>\S+)\s+(?:సమాధానాలు|జవాబులు)\s+(?:ఇష్టం|కావాలి|ఇవ్వండి)[.\s]*",
        r"(?:naaku\s+|naku\s+)?(?P<value>\w+)\s+(?:samadhanalu|javabulu|answers)\s+(?:ishtam|kavali|ivvandi)[.\s]*",
        rf"prefiero (?:las |que sean )?respuestas\s+(?P<value>\S+?){_END}",
        rf"je pr[eé]f[eè]re (?:les |des )?r[eé]ponses\s+(?P<value>\S+?){_END}",
        rf"ich (?:mag|bevorzuge|m[oö]chte)\s+(?P<value>\S+)\s+antworten{_END}",
        rf"prefiro (?:as )?respostas\s+(?P<value>\S+?){_END}",
    ),
    20, LENGTHS, closed=True,
)  # fmt: skip

_FORMATS = (
    r"(?P<value>(?:(?:short|numbered|compact|plain|nested|simple|bulleted|markdown|step[- ]by[- ]step)\s+)*"
    r"(?:bullet(?:s|ed)?(?: points?| lists?)?|tables?|lists?|paragraphs|prose|checklists?|plain text|markdown|step[- ]by[- ]step(?: instructions| explanations| guides?)?"
    r"|numbered (?:steps|lists?)|json|yaml|csv|diagrams?|code blocks?|html))"
)
_FORMAT = Slot(
    "format", _PREFERENCE, "To lay answers out the way you want", "Prefers answers as {value}",
    (
        rf"{_WANT}\s+(?:{_ANSWERS})?(?:(?:as|in|with|formatted as|using)\s+)?(?:the form of\s+)?{_FORMATS}(?:\s+(?:answers|replies|responses|format|form))?{_END}",
        rf"{_ORDER}(?:answer|reply|respond|write|format\s+\w+(?: \w+)?)\s*(?:to\s+)?(?:me\s+)?(?:as|in|with|using)\s+{_FORMATS}{_END}",
        rf"{_ORDER}use\s+{_FORMATS}(?:\s+(?:for answers|in (?:your )?(?:answers|replies)|with me))?{_END}",
    ),
    60, FORMATS,
)  # fmt: skip

_CHANNELS = r"(?P<value>e-?mail|mail|phone(?: calls?)?|calls?|sms|text(?: messages?)?|chat|slack|teams|microsoft teams|whatsapp|telegram|signal|letters?|post|video calls?|in person|push notifications?)"
_CHANNEL = Slot(
    "channel", _PREFERENCE, "To reach you the way you want", "Prefers to be contacted by {value}",
    (
        rf"{_WANT}\s+(?:(?:to be\s+|being\s+)?(?:contacted|reached|notified|updated|informed)|updates|notifications|notices|contact|messages|news)\s+(?:by|on|via|over|through|in)\s+{_CHANNELS}{_END}",
        rf"{_ORDER}(?:contact|reach|notify|message|update|inform|ping)\s+me\s+(?:only\s+)?(?:by|on|via|over|through|in)\s+{_CHANNELS}{_END}",
        rf"{_WANT}\s+{_CHANNELS}\s+(?:over|to|rather than|instead of)\s+[a-z -]{{3,30}}?(?:\s+for\s+(?:updates|contact|notifications|ticket updates))?{_END}",
        rf"my preferred (?:contact )?channel is\s+{_CHANNELS}{_END}",
        rf"(?:email|e-mail|text|call) me (?P<value>(?:rather than calling|instead of calling)){_END}",
    ),
    40,
)  # fmt: skip

_ZONE = r"(?P<value>(?:[A-Z]{2,5}(?:[+-]\d{1,2}(?::\d\d)?)?|(?:UTC|GMT)\s?[+-]\s?\d{1,2}(?::?\d\d)?|[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)?|(?:indian?|central|eastern|pacific|mountain|japan|singapore|british|european|gulf)[ \w]{0,24}(?:time)))"
_TIME_ZONE = Slot(
    "time_zone", _FACT, "To give times in your time zone", "Is in the time zone {value}",
    (
        rf"(?:(?:my|profile|default|the user's) )?time ?zone(?: is|:|=| set to)\s+{_ZONE}{_END}",
        rf"(?:{_I_AM})?in (?:the\s+)?{_ZONE}(?:\s+time ?zone){_END}",
        rf"is in the time zone\s+{_ZONE}{_END}",
        rf"{_I_AM}in (?P<value>(?:UTC|GMT)\s?[+-]\s?\d{{1,2}}(?::?\d\d)?){_END}",
        rf"{_ORDER}(?:use|give|show|write)\s+(?:me\s+)?(?:all\s+)?times\s+in\s+{_ZONE}{_END}",
        rf"(?:i\s+)?works?\s+in\s+(?P<value>[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+){_END}",
    ),
    40,
)  # fmt: skip

_DAYS = r"(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?s?)"
_HOURS = Slot(
    "working_hours", _FACT, "To plan around when you work", "Works {value}",
    (
        r"(?:i(?:'m)?\s+)?(?:always\s+|usually\s+)?works?\s+(?P<value>(?:the\s+|a\s+)?(?:permanent\s+|rotating\s+)?(?:nights?|night shifts?|day shifts?|early shifts?|late shifts?|evening shifts?|part[- ]time|full[- ]time|weekends|mornings|evenings|afternoons)(?:\s+on\s+\w+s)?)" + _END,
        rf"(?:i\s+)?works?\s+(?P<value>(?:from\s+)?{_DAYS}\s+(?:to|through|till|-)\s+{_DAYS}){_END}",
        rf"(?:i\s+)?works?\s+(?P<value>(?:from\s+|between\s+)?\d{{1,2}}(?::\d\d)?\s?(?:am|pm)?\s*(?:to|till|until|and|-)\s*\d{{1,2}}(?::\d\d)?\s?(?:am|pm)?){_END}",
        rf"my (?:working|office|work) hours are\s+(?:from\s+)?(?P<value>{_WORDS}{{3,60}}?){_END}",
        rf"my shift (?:is|runs|goes)\s+(?P<value>{_WORDS}{{3,60}}?){_END}",
    ),
    60,
)  # fmt: skip

_TITLE = r"(?P<value>(?:[\w/&+#.-]+\s+){0,4}?(?:developer|engineer|analyst|designer|tester|architect|consultant|accountant|writer|editor|nurse|teacher|recruiter|scientist|researcher|technician|specialist|coordinator|assistant|officer|programmer|trainer|planner|buyer|translator|lawyer|paralegal|product manager|project manager|product owner|scrum master|team lead|tech lead|intern|apprentice))"
_ROLE = Slot(
    "role", _FACT, "To fit answers to your work", "Works as {value}",
    (
        rf"(?:{_I_AM})an?\s+{_TITLE}{_END}",
        rf"(?:i\s+)?works?\s+as\s+(?:an?\s+)?{_TITLE}{_END}",
        rf"my (?:role|job|job title|title|position) is\s+(?:an?\s+)?{_TITLE}{_END}",
    ),
    60,
)  # fmt: skip

_TEAM = Slot(
    "team", _FACT, "To know which team your questions are about", "Is on the {value} team",
    (
        rf"(?:{_I_AM}|i\s+work\s+|works?\s+|i\s+sit\s+)(?:in|on)\s+(?:the\s+)?(?P<value>[\w&/ -]{{2,40}}?)\s+team{_END}",
        rf"my team is\s+(?:called\s+)?(?P<value>[\w&/ -]{{2,40}}?){_END}",
    ),
    50,
)  # fmt: skip

_PRONOUNS = Slot(
    "pronouns", _PREFERENCE, "To speak of you the way you want", "Uses the pronouns {value}",
    (
        rf"my (?:preferred )?pronouns are\s+(?P<value>[a-z/ ]{{2,24}}?){_END}",
        rf"(?:i\s+use|uses)\s+(?:the pronouns\s+)?(?P<value>[a-z]+\s?/\s?[a-z/ ]{{2,18}}?)(?:\s+pronouns)?{_END}",
        rf"pronouns(?: are|:)\s+(?P<value>[a-z/ ]{{2,24}}?){_END}",
        rf"(?P<value>[a-z]{{2,4}}/[a-z]{{2,5}}(?:/[a-z]{{3,6}})?) for me(?:,? (?:please|pls|thanks))?{_END}",
    ),
    24, PRONOUNS, closed=True,
)  # fmt: skip

_ACCESS = r"(?P<value>(?:(?:a|an|the|high|large|larger|bigger|live|closed)\s+)*(?:screen ?readers?|captions?|subtitles|alt text|image descriptions|contrast(?: mode| colou?rs)?|text|fonts?|font size|keyboard(?: navigation| only)?|magnifier|braille display|voice control|transcripts?|colou?r-?blind(?:-| )(?:safe|friendly) (?:colou?rs|palettes?|charts))(?:\s+on\s+(?:videos|images|charts))?)"
_ACCESSIBILITY = Slot(
    "accessibility", _PREFERENCE, "To make the interface work for you", "Needs {value}",
    (
        rf"(?:i\s+)?(?:use|uses|need|needs|prefer|prefers|rely on|relies on|must have)\s+{_ACCESS}{_END}",
        rf"(?:please\s+)?(?:use|add|provide|include)\s+(?:only\s+)?{_ACCESS}(?:\s+for me)?{_END}",
    ),
    60,
)  # fmt: skip

_TONES = r"(?P<value>(?:(?:more|very|quite|a|an|plain|friendly|polite)\s+)*(?:formal|informal|casual|friendly|direct|blunt|neutral|polite|professional|warm|plain|humorous|matter-of-fact|candid)(?:\s+and\s+\w+)?)"
_TONE = Slot(
    "tone", _PREFERENCE, "To speak to you in the tone you want", "Prefers a {value} tone",
    (
        rf"{_WANT}\s+(?:an?\s+)?{_TONES}\s+(?:tone|style|voice|register)(?:\s+in\s+(?:letters|mails?|e-?mails?|replies|answers))?{_END}",
        rf"{_ORDER}(?:use|keep|adopt)\s+(?:an?\s+|the\s+)?(?:tone\s+)?{_TONES}(?:\s+(?:tone|style|voice|register))?(?:\s+with me)?{_END}",
        rf"{_ORDER}be\s+{_TONES}(?:\s+with me)?{_END}",
    ),
    40,
)  # fmt: skip

_DATES = r"(?P<value>(?:iso(?: ?8601)?(?: format)?|(?:dd|mm|yyyy|yy|d|m)(?:[./-](?:dd|mm|mmm|yyyy|yy|d|m)){2}|day[- ]first|month[- ]first|24[- ]hour|12[- ]hour))"
_DATE_FORMAT = Slot(
    "date_format", _PREFERENCE, "To write dates the way you read them", "Prefers dates as {value}",
    (
        rf"{_WANT}\s+(?:the\s+)?dates?\s+(?:as|in|written as|formatted as|to be)\s+(?:the\s+)?{_DATES}(?:\s+format)?{_END}",
        rf"{_WANT}\s+{_DATES}\s+dates{_END}",
        rf"{_ORDER}(?:use|write|give|show|format)\s+(?:me\s+)?(?:all\s+)?(?:dates\s+(?:as|in)\s+)?{_DATES}(?:\s+(?:dates|for dates|format))?(?:\s+with me)?{_END}",
        rf"my date format is\s+{_DATES}{_END}",
    ),
    30,
)  # fmt: skip

_UNITS = Slot(
    "units", _PREFERENCE, "To give measurements in your units", "Prefers {value} units",
    (
        rf"{_WANT}\s+(?:the\s+)?(?P<value>\w+)\s+(?:units|measurements|system){_END}",
        rf"{_ORDER}(?:use|give)\s+(?:me\s+)?(?:the\s+)?(?P<value>\w+)\s+(?:units|measurements|system)(?:\s+with me)?{_END}",
        rf"(?P<value>\w+) units(?: only| please)?{_END}",
    ),
    20, UNITS, closed=True,
)  # fmt: skip

_MONEY = r"(?P<value>(?:[A-Z]{3}|(?:indian |us |canadian |australian |singapore )?(?:rupees?|dollars?|euros?|pounds?|yen|yuan|francs?|dirhams?|reais|pesos?|lakhs? and crores?)|₹|€|\$|£))"
_CURRENCY = Slot(
    "currency", _PREFERENCE, "To give amounts in your currency", "Prefers amounts in {value}",
    (
        rf"{_WANT}\s+(?:all\s+)?(?:amounts?|prices|costs|figures|money)\s+in\s+{_MONEY}{_END}",
        rf"{_ORDER}(?:use|give|show|write|quote)\s+(?:me\s+)?(?:all\s+)?(?:rupee\s+)?(?:amounts?|prices|costs)\s+in\s+{_MONEY}{_END}",
        rf"my (?:preferred )?currency is\s+(?:the\s+)?{_MONEY}{_END}",
    ),
    30,
)  # fmt: skip

_DIETS = r"(?P<value>(?:(?:strictly|lacto-?ovo|pure|mostly)\s+)?(?:vegetarian|vegan|pescatarian|non-vegetarian|eggless|gluten-free|dairy-free|lactose-free|nut-free))(?:\s+(?:food|meals?|lunch|options?))?"
_DIET = Slot(
    "diet", _PREFERENCE, "For catering and meal arrangements", "Eats {value} food",
    (
        rf"(?:{_I_AM}|i\s+eat\s+|eats\s+){_DIETS}{_END}",
        rf"{_WANT}\s+{_DIETS}{_END}",
        rf"{_DIETS}(?:\s+preference)?{_END}",
        rf"my (?:diet|meal preference|food preference) is\s+{_DIETS}{_END}",
    ),
    40,
)  # fmt: skip

DEFAULT_SLOTS = SlotRegistry((
    _LANGUAGE, _NAME_SLOT, _PRONOUNS, _LENGTH, _FORMAT, _TONE, _DATE_FORMAT, _UNITS, _CURRENCY, _CHANNEL,
    _TIME_ZONE, _HOURS, _LOCATION, _ACCESSIBILITY, _DIET, _ROLE, _TEAM,
))  # fmt: skip
"""The slots every application starts with; extend with `DEFAULT_SLOTS.extended`."""
