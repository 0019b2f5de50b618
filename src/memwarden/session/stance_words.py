"""How people consent, confirm and refuse in so many words, in the languages of the users.

Patterns are written in plain spelling and folded like the text they are matched with. A language's ``gives`` and
``refuses`` begin where its sentence begins; what nobody can tell apart by words is left out of both.
"""

from __future__ import annotations

from typing import NamedTuple


class Wording(NamedTuple):
    """What one language says: the subject at all, a plain yes to it, a plain no."""

    topic: str
    gives: str
    refuses: str


_USE = r"(?:shar(?:e|ing)|us(?:e|ing)|process(?:ing)?|stor(?:e|ing)|keep(?:ing)?|collect(?:ing)?|disclos(?:e|ing)|send(?:ing)?|giv(?:e|ing)|pass(?:ing)?|forward(?:ing)?|publish(?:ing)?|record(?:ing)?|transfer(?:ring)?|releas(?:e|ing)|retain(?:ing)?|sav(?:e|ing)|sell(?:ing)?|reveal(?:ing)?|expos(?:e|ing)|access(?:ing)?|track(?:ing)?)"
_MY = r"(?:\W+[\w']+){0,6}?\W+(?:my|mine|me)\b"
_ADV = r"(?:(?:hereby|fully|explicitly|freely|happily|gladly|also|now|do|still|voluntarily|expressly|definitely|really|absolutely|strictly)\s+)*"
_NOT = r"(?:(?:do|did|can|will|would|have|am|could|should)(?: not|n'?t)|cannot|'ve not|'m not|never|have never|'ve never|did not ever)"

_DATA_USE = r"(?:process\w*|shar\w+|use\b|using|stor\w+|collect\w+|record\w+|transfer\w*|disclos\w+|keep\w*|publi\w+|track\w+|privacy|data)"

