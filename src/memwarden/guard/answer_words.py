"""How people say yes or no to "Shall I remember this?", in the languages of the users.

Phrases are written in plain spelling; `memwarden.guard.answers` folds them the way it folds a message.
What is only sometimes a yes ("fine", "好吧", "peki", "acha", "ладно") stands nowhere in here.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple


def _of(*parts: str) -> frozenset[str]:
    """Return every sentence that takes one of the alternatives of each part."""
    return frozenset(" ".join(" ".join(chosen).split()) for chosen in product(*(p.split("|") for p in parts)))


class Phrases(NamedTuple):
    """What one language answers with.

    An answer is politeness, then a ``yes`` or ``remember``, then any of these or ``assent``; and likewise with ``no``
    and ``refuse``. ``unspaced`` languages write phrases without a gap; with ``accents`` a missing accent is another word.
    """

    yes: frozenset[str]
    remember: frozenset[str]
    no: frozenset[str]
    refuse: frozenset[str]
    polite: frozenset[str] = frozenset()
    assent: frozenset[str] = frozenset()
    unspaced: bool = False
    accents: bool = False


YES_SIGNS = "👍✅👌✔☑🆗"
NO_SIGNS = "👎❌🚫✖🙅"
FRIENDLY_SIGNS = "🙂😊😀😃😄😁☺🙏❤🤗"

# an opening bracket stays: it is the mouth of a sad face, and "yes :(" says more than yes
SEPARATORS = ' .,!;:-–—‐‑―…"“”„«»‹›)]*_~〜。、・।॥،؛۔¡「」『』《》〈〉'

FOLD: dict[int, str | None] = str.maketrans(
    {
        **dict.fromkeys(SEPARATORS, " "),
        **{sign: f" {sign} " for sign in YES_SIGNS + NO_SIGNS + FRIENDLY_SIGNS},
        **dict.fromkeys("'’‘ʼʻ`", None),
        **dict.fromkeys("🏻🏼🏽🏾🏿♀♂", None),
        # marks that are left out in haste: vowels of Arabic, the dot of İ, nukta
        **dict.fromkeys("\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0670\u0640\u0307\u093c\u0a3c", None),
        **dict(zip("أإآٱيىكہھۃةۂ", "ااااییکههههه", strict=True)),
        **dict(zip("記請沒問題當對謝煩幫個錯這別來", "记请没问题当对谢烦帮个错这别来", strict=True)),
        "ൻ": "ന്", "ർ": "ര്", "ൽ": "ല്", "ൾ": "ള്", "ൺ": "ണ്",
        "ँ": "ं", "ı": "i", "ё": "е",
    }
)  # fmt: skip
"""Spellings that are one and the same for an answer, and what stands between words."""

_IT = "|it|this|that"
_KEEP = "remember|save|memorise|memorize|note|store|keep|record"

ENGLISH = Phrases(
    yes=_of(
        "yes|yess|yep|yup|yeah|yea|ok|okay|okey|okie|sure|sure thing|for sure|of course|certainly|absolutely|definitely|alright|all right|agreed|i agree|go ahead|go for it|do it|do that|do so|please do|yes do|you may|you can|you bet|by all means|sounds good|fine by me|fine with me|ok with me|okay with me|works for me|i'd like that|i would like that"
    )
    | frozenset(YES_SIGNS),
    remember=_of("|do|go ahead and", _KEEP + "|write down|note down", "it|this|that")
    | _of("|do", "remember|save")
    | _of("|go ahead and", "keep|save|store", "it|this|that", "in mind|in memory|in your memory|to memory|to your memory")
    | _of("|go ahead and", "add|commit", "it|this|that", "to memory|to your memory")
    | _of("make a note of", "it|this|that")
    | _of("don't forget|do not forget|never forget", _IT),
    no=_of(
        "no|nope|nah|naw|nay|no way|never|not now|no need|not needed|not necessary|absolutely not|definitely not|certainly not|of course not|rather not|i'd rather not|i would rather not|better not|you may not"
    )
    | frozenset(NO_SIGNS),
    refuse=_of("|ok|okay|alright", "don't|do not|please don't|please do not|never", _KEEP, _IT)
    | _of("|ok|okay|alright", "don't|do not|please don't|please do not", "do", "it|this|that|so")
    | _of("no need to|you don't need to|you don't have to", _KEEP, _IT),
    polite=_of(
        "please|pls|plz|kindly|thanks|thank you|thank you very much|thanks a lot|many thanks|thx|sir|madam|ma'am|bro|dear"
    )
    | frozenset(FRIENDLY_SIGNS),
    assent=_of("that's right|that is right|that's correct|correct|exactly|true|that's true|indeed|great|perfect|good|cool|for me")
    | _of("and", _KEEP, "it|this|that"),
)  # fmt: skip
"""English, which people mix into every other language."""

_HINDI = Phrases(
    yes=_of(
        "हाँ|हाँ जी|हांजी|जी|जी हाँ|ठीक है|बिल्कुल|बिलकुल|ज़रूर|अवश्य|बेशक|ओके|यस|कर दो|कर लो|haan|haa|han|haanji|hanji|ji|jee|ji haan|theek hai|thik hai|theek h|thik h|bilkul|zaroor|zarur|jaroor|jarur|beshak|kar do|kar lo"
    ),
    remember=_of("|इसे|इसको|यह|ये", "याद", "रखो|रखना|रखिए|रखिये|रखिएगा|रखें|रख लो|रख लीजिए|रख लेना|कर लो")
    | _of("|इसे|इसको|यह|ये", "सेव|नोट", "करो|कर लो|कर दो|करना|कीजिए|कर लीजिए|करें")
    | _of("भूलना मत|मत भूलना|रख लो|रखो")
    | _of("|ise|isko|yeh|ye", "yaad|yad", "rakho|rakhna|rakhiye|rakhiyega|rakhein|rakhen|rakh lo|rakh lena|rakh lijiye|kar lo")
    | _of("|ise|isko|yeh|ye", "save|note|mehfooz", "karo|kar lo|kar do|karna|kijiye|kar lijiye|karein|kar lein")
    | _of("mat bhoolna|bhoolna mat|mat bhulna|bhulna mat|rakh lo|rakho"),
    no=_of(
        "नहीं|नही|ना|जी नहीं|बिल्कुल नहीं|बिलकुल नहीं|कभी नहीं|ज़रूरत नहीं|ज़रूरत नहीं है|कोई ज़रूरत नहीं|रहने दो|रहने दीजिए|रहने दें|nahi|nahin|naheen|nhi|nahi ji|nai|bilkul nahi|bilkul nahin|kabhi nahi|zaroorat nahi|zaroorat nahin|koi zaroorat nahi|rehne do|rahne do|rehne dein|rehne dijiye|jee nahin"
    ),
    refuse=_of("मत", "रखो|रखना|रखिए|रखें|करो|करना|कीजिए")
    | _of("|इसे|इसको|यह|ये", "याद", "मत|न|ना", "रखो|रखना|रखिए|रखें|करो|करना")
    | _of("|इसे|इसको|यह|ये", "सेव|नोट", "मत|न|ना", "करो|करना|कीजिए|करें")
    | _of("mat", "rakho|rakhna|rakhiye|rakhein|karo|karna|kijiye")
    | _of("|ise|isko|yeh|ye", "yaad|yad", "mat|na", "rakho|rakhna|rakhiye|rakhein|karo|karna")
    | _of("|ise|isko|yeh|ye", "save|note|mehfooz", "mat|na", "karo|karna|kijiye|karein"),
    polite=_of("जी|कृपया|प्लीज़|धन्यवाद|शुक्रिया|भाई|ji|jee|bhai|kripya|meherbani|shukriya|dhanyavad|dhanyawad|barae meherbani"),
    assent=_of("सही है|अच्छा है|sahi hai"),
)  # fmt: skip

_URDU = Phrases(
    yes=_of("ہاں|جی|جی ہاں|ہاں جی|ٹھیک ہے|بالکل|ضرور|بے شک|اوکے"),
    remember=_of("|اسے|اس کو|یہ", "یاد", "رکھو|رکھیں|رکھنا|رکھیے|رکھ لو|رکھ لیں")
    | _of("|اسے|اس کو|یہ", "محفوظ|نوٹ", "کرو|کریں|کر لو|کر لیں|کر دیں"),
    no=_of("نہیں|جی نہیں|نہ|بالکل نہیں|ہرگز نہیں|ضرورت نہیں|کوئی ضرورت نہیں|رہنے دو|رہنے دیں"),
    refuse=_of("|اسے|اس کو|یہ", "یاد", "مت|نہ", "رکھو|رکھیں|رکھنا") | _of("|اسے|اس کو|یہ", "محفوظ|نوٹ", "مت|نہ", "کرو|کریں"),
    polite=_of("جی|براہ کرم|برائے مہربانی|پلیز|شکریہ|مہربانی"),
)  # fmt: skip

_TELUGU = Phrases(
    yes=_of(
        "అవును|అవునండి|అవును అండి|ఔను|సరే|సరేనండి|సరే అండి|తప్పకుండా|ఖచ్చితంగా|కచ్చితంగా|అలాగే|అలాగేనండి|ఓకే|avunu|avnu|avunandi|avunu andi|sare|sarenandi|sare andi|tappakunda|thappakunda|kachitanga|khachitanga|alage|alagey"
    ),
    remember=_of("|ఇది|దీన్ని|అది", "గుర్తుపెట్టుకో|గుర్తు పెట్టుకో|గుర్తుపెట్టుకోండి|గుర్తు పెట్టుకోండి|గుర్తుంచుకో|గుర్తుంచుకోండి|సేవ్ చేయి|సేవ్ చెయ్యి|సేవ్ చేయండి")
    | _of("మర్చిపోకు|మర్చిపోకండి|మర్చిపోవద్దు|మరచిపోవద్దు")
    | _of("|idi|dinni|adi", "gurtu|gurthu", "pettuko|pettukondi|unchuko")
    | _of("|idi|dinni|adi", "gurtupettuko|gurthupettuko|gurtupettukondi|gurtunchuko|gurtunchukondi|save chey|save cheyi|save cheyyi|save cheyandi")
    | _of("marchipoku|marchipovaddu"),
    no=_of("కాదు|వద్దు|లేదు|వద్దండి|వద్దు అండి|అవసరం లేదు|అక్కర్లేదు|vaddu|voddu|oddu|kaadu|kadu|ledu|vaddandi|vaddu andi|avasaram ledu|akkarledu"),
    refuse=_of("|ఇది|దీన్ని|అది", "గుర్తుపెట్టుకోకు|గుర్తు పెట్టుకోకు|గుర్తుపెట్టుకోవద్దు|గుర్తు పెట్టుకోవద్దు|గుర్తుపెట్టుకోకండి|గుర్తుంచుకోకు|గుర్తుంచుకోవద్దు|సేవ్ చేయకు|సేవ్ చేయవద్దు|సేవ్ చేయొద్దు|సేవ్ చేయకండి")
    | _of("|idi|dinni|adi", "gurtu|gurthu", "pettukoku|pettukovaddu|pettukokandi")
    | _of("|idi|dinni|adi", "gurtupettukoku|gurtupettukovaddu|gurtunchukoku|save cheyaku|save cheyyaku|save cheyoddu|save cheyavaddu"),
    polite=_of("దయచేసి|ప్లీజ్|ధన్యవాదాలు|అండి|dayachesi|dhanyavadalu|andi"),
)  # fmt: skip

_TAMIL = Phrases(
    yes=_of("ஆம்|ஆமாம்|ஆமா|சரி|நிச்சயமாக|கண்டிப்பாக|ஓகே|aamaa|aamam|aamaam|nichayamaga|kandippa"),
    remember=_of("|இதை|அதை", "நினைவில்", "கொள்|கொள்ளுங்கள்|கொள்ளவும்|வை|வைத்துக்கொள்|வைத்துக் கொள்|வைத்துக்கொள்ளுங்கள்|வைத்துக் கொள்ளுங்கள்")
    | _of("|இதை|அதை", "ஞாபகம்", "வைத்துக்கொள்|வைத்துக்கொள்ளுங்கள்|வச்சுக்கோ")
    | _of("|இதை|அதை", "சேமி|சேமிக்கவும்|சேமியுங்கள்|மறக்காதே|மறக்காதீர்கள்"),
    no=_of("இல்லை|இல்ல|வேண்டாம்|வேணாம்|தேவையில்லை|தேவை இல்லை|illai|vendam|venam|vendaam"),
    refuse=_of("|இதை|அதை", "நினைவில் கொள்ள|நினைவில் வைக்க|நினைவில் வைத்துக்கொள்ள|ஞாபகம் வைக்க|சேமிக்க", "வேண்டாம்|வேணாம்")
    | _of("|இதை|அதை", "நினைவில் கொள்ளாதே|நினைவில் கொள்ளாதீர்கள்|சேமிக்காதே|சேமிக்காதீர்கள்"),
    polite=_of("தயவுசெய்து|தயவு செய்து|ப்ளீஸ்|நன்றி|nandri"),
)  # fmt: skip

_KANNADA = Phrases(
    yes=_of("ಹೌದು|ಸರಿ|ಆಯ್ತು|ಆಯಿತು|ಖಂಡಿತ|ಖಂಡಿತವಾಗಿ|ಓಕೆ|houdu|howdu|haudu|khandita"),
    remember=_of("|ಇದನ್ನು|ಅದನ್ನು", "ನೆನಪಿಡಿ|ನೆನಪಿಡು|ನೆನಪಿಟ್ಟುಕೊಳ್ಳಿ|ನೆನಪಿಟ್ಟುಕೋ|ನೆನಪಿನಲ್ಲಿಡಿ|ನೆನಪಿನಲ್ಲಿಟ್ಟುಕೊಳ್ಳಿ|ಉಳಿಸಿ|ಸೇವ್ ಮಾಡಿ|ಸೇವ್ ಮಾಡು|ಮರೆಯಬೇಡಿ|ಮರೆಯಬೇಡ"),
    no=_of("ಇಲ್ಲ|ಬೇಡ|ಅಗತ್ಯವಿಲ್ಲ|ಅಗತ್ಯ ಇಲ್ಲ|beda"),
    refuse=_of("|ಇದನ್ನು|ಅದನ್ನು", "ನೆನಪಿಡಬೇಡಿ|ನೆನಪಿಡಬೇಡ|ನೆನಪಿಟ್ಟುಕೊಳ್ಳಬೇಡಿ|ಉಳಿಸಬೇಡಿ|ಉಳಿಸಬೇಡ|ಸೇವ್ ಮಾಡಬೇಡಿ|ಸೇವ್ ಮಾಡಬೇಡ"),
    polite=_of("ದಯವಿಟ್ಟು|ಪ್ಲೀಸ್|ಧನ್ಯವಾದ|ಧನ್ಯವಾದಗಳು|dayavittu"),
)  # fmt: skip

_MALAYALAM = Phrases(
    yes=_of("അതെ|അതേ|ഉവ്വ്|ശരി|തീർച്ചയായും|ഓക്കേ|ഓക്കെ|athe|theerchayayum"),
    remember=_of("|ഇത്|അത്", "ഓർക്കുക|ഓർക്കൂ|ഓർത്തോളൂ|ഓർത്തുവയ്ക്കൂ|ഓർത്തുവെക്കൂ|ഓർത്തു വയ്ക്കൂ|ഓർത്തു വെക്കൂ|ഓർമ്മിക്കുക|ഓർമ്മിക്കൂ|ഓർമ്മയിൽ വയ്ക്കൂ|സേവ് ചെയ്യൂ|സേവ് ചെയ്യുക|മറക്കരുത്"),
    no=_of("ഇല്ല|വേണ്ട|അല്ല|ആവശ്യമില്ല|venda|illa"),
    refuse=_of("|ഇത്|അത്", "ഓർക്കേണ്ട|ഓർക്കരുത്|ഓർത്തുവയ്ക്കേണ്ട|ഓർത്തുവെക്കേണ്ട|ഓർമ്മിക്കേണ്ട|ഓർമ്മിക്കരുത്|സേവ് ചെയ്യേണ്ട|സേവ് ചെയ്യരുത്"),
    polite=_of("ദയവായി|ദയവു ചെയ്ത്|പ്ലീസ്|നന്ദി"),
)  # fmt: skip

_MARATHI = Phrases(
    yes=_of("हो|होय|होय जी|हो जी|चालेल|ठीक आहे|नक्की|नक्कीच|अवश्य|ओके|chalel|thik aahe|thik ahe|nakki|nakkich"),
    remember=_of("|हे|ते", "लक्षात", "ठेव|ठेवा|ठेवावे|घ्या") | _of("|हे|ते", "सेव्ह|सेव", "कर|करा") | _of("विसरू नको|विसरू नका")
    | _of("|he|te", "lakshat", "thev|theva"),
    no=_of("नाही|नको|अजिबात नाही|गरज नाही|राहू दे|राहू द्या|nahi|nako|garaj nahi|rahu de"),
    refuse=_of("|हे|ते", "लक्षात", "ठेवू नका|ठेवू नको|ठेवू नकोस") | _of("|हे|ते", "सेव्ह|सेव", "करू नका|करू नको|करू नकोस")
    | _of("|he|te", "lakshat", "thevu nako|thevu naka"),
    polite=_of("कृपया|प्लीज|धन्यवाद"),
)  # fmt: skip

_BENGALI = Phrases(
    yes=_of("হ্যাঁ|হ্যা|জি|জ্বি|জি হ্যাঁ|ঠিক আছে|অবশ্যই|নিশ্চয়ই|নিশ্চয়|ওকে|hyan|thik ache|obosshoi"),
    remember=_of("|এটা|এটি|ওটা", "মনে", "রাখো|রাখুন|রেখো|রাখবেন|রাখ") | _of("|এটা|এটি|ওটা", "সেভ|সংরক্ষণ|নোট", "করো|করুন|কর")
    | _of("|eta", "mone", "rakho|rakhun|rekho") | _of("ভুলো না|ভুলবেন না"),
    no=_of("না|নাহ|দরকার নেই|প্রয়োজন নেই|একদম না|লাগবে না"),
    refuse=_of("|এটা|এটি|ওটা", "মনে", "রেখো না|রাখবেন না|রাখবে না|রাখার দরকার নেই")
    | _of("|এটা|এটি|ওটা", "সেভ|সংরক্ষণ|নোট", "করো না|কোরো না|করবেন না"),
    polite=_of("দয়া করে|অনুগ্রহ করে|প্লিজ|ধন্যবাদ"),
)  # fmt: skip

_GUJARATI = Phrases(
    yes=_of("હા|હા જી|હાજી|જી હા|ઠીક છે|ચોક્કસ|જરૂર|બિલકુલ|ભલે|ઓકે|haa ji|thik che|chokkas"),
    remember=_of("|આ|એ|તે|આને", "યાદ", "રાખો|રાખજો|રાખ|રાખજે|રાખશો") | _of("|આ|એ|તે|આને", "સેવ|નોંધ", "કરો|કરજો|કરી લો") | _of("ભૂલશો નહીં|ભૂલતા નહીં"),
    no=_of("ના|ના જી|નહીં|નહિ|જરૂર નથી|કોઈ જરૂર નથી|રહેવા દો|બિલકુલ નહીં"),
    refuse=_of("|આ|એ|તે|આને", "યાદ", "ન|ના", "રાખો|રાખશો|રાખતા|રાખ") | _of("|આ|એ|તે|આને", "સેવ|નોંધ", "ન|ના", "કરો|કરશો|કરતા"),
    polite=_of("કૃપા કરીને|મહેરબાની કરીને|પ્લીઝ|આભાર|ધન્યવાદ"),
)  # fmt: skip

_PUNJABI = Phrases(
    yes=_of("ਹਾਂ|ਹਾਂ ਜੀ|ਹਾਂਜੀ|ਜੀ|ਜੀ ਹਾਂ|ਠੀਕ ਹੈ|ਠੀਕ ਆ|ਬਿਲਕੁਲ|ਜ਼ਰੂਰ|ਜਰੂਰ|ਓਕੇ"),
    remember=_of("|ਇਹ|ਇਸਨੂੰ|ਇਸ ਨੂੰ", "ਯਾਦ", "ਰੱਖੋ|ਰੱਖਣਾ|ਰੱਖ|ਰੱਖੀਂ|ਰੱਖਿਓ|ਰੱਖ ਲਓ") | _of("|ਇਹ|ਇਸਨੂੰ|ਇਸ ਨੂੰ", "ਸੇਵ|ਨੋਟ", "ਕਰੋ|ਕਰ ਲਓ|ਕਰ ਦਿਓ"),
    no=_of("ਨਹੀਂ|ਨਾ|ਨਹੀਂ ਜੀ|ਜੀ ਨਹੀਂ|ਨਾ ਜੀ|ਬਿਲਕੁਲ ਨਹੀਂ|ਲੋੜ ਨਹੀਂ|ਕੋਈ ਲੋੜ ਨਹੀਂ|ਰਹਿਣ ਦਿਓ|ਰਹਿਣ ਦੇ"),
    refuse=_of("|ਇਹ|ਇਸਨੂੰ|ਇਸ ਨੂੰ", "ਯਾਦ", "ਨਾ|ਮਤ", "ਰੱਖੋ|ਰੱਖਣਾ|ਰੱਖ") | _of("|ਇਹ|ਇਸਨੂੰ|ਇਸ ਨੂੰ", "ਸੇਵ|ਨੋਟ", "ਨਾ|ਮਤ", "ਕਰੋ|ਕਰਨਾ"),
    polite=_of("ਜੀ|ਕਿਰਪਾ ਕਰਕੇ|ਪਲੀਜ਼|ਧੰਨਵਾਦ|ਸ਼ੁਕਰੀਆ|ਮਿਹਰਬਾਨੀ"),
)  # fmt: skip

_SPANISH = Phrases(
    yes=_of("sí|claro|claro que sí|por supuesto|por supuesto que sí|desde luego|vale|de acuerdo|dale|adelante|hazlo|hágalo|está bien|sin problema|okey"),
    remember=_of("recuérdalo|recuérdelo|recordalo|recuerda eso|recuerda esto|guárdalo|guárdelo|guardalo|guarda eso|guarda esto|apúntalo|anótalo|anótelo|memorízalo|tenlo en cuenta|no lo olvides|no lo olvide|no te olvides"),
    no=_of("no|claro que no|por supuesto que no|desde luego que no|no hace falta|no es necesario|mejor no|para nada|de ninguna manera|nunca|ahora no"),
    refuse=_of("no lo recuerdes|no lo recuerde|no recuerdes eso|no recuerdes esto|no lo guardes|no lo guarde|no guardes eso|no guardes esto|no lo apuntes|no lo anotes|no lo memorices|no lo hagas|no lo haga|déjalo"),
    polite=_of("por favor|porfa|porfavor|gracias|muchas gracias"),
)  # fmt: skip

_FRENCH = Phrases(
    yes=_of("oui|ouais|mais oui|bien sûr|bien sûr que oui|d'accord|volontiers|avec plaisir|certainement|absolument|tout à fait|évidemment|entendu|vas-y|allez-y|fais-le|faites-le|pas de problème"),
    remember=_of("souviens-t'en|souvenez-vous-en|retiens-le|retiens ça|retiens cela|retenez-le|retenez cela|note-le|note ça|notez-le|enregistre-le|enregistre ça|enregistrez-le|garde-le|garde ça|gardez-le|mémorise-le|mémorise ça|mémorisez-le|garde ça en mémoire|garde-le en mémoire|gardez-le en mémoire|n'oublie pas|n'oubliez pas|ne l'oublie pas|ne l'oubliez pas"),
    no=_of("non|mais non|surtout pas|pas la peine|ce n'est pas la peine|c'est pas la peine|pas besoin|pas nécessaire|ce n'est pas nécessaire|certainement pas|absolument pas|bien sûr que non|pas maintenant|jamais|pas du tout|plutôt pas"),
    refuse=_of("ne le retiens pas|ne retiens pas ça|ne retiens pas cela|ne le retenez pas|ne retenez pas cela|ne t'en souviens pas|ne l'enregistre pas|ne l'enregistrez pas|ne le garde pas|ne le gardez pas|ne garde pas ça|ne le note pas|ne le notez pas|ne note pas ça|ne le mémorise pas|ne le mémorisez pas|ne fais pas ça|ne le fais pas|ne le faites pas|laisse tomber|laissez tomber"),
    polite=_of("s'il te plaît|s'il vous plaît|svp|stp|merci|merci bien|merci beaucoup"),
)  # fmt: skip

_GERMAN = Phrases(
    yes=_of("ja|jawohl|jep|jap|gerne|gern|sehr gerne|klar|na klar|aber klar|natürlich|natuerlich|sicher|selbstverständlich|auf jeden fall|unbedingt|einverstanden|in ordnung|geht klar|mach das|mach es|machen sie das|tu das|nur zu"),
    remember=_of("merk dir|merke dir|merken sie sich", "|bitte", "das|es|dies", "|bitte")
    | _of("merk|merke", "es dir|dir's", "|bitte")
    | _of("speichere|speicher|speichern sie|behalte|behalt|notiere|notier|notieren sie", "|bitte", "das|es|dies", "|bitte")
    | _of("merken|speichern|das merken|das speichern|vergiss es nicht|vergiss das nicht|nicht vergessen"),
    no=_of("nein|nee|ne danke|nö|lieber nicht|besser nicht|auf keinen fall|auf gar keinen fall|natürlich nicht|sicher nicht|nicht nötig|ist nicht nötig|nicht notwendig|niemals|bitte nicht|jetzt nicht"),
    refuse=_of("merk dir|merke dir|merken sie sich|speichere|speicher|speichern sie|behalte|notiere|notieren sie", "|bitte", "das|es|dies", "|bitte", "nicht")
    | _of("|das|es", "|bitte", "nicht", "merken|speichern|notieren|behalten")
    | _of("mach das nicht|lass es|lass das|brauchst du nicht"),
    polite=_of("bitte|bitte schön|bitte sehr|danke|danke schön|danke sehr|vielen dank"),
)  # fmt: skip

_PORTUGUESE = Phrases(
    yes=_of("sim|claro|claro que sim|com certeza|certamente|pode|pode sim|tá bom|está bem|está bom|beleza|de acordo|por favor sim|faz isso|faça isso|sem problema"),
    remember=_of("lembre-se disso|lembre disso|lembra disso|lembra-te disso|lembre|lembra|guarde|guarde isso|guarda isso|guarde-o|salve isso|salva isso|anote|anota|anote isso|anota isso|memorize|memoriza|memorize isso|pode guardar|pode lembrar|pode salvar|pode anotar|não esqueça|não se esqueça|não esqueças|não te esqueças"),
    no=_of("não|claro que não|com certeza não|não precisa|não é necessário|não é preciso|melhor não|é melhor não|de jeito nenhum|de modo nenhum|nem pensar|nunca|agora não"),
    refuse=_of("não", "guarde|guardes|salve|salves|lembre|lembres|se lembre|anote|anotes|memorize|memorizes|faça|faças", "|isso|disso")
    | _of("deixa pra lá|deixe pra lá|deixa para lá|deixa estar"),
    polite=_of("por favor|se faz favor|faz favor|obrigado|obrigada|muito obrigado|muito obrigada"),
    assent=_of("isso|isso mesmo|tudo bem"),
)  # fmt: skip

_ITALIAN = Phrases(
    yes=_of("sì|certo|certo che sì|certamente|va bene|d'accordo|volentieri|naturalmente|ovviamente|sicuro|assolutamente sì|fallo|procedi|fai pure|faccia pure|okay"),
    remember=_of("ricordalo|ricordatelo|ricordati|ricordatene|se lo ricordi|lo ricordi|memorizzalo|lo memorizzi|salvalo|lo salvi|segnalo|segnatelo|annotalo|tienilo a mente|ricorda questo|non dimenticarlo|non dimenticartelo"),
    no=_of("no|no no|assolutamente no|certo che no|ovviamente no|meglio di no|non serve|non è necessario|non c'è bisogno|per niente|non ora"),
    refuse=_of("non ricordarlo|non ricordartelo|non memorizzarlo|non lo memorizzi|non salvarlo|non lo salvi|non annotarlo|non segnarlo|non segnartelo|non farlo|lascia stare|lascia perdere"),
    polite=_of("per favore|per piacere|per cortesia|grazie|grazie mille"),
)  # fmt: skip

_DUTCH = Phrases(
    yes=_of("ja|jazeker|jep|graag|heel graag|zeker|zeker weten|natuurlijk|oké|oke|is goed|dat is goed|doe maar|doe dat maar|doe dat|ga je gang|akkoord"),
    remember=_of("onthoud|onthou|bewaar|noteer", "|het|dat|dit", "|maar", "|even") | _of("sla", "het|dat|dit", "|maar", "op") | _of("vergeet het niet|vergeet dat niet"),
    no=_of("nee|neen|nee hoor|liever niet|beter niet|zeker niet|natuurlijk niet|absoluut niet|hoeft niet|dat hoeft niet|niet nodig|is niet nodig|nooit|nu niet"),
    refuse=_of("onthoud|onthou|bewaar|noteer", "het|dat|dit", "niet") | _of("sla", "het|dat|dit", "niet op") | _of("niet", "doen|onthouden|bewaren|opslaan") | _of("laat maar|doe maar niet|doe dat niet"),
    polite=_of("alsjeblieft|alstublieft|aub|dank je|dank je wel|dankjewel|dank u|dank u wel|bedankt"),
)  # fmt: skip

_POLISH = Phrases(
    yes=_of("tak|tak jest|oczywiście|oczywiście że tak|jasne|jasne że tak|dobrze|dobra|zgoda|okej|zrób to|śmiało"),
    remember=_of("zapamiętaj|zapisz|zachowaj|zapamiętać|zapisać", "|to") | _of("proszę", "zapamiętać|zapisać", "|to") | _of("nie zapomnij|nie zapominaj"),
    no=_of("nie|nie trzeba|nie potrzeba|nie ma potrzeby|oczywiście że nie|jasne że nie|lepiej nie|raczej nie|nigdy|nie teraz|w żadnym wypadku|nie chcę"),
    refuse=_of("nie", "zapamiętuj|zapisuj|zachowuj|zapamiętywać|zapisywać|rób", "|tego"),
    polite=_of("proszę|poproszę|dziękuję|dzięki"),
)  # fmt: skip

_TURKISH = Phrases(
    yes=_of("evet|tabii|tabi|tabii ki|tabi ki|elbette|tamam|olur|kesinlikle|memnuniyetle|tamamdır"),
    remember=_of("|bunu|onu", "hatırla|hatırlayın|kaydet|kaydedin|aklında tut|unutma|unutmayın|not et|not al"),
    no=_of("hayır|yok|olmaz|istemiyorum|istemem|gerek yok|gerekmez|asla|kesinlikle hayır|kesinlikle olmaz|tabii ki hayır|şimdi değil"),
    refuse=_of("|bunu|onu", "hatırlama|hatırlamayın|kaydetme|kaydetmeyin|aklında tutma|not etme|not alma|yapma"),
    polite=_of("lütfen|teşekkürler|teşekkür ederim|sağ ol|sağol|sağ olun"),
)  # fmt: skip

_RUSSIAN = Phrases(
    yes=_of("да|ага|конечно|да конечно|разумеется|безусловно|обязательно|хорошо|давай|давайте|ок|окей|можно|согласен|согласна"),
    remember=_of("запомни|запомните|запоминай|запоминайте|сохрани|сохраните|запиши|запишите", "|это|его") | _of("не забудь|не забудьте|не забывай"),
    no=_of("нет|неа|не надо|не нужно|не стоит|нельзя|конечно нет|разумеется нет|ни в коем случае|никогда|лучше не надо|лучше не стоит|не сейчас"),
    refuse=_of("|это", "не", "запоминай|запоминайте|сохраняй|сохраняйте|записывай|записывайте|делай этого", "|это|этого|его") | _of("не надо", "|это", "запоминать|сохранять"),
    polite=_of("пожалуйста|спасибо|большое спасибо|спасибо большое"),
)  # fmt: skip

_ARABIC = Phrases(
    yes=_of("نعم|أجل|أيوه|أيوا|حسنا|حسنًا|موافق|موافقة|بالتأكيد|أكيد|طبعا|طبعًا|بالطبع|تمام|تفضل|تفضلي|أوكي|اوك"),
    remember=_of("تذكر|تذكري|احفظ|احفظي|سجل", "|ذلك|هذا") | _of("تذكره|تذكرها|احفظه|احفظها|سجله|سجلها|لا تنس|لا تنسى|لا تنسَ"),
    no=_of("لا|كلا|لأ|أبدا|أبدًا|لا داعي|لا داعي لذلك|لا حاجة|ليس الآن|بالطبع لا|طبعا لا|بالتأكيد لا"),
    refuse=_of("لا", "تتذكر|تتذكري|تذكر|تحفظ|تحفظي|تسجل", "|ذلك|هذا") | _of("لا", "تتذكره|تتذكرها|تحفظه|تحفظها|تسجله|تسجلها|تفعل|تفعل ذلك"),
    polite=_of("من فضلك|لو سمحت|رجاء|رجاءً|شكرا|شكرًا|شكرا لك|شكرا جزيلا"),
)  # fmt: skip

_CHINESE = Phrases(
    yes=_of("是|是的|好|好的|好啊|好呀|好哒|可以|可以的|可以啊|行|没问题|当然|当然可以|当然好|对|对的|要|要的|同意|嗯 好|嗯 好的|嗯 可以|嗯 是的|ok|ok的|okay"),
    remember=_of("记住|记住吧|记住它|记住这个|请记住|请记住吧|请记住它|请记住这个|请记下|请记下来|记下|记下吧|记下来|记下来吧|记吧|记一下|记一下吧|请记一下|帮我记住|帮我记住吧|帮我记下来|请帮我记住|请帮我记下来|麻烦记一下|麻烦帮我记一下|保存|保存吧|请保存|帮我保存|存吧|请记得|别忘了|别忘记|不要忘记|不要忘了"),
    no=_of("不|不要|不要了|不用|不用了|不必|不必了|不行|不可以|不好|不是|不了|不需要|不想|没必要|没有必要|算了|算了吧|别|当然不|当然不要|当然不行"),
    refuse=_of("别记|别记了|别记住|别记住这个|请别记住|不要记|不要记住|不要记住这个|不要记住它|请不要记|请不要记住|请不要记住这个|不用记|不用记了|不用记住|不用记住了|不必记住|别保存|请别保存|不要保存|请不要保存|不用保存"),
    polite=_of("谢谢|谢谢你|谢谢您|多谢|谢了|麻烦了|麻烦你了|拜托了"),
    assent=_of("没错"),
    unspaced=True,
)  # fmt: skip

_JAPANESE = Phrases(
    yes=_of("はい|ええ|うん|もちろん|もちろんです|もちろんいいよ|いいよ|いいですよ|ぜひ|オッケー|オーケー|オッケーです|ok|okです|okay"),
    remember=_of("お願いします|お願い|おねがいします|おねがい|お願いいたします|ぜひお願いします|よろしくお願いします|覚えて|覚えてね|覚えてください|覚えておいて|覚えておいてね|覚えておいてください|覚えといて|おぼえて|おぼえてください|おぼえておいて|記憶して|記憶してください|記憶しておいて|保存して|保存してください|保存しておいて|メモして|メモしてください|そうして|そうしてください|忘れないで|忘れないでください"),
    no=_of("いいえ|いえ|いや|いやです|嫌です|嫌だ|ううん|だめ|だめです|ダメ|ダメです|駄目です|やめて|やめてください|いらない|いらないです|いりません|必要ない|必要ないです|必要ありません|不要です|いいえ 結構です|いえ 結構です"),
    refuse=_of("覚えないで|覚えないでください|覚えなくていい|覚えなくていいです|おぼえないで|記憶しないで|記憶しないでください|保存しないで|保存しないでください|メモしないで|メモしないでください"),
    polite=_of("ありがとう|ありがとうございます|どうも"),
    assent=_of("そうです|その通りです"),
    unspaced=True,
)  # fmt: skip

_KOREAN = Phrases(
    yes=_of("네|예|응|그래|그래요|좋아|좋아요|좋습니다|물론|물론이죠|물론이지|물론입니다|그럼요|당연하지|당연하죠|당연히|오케이|ㅇㅇ|ok|okay"),
    remember=_of("|꼭|그거|이거|그것을|이것을", "기억해|기억해 줘|기억해 줘요|기억해 주세요|기억하세요|기억해 둬|기억해 두세요|저장해|저장해 줘|저장해 줘요|저장해 주세요|메모해 줘|메모해 주세요")
    | _of("부탁해|부탁해요|부탁드려요|부탁드립니다|부탁합니다|그렇게 해|그렇게 해 줘|그렇게 해 주세요|해 줘|해 주세요|잊지 마|잊지 마세요"),
    no=_of("아니|아니요|아니오|아뇨|아닙니다|ㄴㄴ|싫어|싫어요|안 돼|안 돼요|안 됩니다|됐어|됐어요|필요 없어|필요 없어요|필요 없습니다|절대 안 돼"),
    refuse=_of("|그거|이거", "기억하지 마|기억하지 마요|기억하지 마세요|기억하지 말아 줘|저장하지 마|저장하지 마요|저장하지 마세요|저장하지 말아 줘|하지 마|하지 마세요"),
    polite=_of("제발|고마워|고마워요|감사합니다|감사해요"),
    unspaced=True,
)  # fmt: skip

_INDONESIAN = Phrases(
    yes=_of("ya|iya|ya tentu|tentu|tentu saja|pasti|boleh|baik|baiklah|oke|okey|silakan|setuju|lakukan"),
    remember=_of("|tolong|silakan", "ingat|ingatlah|simpan|simpanlah|catat|catatlah", "|itu|ini|saja") | _of("jangan lupa|jangan dilupakan"),
    no=_of("tidak|nggak|enggak|engga|gak|ndak|tidak usah|nggak usah|gak usah|tak usah|tidak perlu|nggak perlu|gak perlu|tak perlu|jangan|bukan|tentu tidak|tentu saja tidak|jangan dulu|tidak mau"),
    refuse=_of("|tolong", "jangan", "ingat|diingat|simpan|disimpan|catat|dicatat|lakukan", "|itu|ini|ya"),
    polite=_of("tolong|mohon|terima kasih|makasih|trims"),
)  # fmt: skip

_VIETNAMESE = Phrases(
    yes=_of("vâng|vâng ạ|dạ vâng|dạ có|dạ được|có|có ạ|có chứ|được|được ạ|được rồi|được chứ|ừ|đồng ý|tất nhiên|tất nhiên rồi|dĩ nhiên|chắc chắn rồi|ok nhé"),
    remember=_of("|hãy|xin hãy|cứ", "ghi nhớ|lưu|lưu lại|ghi lại|nhớ lấy", "|nó|điều đó|điều này", "|đi|nhé|nha") | _of("hãy nhớ|hãy nhớ nhé|nhớ nhé|nhớ đi|nhớ giúp tôi|hãy nhớ điều đó|hãy nhớ điều này|đừng quên|đừng quên nhé"),
    no=_of("không|khong|không ạ|dạ không|không nhé|không cần|không cần đâu|không cần thiết|thôi|thôi khỏi|đừng|đừng nhé|không được|tất nhiên là không|không muốn"),
    refuse=_of("|xin|làm ơn", "đừng|không cần", "nhớ|ghi nhớ|lưu|lưu lại|ghi lại", "|nó|điều đó|điều này", "|nhé|nha"),
    polite=_of("làm ơn|vui lòng|xin|cảm ơn|cám ơn|cảm ơn bạn|ạ|nhé|nha"),
    accents=True,
)  # fmt: skip

LANGUAGES: tuple[Phrases, ...] = (
    ENGLISH, _HINDI, _URDU, _TELUGU, _TAMIL, _KANNADA, _MALAYALAM, _MARATHI, _BENGALI, _GUJARATI, _PUNJABI, _SPANISH,
    _FRENCH, _GERMAN, _PORTUGUESE, _ITALIAN, _DUTCH, _POLISH, _TURKISH, _RUSSIAN, _ARABIC, _CHINESE, _JAPANESE, _KOREAN,
    _INDONESIAN, _VIETNAMESE,
)  # fmt: skip
"""Every language, English first."""

YES_MESSAGES = _of(
    "yes",
    "i do|i would|i want that|i want you to|that's fine|that is fine|that's ok|that's okay|it's fine|it's ok",
) | _of("y")
"""Whole messages that are a yes, made of words that are none elsewhere."""

NO_MESSAGES = (
    _of("|no|ok|okay|please|no please", "don't|do not")
    | _of("don't|do not", "please")
    | _of("|no|no thanks", "never mind|nevermind|forget it|leave it|skip it|skip|cancel")
    | _of("no", "i don't|i do not|i'm good|it's ok|it's okay|it's fine|that's ok|that's okay|that's fine|that's not necessary")
    | _of("n|मत|vergiss es|vergeet het|bunu unut|boş ver|deixa|مت")
)  # fmt: skip
"""Whole messages that are a no, made of words that are none elsewhere."""

MOCKERY = _of("yeah|ja|ya|sure|haa|હા|はい|네")
"""Words that are laughter or mockery when they are said twice."""
