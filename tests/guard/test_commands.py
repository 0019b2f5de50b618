"""Explicit commands, and what only looks like one."""

from __future__ import annotations

import pytest

from memwarden.guard import CommandKind, command

REMEMBER, FORGET, EVERYTHING = CommandKind.REMEMBER, CommandKind.FORGET, CommandKind.FORGET_EVERYTHING


@pytest.mark.parametrize(
    ("text", "kind", "statement"),
    [
        ("Remember that I work nights", REMEMBER, "I work nights"),
        ("please remember: I prefer tea", REMEMBER, "I prefer tea"),
        ("Don't forget that my team is Delta", REMEMBER, "my team is Delta"),
        ("note that I use vim", REMEMBER, "I use vim"),
        ("Keep in mind that I'm in IST", REMEMBER, "I'm in IST"),
        ("Remember that I work nights. What shifts are there?", REMEMBER, "I work nights."),
        ("Hi! What is due? Remember that I use vim", REMEMBER, "I use vim"),
        ("Call me Asha", REMEMBER, "Call me Asha"),
        ("Answer in Hindi", REMEMBER, "Answer in Hindi"),
        ("always answer me in Hindi", REMEMBER, "always answer me in Hindi"),
        ("याद रखना कि मैं रात की शिफ्ट करता हूँ", REMEMBER, "मैं रात की शिफ्ट करता हूँ"),
        ("Yaad rakho ki main Pune mein rehta hoon", REMEMBER, "main Pune mein rehta hoon"),
        ("గుర్తుపెట్టుకో, నేను విశాఖలో ఉంటాను", REMEMBER, "నేను విశాఖలో ఉంటాను"),
        ("gurtu pettuko nenu Vizag lo untanu", REMEMBER, "nenu Vizag lo untanu"),
        ("Recuerda que vivo en Lima", REMEMBER, "vivo en Lima"),
        ("Rappelle-toi que j'habite à Lyon", REMEMBER, "j'habite à Lyon"),
        ("Merk dir, dass ich nachts arbeite", REMEMBER, "ich nachts arbeite"),
        ("मुझे हिंदी में जवाब दो", REMEMBER, "मुझे हिंदी में जवाब दो"),
        ("Forget that I live in Pune", FORGET, "I live in Pune"),
        ("forget my location", FORGET, "my location"),
        ("don't remember my name", FORGET, "my name"),
        ("Delete my location from your memory", FORGET, "my location"),
        ("मेरी लोकेशन भूल जाओ", FORGET, "मेरी लोकेशन"),
        ("mera naam bhool jao", FORGET, "mera naam"),
        ("నా పేరు మర్చిపో", FORGET, "నా పేరు"),
        ("olvida mi ubicación", FORGET, "mi ubicación"),
        ("oublie mon adresse", FORGET, "mon adresse"),
        ("vergiss meine Adresse", FORGET, "meine Adresse"),
        ("forget me", EVERYTHING, ""),
        ("Forget everything about me.", EVERYTHING, ""),
        ("delete everything you know about me", EVERYTHING, ""),
        ("mujhe bhool jao", EVERYTHING, ""),
        ("nannu marchipo", EVERYTHING, ""),
        ("olvídame", EVERYTHING, ""),
        ("oublie-moi", EVERYTHING, ""),
        ("Vergiss mich", EVERYTHING, ""),
    ],
)
def test_commands_are_understood(text: str, kind: CommandKind, statement: str) -> None:
    found = command(text)
    assert found is not None
    assert (found.kind, found.text) == (kind, statement)


@pytest.mark.parametrize(
    "text",
    [
        "do you remember that I work nights?",
        "can you forget my location?",
        "remember to call Ravi",
        "remember when we met",
        "remember that",
        "I can't remember what my team is",
        "I forget things easily",
        "Don't forget to send the mail",
        "Call me tomorrow",
        "call me back at 5",
        "Answer in one word: what is 2+2",
        "What do you remember about me?",
        "never mind, forget about it",
        "",
    ],
)
def test_talk_about_remembering_is_no_command(text: str) -> None:
    found = command(text)
    assert found is None or found.text in ("it",)


def test_offsets_frame_the_commanding_sentence() -> None:
    text = "Thanks! Remember that I use vim. What next?"
    found = command(text)
    assert found is not None
    assert text[found.start : found.end] == "Remember that I use vim."
