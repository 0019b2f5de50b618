"""What the user had forgotten leaves what remains of a conversation: its transcript, its ledger, its summary."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from langchain_core.messages import AnyMessage, RemoveMessage
from langgraph.types import Overwrite

from memwarden.agent.turn import last_user_message, stale_exchanges
from memwarden.memory.user import UserMemory
from memwarden.session.extract import extracted
from memwarden.session.pinned import message_of
from memwarden.session.summary import Summary, empty, grown

PAGE = 500


async def let_go(user: UserMemory, thread: str | None, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the update of a state by which messages that hold what was forgotten leave it, with the answers to them.

    Nobody can tell which words of a summary came from one message, so it is made anew from what the archive has besides.
    The next run of the conversation, which begins with that state saved, lets go of checkpoints and of the archive's part.
    """
    stale = () if thread is None else await user.stale_messages(thread)
    if not stale or thread is None:
        return {"let_go": []} if state.get("let_go") else {}
    if set(stale) <= set(state.get("let_go") or ()):
        await user.dropped(thread, stale)
        return {"let_go": []}
    return await _without_stale(user, thread, state, stale)


async def _without_stale(
    user: UserMemory, thread: str, state: Mapping[str, Any], stale: Collection[str]
) -> dict[str, Any]:
    messages = list(state.get("messages") or ())
    transcript, ledger = list(state.get("transcript") or ()), list(state.get("ledger") or ())
    now = last_user_message(messages)
    # The message that is being answered stays: without it the run has nothing to answer.
    answered = {now.id} if now is not None else set()
    gone = {*stale, *stale_exchanges(transcript, stale), *stale_exchanges(messages, stale)} - answered
    update: dict[str, Any] = {"let_go": [one for one in stale if one not in answered]}
    for channel, held in (("messages", messages), ("transcript", transcript)):
        if leaving := [RemoveMessage(id=message.id) for message in held if message.id in gone]:
            update[channel] = leaving
    kept = [item for item in ledger if message_of(item) not in gone]
    if kept != ledger:
        update["ledger"] = Overwrite(kept)
    summary = state.get("summary")
    if summary and summary != empty() and _left(state, stale):
        update["summary"] = await _anew(user, thread, gone)
    return update


def _left(state: Mapping[str, Any], stale: Collection[str]) -> bool:
    """Tell whether some of these messages left the history, so that the summary may hold what they said."""
    return not {message.id for message in state.get("messages") or ()}.issuperset(stale)


async def _anew(user: UserMemory, thread: str, gone: Collection[str]) -> Summary:
    summary, after = empty(), 0
    while page := await user.archived(thread, after=after, limit=PAGE):
        after = page[-1].place
        messages = [item.message for item in page if item.message is not None]
        summary = grown(summary, extracted(_without(messages, gone)))
    return summary


def _without(messages: Sequence[AnyMessage], gone: Collection[str]) -> list[AnyMessage]:
    left = {*gone, *stale_exchanges(messages, gone)}
    return [message for message in messages if message.id not in left]
