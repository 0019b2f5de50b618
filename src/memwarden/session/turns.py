"""A history in turns, and a turn in steps: what may be taken out of a history only as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage, ToolMessage

Step = tuple[AnyMessage, ...]
"""An answer with all results of its calls, or another message by itself."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody asked, and every step of what was done about it; ``asked`` is empty where a history begins without."""

    asked: Step
    steps: tuple[Step, ...]

    @property
    def messages(self) -> tuple[AnyMessage, ...]:
        """All messages of the turn, in order."""
        return (*self.asked, *(message for step in self.steps for message in step))


@dataclass(frozen=True, slots=True)
class History:
    """A history that was put right: the system messages at its head, and its turns, oldest first."""

    system: tuple[AnyMessage, ...]
    turns: tuple[Turn, ...]


def in_turns(messages: Sequence[AnyMessage]) -> History:
    """Return a history that `pairing.repaired` put right, in turns; several questions in a row begin one turn."""
    system = tuple(message for message in messages if isinstance(message, SystemMessage))
    groups: list[tuple[list[AnyMessage], list[list[AnyMessage]]]] = []
    for message in messages[len(system) :]:
        if isinstance(message, HumanMessage):
            if not groups or groups[-1][1]:
                groups.append(([], []))
            groups[-1][0].append(message)
            continue
        if not groups:
            groups.append(([], []))
        steps = groups[-1][1]
        if isinstance(message, ToolMessage) and steps:
            steps[-1].append(message)
        else:
            steps.append([message])
    turns = tuple(Turn(tuple(asked), tuple(tuple(step) for step in steps)) for asked, steps in groups)
    return History(system, turns)
