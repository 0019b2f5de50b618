"""How long a conversation's prompts may be, as an operator sets it."""

from __future__ import annotations

from dataclasses import dataclass, field

from memwarden.session.window import Window


@dataclass(frozen=True, slots=True)
class Limits:
    """The window of the model, the tokens that one tool result may take of it, and the patience with a summarising model.

    ``window.tokens`` counts where a model does not say its own window. ``whole_turns`` are the latest turns whose results
    are shown at ``tool_result`` tokens; older ones shrink to a line.
    """

    window: Window = field(default_factory=lambda: Window(128_000))
    tool_result: int = 1_000
    whole_turns: int = 1
    summary_s: float = 30.0