CONSENT = (
    Wording(  # English
        rf"consent|permission|authori[sz]e you|(?:agree|object\w*|happy|ok|okay|fine|mind|comfortable|problem|allow\w*|permit\w*|refuse|declin\w+)\b.*\b{_DATA_USE}.*(?<![a-z])(?:my|me|mine|data)\b|\bopt\w* (?:in|out)\b"
        rf"|\b(?:you|they|hr|payroll|company|anyone|nobody|anybody|no one|free to|ahead and)\b.{{0,40}}\b{_USE}{_MY}"
        rf"|(?:not|\w+n'?t|never|stop|no|without)(?: ever)? {_USE}\b.*\b(?:my|mine|me)\b|\bmy\b.*\b(?:not|never|stop)(?: be)? (?:{_USE}|shared|used|stored|processed)\b",
        rf"i {_ADV}(?:have |'ve )?(?:consent(?:ed)?\b|agreed? (?:to|that)\b.*\b{_DATA_USE}|(?:opt(?:ed)?|opting) in\b)"
        rf"|i {_ADV}(?:(?:have |'ve )?(?:give[ns]?|gave|grant(?:ed)?)) (?:\w+ ){{0,4}}?(?:consent|permission|authori[sz]ation)\b"
        rf"|i {_ADV}(?:authori[sz]e|allow|permit) (?:[\w']+ ){{1,4}}?to {_USE}\b"
        rf"|i(?:'m| am) (?:\w+ )?(?:happy|ok|okay|fine|comfortable) (?:with|for)\b.*\b{_USE}{_MY}"
        rf"|(?:you|hr|payroll|the company) (?:may|can|are allowed to|are free to|are welcome to|have my (?:consent|permission|ok|okay) to)(?: also| now)? {_USE}{_MY}"
        rf"|(?:feel free to|go ahead and) {_USE}{_MY}"
        r"|my consent is (?:hereby )?(?:given|granted)|you have my (?:consent|permission)\b",
        rf"i {_ADV}{_NOT} (?:\w+ly |yet |ever )*(?:consent(?:ed)?|agreed? to|authori[sz]ed?|allow(?:ed)?|permit(?:ted)?)\b"
        rf"|i{_NOT} (?:consent(?:ed)?|agreed? to|authori[sz]ed?|allow(?:ed)?|permit(?:ted)?)\b"
        rf"|i(?:'ve)? ?{_NOT} (?:yet )?(?:given?|gave|grant(?:ed)?) (?:\w+ ){{0,4}}?(?:consent|permission|authori[sz]ation)\b"
        rf"|i no longer (?:consent|agree to)\b|i {_NOT} (?:want|wish|like)(?: for)? (?:[\w']+ ){{0,3}}?(?:to )?(?:{_USE}|be shared|shared)\b"
        rf"|i (?:'m|am) not (?:happy|ok|okay|fine|comfortable)\b|i'm not (?:happy|ok|okay|fine|comfortable) (?:with|for)\b|i am not (?:happy|ok|okay|fine|comfortable) (?:with|for)\b"
        rf"|i {_ADV}(?:refuse|declined?|withdr[ae]w|withdrawing|revoked?|rescind(?:ed)?|retract(?:ed)?|object|disagree|withhold|deny|forbid|prohibit|oppose)\b"
        rf"|i(?:'m| am| have|'ve) (?:withdraw(?:ing|n)|revok(?:ing|ed)|rescind(?:ing|ed))\b|i {_ADV}opt out\b|i take back my consent\b"
        rf"|(?:you|hr|payroll|the company|they|nobody|no one) (?:may not|can not|can'?t|cannot|must not|mustn'?t|should not|shouldn'?t|are not allowed to|aren'?t allowed to|may never|may|can) {_USE}\b"
        r"|you (?:do not|don'?t) have my (?:consent|permission)\b"
        rf"|(?:do not|don'?t|never|stop)(?: ever)? {_USE}\b"
        r"|my consent (?:is|has been) (?:hereby )?(?:withdrawn|revoked)|(?:i have )?no consent\b",
    ),
    Wording(  # Hindi, in its script
        r"सहमति|सहमत|अनुमति|इजाज़त|इजाजत|मेर.*(?:मत|न) (?:दे|दो|बता|भेज)|(?:साझा|शेयर|इस्तेमाल|उपयोग).*(?:मत|नहीं|न कर|सकते|सकती)",
        r".{0,200}(?:(?:सहमति|अनुमति|इजाज़त|इजाजत) (?:देता|देती) (?:हूँ|हूं)|सहमत (?:हूँ|हूं)|(?:मेर|मुझ).*(?:साझा|शेयर|इस्तेमाल|उपयोग) कर सकते (?:हैं|हो))\W*$",
        r".{0,200}(?:मेर.* (?:मत|न) (?:देना|दो|दें|दीजिए|बताना|बताओ|बताएं|भेजना|भेजो|भेजें)|(?:सहमति|अनुमति|इजाज़त|इजाजत) (?:नहीं|नही) (?:देता|देती|दी|दूँगा|दूंगा|दूँगी|दूंगी)(?: (?:हूँ|हूं|है))?|सहमत (?:नहीं|नही)(?: (?:हूँ|हूं))?|असहमत (?:हूँ|हूं)"
        r"|(?:साझा|शेयर|इस्तेमाल|उपयोग) (?:मत|न|ना) (?:करें|करो|करना|कीजिए|करिए)|(?:साझा|शेयर|इस्तेमाल|उपयोग) (?:नहीं|नही) कर सकते(?: (?:हैं|हो))?"
        r"|(?:सहमति|अनुमति) (?:वापस|रद्द) (?:लेता|लेती|करता|करती) (?:हूँ|हूं)|(?:सहमति|अनुमति) देने से (?:इनकार|इंकार|मना) (?:करता|करती) (?:हूँ|हूं))\W*$",
    ),
    Wording(  # Hindi, romanised
        r"\bs[ae]h?ma?t[iy]?\b|\banumati\b|\bi[jz]a{1,2}[jz]at\b|\bmer[aeiy]\w*\b.*\b(?:mat|na) (?:de|do|bata|bhej)|\b(?:share|use)\b.*\b(?:mat|nahi\w*|na kar\w*|sakte)\b",
        r".{0,200}\b(?:(?:s[ae]h?mati|anumati|ijazat|ijaazat|permission|consent) (?:deta|deti) (?:hoon|hun|hu)|s[ae]h?mat (?:hoon|hun|hu)|mer[aeiy]\w* .*\b(?:share|use|istemal|istemaal) kar sakt[ei] (?:hain|hai|ho))\W*$",
        r".{0,200}\b(?:mer[aeiy]\w*\b.* (?:mat|na) (?:dena|do|den|dein|batana|batao|bhejna|bhejo)|(?:s[ae]h?mati|anumati|ijazat|ijaazat|permission|consent) (?:nahi|nahin|nai) (?:deta|deti|di|dunga|dungi)(?: (?:hoon|hun|hu|hai))?|s[ae]h?mat (?:nahi|nahin|nai)(?: (?:hoon|hun|hu))?"
        r"|(?:share|use|istemal|istemaal) (?:mat|na) (?:karo|karna|kare|karen|karein|kijiye)|(?:share|use|istemal) (?:nahi|nahin) kar sakt[ei](?: (?:hain|hai|ho))?"
        r"|(?:s[ae]h?mati|anumati|permission|consent) (?:wapas|vapas|vaapas) (?:leta|leti) (?:hoon|hun|hu))\W*$",
    ),
    Wording(  # Telugu, in its script
        r"సమ్మతి|సమ్మతం|అనుమతి|అంగీకర|అంగీకార|ఒప్పుకో|(?:పంచుకో|షేర్|ఉపయోగించ|వాడ|ఇవ్వ|చెప్ప).*(?:వద్దు|వచ్చు|కండి|కూడదు|కు)",
        r".{0,200}(?:అంగీకరిస్తున్నాను|సమ్మతిస్తున్నాను|ఒప్పుకుంటున్నాను|అనుమతిస్తున్నాను|(?:అనుమతి|సమ్మతి|అంగీకారం) ఇస్తున్నాను|(?:నా|నాకు) .*(?:పంచుకోవచ్చు|షేర్ చేయవచ్చు|షేర్ చేయొచ్చు|ఉపయోగించవచ్చు|వాడవచ్చు))\W*$",
        r".{0,200}(?:అంగీకరించను|అంగీకరించడం లేదు|అంగీకరించలేదు|సమ్మతించను|సమ్మతించడం లేదు|ఒప్పుకోను|ఒప్పుకోవడం లేదు|అనుమతించను|(?:అనుమతి|సమ్మతి) (?:ఇవ్వను|ఇవ్వడం లేదు|ఇవ్వలేదు)"
        r"|(?<=నా ).*(?:ఇవ్వ|చెప్ప)(?:వద్దు|కండి|కూడదు|కు)|(?:పంచుకో|షేర్ చేయ|షేర్ చెయ్య|ఉపయోగించ|వాడ)(?:వద్దు|కండి|కూడదు|కు)|(?:అనుమతి|సమ్మతి)ని? (?:ఉపసంహరించుకుంటున్నాను|వెనక్కి తీసుకుంటున్నాను))\W*$",
    ),
    Wording(  # Telugu, romanised
        r"\bsammath?i\w*|\banumath?i\w*|\bang[ei]+kari\w*|\b(?:share|use) chey\w+",
        r".{0,200}\b(?:ang[ei]+karistunnanu|sammath?istunnanu|anumath?istunnanu|(?:anumath?i|sammath?i|permission|consent) istunnanu|naa? .*(?:share|use) chey(?:a?vachu|a?vacchu|ochu|occhu))\W*$",
        r".{0,200}\b(?:ang[ei]+karinchanu|ang[ei]+karinchadam ledu|sammath?inchanu|(?:anumath?i|sammath?i|permission|consent) (?:ivvanu|ivvadam ledu|ivvaledu)|(?:share|use) (?:cheyya|cheya|chey)(?:vaddu|ku|kandi|koodadu| ?vaddu))\W*$",
    ),
    Wording(  # Spanish
        r"\bconsent|\bconsiento|\bautoriz|\bpermiso\b|\b(?:compart|us|utili[cz]|divulg|guard|almacen)\w+.*\b(?:mi|mis)\b|\btratamiento de (?:mis|los) datos",
        r"(?:yo )?(?:consiento|acepto (?:el tratamiento|el uso|que|compartir)|(?:te |le |les |os )?autorizo|estoy de acuerdo con (?:el tratamiento|el uso|que|compartir)|(?:le |te |les )?doy (?:mi |el )?(?:consentimiento|permiso))\b"
        r"|(?:usted(?:es)? )?(?:puedes?|pueden|podéis) (?:compartir|usar|utilizar|guardar|almacenar)\b.*\b(?:mi|mis)\b",
        r"(?:yo )?no (?:(?:te |le |les |os )?(?:consiento|autorizo|permito)|acepto|(?:le |te |les )?doy|he dado|estoy de acuerdo|quiero que)\b"
        r"|no (?:compart(?:a|as|an|ir)|us(?:e|es|en|ar)|utili(?:ce|ces|cen)|divulgu\w+|guard(?:e|es|en)|(?:puedes?|pueden) (?:compartir|usar|utilizar|guardar))\b"
        r"|(?:yo )?(?:retiro|revoco) mi consentimiento\b|me (?:niego|opongo) a\b|rechazo\b",
    ),
    Wording(  # French
        r"\bconsen[st]|\bautoris|\bpermission\b|\b(?:partag|utilis|divulgu|conserv|transmett)\w+.*\b(?:mon|ma|mes)\b|\btraitement de mes\b|\baccord\b.*\b(?:partag|utilis|traite)",
        r"(?:je (?:(?:vous |t')?autorise|consens|donne (?:mon|ma) (?:consentement|accord|permission|autorisation)|suis d'accord (?:pour|avec)\b.*\b(?:partag|utilis|traite)\w*)|j'(?:accepte (?:le traitement|le partage|l'utilisation|que|de partager)|autorise|ai donne mon consentement))\b"
        r"|(?:vous pouvez|tu peux) (?:partager|utiliser|conserver|transmettre)\b.*\b(?:mon|ma|mes)\b",
        r"je (?:ne |n')?(?:(?:vous |t')?autorise|consens|donne|suis|veux|souhaite) pas\b|je n'(?:accepte|autorise|ai) pas\b|je ne consens (?:plus|jamais)\b|j'(?:accepte|autorise) pas\b"
        r"|ne (?:partage[zs]?|utilise[zs]?|divulgue[zs]?|transmet\w*|conserve[zs]?) (?:pas|jamais)\b|(?:vous ne pouvez|tu ne peux) pas (?:partager|utiliser|conserver|transmettre)\b"
        r"|je (?:retire|revoque) mon consentement\b|je (?:refuse|m'oppose)\b",
    ),
    Wording(  # German
        r"\beinwillig|\bwillige\b|\beinverstanden|\bzustimm|\bstimme\b|\berlaub|\bgenehmig.*\bdaten|\b(?:teil|weitergeb|weitergeg|nutz|verwend|verarbeit|speicher|gebt|gib|geben)\w*.*\b(?:mein\w*)\b|\bmein\w*\b.*\b(?:weitergeb\w*|weitergeg\w*|teil\w*|geteilt|genutzt|nutz\w*|verwend\w*|verarbeit\w*|speicher\w*|gespeichert)|\b(?:darf\w*|durf\w*)\b.*\bmein\w*",
        r"ich (?:willige\b.*\bein\b|stimme\b.*\bzu\b|erlaube\b|gebe (?:ihnen |dir |hiermit )*meine (?:einwilligung|zustimmung|erlaubnis)|bin (?:damit |hiermit )?(?:mit\b.*)?einverstanden\b)"
        r"|(?:sie dürfen|du darfst|ihr dürft) mein\w*\b.*\b(?:teilen|weitergeben|nutzen|verwenden|verarbeiten|speichern)\b",
        r"ich (?:willige|stimme|erlaube|gebe|bin|möchte|will)\b[^,;:]*\b(?:nicht|keine)\b|(?:sie dürfen|du darfst|ihr dürft)\b[^,;:]*\bnicht\b[^,;:]*\b(?:teilen|weitergeben|nutzen|verwenden|verarbeiten|speichern)\b"
        r"|(?:teilen sie|teile|teilt|nutzen sie|nutze|verwenden sie|verwende|speichern sie|speichere|geben sie|gib)\b[^,;:]*\bnicht\b"
        r"|ich (?:widerrufe|verweigere|widerspreche|untersage|verbiete)\b|ich ziehe\b[^,;:]*\bzurück\b|ich lehne\b[^,;:]*\bab\b|mein\w*\b[^,;:]*\b(?:darf|dürfen) nicht\b|ich (?:möchte|will) nicht, dass (?:sie|du|ihr) mein|(?:ich habe )?keine einwilligung\b",
    ),
    Wording(  # Portuguese
        r"\bconsent|\bconsinto|\bautoriz|\bpermissão\b|\b(?:compartilh|partilh|us|utiliz|divulg|guard|armazen)\w+.*\b(?:meu|minha|meus|minhas)\b|\btratamento d[oe]s? (?:meus )?dados",
        r"(?:eu )?(?:consinto|autorizo|aceito (?:o tratamento|o uso|que|compartilhar)|concordo com (?:o tratamento|o uso|a partilha|o compartilhamento)|dou (?:o )?(?:meu )?(?:consentimento|permissão)|dou minha permissão)\b"
        r"|(?:você |vocês )?(?:pode|podem|podes) (?:compartilhar|partilhar|usar|utilizar|guardar|armazenar)\b.*\b(?:meu|minha|meus|minhas)\b",
        r"(?:eu )?não (?:consinto|autorizo|aceito|concordo|dou|dei|quero que)\b|não (?:compartilh\w+|partilh\w+|use|usem|utilize\w*|divulgue\w*|guarde\w*)\b|(?:você |vocês )?não (?:pode|podem|podes) (?:compartilhar|partilhar|usar|utilizar|guardar)\b"
        r"|(?:eu )?(?:retiro|revogo) (?:o )?meu consentimento\b|(?:eu )?(?:recuso|oponho)\b",
    ),
    Wording(  # Italian
        r"\bacconsent|\bconsens|\bautorizz|\bpermesso\b|\b(?:condivid|us|utilizz|divulg|conserv|comunic)\w+.*\b(?:mio|mia|miei|mie)\b|\btrattamento dei (?:miei )?dati",
        r"(?:io )?(?:acconsento|(?:vi |ti )?autorizzo|accetto (?:il trattamento|l'uso|che|di condividere)|do (?:il mio |il )?(?:consenso|permesso)|presto il consenso|sono d'accordo con (?:il trattamento|l'uso))\b"
        r"|(?:lei )?(?:può|puoi|potete) (?:condividere|usare|utilizzare|conservare)\b.*\b(?:mio|mia|miei|mie)\b",
        r"(?:io )?non (?:acconsento|(?:vi |ti )?autorizzo|accetto|do|ho dato|voglio che|sono d'accordo)\b|non (?:condivid\w+|usare|usate|usi|utilizz\w+|divulg\w+|comunic\w+)\b|(?:lei )?non (?:può|puoi|potete) (?:condividere|usare|utilizzare|conservare)\b"
        r"|(?:io )?(?:ritiro|revoco) il (?:mio )?consenso\b|(?:io )?(?:mi oppongo|rifiuto|nego)\b",
    ),
    Wording(  # Dutch
        r"\btoestemming|\binstem|\bstem\b.*\bin\b|\bakkoord\b|\bmijn\b.*\b(?:delen|deelt|gebruiken|gebruikt|verwerken|verwerkt|bewaren|bewaart|doorgeven|doorgeeft)\b|\b(?:deel|delen|gebruik\w*|verwerk\w*|bewaar\w*|doorgeven|geef|deelt)\b.*\bmijn\b|\bverwerking van mijn\b",
        r"ik (?:stem in\b|stem (?:ermee |hiermee )in\b|geef (?:je |u |jullie |hierbij )*(?:mijn )?toestemming\b|ga akkoord met\b)"
        r"|(?:je|u|jullie) (?:mag|mogen|mogt|kunt|kan) mijn\b.*\b(?:delen|gebruiken|verwerken|bewaren|doorgeven)\b",
        r"ik (?:stem|ga|wil)\b[^,;:]*\bniet\b|ik (?:geef|heb)\b[^,;:]*\bgeen toestemming\b|(?:je|u|jullie) (?:mag|mogen|kunt|kan)\b[^,;:]*\bniet\b[^,;:]*\b(?:delen|gebruiken|verwerken|bewaren|doorgeven)\b"
        r"|(?:deel|deelt u|gebruik|geef|bewaar)\b[^,;:]*\bniet\b|ik trek\b[^,;:]*\btoestemming\b[^,;:]*\bin\b|ik weiger\b|ik herroep\b|(?:ik geef )?geen toestemming\b",
    ),
)  # fmt: skip
"""Consent to what is done with something of the speaker's."""

