"""The state of a conversation to build a graph on, and fields of it that live for one run only."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Annotated, NotRequired, Required, TypedDict, get_args, get_origin, get_type_hints

from langchain_core.messages import AnyMessage
from langgraph.channels import DeltaChannel
from langgraph.graph.message import add_messages
from langgraph.types import Overwrite

from memwarden.session.histories import all_appended, all_joined, appended, joined
from memwarden.session.ledger import merged
from memwarden.session.pinned import Pinned
from memwarden.session.summary import Summary


@dataclass(frozen=True, slots=True)
class Transient:
    """Marks a field of a graph's state that goes back to ``default`` before every run.

    ``class State(SessionState): draft: Annotated[str | None, Transient(None)]``. A reducer of the field stays the last
    of its annotations. The default is copied, so that a list or a dictionary may be one.
    """

    default: object


class Turn(TypedDict):
    """The turn that is answered now: the id of the user's message, and when it came (ISO 8601, UTC)."""

    id: str
    at: str


class SessionState(TypedDict, total=False):
    """What a conversation keeps between its turns; build the graph's state on it.

    ``messages`` is what the model sees, and is compacted; ``transcript`` is what the person sees: what they and the
    agent said, and it only grows. ``summary`` and ``ledger`` are what remains in the prompt of messages that left it.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    transcript: Annotated[list[AnyMessage], appended]
    seen_message_ids: Annotated[list[str], joined]
    summary: Summary
    ledger: Annotated[list[Pinned], merged]
    turn: Turn
    let_go: list[str]
    """Messages that left because what they said was forgotten, until nothing else holds them either."""
    pending_proposals: Annotated[list[str], Transient([])]
    """Proposals that the user's next "yes" would answer, by id."""


class DeltaHistories(TypedDict, total=False):
    """The histories that only grow, in channels that are saved by what was added to them.

    For LangGraph's own savers, which write a whole channel again at every change: ``class State(SessionState,
    DeltaHistories)``, in this order, since of two declarations the last counts. Memwarden's saver keeps each message once whatever the channel, and needs none of it: a
    message that was forgotten leaves its rows, where a delta would hold on to it until the next snapshot.
    """

    transcript: Annotated[list[AnyMessage], DeltaChannel(all_appended)]
    seen_message_ids: Annotated[list[str], DeltaChannel(all_joined)]


def resets(schema: type) -> dict[str, object]:
    """Return what sets the transient fields of a state back to their defaults, as an update of the state."""
    marks = {name: _marks(hint) for name, hint in get_type_hints(schema, include_extras=True).items()}
    return {
        name: _reset(mark, marks[name])
        for name, found in marks.items()
        for mark in found
        if isinstance(mark, Transient)
    }


def is_reset(value: object, reset: object) -> bool:
    """Tell whether a field has its default already."""
    return bool(value == (reset.value if isinstance(reset, Overwrite) else reset))


def _marks(hint: object) -> tuple[object, ...]:
    """Return the marks of an annotation, also inside ``NotRequired`` or ``Required``."""
    if get_origin(hint) in (NotRequired, Required):
        return _marks(get_args(hint)[0])
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _reset(mark: Transient, marks: tuple[object, ...]) -> object:
    default = copy.deepcopy(mark.default)
    has_reducer = any(
        callable(other) or isinstance(other, DeltaChannel) for other in marks if other is not mark
    )
    return Overwrite(default) if has_reducer else default
