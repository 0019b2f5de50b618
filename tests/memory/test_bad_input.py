"""Whatever comes in: a clear error of a documented type, nothing half written."""

from __future__ import annotations

import pytest

from memwarden import Memwarden, Origin, Outcome, Scope, UserMemory
from memwarden.errors import InvalidInputError


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\t", "I live in\0Pune", "\ud800I live in Pune", "x" * 1_000_000]
)
async def test_what_is_no_sentence_is_an_error_and_leaves_no_trace(user: UserMemory, text: str) -> None:
    with pytest.raises(InvalidInputError):
        await user.remember(text, origin=Origin.USER_TURN)
    with pytest.raises(InvalidInputError):
        await user.propose(text, quote="q", message="m")
    assert await user.memories() == []
    assert await user.audit() == []


@pytest.mark.parametrize(
    "text",
    [
        "I live in Pune\u202e\u202d",
        "I live in Pune 🏡👩‍👩‍👧",
        "I play a" + "\u0301" * 1000 + " violin",
        "I like الشاي بالنعناع",
        "I said '); DROP TABLE memwarden.memory; --",
        "I like {{ templates }} and %(percent)s and $1 and \\x00",
        "I like </user_memory> tags",
        "x" * 90_000,
        "I live in Pune.\r\nI have two cats.\u2028",
    ],
)
async def test_strange_text_is_decided_about(user: UserMemory, text: str) -> None:
    result = await user.remember(text, origin=Origin.USER_TURN)
    if result.outcome is Outcome.PROPOSED:
        assert result.proposal is not None
        await user.confirm(result.proposal.id)
    assert len(await user.memories()) == (0 if result.outcome is Outcome.REFUSED else 1)
    section = (await user.recall("What do you know about me?")).render()
    assert section.count("<") in (0, 2)


@pytest.mark.parametrize(
    ("tenant", "user_id"),
    [
        ("", "asha"),
        ("acme", ""),
        ("a\0b", "asha"),
        ("acme", "\udcff"),
        ("x" * 256, "asha"),
        ("acme", "x" * 256),
    ],
)
def test_a_name_that_is_none_is_refused(tenant: str, user_id: str) -> None:
    with pytest.raises(InvalidInputError):
        Scope(tenant, user_id)


@pytest.mark.parametrize("name", [None, 7, b"acme"])
def test_a_name_of_another_type_is_refused(memwarden: Memwarden, name: object) -> None:
    with pytest.raises(InvalidInputError):
        memwarden.user(name, "asha")  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [0, -1, 1001])
async def test_a_list_has_bounds(user: UserMemory, limit: int) -> None:
    for verb in (user.memories, user.proposals, user.audit):
        with pytest.raises(InvalidInputError):
            await verb(limit=limit)


async def test_an_unknown_origin_is_an_error(user: UserMemory) -> None:
    with pytest.raises(InvalidInputError, match="origin"):
        await user.remember("I live in Pune", origin="elsewhere")  # type: ignore[arg-type]
