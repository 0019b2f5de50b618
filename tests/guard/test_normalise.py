"""Folding and cleaning."""

from __future__ import annotations

import pytest

from memwarden.guard.normalise import clean, fold
from memwarden.guard.views import digit_views, word_views


@pytest.mark.parametrize(
    ("text", "lower"),
    [
        ("Ｆｕｌｌ", "full"),
        ("pa\u00adss\u200bword", "password"),
        ("рassword", "password"),
        ("４１११ ४१११", "4111 4111"),
        ("frόm nów ón", "from now on"),
        ("Straße", "strasse"),
        ("“quoted” — it’s", '"quoted" - it\'s'),
        ("𝐛𝐨𝐥𝐝", "bold"),
        ("🅰🅱", "ab"),
    ],
)
def test_look_alikes_are_folded(text: str, lower: str) -> None:
    assert fold(text).lower == lower


def test_spans_lead_back_to_the_original() -> None:
    text = "x ﬁ pa\u200bss y"
    folded = fold(text)
    start = folded.lower.index("pass")
    assert text[slice(*folded.span(start, start + 4))] == "pa\u200bss"


def test_clean_keeps_what_scripts_need_and_drops_the_rest() -> None:
    assert clean(" a\u200bb\n\tc ") == "ab c"
    assert clean("👩\u200d💻 కార్యాల\u200cయం") == "👩\u200d💻 కార్యాల\u200cయం"
    assert clean("cafe\u0301") == "café"


def test_other_readings_are_found() -> None:
    assert any("never mention" in view.lower for view in word_views(fold("n e v e r   m e n t i o n   i t")))
    assert any("from now on" in view.lower for view in word_views(fold("fr0m n0w 0n tru5t")))
    assert any("hunter2" in view.lower for view in digit_views(fold("note cGFzc3dvcmQ9aHVudGVyMg==")))
    assert any("9997" in view.lower for view in digit_views(fold("nine nine nine seven")))
    assert any("hi there" in view.lower for view in word_views(fold("?p=hi%20there")))
