"""How a state's history is replaced: by taking out what left it, or as a whole, in a way that every reducer of messages keeps."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AnyMessage, BaseMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES


def replacing(
    before: Sequence[AnyMessage], after: Sequence[AnyMessage], behind: Sequence[AnyMessage] = ()
) -> list[BaseMessage]:
    """Return the update that makes ``after`` of the history ``before``; empty where nothing changes.

    Messages that only left, or changed in their places, are named; where some were put between or moved, the whole
    history is replaced, together with what is written ``behind`` it in the same step.
    """
    known = {message.id: message for message in before}
    places = [message.id for message in after]
    stays = [message.id for message in before if message.id in set(places)]
    if None in known or places != stays:
        return [RemoveMessage(id=REMOVE_ALL_MESSAGES), *after, *behind]
    left = set(places)
    gone = [RemoveMessage(id=message.id) for message in before if message.id and message.id not in left]
    return [*gone, *(message for message in after if message != known[message.id])]
