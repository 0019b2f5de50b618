"""Words people use around passwords, codes and keys, in the languages of the users.

Three strengths: a *word secret* may be an ordinary word after "is" ("the password is swordfish"), a
*code* may be bare digits, a *key* must look random. Written in plain lower case; folded when compiled.
"""

from __future__ import annotations

WORD_SECRETS = (
    r"p[a@4]s{1,2}[s$5]?[\s-]?w[o0]?r?d[es]?",
    r"passcode|pass[\s-]?phrase|pass[\s-]?key|\bpwd|\bpw|\bpass|login word|magic word|code ?word|safe word",
    r"(?:recovery|seed|secret|mnemonic|wallet|backup) (?:phrase|words?)|mnemonic|\bseed",
    r"security (?:question|answer)|secret (?:question|answer)",
    r"contrasena|contrasenia|\bclave|mot de passe|\bmdp|phrase secrete|losungswort|\bsenhas?|palavra-?passe",
    r"\bparola|wachtwoord|haslo|sifre|kata sandi|пароль|парол",
    r"पासवर्ड|कूटशब्द|पासकोड|పాస్‌వర్డ్|పాస్వర్డ్|సంకేతపదం|கடவுச்சொல்|பாஸ்வேர்ட்|ಪಾಸ್‌ವರ್ಡ್|ಗುಪ್ತಪದ|പാസ്‌വേഡ്|പാസ്വേഡ്",
    r"পাসওয়ার্ড|পাসওয়ার্ড|પાસવર્ડ|संकेतशब्द|ਪਾਸਵਰਡ|كلمة المرور|كلمة السر|الرقم السري|密码|密碼|口令|パスワード|暗証|비밀번호|암호",
)

CODES = (
    r"\b[o0]tps?|\bm?pin|\btpin|\bcvv2?|\bcvc2?|\bone[\s-]time (?:pass\w*|code|pin)",
    r"(?:verification|security|confirmation|unlock|entry|door|gate|badge|alarm|access|login|log-?in|sign-?in|2fa|mfa|auth\w*|sms|safe|lock|locker|garage|building|puk|recovery|backup|reset|wi-?fi) codes?",
    r"\bpuk|combination|code (?:my|the) (?:bank|phone|app|provider) \w+ me|code (?:from|in) (?:the|my) (?:sms|text|app|mail)",
    r"codes? (?:they|he|she|it|you)(?:'ve| have| had)?(?: just)? (?:texted|sent|mailed|emailed|gave|messaged|read)(?: to)?(?: me| us)?",
    r"geheimzahl",
    r"code (?:de |d')?(?:badge|acces|securite|porte|pin|secret|confirmation|verification|carte|wifi)|digicode",
    r"codigo (?:de )?(?:acceso|seguridad|verificacion|acesso|seguranca|entrada|desbloqueo)|\bnip",
    r"ओटीपी|पिन|सीवीवी|ఓటీపీ|పిన్|ஓடிபி|பின்|ওটিপি|ઓટીપી|ओटिपी|ಒಟಿಪಿ|ഒടിപി|验证码|校验码|認証コード|確認コード|رمز التحقق|인증번호|код подтверждения",
)

KEYS = (
    r"api[\s_-]?keys?|secret[\s_-]?(?:access[\s_-]?)?keys?|access[\s_-]?keys?(?:[\s_-]?ids?)?|private[\s_-]?keys?",
    r"(?:wi-?fi|wlan|network|deploy|ssh|signing|encryption|licen[cs]e|product|master|service|session|auth|admin|root|account|webhook|client|consumer|maps|prod|production|live|restricted)[\s_-]?(?:keys?|tokens?|secrets?)",
    r"\btokens?|\bsecrets?|credentials?|\bcreds|\blogins?|\bsecret_\w{1,20}",
    r"authenticator (?:seed|secret|key)|totp (?:seed|secret|key)|backup codes?|recovery (?:codes?|keys?)|scratch codes?",
    r"schlussel|zugangsdaten|jeton|cle (?:api|secrete|d'acces)|clave (?:api|secreta)|chave (?:api|secreta|de acesso)|token de acceso",
    r"टोकन|టోకెన్|டோக்கன்|密钥|令牌|トークン",
)