_TASK = (
    r"(?:request|ticket|order|application|booking|leave|appointment|case|reservation|transfer|change|claim)"
)

DECISION = (
    Wording(  # English
        r"\bi\b.*\b(?:confirm|approve|accept|agree|reject|refuse|decline|authori[sz]e)|\b(?:approved|confirmed)\b|\b(?:go ahead|proceed) with\b|\bcancel\b",
        rf"i {_ADV}(?:confirm|approve|accept|agree (?:to|with|that)|authori[sz]e)\b|(?:go ahead|proceed) with\b|(?:i've |i have )?(?:approved|confirmed)(?=\s*(?:$|[.,!;:]))",
        rf"i {_ADV}{_NOT} (?:confirm|approve|accept|agree|authori[sz]e)\b|i {_ADV}(?:reject|refuse|decline)\b|cancel (?:the|my|this|that|our) (?:[\w'-]+ ){{0,3}}?{_TASK}\b|cancel (?:it|that|this)\W*$|cancel [a-z]{{2,10}}[-_]?\d+|(?:do not|don'?t) (?:go ahead|proceed) with\b",
    ),
    Wording(  # Hindi
        r"पुष्टि|मंज़ूर|मंजूर|स्वीकार|अस्वीकार|स्वीकृत|रद्द",
        r".{0,200}(?:पुष्टि (?:करता|करती) (?:हूँ|हूं)|(?<!अ)स्वीकार (?:करता|करती|है) ?(?:हूँ|हूं)?|मुझे (?:मंज़ूर|मंजूर) है|(?:मंज़ूर|मंजूर) (?:करता|करती) (?:हूँ|हूं))\W*$",
        r".{0,200}(?:अस्वीकार (?:करता|करती) (?:हूँ|हूं)|(?:मंज़ूर|मंजूर|स्वीकार) नहीं(?: है)?|(?:पुष्टि|स्वीकार) नहीं (?:करता|करती)(?: (?:हूँ|हूं))?|रद्द (?:करें|करो|कर दो|कर दीजिए|कीजिए))\W*$",
    ),
    Wording(  # Hindi, romanised
        r"\b(?:manj?oor|manzoor|pushti|sw?eekar|radd|cancel kar)",
        r".{0,200}\b(?:mujhe (?:manjoor|manzoor) hai|pushti kart[ai] (?:hoon|hun|hu)|s[wv]eekar kart[ai] (?:hoon|hun|hu))\W*$",
        r".{0,200}\b(?:(?:manjoor|manzoor) (?:nahi|nahin)(?: hai)?|(?:radd|cancel) kar(?:o| do| dijiye|en|ein))\W*$",
    ),
    Wording(  # Telugu
        r"నిర్ధారి|ధృవీకరి|ఆమోది|తిరస్కరి|రద్దు",
        r".{0,200}(?:నిర్ధారిస్తున్నాను|ధృవీకరిస్తున్నాను|ఆమోదిస్తున్నాను)\W*$",
        r".{0,200}(?:తిరస్కరిస్తున్నాను|ఆమోదించను|నిర్ధారించను|రద్దు (?:చేయండి|చెయ్యండి|చేయి|చెయ్యి))\W*$",
    ),
    Wording(  # Spanish
        r"\b(?:confirm|aprueb|aprob|acept|rechaz|cancel|anul)|\badelante con\b",
        r"(?:yo )?(?:confirmo|apruebo|acepto)\b|(?:siga |sigue )?adelante con\b",
        r"(?:yo )?(?:rechazo|no (?:confirmo|apruebo|acepto))\b|(?:cancel[ae]|anul[ae]) (?:la|mi|el|esta|este) \w+",
    ),
    Wording(  # French
        r"\b(?:confirm|approuv|accept|refus|rejett|annul)",
        r"(?:je confirme|j'approuve|j'accepte)\b|allez-y avec\b",
        r"je (?:refuse|rejette)\b|j'annule\b|je ne confirme pas\b|je n'(?:approuve|accepte) pas\b|annule[zr]? (?:la|ma|le|mon|cette) \w+",
    ),
    Wording(  # German
        r"\b(?:bestatig|genehmig|akzeptier|nehme|lehne|verweiger|stornier|machen sie weiter)",
        r"ich (?:bestätige|genehmige|akzeptiere)\b|ich nehme\b.*\ban\b|machen sie weiter mit\b",
        r"ich lehne\b.*\bab\b|ich (?:verweigere|storniere)\b|ich (?:bestätige|genehmige|akzeptiere)\b.*\bnicht\b|stornier(?:e|en sie) (?:den|die|das|meinen|meine) \w+",
    ),
    Wording(  # Portuguese
        r"\b(?:confirm|aprov|aceit|recus|rejeit|cancel)",
        r"(?:eu )?(?:confirmo|aprovo|aceito)\b|(?:siga|pode seguir) (?:em frente )?com\b",
        r"(?:eu )?(?:recuso|rejeito|não (?:confirmo|aprovo|aceito))\b|cancel[ae] (?:o|a|meu|minha|este|esta) \w+",
    ),
    Wording(  # Italian
        r"\b(?:conferm|approv|accett|rifiut|respin|annull)",
        r"(?:io )?(?:confermo|approvo|accetto)\b|(?:vai|vada|procedi|proceda) (?:avanti )?con\b",
        r"(?:io )?(?:rifiuto|respingo|non (?:confermo|approvo|accetto))\b|annull[ai] (?:la|il|mia|mio|questa) \w+",
    ),
    Wording(  # Dutch
        r"\b(?:bevestig|keur|accepteer|weiger|wijs|annuleer|ga door)",
        r"ik (?:bevestig|accepteer)\b|ik keur\b.*\bgoed\b|ga (?:maar )?door met\b",
        r"ik weiger\b|ik (?:wijs|keur)\b.*\baf\b|ik (?:bevestig|accepteer)\b.*\bniet\b|annuleer (?:de|het|mijn|deze) \w+",
    ),
)  # fmt: skip
"""What the speaker settles: confirms, approves, accepts, or turns down."""

