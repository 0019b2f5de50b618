"""Explicit commands in the user's own message are followed, exactly and once."""

from __future__ import annotations

import pytest

from memwarden import Origin, UserMemory
from memwarden.guard import DEFAULT_SLOTS
from memwarden.memory.commands import FollowedAction
from memwarden.memory.matching import named


@pytest.mark.parametrize(
    ("message", "key", "kept"),
    [
        ("Call me Asha", "name", "Asha"),
        ("Answer in Telugu", "language", "Telugu"),
        ("Please remember that I live in Pune. What is the weather there?", "location", "Pune"),
        ("Remember that I work night shifts", "working_hours", "night"),
    ],
)
async def test_a_command_to_remember_is_stored(user: UserMemory, message: str, key: str, kept: str) -> None:
    followed = await user.follow(message)
    assert followed is not None
    assert followed.action is FollowedAction.STORED
    (record,) = await user.memories()
    assert followed.ids == (record.id,)
    assert record.key == key
    assert kept in record.content
    assert "weather" not in record.content


@pytest.mark.parametrize(
    "message",
    [
        "Do you remember that I live in Pune?",
        "Which holidays are coming?",
        "I can't remember my leave balance",
        "Remember to submit the form",
        "",
        "Can you forget things?",
    ],
)
async def test_other_talk_is_no_command(user: UserMemory, message: str) -> None:
    assert await user.follow(message) is None
    assert await user.memories() == []


async def test_a_refused_command_says_why(user: UserMemory) -> None:
    followed = await user.follow("Remember that my password is " + "hunter" + "2")
    assert followed is not None
    assert followed.action is FollowedAction.REFUSED
    assert [reason.value for reason in followed.reasons] == ["secret"]
    assert "hunter" not in followed.explanation


async def filled(user: UserMemory) -> None:
    """Put a few things in memory."""
    for text in (
        "I live in Pune",
        "I work night shifts",
        "I have two cats",
        "I have two dogs",
        "I play the violin",
    ):
        result = await user.remember(text, origin=Origin.USER_TURN)
        assert result.record is not None, text


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("Forget my location", "Pune"),
        ("Forget that I live in Pune", "Pune"),
        ("Please forget that I play the violin", "violin"),
        ("Forget that I have two cats.", "cats"),
        ("forget my working hours", "night"),
    ],
)
async def test_forget_that_forgets_the_one_thing_meant(user: UserMemory, message: str, gone: str) -> None:
    await filled(user)
    followed = await user.follow(message)
    assert followed is not None
    assert followed.action is FollowedAction.FORGOTTEN
    left = [record.content for record in await user.memories()]
    assert len(left) == 4
    assert not any(gone in content for content in left)


@pytest.mark.parametrize(
    "message", ["Forget that I live in Delhi", "Forget that I like opera", "Forget that I have two"]
)
async def test_forget_that_would_rather_forget_nothing_than_the_wrong_thing(
    user: UserMemory, message: str
) -> None:
    await filled(user)
    followed = await user.follow(message)
    assert followed is not None
    assert followed.action is FollowedAction.NOT_FOUND
    assert len(await user.memories()) == 5


async def test_forget_me_forgets_everything(user: UserMemory) -> None:
    await filled(user)
    followed = await user.follow("Forget everything you know about me")
    assert followed is not None
    assert followed.action is FollowedAction.ERASED
    assert followed.erasure is not None
    assert followed.erasure.removed["memory"] == 5
    assert await user.memories() == []


def test_nothing_is_named_among_nothing() -> None:
    assert named("that I live in Pune", [], DEFAULT_SLOTS) == []
