"""Writing to a thread: in its turn, with the numbers its parts have there, and no more once it was erased."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

from memwarden.checkpoint.codec import Encoded, packed_refs
from memwarden.checkpoint.engine import Engine
from memwarden.checkpoint.keeping import Keeping
from memwarden.checkpoint.known_parts import KnownParts
from memwarden.checkpoint.waiting_line import WaitingLine
from memwarden.db.failures import NotAsExpectedError
from memwarden.errors import ThreadBusyError
from memwarden.model.checkpoint import PartRow, Rows, Turn
from memwarden.model.clock import Clock
from memwarden.model.scope import Scope

ALL_KNOWN = 5_000
"""Parts of a thread up to which their names are all looked up by a process that comes to it; afterwards it knows them."""

_MOST_THREADS = 10_000
_log = logging.getLogger(__name__)


Refs = Callable[[Encoded], bytes]
"""Gives the packed references to a value's parts, once they have numbers."""

MakeRows = Callable[[Sequence[PartRow], Refs], Rows]
"""Makes the rows to write from the parts that are new, once all have numbers."""


class ErasedSinceError(Exception):
    """What the run belongs to was erased since it began; it never leaves this module."""


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What is to be written to a thread: parts by name, and the rows that refer to them.

    ``follows`` says that it goes on from a checkpoint that has to be the latest; ``replaces`` whether writes take the place of those that
    are there, null where there are none.
    """

    parts: Mapping[bytes, bytes]
    rows: MakeRows
    follows: bool = False
    replaces: bool | None = None


class Writer:
    """Writes to one user's threads; it knows which parts a thread has, and what was erased when a run of it began.

    What is wanted of one thread while another write of it is under way is written together, in one transaction: a graph wants its
    tasks' writes saved and its next checkpoint at almost the same time.
    """

    def __init__(self, engine: Engine, scope: Scope, clock: Clock) -> None:
        self._engine = engine
        self._scope = scope
        self._clock = clock
        self._known = KnownParts()
        self._began: OrderedDict[str, str | None] = OrderedDict()
        self._lines: WeakValueDictionary[str, WaitingLine[Wanted]] = WeakValueDictionary()

    def began(self, thread_id: str, fence: str | None) -> None:
        """Note what was erased last when a run of a thread began."""
        self._began[thread_id] = fence
        while len(self._began) > _MOST_THREADS:
            self._began.popitem(last=False)

    def forget(self, thread_id: str) -> None:
        """Forget which parts a thread has, since it was changed otherwise."""
        self._known.forget(thread_id)

    async def write(self, keeping: Keeping, thread_id: str, wanted: Wanted) -> None:
        """Write in the thread's turn, unless what it belongs to was erased since the run began: then, nothing."""

        async def together(all_wanted: Sequence[Wanted]) -> None:
            await self._write(keeping, thread_id, _joined(all_wanted))

        line = self._lines.get(thread_id)
        if line is None:
            line = self._lines[thread_id] = WaitingLine(_go_together)
        await line.wait(wanted, together)

    async def _write(self, keeping: Keeping, thread_id: str, wanted: Wanted) -> None:
        try:
            if not await self._written_as_expected(keeping, thread_id, wanted):
                await self._written_in_turn(keeping, thread_id, wanted)
        except ErasedSinceError:
            _log.info("A checkpoint came after an erasure and was not written.")
        except BaseException:
            self._known.forget(thread_id)
            raise

    async def _written_as_expected(self, keeping: Keeping, thread_id: str, wanted: Wanted) -> bool:
        """Write in one trip to the database, where the thread is as this process left it; return whether it was."""
        known = self._known.whole(thread_id)
        if known is None or thread_id not in self._began:
            return False
        fresh = [name for name in wanted.parts if name not in known.numbers]
        expected = Turn(known.counted, known.generation, self._began[thread_id])
        numbers, made = _numbered(keeping, thread_id, expected, known.numbers, fresh, wanted)
        try:
            await self._engine.put_as_expected(self._scope, thread_id, self._clock(), expected, made)
        except NotAsExpectedError:
            self._known.forget(thread_id)
            return False
        known.add(numbers)
        return True

    async def _written_in_turn(self, keeping: Keeping, thread_id: str, wanted: Wanted) -> None:
        """Write in the thread's turn, whatever others wrote in between."""
        async with self._engine.turn(self._scope, thread_id, self._clock()) as turn:
            found = turn.found
            if thread_id in self._began and _erased_since(self._began[thread_id], found.erasure_id):
                raise ErasedSinceError
            known = self._known.of(thread_id, found.generation)
            whole = known.counted == found.parts or found.parts == 0
            missing = [name for name in wanted.parts if name not in known.numbers]
            if missing and not whole and found.parts <= ALL_KNOWN:
                known.numbers |= await turn.known_parts()
                whole = True
            elif missing and not whole:
                known.numbers |= await turn.known_parts(missing)
            fresh = [name for name in missing if name not in known.numbers]
            numbers, made = _numbered(keeping, thread_id, found, known.numbers, fresh, wanted)
            if made.follows is not None and await turn.head() != made.follows.checkpoint_id:
                raise ThreadBusyError(
                    "Another run went on with this thread since this one began, whose further steps are not saved; start it"
                    " again, and run under `async with user.running(thread_id)` to have one wait for the other."
                )
            await turn.put(made)
        if whole:
            known.counted = found.parts
            known.add(numbers)
        else:
            known.numbers |= numbers


def _go_together(first: Sequence[Wanted], other: Wanted) -> bool:
    """Tell whether something more can be written in the transaction of what is wanted already."""
    if other.follows and any(one.follows for one in first):
        return False
    replaces = {one.replaces for one in (*first, other)} - {None}
    return len(replaces) <= 1


def _joined(all_wanted: Sequence[Wanted]) -> Wanted:
    if len(all_wanted) == 1:
        return all_wanted[0]

    def rows(new: Sequence[PartRow], refs: Refs) -> Rows:
        made = [wanted.rows((), refs) for wanted in all_wanted]
        return Rows(
            parts=new,
            values=[value for one in made for value in one.values],
            writes=[write for one in made for write in one.writes],
            checkpoints=[checkpoint for one in made for checkpoint in one.checkpoints],
            replace_writes=any(one.replace_writes for one in made),
            follows=next((one.follows for one in made if one.follows is not None), None),
        )

    return Wanted({name: raw for wanted in all_wanted for name, raw in wanted.parts.items()}, rows)


def _numbered(
    keeping: Keeping,
    thread_id: str,
    turn: Turn,
    known: Mapping[bytes, int],
    fresh: Sequence[bytes],
    wanted: Wanted,
) -> tuple[dict[bytes, int], Rows]:
    """Give numbers to parts the thread does not have yet, and return them with the rows to write."""
    numbers = {name: turn.parts + place for place, name in enumerate(fresh, start=1)}
    new = [
        PartRow(numbers[name], name, keeping.part(thread_id, numbers[name], wanted.parts[name]))
        for name in fresh
    ]

    def refs(value: Encoded) -> bytes:
        return packed_refs([numbers.get(name) or known[name] for name in value.parts])

    return numbers, wanted.rows(new, refs)


def _erased_since(began: str | None, found: str | None) -> bool:
    """Return whether there was an erasure since a run began; that an old one is no longer remembered is none."""
    before = set((began or "").split("|"))
    return any(erasure not in before for erasure in (found or "").split("|") if erasure)