OPENERS = (
    "yes|ok|okay|sure|hi|hello|hey|thanks|thank you|please|kindly|also|and|so|well|fine|right|to be clear|just to be clear|for the record"
    "|please note|note that|please note that|vale|hola|por favor|gracias|oui|bonjour|merci|s'il vous plaît|d'accord|ja"
    "|bitte|hallo|danke|und|sim|olá|obrigad[oa]|va bene|ciao|per favore|grazie|hoi|graag|alsjeblieft|alstublieft|e|et|en|y"
    "|हाँ|हां|जी|नमस्ते|कृपया|और|haan|ji|namaste|kripya|aur|దయచేసి|అవును|నమస్తే|మరియు|dayachesi|avunu"
)
"""What may stand before a statement without changing it."""

DECLARING = r"i (?:hereby )?(?:confirm|state|declare) that "
"""What does so before a statement about consent; alone it settles something."""

OPENERS_WITH_COMMA = "no|non|nein|não|nee|sí|sì|si"
"""What does so in front of a comma only: without one it denies, or makes a condition."""

NEGATIONS = (
    r"\b(?:not|cannot|(?:do|does|did|have|has|wo|ca|is|are|was|would|could|should|must|ai)nt|never|no|none|nothing|nobody|neither|nor|without|hardly|barely"
    r"|scarcely|un(?:able|willing|happy|comfortable)|non|zero|nunca|jamás|tampoco|nada|ning[uú]n\w*|sin|pas|plus|jamais|aucun\w*|rien|sans"
    r"|nicht|kein\w*|nie|niemals|ohne|nein|weder|não|sem|nenhum\w*|senza|nessun\w*|niente|mai (?=acconsent|condivi|autorizz)|niet|geen|nooit|zonder|nee"
    r"|nah?i+n?|nai|mat|na(?= ?(?:kar|de|do|bata|bhej|le|rakh|share))|bina|asahm\w*|vaddu|ledh?u|kaa?du|lenu|ivvanu|oppukonu|cheyanu"
    r"|[a-z]+(?:vaddu|ledu|inchanu|kandi|koodadu)|chey+a?ku|koodadu)\b"
    r"|n't\b|(?:\bne\b|\bn')(?!.*\b(?:pas|plus|jamais|aucun\w*|rien)\b)"
    r"|नहीं|नही(?!ं)|(?<!\S)मत(?!\S)|(?<!\S)ना(?=\s)|(?<!\S)न(?=\s)|बिना|असहम|अस्वीक"
    r"|లేదు|లేను|లేవు|కాదు|వద్దు|కూడదు|రించను|తించను|మోదించను|వ్వను|ఒప్పుకోను|చేయను|కండి|కు(?=\W*$)"
)
"""Words that turn a statement round."""

