"""Who wrote a message: the user themselves, a model, a tool, or the framework in somebody's role."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
)

from memwarden.errors import InvalidInputError

WRITTEN_BY = "lc_source"
"""The mark under which frameworks say that a message was written by them, in the role it has."""

PLACEHOLDER = "memwarden"
_KNOWN = (HumanMessage, AIMessage, ToolMessage, SystemMessage)


def is_users_own(message: BaseMessage) -> bool:
    """Tell whether a message is the user's own word: a human message that no framework marked as its own."""
    return isinstance(message, HumanMessage) and WRITTEN_BY not in message.additional_kwargs


def is_placeholder(message: BaseMessage) -> bool:
    """Tell whether a message stands in a history only because providers want one there."""
    return message.additional_kwargs.get(WRITTEN_BY) == PLACEHOLDER


def checked(messages: Iterable[object]) -> list[AnyMessage]:
    """Return a history as messages of the four roles; raise `InvalidInputError` for one of another role.

    A message of an unknown role is not turned into one of a known role: nobody could tell any more whose word it is.
    """
    return [_checked(place, message) for place, message in enumerate(messages)]


def own_words(messages: Sequence[BaseMessage]) -> list[HumanMessage]:
    """Return the user's own messages, oldest first."""
    return [message for message in messages if isinstance(message, HumanMessage) and is_users_own(message)]


def _checked(place: int, message: object) -> AnyMessage:
    if not isinstance(message, BaseMessage):
        try:
            (message,) = convert_to_messages([message])  # type: ignore[list-item]
        except (ValueError, NotImplementedError, TypeError, KeyError):
            raise InvalidInputError(
                f"Message {place} of the history is none; give messages of LangChain's, or (role, text)."
            ) from None
    if not isinstance(message, _KNOWN):
        role = getattr(message, "role", message.type)
        raise InvalidInputError(
            f"Message {place} of the history has the role {role!r}; "
            "it can be human, ai, tool or system, so convert it before it is passed on."
        )
    return message
