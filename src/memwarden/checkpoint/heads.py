"""Which checkpoints a saver knows as the latest of a thread, so that a run that was overtaken is told, not forked."""

from __future__ import annotations

from collections import OrderedDict

from memwarden.model.checkpoint import Follows

_MOST = 10_000


class Heads:
    """Remembers the checkpoints from which runs began that asked for the latest, and those that these runs added.

    Whoever names a checkpoint to begin from wants a branch, and gets one.
    """

    def __init__(self) -> None:
        self._latest: OrderedDict[tuple[str, str | None], None] = OrderedDict()

    def read(self, thread_id: str, checkpoint_id: str | None, *, named: bool) -> None:
        """Note a checkpoint, or null for none, that was read or added; ``named`` when it was asked for by its id."""
        self._latest.pop((thread_id, checkpoint_id), None)
        if not named:
            self._latest[thread_id, checkpoint_id] = None
            while len(self._latest) > _MOST:
                self._latest.popitem(last=False)

    def follows(self, thread_id: str, parent_id: str | None) -> Follows | None:
        """Return what has to be the latest for a checkpoint with this parent to be written; null where that is open."""
        return Follows(parent_id) if (thread_id, parent_id) in self._latest else None
