"""Frames outside English: a word for the speaker together with a topic that memory is for.

Narrower than the English frame on purpose: the lint knows less of these languages, so only statements
about work, tools, places, hours, names and the form of answers pass.
"""

from __future__ import annotations

import re

from memwarden.guard.normalise import fold_lexicon


def _any(words: str, *, whole: bool) -> re.Pattern[str]:
    parts = [re.escape(fold_lexicon(word.replace("_", " "))) for word in words.split()]
    joined = "|".join(sorted(parts, key=len, reverse=True))
    return re.compile(rf"(?<![\w])(?:{joined})(?![\w])" if whole else f"(?:{joined})")


def _frame(
    speaker: str, topic: str, *, whole: bool = True, grammar: str = ""
) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str] | None]:
    return (
        _any(speaker, whole=whole),
        _any(topic, whole=whole),
        _any(grammar, whole=True) if grammar else None,
    )


_ENGLISH_GRAMMAR = re.compile(
    r"\b(?:the|is|are|of|and|that|this|was|were|your|you|should|must|will|has|have|with|for|when|if|it|its|they|to)\b"
)

_FRAMES = (
    # Hindi
    _frame("मैं मुझे मेरा मेरी मेरे हम हमारी हमारा जवाब उत्तर",
           "टीम काम करता करती बनाता बनाती दफ़्तर ऑफिस डेस्क एक्सटेंशन जवाब उत्तर हिंदी हिन्दी अंग्रेज़ी पसंद अच्छी_लगती अच्छे_लगते अच्छा_लगता सूची कहिए बुलाइए नाम रहता रहती शिफ्ट शिफ़्ट लैपटॉप प्रोजेक्ट टेस्टर इंजीनियर डेवलपर लिखता लिखती समय घंटे भाषा शहर छोटे विस्तार तालिका उदाहरण नौकरी विभाग इस्तेमाल चलाता चलाती सीख", whole=False),
    _frame("main mein mai mujhe mera meri mere hum humara hamari hamesha humein",
           "team office shift reply jawab jawaab laptop banata banati karta karti hoon hun pasand samjhao step steps likhna likho tag desk project kaam hinglish hindi english excel sheet naam kaho kehna bulao code rehta rehti seekh raha istemal table short chhote example examples", whole=True, grammar="hoon hun hu hai hain ka ki ke ko se mein par pe aur nahi mat tha thi do dijiye karna rakhna karo samjhao kehna kaho bulao likho likhna hamesha mujhe mera meri"),
    # Telugu
    _frame("నేను నాకు నా మా నాది నన్ను సమాధానాలు వాక్యాల్లో చెప్పండి",
           "పని ఉద్యోగం కార్యాలయం టీమ్ బృందం ప్రాజెక్ట్ తెలుగు సమాధానాలు ఇవ్వండి చెప్పండి ఎమోజీలు గంటలు ఇష్టం ల్యాప్‌టాప్ పేరు షిఫ్ట్ ఉంటాను భాష వాక్యాల్లో డెస్క్ ఉదాహరణ కోడ్ రాస్తాను వాడతాను నేర్చుకుంటున్నాను", whole=False),
    _frame("nenu naaku naku naa na naadi nadi maa nannu",
           "office lo team pani chestanu chesta shift laptop undi ivvandi cheppandi example code rastanu vadatanu project peru ishtam jobu untanu samadhanalu commands telugu nerchukuntunnanu", whole=True, grammar="lo ki ku tho ivvandi undi unnayi chestanu cheppandi naaku nenu naa rastanu naadi"),
    # Tamil
    _frame("நான் எனக்கு என் எங்கள் என்னை",
           "வேலை அலுவலக பிரிவில் பிடிக்கும் எளிது பட்டியல் அட்டவணை பயன்படுத்து தமிழ் பதில் குழு திட்ட மடிக்கணினி நேரம் பெயர் வசிக்க குறியீடு", whole=False),
    # Kannada, Malayalam, Bengali, Marathi, Gujarati
    _frame("ನಾನು ನನಗೆ ನನ್ನ ഞാൻ എനിക്ക് എന്റെ আমি আমার আমাকে मी मला माझा माझी હું મને મારી મારું",
           "ಕೆಲಸ ತಂಡ ಉತ್ತರ ಕನ್ನಡ ಇಷ್ಟ ജോലി ടീം മലയാള ഉത്തര ഇഷ്ട কাজ দল উত্তর বাংলা পছন্দ काम टीम मराठी उत्तर आवडते કામ ટીમ ગુજરાતી જવાબ પસંદ", whole=False),
    # Spanish
    _frame("prefiero trabajo soy uso vivo me mi mis yo escribeme respondeme llamame escribo programo estudio hablo nuestro estoy por_favor",
           "equipo trabajo oficina sede horario martes lunes sabado respuestas respondas responde tutees grano mayusculas analista ingeniera ingeniero desarrollador desarrolladora version cliente uso vivo banco espanol ingles llamame breves cortas ejemplos tablas listas codigo proyecto turno formato prefiero portatil linux windows python java departamento disenadora disenador profesora escritorio nombre", whole=True, grammar="en de que el la los las y para con por es un una del al mi soy vivo prefiero trabajo uso"),
    # French
    _frame("je j'ai j'habite j'utilise mon ma mes moi pour_moi reponds-moi appelle-moi merci_de s'il_te_plait",
           "prefere vouvoiement tutoiement messages agence service code kotlin lignes poste interne developpe equipe travaille bureau habite utilise reponses francais anglais projet horaires exemples tableaux listes python java linux ordinateur ecran prenom metier ingenieur ingenieure developpeur developpeuse redige traduis", whole=True, grammar="je le la les de des en et un une mon ma mes pour que dans du suis"),
    # German
    _frame("ich mein meine mir mich bitte wir unser unsere meinem meiner",
           "arbeite team duzen siezen ausrufezeichen codebeispiele sehen arbeitsplatzrechner lauft bereich angestellt quellenangaben antwort antworten antworte deutsch englisch projekt buro benutze nutze wohne bevorzuge entwickle schreibe beispiele tabellen listen kurz python java linux laptop schicht uhr heisse abteilung entwickler entwicklerin", whole=True, grammar="ich und der die das im mit bitte ein eine den dem auf zu am ans keine meine mein mir"),
    # Portuguese
    _frame("prefiro trabalho sou moro uso meu minha me eu nosso nossa mantenho escrevo cito por_favor",
           "equipe trabalho clientes respostas responda frases rodeios chamar chamado servico elixir moro escritorio projeto uso codigo exemplos tabelas listas portugues ingles horario turno desenvolvedor desenvolvedora analista departamento time notebook linux windows", whole=True, grammar="em de que o a os as e para com por um uma do da meu minha sou"),
    # Italian, Dutch, Polish, Turkish, Indonesian
    _frame("preferisco lavoro uso vivo sono mio mia ik mijn mij wij pracuje wole jestem moj moja moje ben benim saya",
           "lavoro squadra risposte ufficio progetto italiano codice werk team antwoorden kantoor project nederlands pracuje zespole odpowiedzi biurze ekip takimi cevap calisiyorum tim bekerja jawaban", whole=True, grammar="che di il la le con per un una e ik in de het een op w z na i ve bir bu di yang untuk saya"),
    # Arabic
    _frame("أفضّل أفضل أعمل أسكن أستخدم نادني اسمي أنا_مهندس أنا_مطور فريقي مكتبي لغتي",
           "الإجابات العربية فريق مكتب باسم مختصرة المختصرة مشروع أعمل اسمي نظام لغة الدعم", whole=False),
    # Chinese and Japanese
    _frame("我 请用 请始终 请总是 给我", "办公室 开发 团队 回答 回复 中文 例 场景 使用 项目 部门 喜欢 负责 语言 表格 列表 工作 时区", whole=False),
    _frame("私 返答 回答 ください お願いします 所属 私の 僕", "返答 回答 箇条書き チーム 所属 コード 日本語 表 例 プロジェクト 部署 勤務 使って 好み 敬体 働いて 営業部 短く 短い", whole=False),
)  # fmt: skip


