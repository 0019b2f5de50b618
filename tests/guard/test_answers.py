"""What counts as a yes or a no to "Shall I remember this?", and what must never count as one."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memwarden.guard import answers
from memwarden.guard.answer_words import LANGUAGES, Phrases
from memwarden.guard.answers import Answer, answer

YES = {
    "English": [
        "yes", "Yes.", "YES!", "yep", "yeah", "yesss", "ok", "Okay", "sure", "of course", "yes please", "Yes, thank you",
        "sure, go ahead", "ok do that", "yes, remember it", "please remember that", "ok, save it", "please do", "go ahead",
        "don't forget it", "Don’t forget that!", "yes yes", "y", "remember it please", "yes, you can remember that",
        "yes, that's right, save it", "yes :)", "ok thanks", "yes and remember it", "save it to your memory",
        "yes - go ahead and save it", "*yes*", "“yes”",
    ],
    "signs": ["👍", "👍🏽", "✅", "👍👍", "✔️", "👌🏿", "yes 👍", "Yes! 😊", "ok 🙏", "👍 thanks"],
    "Hindi": [
        "हाँ", "हां", "हाँ जी", "जी हाँ", "जी", "ठीक है", "हाँ, याद रखो", "हाँ जी, याद रखिए।", "कृपया याद रखें", "भूलना मत",
        "haan", "Haan ji", "haan ji, yaad rakho", "theek hai", "ji haan", "bilkul", "haan save karo", "yes, yaad rakhna",
        "theek hai, save it", "mat bhoolna", "haaan",
    ],
    "Urdu": ["ہاں", "جی ہاں", "ہاں جی، یاد رکھو", "ٹھیک ہے", "ضرور۔", "haan, yaad rakhein", "jee haan"],
    "Telugu": [
        "అవును", "సరే", "అవునండి", "సరే, గుర్తుపెట్టుకో", "దయచేసి గుర్తు పెట్టుకోండి", "avunu", "sare", "avunu, gurtu pettuko",
        "sare andi", "ok gurtupettuko", "marchipoku",
    ],
    "Tamil": ["ஆம்", "ஆமாம்", "சரி", "சரி, நினைவில் கொள்ளுங்கள்", "aamaam"],
    "Kannada": ["ಹೌದು", "ಸರಿ", "ಹೌದು, ನೆನಪಿಡಿ", "houdu"],
    "Malayalam": ["അതെ", "ശരി", "തീർച്ചയായും", "തീര്‍ച്ചയായും", "അതെ, ഓർക്കുക"],
    "Marathi": ["हो", "होय", "ठीक आहे", "हो, लक्षात ठेवा"],
    "Bengali": ["হ্যাঁ", "ঠিক আছে", "হ্যাঁ, মনে রাখুন", "মনে রেখো"],
    "Gujarati": ["હા", "હા જી", "ઠીક છે", "હા, યાદ રાખજો"],
    "Punjabi": ["ਹਾਂ", "ਹਾਂ ਜੀ", "ਠੀਕ ਹੈ", "ਹਾਂ ਜੀ, ਯਾਦ ਰੱਖੋ"],
    "Spanish": ["sí", "si", "Sí, por favor", "¡Sí!", "claro que sí", "vale, guárdalo", "no lo olvides", "SÍ, RECUÉRDALO"],
    "French": ["oui", "oui, bien sûr", "Oui s'il te plaît", "d'accord", "vas-y", "oui, retiens-le", "n’oublie pas", "oui merci"],
    "German": ["ja", "ja, gerne", "ja bitte", "na klar", "merk dir das bitte", "Ja, natürlich!", "vergiss es nicht", "ok, speichere es"],
    "Portuguese": ["sim", "sim, por favor", "claro", "tá bom", "sim, guarde isso", "pode", "não esqueça"],
    "Italian": ["sì", "si'", "sì, grazie", "certo", "va bene", "sì, ricordalo", "d'accordo"],
    "Dutch": ["ja", "ja graag", "ja, alsjeblieft", "onthoud het maar", "is goed", "sla het op"],
    "Polish": ["tak", "tak, proszę", "oczywiście", "zapamiętaj to", "nie zapomnij", "TAK, ZAPISZ"],
    "Turkish": ["evet", "evet lütfen", "tabii ki", "tamam, kaydet", "EVET", "unutma"],
    "Russian": ["да", "Да, пожалуйста", "конечно", "да, запомни", "не забудь", "хорошо, сохраните"],
    "Arabic": ["نعم", "نَعَم", "نعم من فضلك", "أجل", "اجل", "حسنًا، تذكر ذلك", "بالتأكيد"],
    "Chinese": [
        "好", "好的", "是的", "好的，记住吧", "好的记住吧", "可以", "嗯，好的", "嗯好的", "当然可以", "没问题", "請記住", "好的，記住吧。", "沒問題",
        "好的谢谢", "不要忘记", "好的～", "ok的",
    ],
    "Japanese": ["はい", "はい、お願いします", "はいお願いします", "うん", "もちろんです", "覚えておいてください。", "忘れないで", "ＯＫ"],
    "Korean": ["네", "예", "네, 기억해 주세요", "네 기억해주세요", "응", "물론이죠", "좋아요", "잊지 마세요"],
    "Indonesian": ["ya", "iya", "ya, tolong", "tentu saja", "boleh", "ya, simpan saja", "jangan lupa"],
    "Vietnamese": ["vâng", "dạ vâng", "có", "đồng ý", "được rồi", "hãy ghi nhớ", "vâng, lưu lại đi"],
}  # fmt: skip

NO = {
    "English": [
        "no", "No.", "nope", "nah", "no thanks", "No, thank you", "don't", "please don't", "please don't remember that",
        "don't save it", "do not store that", "ok, don't save it", "ok don't", "no need", "never mind", "forget it", "not now",
        "no, that's ok", "absolutely not", "of course not", "nooo", "no please don't",
    ],
    "signs": ["👎", "👎🏾", "❌", "🙅🏽‍♀️", "no 👎", "no 🙏"],
    "Hindi": ["नहीं", "नहीं जी", "जी नहीं", "नहीं, मत रखो", "याद मत रखो", "रहने दो", "nahi", "nahin", "nahi, mat rakho", "yaad mat rakhna", "rehne do", "ji nahi"],
    "Urdu": ["نہیں", "جی نہیں، شکریہ", "یاد مت رکھو", "رہنے دیں"],
    "Telugu": ["వద్దు", "కాదు", "వద్దు, ధన్యవాదాలు", "గుర్తుపెట్టుకోవద్దు", "vaddu", "vaddu andi", "gurtu pettukoku"],
    "Tamil": ["இல்லை", "வேண்டாம்", "வேண்டாம், நன்றி"],
    "Kannada": ["ಬೇಡ", "ಇಲ್ಲ", "ನೆನಪಿಡಬೇಡಿ"],
    "Malayalam": ["വേണ്ട", "ഇല്ല", "ഓർക്കേണ്ട"],
    "Marathi": ["नाही", "नको", "लक्षात ठेवू नका"],
    "Bengali": ["না", "না, ধন্যবাদ", "মনে রেখো না"],
    "Gujarati": ["ના", "ના જી", "યાદ ન રાખો"],
    "Punjabi": ["ਨਹੀਂ", "ਨਹੀਂ ਜੀ", "ਯਾਦ ਨਾ ਰੱਖੋ"],
    "Spanish": ["no", "no, gracias", "no lo guardes", "claro que no", "mejor no"],
    "French": ["non", "non merci", "surtout pas", "ne le retiens pas", "bien sûr que non"],
    "German": ["nein", "nein danke", "lieber nicht", "merk dir das nicht", "bitte nicht", "vergiss es"],
    "Portuguese": ["não", "nao", "não, obrigada", "não precisa", "não guarde isso"],
    "Italian": ["no", "no grazie", "non salvarlo", "lascia stare"],
    "Dutch": ["nee", "nee, dank je", "liever niet", "onthoud het niet", "laat maar"],
    "Polish": ["nie", "nie, dziękuję", "nie zapisuj tego", "nie trzeba"],
    "Turkish": ["hayır", "HAYIR", "hayır, teşekkürler", "kaydetme", "gerek yok"],
    "Russian": ["нет", "нет, спасибо", "не надо", "не запоминай это"],
    "Arabic": ["لا", "لا شكرا", "لا، شكرًا", "لا تحفظ ذلك"],
    "Chinese": ["不", "不用了", "不用了，谢谢", "不用了谢谢", "不要记住", "别记", "算了", "不用了，謝謝", "不要記住"],
    "Japanese": ["いいえ", "いいえ、結構です", "覚えないでください", "いらない", "だめです"],
    "Korean": ["아니요", "아뇨", "기억하지 마세요", "아니요, 됐어요"],
    "Indonesian": ["tidak", "nggak", "tidak, terima kasih", "jangan disimpan", "nggak usah"],
    "Vietnamese": ["không", "không, cảm ơn", "đừng lưu", "dạ không", "không cần đâu"],
}  # fmt: skip

NEITHER = {
    "more than yes": [
        "yes, but only for work", "yes and also book a flight", "yes I live in Pune", "yes, except the address", "ok, what next",
        "sure, tomorrow", "yes in Pune", "yes, for now", "yes if you must", "yes or no", "yes/no", "remember me", "I do remember that",
        "sí, pero solo el trabajo", "oui mais pas mon adresse", "ja, aber nur die Stadt", "हाँ लेकिन सिर्फ काम के लिए",
        "haan lekin address nahi", "అవును కానీ", "avunu kani address vaddu", "да, но не адрес", "好的，但是别记地址", "はい、でも住所はだめ",
        "네, 하지만 주소는 빼고", "نعم ولكن ليس العنوان", "evet ama sadece iş", "sim, mas só o trabalho", "sì ma non ora", "tak, ale nie teraz",
    ],
    "questions": ["yes?", "ok ?", "yes?!", "sí？", "¿sí?", "¿sí", "haan?", "ہاں؟", "نعم؟", "好的？", "はい？", "ναι\u037e", "yes ❓", "yes⁉️", "yes‽", "yes? yes", "no?"],
    "hesitations": [
        "maybe", "I guess", "whatever", "hmm ok", "not sure", "yes no", "no yes", "yeah right", "yeah no", "yeah yeah", "fine", "why not",
        "I guess so", "if you want", "sure, whatever", "ok no", "yes, don't save it", "no, remember it", "let me think", "probably",
        "शायद", "अच्छा", "shayad", "accha", "haan nahi", "kyun nahi", "चलो", "బహుశా", "sarle", "tal vez", "sí y no", "como quieras",
        "peut-être", "oui et non", "comme tu veux", "bof", "jein", "na ja", "ja ja", "von mir aus", "meinetwegen", "talvez", "pode ser",
        "magari", "forse", "misschien", "może", "belki", "peki", "может быть", "ну ладно", "ربما", "طيب", "随便", "好吧", "行吧", "うーん",
        "そうですね", "글쎄요", "mungkin", "terserah", "có lẽ",
    ],
    "the same word elsewhere": [
        "ναι", "no trabalho", "no, tak", "no tak", "no dobra", "si tu veux", "si quieres", "ja, nie", "ja, tak usah", "ha ha", "haha",
        "jaja", "હા હા", "haa haa", "ya, claro", "y si", "salve", "guarda", "prima", "ho", "hoy", "ne", "na", "k", "ماشي", "إن شاء الله",
    ],
    "idioms": [
        "no problem", "no worries", "no doubt", "pois não", "pois sim", "cómo no", "да нет", "да ладно", "да уж", "ja hoor", "ya sudah",
        "好是好", "好不好", "不客气", "不用谢", "没关系", "行行好", "結構です", "大丈夫です", "いいです", "괜찮아요", "được không", "không sao", "لا بأس",
        "bitte", "danke", "thanks", "please", "merci",
    ],
    "signs": ["yes 👎", "👍👎", "no 👍", "yes 🙄", "yes 🤔", "yes :(", "👁️", "🏽", "❤️‍🔥", "ok 😬"],
    "nothing": ["", " ", "...", "\u200b", "!", "1", "what is due today", "remember that I live in Pune"],
    "hidden": ["yes\U000e0062\U000e0075\U000e0074", "yes\U000e0101", "yes\ue000", "y̶e̶s̶", "уеs"],
}  # fmt: skip

ALL_YES = [text for texts in YES.values() for text in texts]
ALL_NO = [text for texts in NO.values() for text in texts]
ALL_NEITHER = [text for texts in NEITHER.values() for text in texts]
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\ufe0f\u180e"
AROUND = st.text(" \t\n.,!;:-–—…\"'*_~。，！、।۔،", max_size=5)
NEARLY = st.text("yesno okjaсиहाँ हां好是的不👍👎\ufe0f,?", max_size=8)
VOCABULARY = {
    word for grammar in answers._grammars() for phrases in grammar for phrase in phrases for word in phrase
}


@pytest.mark.parametrize("text", ALL_YES)
def test_a_yes(text: str) -> None:
    assert answer(text) is Answer.YES


@pytest.mark.parametrize("text", ALL_NO)
def test_a_no(text: str) -> None:
    assert answer(text) is Answer.NO


@pytest.mark.parametrize("text", ALL_NEITHER)
def test_neither(text: str) -> None:
    assert answer(text) is None


@pytest.mark.parametrize("text", ["no", "No.", "nai", "nahi", "tidak", "نه", "nie", "ne"])
def test_a_no_that_is_a_yes_in_some_other_language_is_never_a_yes(text: str) -> None:
    assert answer(text) is not Answer.YES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_listed_phrase_means_what_it_is_listed_as(language: Phrases) -> None:
    assert {text for text in language.yes | language.remember if answer(text) is not Answer.YES} == set()
    assert {text for text in language.no | language.refuse if answer(text) is not Answer.NO} == set()


@given(st.sampled_from(ALL_YES), st.text(" yesok,.!👍\u200b", min_size=60, max_size=90))
def test_nothing_long_is_a_yes(text: str, more: str) -> None:
    assert answer(text + more) is None


@given(st.text(max_size=80))
def test_any_text_has_an_answer_or_none(text: str) -> None:
    assert answer(text) in (Answer.YES, Answer.NO, None)


@given(
    st.sampled_from([text for text in ALL_YES if len(text) < 20]),
    st.lists(
        st.text(st.characters(categories=("Ll", "Lu", "Lo")), min_size=1, max_size=9), min_size=1, max_size=3
    ),
    st.booleans(),
)
def test_a_yes_with_other_words_is_not_a_yes(yes: str, words: list[str], first: bool) -> None:
    said = [answers._words(word) for word in words]
    assume(all(said) and any(word not in VOCABULARY for each in said for word in each))
    assert answer(" ".join([*words, yes] if first else [yes, *words])) is not Answer.YES


@given(
    st.sampled_from([text for text in ALL_YES if len(text) < 20]),
    st.text("abcdefghij", min_size=1, max_size=12),
)
def test_a_yes_with_a_word_of_plain_letters_is_not_a_yes(yes: str, word: str) -> None:
    assume(not set(answers._words(word)) & VOCABULARY)
    assert answer(f"{yes}, {word}") is not Answer.YES


@given(st.sampled_from(ALL_NEITHER + ALL_NO) | NEARLY | st.text(max_size=12), st.data())
def test_what_cannot_be_seen_never_makes_a_yes(text: str, data: st.DataObject) -> None:
    assume(answer(text) is not Answer.YES)
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(text)))
        text = text[:position] + data.draw(st.sampled_from(ZERO_WIDTH)) + text[position:]
    assert answer(text) is not Answer.YES


@given(
    st.sampled_from(ALL_YES + ALL_NO + ALL_NEITHER), st.sampled_from(["upper", "lower", "title", "swapcase"])
)
def test_case_does_not_matter(text: str, change: str) -> None:
    assert answer(getattr(text, change)()) is answer(text)


@given(st.sampled_from(ALL_YES + ALL_NO + ALL_NEITHER), AROUND, AROUND)
def test_space_and_punctuation_around_it_do_not_matter(text: str, before: str, after: str) -> None:
    assert answer(before + text + after) is answer(text)


@given(st.sampled_from(ALL_YES + ALL_NO), st.sampled_from("?？؟⁇❓‽¿\u037e՞"), AROUND)
def test_a_question_is_neither(text: str, mark: str, after: str) -> None:
    assert answer(text + mark + after) is None
