"""Two histories: what the model sees is compacted, what the person sees only grows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, RemoveMessage

from memwarden.session.roles import WRITTEN_BY, is_users_own


def appended(
    transcript: Sequence[BaseMessage] | None, new: Sequence[BaseMessage] | None
) -> list[BaseMessage]:
    """Return a transcript with what is written to it; each message once, by its id, as it was first written.

    A `RemoveMessage` takes out a message that the user had forgotten: the one thing that shortens a transcript.
    """
    kept = {message.id: message for message in transcript or ()}
    for message in new or ():
        if isinstance(message, RemoveMessage):
            kept.pop(message.id, None)
        else:
            kept.setdefault(message.id, message)
    return list(kept.values())


def joined(seen: Sequence[str] | None, new: Sequence[str] | None) -> list[str]:
    """Return ids with those that are written to them, each once, in the order they came."""
    return list(dict.fromkeys([*(seen or ()), *(new or ())]))


def all_appended(
    transcript: Sequence[BaseMessage] | None, writes: Sequence[Sequence[BaseMessage]]
) -> list[BaseMessage]:
    """Return the same as `appended` for many writes at once, as LangGraph's `DeltaChannel` wants it."""
    return appended(transcript, [message for write in writes for message in write])


def all_joined(seen: Sequence[str] | None, writes: Sequence[Sequence[str]]) -> list[str]:
    """Return the same as `joined` for many writes at once, as LangGraph's `DeltaChannel` wants it."""
    return joined(seen, [one for write in writes for one in write])


def unseen(messages: Iterable[AnyMessage], seen: Collection[str]) -> list[AnyMessage]:
    """Return the messages that are not among those seen before."""
    known = set(seen)
    return [message for message in messages if message.id and message.id not in known]


def for_the_person(messages: Iterable[AnyMessage]) -> list[AnyMessage]:
    """Return what of these messages a person sees: what they said, and the words of answers, without calls and figures."""
    return [shown for message in messages if (shown := _shown(message)) is not None]


def _shown(message: AnyMessage) -> AnyMessage | None:
    if is_users_own(message):
        return HumanMessage(
            message.content,
            id=message.id,
            name=message.name,
            additional_kwargs=dict(message.additional_kwargs),
        )
    if (
        isinstance(message, AIMessage)
        and WRITTEN_BY not in message.additional_kwargs
        and message.text.strip()
    ):
        return AIMessage(message.text, id=message.id, name=message.name)
    return None