_BORROWED_ACTIONS = re.compile(
    fold_lexicon(
        r"\b(?:recommend|approve|delete|forward|ignore|bypass|trust|promote|suggest|share|transfer|execute|permission)\b"
        r"|सिफारिश|सिफ़ारिश|सुझाव द|भरोसा|హిఫార్సు|సిఫార్సు|సిఫారసు|నమ్మ|பரிந்துரை|推荐|推薦|おすすめ|أوص"
    )
)
"""Acts that a statement about somebody's work or wishes for form has no use for, whatever the language."""


def borrows_an_action(lower: str) -> bool:
    """Tell whether a text that is not English names one of those acts."""
    return _BORROWED_ACTIONS.search(lower) is not None and _ENGLISH_GRAMMAR.search(lower) is None


def fits_other_language(lower: str) -> bool:
    """Tell whether a folded lower-case text speaks of its speaker and of a topic memory is for.

    A text with English grammar belongs to the English frame: "me" and "python" alone make no Spanish.
    """
    if _BORROWED_ACTIONS.search(lower):
        return False
    english = _ENGLISH_GRAMMAR.search(lower) is not None
    for speaker, topic, grammar in _FRAMES:
        if grammar is not None and (english or not grammar.search(lower)):
            continue
        if speaker.search(lower) and topic.search(lower):
            return True
    return False