REVERSALS = (
    r"\b(?:refus\w*|declin\w*|withdr[ae]w\w*|revok\w*|rescind\w*|retract\w*|object(?:ions?|ed|ing)?|disagree\w*|withh[eo]ld\w*|den(?:y|ies|ied)"
    r"|forbid\w*|prohibit\w*|opt\w* out|oppos\w*|stop\w*|cease\w*|take back|reject\w*|cancel\w*|mind"
    r"|retir\w+|revoc\w+|rechaz\w+|niego|neg(?:ar|ado|o)|opong\w+|prohib[ioe]\w*|dej(?:e|a|en) de|anul[ae]"
    r"|revoqu\w+|interdi\w+|arret\w+|rejett\w+|annul\w+|widerruf\w*|widerspr\w+|verweiger\w*|lehn\w*|zurück\w*|untersag\w*|verbiet\w*|entzieh\w*|stornier\w*"
    r"|(?:wijs|keur)\b.*\baf|revog\w+|recus\w+|proib\w+|oponho|rejeit\w+|ritir\w+|rifiut\w+|viet\w+|respin\w+|weiger\w*|trek|intrek\w*|herroep\w*|verbied\w*|bezwaar"
    r"|inka+r|[vw]a+pas|radd|upasamhari\w*|niraakari\w*|venakki)\b"
    r"|इनकार|इंकार|वापस|रद्द|मना(?=\s)|ఉపసంహరి|నిరాకరి|వెనక్కి|తిరస్కరి|రద్దు"
)
"""Words that take back or oppose what they are said of."""

