"""Titles of conversations: short, clean, about something, in any script."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from memwarden.guard.redact import redact
from memwarden.session.titles import (
    MOST_CHARACTERS,
    MOST_WORDS,
    UNTOLD,
    exchange_of,
    extracted,
    worded,
)
from memwarden.session.titles import (
    given as given_by_user,
)
from memwarden.session.triviality import is_trivial


def titled(text: str) -> str | None:
    exchange = exchange_of([HumanMessage(text, id="1")])
    return None if exchange is None else extracted(exchange)


def holds(title: str) -> None:
    """Require of a title what is required of all."""
    assert title.strip() == title != ""
    assert len(title.split()) <= MOST_WORDS
    assert len(title) <= MOST_CHARACTERS
    assert title.isprintable()
    assert not re.search(r"[\"“”«»„`@<>/\\\n]", title)
    assert unicodedata.category(title[-1])[0] in "LMN"
    assert sum(ch.isdigit() for ch in title) <= 6
    assert redact(title) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("How many days of annual leave do I have left this year?", "Many days annual leave left"),
        ("book leave", "Book leave"),
        ("¿Cuántos días de vacaciones tengo?", "Cuántos días vacaciones tengo"),
        ("Wo melde ich meinen Umzug?", "Melde meinen Umzug"),
        ("मेरी छुट्टी का आवेदन कैसे करें?", "मेरी छुट्टी आवेदन कैसे करें"),
        ("北京办公室的请假政策是什么？", "北京办公室的请假政策是什么"),
        ("日本の休暇制度について教えてください", "日本の休暇制度について教えてください"),
        ("كم يوم إجازة تبقى لي؟", "يوم إجازة تبقى"),
        ("what is it", "What is it"),
        ("VPN", "VPN"),
        ("see https://a.example/c?token=1 for the invoice", "Invoice"),
        ("My password is hunter2, please reset my VPN", "Password please reset VPN"),
        ("mail asha.rao@example.com about the offer", "Mail offer"),
        ("call me on +91 98765 43210 about the parcel", "Call parcel"),
        ("98765 43210", UNTOLD),
        ("I was diagnosed with diabetes, can I get leave?", "Leave"),
    ],
)
def test_a_title_is_what_it_is_about(text: str, title: str) -> None:
    assert titled(text) == title
    holds(title)


SCRIPTS = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn"]), min_size=1, max_size=200
)
WORDS = st.lists(
    st.sampled_from(
        "leave policy 请假 छुट्टी отпуск إجازة ลาพักร้อน 휴가 άδεια résumé HR-2031 2026 don't e-mail the a of «now» \u202e \u200b 🙂".split(
            " "
        )
    ),
    min_size=1,
    max_size=30,
).map(" ".join)


@given(text=SCRIPTS | WORDS)
@example("ß")
@example("ŉ" * 60)
@example("e" + "\u0301" * 500)
@example("-'’-")
@example("\u0e31\u0e31\u0e31")
@example("[secret removed]")
def test_every_title_holds_whatever_was_said(text: str) -> None:
    title = titled(text)
    assert (title is None) == is_trivial(text[:1000])
    if title is not None:
        holds(title)


SECRETS = st.sampled_from(
    [
        "sk" + "-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2",
        "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "AKIA" + "IOSFODNN7EXAMPLE",
        "asha.rao@example.com",
        "+91 98765 43210",
        "(040) 2345 6789",
        "4111 1111 1111 1111",
        "٩٨٧٦٥٤٣٢١٠",
    ]
)


@given(before=WORDS, secret=SECRETS, after=WORDS)
def test_no_title_holds_a_secret_an_address_or_a_number(before: str, secret: str, after: str) -> None:
    for title in (titled(f"{before} {secret} {after}"), worded(f"{before[:20]} {secret}")):
        if title is None:
            continue
        holds(title)
        assert secret not in title
        assert not {part for part in re.split(r"[\s@.()+-]+", secret) if len(part) > 4} & set(title.split())


@given(answer=SCRIPTS | WORDS)
def test_every_title_of_a_model_holds(answer: str) -> None:
    title = worded(answer)
    if title is not None:
        holds(title)


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Annual leave", "Annual leave"),
        ('"Annual leave."', "Annual leave"),
        ("**Title: Annual leave balance**", "Annual leave balance"),
        ("\n\n# Titel: Urlaub\nmore", "Urlaub"),
        ("One two three four five six", "One two three four five"),
        ("标题：请假政策", "请假政策"),
        ("", None),
        ("...", None),
        ("I am sorry, but I cannot give a title to this conversation of yours today.", None),
        ("Call +91 98765 43210", "Call"),
    ],
)
def test_a_models_answer_is_cleaned(answer: str, title: str | None) -> None:
    assert worded(answer) == title


@given(text=st.text(max_size=500))
def test_what_a_user_gives_is_one_line_of_some_length(text: str) -> None:
    kept = given_by_user(text)
    assert len(kept) <= 200
    assert kept.strip() == kept
    assert "\n" not in kept


def test_the_exchange_is_the_first_that_says_something() -> None:
    transcript: list[AnyMessage] = [
        HumanMessage("Hello!", id="1"),
        AIMessage("What can I do for you?", id="2"),
        HumanMessage("framework", id="3", additional_kwargs={"lc_source": "summarization"}),
        HumanMessage("Book my leave", id="4"),
        ToolMessage("a tool", tool_call_id="c", id="5"),
        AIMessage("It is booked", id="6"),
        HumanMessage("Thanks, and where is the canteen?", id="7"),
    ]
    exchange = exchange_of(transcript)
    assert exchange is not None
    assert (exchange.asked, exchange.answered) == ("Book my leave", "It is booked")
    assert exchange_of(transcript[:3]) is None
    assert exchange_of([]) is None


TRIVIAL = [
    "hi", "Hello there!!", "hiii", "good morning team", "thanks a lot 🙏", "ok", "Yes, please.", "No, thanks.", "👍", "?", "", " ", "...",
    "नमस्ते", "धन्यवाद", "నమస్కారం", "நன்றி", "ধন্যবাদ", "Hola, ¿qué tal?", "Merci beaucoup !", "Ça va ?", "Guten Morgen!", "Vielen Dank",
    "Obrigado", "Buongiorno", "dank je wel", "Dzień dobry", "teşekkür ederim", "Спасибо большое!", "السلام عليكم", "شكرا جزيلا", "你好", "谢谢你！",
    "你好，谢谢", "ありがとうございます", "안녕하세요", "감사합니다!", "terima kasih", "cảm ơn bạn", "สวัสดีครับ", "תודה רבה", "Καλημέρα",
]  # fmt: skip
TELLING = [
    "How many days?", "hello, my laptop broke", "yes, book it for Monday", "thanks, but where is it?", "book leave", "请假政策", "你好，我要请假", "छुट्टी चाहिए",
    "Danke, wo ist die Kantine?", "42", "gracias por el informe de ventas", "x" * 500, "안녕하세요 휴가 신청",
]  # fmt: skip


@pytest.mark.parametrize("text", TRIVIAL)
def test_greetings_thanks_yes_and_no_are_trivial(text: str) -> None:
    assert is_trivial(text)


@pytest.mark.parametrize("text", TELLING)
def test_whatever_says_more_is_not(text: str) -> None:
    assert not is_trivial(text)