INSIDE_WORDS = {
    "key": r"_(?:key|token|secret|pass)",
    "word": r"password|passwd|passwort|kennwort",
    "code": r"(?:entsperr|zugangs|sicherheits|tur|bestatigungs)code",
}
"""Parts of longer names that mean the same: SMTP_PASSWORD, Diensthandy-Entsperrcode."""

WIFI_OPENERS = r"(?:wi-?fi|wlan|hotspot|vpn|router|door|gate|safe|locker|alarm|laptop|phone|disk)"
"""Things that are opened with a secret even where no word for it is said."""

NOT_HEADS = (
    "manager managers policy policies reset resets field fields screen screens page pages rotation rules rule"
    " length limit limits service services app apps team vault hint hints strength expiry generator protected"
    " less bucket prompt prompts box form forms flow dialog column table tool tools plugin extension scanner"
    " server servers file files store settings requirement requirements complexity change changes updates"
    " handling hashing spray sharing audit word words count counts budget usage price prices economy ring"
    " area areas number-plate board card person people performance results figures finding account"
)
"""Nouns that, right after the word, make it mean something else: "password manager", "token limit"."""

NOT_VALUES = (
    "a an the my your our his her their its this that these those it they he she we you i not no never none"
    " always often usually rarely only also just still already very too so as at in on of for to from by with"
    " without under over after before because if when where who what which how why and or but than then there"
    " here be been being was were are is am has have had do does did done can could may might must should shall"
    " will would strong weak good bad safe secure long short old new same different wrong right correct required"
    " optional mandatory missing lost stolen expired invalid valid due ready fine easy hard difficult simple"
    " complex case-sensitive secret private public hidden unknown empty blank set kept stored saved managed"
    " rotated changed reset shared used generated encrypted hashed random unique different several many some"
    " any all every each both another other someone something nothing everything four six eight ten twelve"
    " important annoying boring handled part being one two three five my-own somewhere elsewhere mine yours"
    " please remember forget keep store save reminder hint welcome available needed enough better best"
    " de la el los las un una y o no es muy le les un une et ou pas tres der die das ein eine und oder nicht sehr"
    " um uma e ou nao hai hain ka ki ke ko se mein nahi mat kya wala wali undi kaadu"
)
"""Words that follow "the password is" without being the password."""

NUMBER_WORDS = {
    "zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "sunya": "0", "shunya": "0", "ek": "1", "do": "2", "teen": "3",
    "char": "4", "chaar": "4", "paanch": "5", "panch": "5", "chhe": "6", "chah": "6", "saat": "7", "aath": "8",
    "nau": "9", "sunna": "0", "okati": "1", "rendu": "2", "moodu": "3", "mudu": "3", "nalugu": "4", "naalugu": "4",
    "aidu": "5", "aaru": "6", "edu": "7", "enimidi": "8", "tommidi": "9", "uno": "1", "dos": "2", "tres": "3",
    "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7", "ocho": "8", "nueve": "9", "cero": "0", "un": "1",
    "deux": "2", "trois": "3", "quatre": "4", "cinq": "5", "sept": "7", "huit": "8", "neuf": "9", "null": "0",
    "eins": "1", "zwei": "2", "zwo": "2", "drei": "3", "vier": "4", "funf": "5", "sechs": "6", "sieben": "7",
    "acht": "8", "neun": "9", "um": "1", "dois": "2", "quatro": "4", "sete": "7", "oito": "8", "nove": "9",
    "शून्य": "0", "एक": "1", "दो": "2", "तीन": "3", "चार": "4", "पांच": "5", "पाँच": "5", "छह": "6", "सात": "7",
    "आठ": "8", "नौ": "9", "సున్నా": "0", "ఒకటి": "1", "రెండు": "2", "మూడు": "3", "నాలుగు": "4", "ఐదు": "5",
    "ఆరు": "6", "ఏడు": "7", "ఎనిమిది": "8", "తొమ్మిది": "9", "double": "", "triple": "",
}  # fmt: skip
"""Digits said in words."""
