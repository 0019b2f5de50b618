"""Values that slots know by several spellings, among them names of languages in those languages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_LANGUAGES = {
    "English": "english inglés ingles anglais englisch angrezi inglês अंग्रेज़ी अंग्रेजी ఇంగ్లీష్ ఆంగ్లం ஆங்கிலம் inglese 英語 英语 الإنجليزية",
    "Hindi": "hindi हिंदी हिन्दी హిందీ இந்தி hindī",
    "Telugu": "telugu తెలుగు తెలుగులో तेलुगु தெலுங்கு",
    "Tamil": "tamil தமிழ் தமிழில் तमिल తమిళం tamoul",
    "Kannada": "kannada ಕನ್ನಡ कन्नड़ కన్నడ",
    "Malayalam": "malayalam മലയാളം मलयालम",
    "Marathi": "marathi मराठी",
    "Bengali": "bengali bangla বাংলা बंगाली बांग्ला",
    "Gujarati": "gujarati ગુજરાતી गुजराती",
    "Punjabi": "punjabi panjabi ਪੰਜਾਬੀ पंजाबी",
    "Odia": "odia oriya ଓଡ଼ିଆ", "Assamese": "assamese অসমীয়া", "Urdu": "urdu اردو उर्दू", "Nepali": "nepali नेपाली",
    "Sanskrit": "sanskrit संस्कृत", "Sinhala": "sinhala sinhalese", "Konkani": "konkani", "Hinglish": "hinglish",
    "Spanish": "spanish español espanol espagnol spanisch castellano espanhol स्पेनिश スペイン語 西班牙语",
    "French": "french francés frances français francais französisch franzosisch francês फ्रेंच フランス語 法语 الفرنسية",
    "German": "german alemán aleman allemand deutsch alemão alemao tedesco जर्मन ドイツ語 德语",
    "Portuguese": "portuguese portugués portugues portugais portugiesisch português",
    "Brazilian Portuguese": "brazilian", "Italian": "italian italiano italien italienisch",
    "Dutch": "dutch nederlands niederländisch néerlandais holandés", "Polish": "polish polski polnisch polonais",
    "Russian": "russian русский русском russisch russe ruso", "Ukrainian": "ukrainian українська українською",
    "Czech": "czech čeština", "Slovak": "slovak", "Hungarian": "hungarian magyar", "Romanian": "romanian română",
    "Bulgarian": "bulgarian", "Serbian": "serbian", "Croatian": "croatian", "Slovenian": "slovenian slovene",
    "Greek": "greek ελληνικά", "Turkish": "turkish türkçe turkce", "Swedish": "swedish svenska",
    "Norwegian": "norwegian norsk", "Danish": "danish dansk", "Finnish": "finnish suomi", "Estonian": "estonian",
    "Latvian": "latvian", "Lithuanian": "lithuanian", "Irish": "irish gaeilge", "Welsh": "welsh cymraeg",
    "Catalan": "catalan català", "Basque": "basque euskara", "Galician": "galician galego",
    "Arabic": "arabic árabe arabe arabisch العربية عربي अरबी アラビア語", "Hebrew": "hebrew עברית",
    "Persian": "persian farsi فارسی", "Chinese": "chinese mandarin 中文 汉语 chino chinois chinesisch 中国語",
    "Simplified Chinese": "简体中文", "Traditional Chinese": "繁體中文 繁体中文", "Cantonese": "cantonese 粤语 粵語",
    "Japanese": "japanese 日本語 japonés japonais japanisch 日语", "Korean": "korean 한국어 coreano coréen",
    "Thai": "thai ไทย", "Vietnamese": "vietnamese", "Indonesian": "indonesian bahasa", "Malay": "malay",
    "Filipino": "filipino tagalog", "Swahili": "swahili kiswahili", "Amharic": "amharic", "Afrikaans": "afrikaans",
    "Hausa": "hausa", "Yoruba": "yoruba", "Zulu": "zulu",
}  # fmt: skip

_VARIANTS = {
    "british english": "British English", "american english": "American English", "us english": "American English",
    "uk english": "British English", "indian english": "Indian English", "plain english": "plain English",
    "simple english": "simple English", "simplified chinese": "Simplified Chinese", "mandarin chinese": "Chinese",
    "traditional chinese": "Traditional Chinese", "brazilian portuguese": "Brazilian Portuguese",
    "bahasa indonesia": "Indonesian", "telugu script": "Telugu", "hindi aur english": "Hindi and English",
}  # fmt: skip


def _spellings(table: Mapping[str, str]) -> dict[str, str]:
    return {spelling: name for name, spellings in table.items() for spelling in spellings.split()}


LANGUAGES: Mapping[str, str] = MappingProxyType({**_spellings(_LANGUAGES), **_VARIANTS})
"""Languages by their lower-case names in several languages."""

LENGTHS: Mapping[str, str] = MappingProxyType(
    _spellings(
        {
            "short": "short brief concise terse succinct compact crisp shorter small छोटे छोटा संक्षिप्त chhote chhota చిన్న"
            " సంక్షిప్త chinna corta cortas breve breves concisa concisas courte courtes brève brèves concise concises kurz"
            " kurze knapp knappe curtas curta concisos crispy",
            "long": "long longer लंबे lambe larga largas longues longue lang lange longas",
            "detailed": "detailed thorough in-depth extensive comprehensive elaborate विस्तृत వివరమైన detallada detalladas"
            " détaillée détaillées ausführlich ausführliche detalhadas",
        }
    )
)
"""How long answers should be."""

FORMATS: Mapping[str, str] = MappingProxyType({
    "bullet": "bullet points", "bullets": "bullet points", "bulleted": "bullet points", "table": "tables", "list": "lists",
    "short bullet": "short bullet points", "short bullets": "short bullet points", "bullet list": "bullet points",
    "step by step": "step-by-step explanations", "step-by-step": "step-by-step explanations",
})  # fmt: skip
"""How answers are laid out, in one spelling each."""

UNITS: Mapping[str, str] = MappingProxyType(
    _spellings({"metric": "metric si métrico métrique metrisch metrische", "imperial": "imperial us"})
)
"""Systems of measurement."""

PRONOUNS: Mapping[str, str] = MappingProxyType({
    spelling: spelling.replace(" and ", "/").replace(" / ", "/")
    for spelling in (
        "she/her", "he/him", "they/them", "she/her/hers", "he/him/his", "they/them/theirs", "she/they", "he/they",
        "they/she", "they/he", "ze/zir", "xe/xem", "ze/hir", "it/its", "any", "any pronouns", "she and her",
        "he and him", "they and them", "ella", "él", "elle", "il", "sie", "er", "she / her", "he / him", "they / them",
        "he/her", "she", "he", "they",
    )
})  # fmt: skip
"""Pronouns as people give them; a closed set, because free text here invites everything else."""