DOUBTS = (
    r"\b(?:if|unless|until|till|once|when|whenever|maybe|perhaps|probably|possibly|might|would|could|think|guess|suppose|only|except|but|however|although|though"
    r"|provided|as long as|depending|before|after|whether|said|says|told|wrote|asked|pretend|imagine|hypothetically|allegedly|supposedly|almost|just kidding|joking"
    r"|salvo|excepto|pero|s[oó]lo|solamente|quizás?|tal vez|hasta|cuando|aunque|siempre que|sauf|mais|seulement|peut-être|jusqu|quand|lorsque|excepté|à condition|uniquement"
    r"|wenn|falls|ausser|außer|aber|nur|vielleicht|bis|sofern|solange|ob|exceto|mas|somente|apenas|talvez|até|quando|desde que|eccetto|tranne|soltanto|forse|finché|purché"
    r"|als|tenzij|behalve|maar|alleen|misschien|tot|indien|mits|agar|lekin|magar|shayad|sirf|jab|yadi|aithe|kaani|okavela|matrame)\b"
    r'|"|(?<=\w )s[ie]\b|, (?:ma|si)\b|अगर|यदि|लेकिन|मगर|शायद|सिर्फ|केवल|(?<!\S)जब(?=\s)|(?<!\S)कि(?=\s)|అయితే|కానీ|ఒకవేళ|మాత్రమే|బహుశా|(?<=\s)అని(?=\s)'
)
"""Words with which a statement holds in part, on a condition, or for somebody else."""

