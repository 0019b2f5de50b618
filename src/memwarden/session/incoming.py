"""The user's turn as it comes in: with an id and a time, and without secrets, before anything of it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from langchain_core.messages import AnyMessage, HumanMessage

from memwarden.guard.redact import redact
from memwarden.model.clock import Clock, system_clock
from memwarden.session.roles import is_users_own

SAID_AT = "said_at"
"""Where a message of the user's says when it came: ISO 8601, UTC."""


def user_turn(
    content: str | list[str | dict[str, Any]], *, message_id: str | None = None, clock: Clock = system_clock
) -> HumanMessage:
    """Return the user's message to invoke a graph with: ``graph.ainvoke({"messages": [user_turn("...")]}, ...)``.

    Secrets and identity numbers in its words are replaced by a mark that says what was there, so that no checkpoint, model
    or trace ever holds them.
    """
    said = HumanMessage(content, id=message_id or str(uuid4()))
    return _stamped(without_secrets(said), clock())


def without_secrets(message: HumanMessage) -> HumanMessage:
    """Return a message of the user's without secrets and identity numbers; itself, where it has none."""
    content = _clean(message.content)
    return message if content == message.content else message.model_copy(update={"content": content})


def arrived(messages: Sequence[AnyMessage], at: datetime) -> list[HumanMessage]:
    """Return those of the user's messages at the end of a history that were not taken in yet, as they should stand there."""
    new: list[HumanMessage] = []
    for message in reversed(messages):
        if not isinstance(message, HumanMessage):
            break
        if is_users_own(message) and SAID_AT not in message.additional_kwargs:
            new.append(_stamped(without_secrets(message), at))
    return new[::-1]


def _stamped(message: HumanMessage, at: datetime) -> HumanMessage:
    kwargs = {**message.additional_kwargs, SAID_AT: at.isoformat()}
    return message.model_copy(update={"additional_kwargs": kwargs})


def _clean(content: str | list[str | dict[str, Any]]) -> str | list[str | dict[str, Any]]:
    if isinstance(content, str):
        return redact(content)
    return [_clean_block(block) for block in content]


def _clean_block(block: str | dict[str, Any]) -> str | dict[str, Any]:
    if isinstance(block, str):
        return redact(block)
    if block.get("type") == "text":
        return {**block, "text": redact(str(block.get("text", "")))}
    return block
