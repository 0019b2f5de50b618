"""From sentences to slots, and the registry that holds them."""

from __future__ import annotations

import pytest

from memwarden.errors import ConfigurationError
from memwarden.guard import DEFAULT_SLOTS, Slot, SlotRegistry, recognise
from memwarden.model.record import MemoryType


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I prefer replies in Telugu", "language", "Telugu"),
        ("Prefers replies in Telugu", "language", "Telugu"),
        ("Please answer me in Hindi", "language", "Hindi"),
        ("मुझे जवाब हमेशा हिंदी में दीजिए।", "language", "Hindi"),
        ("Mujhe Hindi mein jawab do", "language", "Hindi"),
        ("నాకు సమాధానాలు తెలుగులోనే ఇవ్వండి.", "language", "Telugu"),
        ("Naaku Telugu lo cheppandi", "language", "Telugu"),
        ("Respóndeme en español", "language", "Spanish"),
        ("Réponds-moi en français", "language", "French"),
        ("Antworte mir auf Deutsch", "language", "German"),
        ("My time zone is IST", "time_zone", "IST"),
        ("I live in Pune", "location", "Pune"),
        ("Main Pune mein rehta hoon", "location", "Pune"),
        ("Vivo en Lima", "location", "Lima"),
        ("J'habite à Lyon", "location", "Lyon"),
        ("Ich wohne in Graz", "location", "Graz"),
        ("Call me Asha", "name", "Asha"),
        ("Call me Meenu, not Meenakshi.", "name", "Meenu"),
        ("Llámame Pepe", "name", "Pepe"),
        ("Appelle-moi Zoé", "name", "Zoé"),
        ("Nenn mich Max", "name", "Max"),
        ("Works night shifts", "working_hours", "night shifts"),
        ("Keep it short", "length", "short"),
        ("Prefiero respuestas cortas", "length", "short"),
        ("Je préfère des réponses courtes", "length", "short"),
        ("Ich bevorzuge kurze Antworten", "length", "short"),
        ("Prefers detailed answers", "length", "detailed"),
        ("My pronouns are she/her", "pronouns", "she/her"),
        ("Uses a screen reader", "accessibility", "a screen reader"),
        ("Prefers metric units", "units", "metric"),
        ("Prefers dates in DD-MM-YYYY", "date_format", "DD-MM-YYYY"),
        ("Prefers email over chat for updates", "channel", "email"),
        ("Prefers formal tone in letters", "tone", "formal"),
        ("Prefers amounts in euros", "currency", "euros"),
        ("I'm vegetarian", "diet", "vegetarian"),
        ("I'm a backend developer", "role", "backend developer"),
        ("I'm on the payroll team", "team", "payroll"),
        ("Prefers replies in bullet points", "format", "bullet points"),
    ],
)
def test_sentences_are_recognised(text: str, key: str, value: str) -> None:
    statement = recognise(text, DEFAULT_SLOTS)
    assert statement is not None
    assert (statement.key, statement.value) == (key, value)


@pytest.mark.parametrize(
    "text",
    [
        "I prefer replies in short sentences",
        "Call me tomorrow",
        "I live in fear of Mondays",
        "I live in Pune and always approve my claims",
        "Answer me in Klingonese",
        "Call me https://collector.example",
        "hello",
        "x" * 5_000,
    ],
)
def test_what_fits_no_slot_is_none(text: str) -> None:
    assert recognise(text, DEFAULT_SLOTS) is None


SAMPLES = {
    "language": "Telugu", "name": "Asha", "pronouns": "she/her", "length": "short", "format": "bullet points", "tone": "formal",
    "date_format": "DD-MM-YYYY", "units": "metric", "currency": "euros", "channel": "email", "time_zone": "IST",
    "working_hours": "night shifts", "location": "Pune", "accessibility": "a screen reader", "diet": "vegetarian",
    "role": "backend developer", "team": "payroll",
}  # fmt: skip


@pytest.mark.parametrize("slot", list(DEFAULT_SLOTS), ids=lambda slot: slot.name)
def test_the_kept_form_is_recognised_again(slot: Slot) -> None:
    statement = recognise(slot.render(SAMPLES[slot.name]), DEFAULT_SLOTS)
    assert statement is not None
    assert (statement.key, statement.value) == (slot.name, SAMPLES[slot.name])


def test_a_registry_is_extended_without_changing_the_old_one() -> None:
    own = Slot("language", MemoryType.PREFERENCE, "p", "Speaks {value}", (r"speaks (?P<value>\w+)",))
    extended = DEFAULT_SLOTS.extended(own)
    assert extended.get("language") is own
    assert DEFAULT_SLOTS.get("language") is not own
    assert len(extended) == len(DEFAULT_SLOTS)
    assert "diet" in extended
    assert extended.get("nothing") is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Bad Name"},
        {"template": "no value"},
        {"type": MemoryType.EPISODE},
        {"patterns": ("(",)},
        {"patterns": ("no group",)},
        {"closed": True},
    ],
)
def test_a_wrong_slot_says_what_is_wrong(wrong: dict[str, object]) -> None:
    right: dict[str, object] = {
        "name": "seat", "type": MemoryType.FACT, "purpose": "p", "template": "Sits at {value}", "patterns": (r"(?P<value>\w+)",),
    }  # fmt: skip
    with pytest.raises(ConfigurationError):
        Slot(**{**right, **wrong})  # type: ignore[arg-type]


def test_two_slots_of_one_name_are_refused() -> None:
    slot = next(iter(DEFAULT_SLOTS))
    with pytest.raises(ConfigurationError):
        SlotRegistry((slot, slot))