ASKED = (
    r"\bconsent|\bpermission\b|\bauthori[sz]e\b|\b(?:shar|us|process|stor|keep|collect|disclos|forward|publish|record|track|pass|giv|send)\w*\b.*\byour\b|\ballow us\b|\bagree to\b.*\b(?:process|shar|us[ei]|stor|collect|record|transfer)"
    r"|\bconsient\w*|\bautoriz\w*|\b(?:compart|usa|utiliz|guard)\w+.*\b(?:tu|tus|su|sus)\b|\bautoris\w*|\b(?:partag|utilis|transmett|conserv)\w+.*\b(?:votre|vos|ton|ta|tes)\b"
    r"|\beinwillig\w*|\beinverstanden\b|\bstimm\w*.*\bzu\b|\b(?:ihr|ihre|ihren|dein|deine|deinen)\b.*\b(?:teilen|weitergeben|nutzen|verwenden|verarbeiten|speichern)\b"
    r"|\b(?:compartilh|partilh|utiliz)\w+.*\b(?:seu|sua|seus|suas|teu|tua)\b|\bacconsent\w*|\bconsenso\b|\bautorizz\w*|\b(?:condivid|usa|utilizz)\w+.*\b(?:tuo|tua|tuoi|suo|sua|suoi)\b"
    r"|\btoestemming\b|\bakkoord\b|\b(?:je|jouw|uw)\b.*\b(?:delen|gebruiken|verwerken|bewaren|doorgeven)\b"
    r"|सहमत|अनुमति|इजाज़त|(?:साझा|शेयर|इस्तेमाल|उपयोग).*कर|(?:sahma|sehma|anumati|ijazat)|\baap\w*\b.*\b(?:share|use)\b"
    r"|సమ్మతి|అనుమతి|అంగీకరి|పంచుకో|షేర్ చే|ఉపయోగించ|\bsammati|\banumati|\bangeekari"
)
"""How one is asked for consent."""

