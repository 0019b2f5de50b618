"""How long each kind of thing is kept. Pure: instants in, instants out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType

from memwarden.model.consent import BETWEEN
from memwarden.model.record import MemoryType

NO_PURPOSES: Mapping[str, timedelta] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Retention:
    """The longest time each thing lives.

    Preferences and facts live on from when they were last stated, confirmed or used, and ``unused`` where they never
    were used; an episode from when it took place. ``purposes`` shortens that for records kept for a purpose, by
    its wording; of several purposes the shortest counts. ``proposal`` is how long one waits, ``declined`` how long
    it is not asked again, ``checkpoint`` how long a conversation's checkpoints are kept after its last activity,
    ``conversation`` how long it is listed after that, ``grace`` how long the user may come back to one that is deleted or no
    longer listed, ``export`` how long an archive stays on disk, and ``idle`` when a conversation counts as over.
    """

    preference: timedelta = timedelta(days=365)
    fact: timedelta = timedelta(days=365)
    episode: timedelta = timedelta(days=180)
    unused: timedelta = timedelta(days=180)
    proposal: timedelta = timedelta(days=14)
    declined: timedelta = timedelta(days=365)
    checkpoint: timedelta = timedelta(days=90)
    conversation: timedelta = timedelta(days=90)
    grace: timedelta = timedelta(hours=4)
    export: timedelta = timedelta(days=7)
    idle: timedelta = timedelta(minutes=30)
    purposes: Mapping[str, timedelta] = field(default_factory=lambda: NO_PURPOSES)

    def once_stated(self, type_: MemoryType, purpose: str, at: datetime) -> datetime:
        """Return the instant from which a record stated, confirmed or taking place at ``at`` is no longer recalled."""
        life = self._life(type_, purpose)
        return at + (life if type_ is MemoryType.EPISODE else min(life, self.unused))

    def once_used(self, type_: MemoryType, purpose: str, at: datetime) -> datetime | None:
        """Return the instant a use at ``at`` lets a record live until at least; null where use makes no difference."""
        return None if type_ is MemoryType.EPISODE else at + self._life(type_, purpose)

    def of_conversation(self) -> timedelta:
        """Return how long a conversation is listed after its last activity: never beyond what its checkpoints leave it."""
        return min(self.conversation, self.checkpoint - self.grace)

    def _life(self, type_: MemoryType, purpose: str) -> timedelta:
        by_type = {
            MemoryType.PREFERENCE: self.preference,
            MemoryType.FACT: self.fact,
            MemoryType.EPISODE: self.episode,
        }[type_]
        return min((by_type, *(self.purposes[p] for p in purpose.split(BETWEEN) if p in self.purposes)))