EMPTY = (
    "the a an my your our i you we he she they it them this that me us to for with of in on at by from and or any all please do does did not no"
    " never don't dont can't cannot won't can could may might will would shall should must have has had haven't hasn't am is are was be been being"
    " i'm i've share shared sharing use used using process processed processing store stored storing keep keeping collect collecting disclose"
    " disclosing send sending give given giving gave pass passing forward forwarding publish publishing record recording transfer transferring"
    " release releasing retain save saving sell selling reveal expose access track tracking consent consented consenting permission authorise authorize agree agreed allow allowed permit"
    " withdraw withdrawing withdrew withdrawn revoke revoked refuse decline object opt out in stop ok okay happy fine comfortable want wish hereby yes"
    " anymore still now also yet ever freely fully explicitly about into free feel go ahead take back confirm"
    " मैं मेरा मेरी मेरे मुझे आप तुम आपका आपकी आपके को का की के से में पर और साझा शेयर इस्तेमाल उपयोग करने करना कर करें करो सकते सकता सकती हैं है हूँ हूं हो"
    " सहमति सहमत अनुमति इजाज़त देता देती देने नहीं मत न वापस लेता लेती क्या लिए साथ"
    " main mai mera meri mere mujhe aap tum aapka aapki aapke ko ka ki ke se mein par karne karna kar karen karo karein sakte hain hai hoon hun ho sahmati sahmat anumati"
    " ijazat deta deti dene nahi nahin mat na wapas leta leti kya liye"
    " నేను నా నాకు మీరు మీ నువ్వు నీ దయచేసి తో కు పంచుకోవడానికి పంచుకోవచ్చు పంచుకోవద్దు పంచుకోకండి ఉపయోగించవచ్చు ఉపయోగించవద్దు షేర్ చేయవద్దు చేయకండి చేయవచ్చు అంగీకరిస్తున్నాను అంగీకరించను సమ్మతి అనుమతి"
    " ఇస్తున్నాను ఇవ్వను లేదు ఉపసంహరించుకుంటున్నాను ఇవ్వడం"
    " yo mi mis tu tus su sus el la los las un una de del a al con que en para por doy dar consiento consentimiento autorizo acepto retiro revoco no comparta compartas compartan"
    " compartir usar use utilizar puede puedes pueden usted permiso puedo"
    " je j mon ma mes votre vos ton ta tes le les l d des du un une à au aux avec pour que ne n pas consens consentement autorise accepte retire partager partagez partage partages"
    " utiliser utilisez pouvez peux vous te puis"
    " ich mein meine meinen meiner meinem meines ihr ihre ihren ihrer dein deine deinen der die das den dem des ein eine einen zu zum zur mit von an für in nicht keine willige einwilligung"
    " stimme widerrufe erlaube sie du dürfen darf darfst teilen teile weitergeben weitergabe nutzen nutzung verwenden verarbeiten verarbeitung speichern einverstanden damit bin gebe ziehe zurück"
    " eu meu minha meus minhas seu sua seus suas o os as do da dos das ao com não consinto autorizo aceito retiro revogo pode podem posso compartilhar compartilhe compartilhem partilhar usar você vocês consentimento uso tratamento"
    " io mio mia miei mie tuo tua suo sua il lo gli i di del della dei delle al alla non acconsento autorizzo accetto ritiro revoco puoi può condividere condivida usare consenso posso trattamento"
    " ik mijn je jouw uw u het een van voor niet geen stem in toestemming geef trek mag mogen delen deel gebruiken gebruik verwerken verwerking akkoord ga"
)
"""Words that are not what a consent is about."""
