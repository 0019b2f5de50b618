"""A thread of another saver, copied: every checkpoint of every namespace with its writes, and then read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    PendingWrite,
)

from memwarden.checkpoint.comparison import Ahead, Print, compared, print_of
from memwarden.checkpoint.imported_versions import Versions, versions_of
from memwarden.errors import (
    DatabaseUnavailableError,
    MemwardenError,
    NotFoundError,
    NotImportedError,
    StateConflictError,
)

LANGGRAPHS_METADATA = frozenset(CheckpointMetadata.__annotations__)
"""The metadata that LangGraph itself defines; its savers copy what applications put into ``configurable`` beside them."""

ErasedAt = Callable[[], Awaitable[datetime | None]]
"""Gives when the thread's user, tenant or conversation was last erased in the target; null where that never happened."""

_INPUT_TASK = "00000000-0000-0000-0000-000000000000"
"""The task LangGraph writes under for whoever calls the graph; it has no path."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What was copied of a thread: checkpoints, writes after them, and the namespaces they are in; all zero where it was there."""

    checkpoints: int = 0
    writes: int = 0
    namespaces: int = 0


class Place(NamedTuple):
    """A checkpoint's id, which is how they are ordered in time, and its namespace."""

    id: str
    ns: str


_Parents = Mapping[Place, Place | None]


@dataclass(frozen=True, slots=True)
class Outline:
    """What a source can say of a thread without loading it, and of its tasks, which LangGraph's tuples do not say.

    ``parents`` has every checkpoint with its parent, ``paths`` the path of each task by (namespace, checkpoint, task); in
    the order of the paths, the writes of tasks that ran beside each other are applied.
    """

    parents: Mapping[Place, Place | None]
    paths: Mapping[tuple[str, str, str], str]


Outlining = Callable[[str], Awaitable[Outline]]
"""Gives the outline of a thread."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What a task wrote: ``special`` writes take the place of earlier ones, ``regular`` ones are counted."""

    path: str
    id: str
    special: Sequence[tuple[str, Any]]
    regular: Sequence[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A checkpoint as it is to be kept, and its print."""

    place: Place
    parent_id: str | None
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    new_versions: ChannelVersions
    tasks: Sequence[_Task]
    print: Print


@dataclass(frozen=True, slots=True)
class _Copying:
    """What is copied, and where to."""

    source: BaseCheckpointSaver[Any]
    target: BaseCheckpointSaver[str]
    thread_id: str
    into: str
    metadata: frozenset[str]
    paths: Mapping[tuple[str, str, str], str] | None


async def import_thread(
    source: BaseCheckpointSaver[Any],
    target: BaseCheckpointSaver[str],
    thread_id: str,
    *,
    into: str | None = None,
    outline: Outlining | None = None,
    metadata: Collection[str] = (),
    erased_at: ErasedAt | None = None,
) -> Imported:
    """Copy a thread from one saver to another, oldest checkpoint first, and read every one of them back.

    ``into`` is the thread's id in the target, the same if null; ``metadata`` names what to keep beside LangGraph's own;
    a thread that began before it was erased, as ``erased_at`` says, stays away. Without an ``outline``, all of the thread
    is loaded twice, and writes keep the order the source gives them. A thread that is there already is left alone, one
    that is there in part is completed. Raises `NotFoundError` where the source has no such thread, `StateConflictError`
    where it was erased, or where the target went on or has another thread of that id (nothing is changed then), and
    `NotImportedError` where it cannot be read, or does not read back as it was.
    """
    known = None if outline is None else await outline(thread_id)
    parents = await _parents(source, thread_id) if known is None else known.parents
    if not parents:
        raise NotFoundError("There is no such thread to import.")
    copying = _Copying(
        source,
        target,
        thread_id,
        into or thread_id,
        LANGGRAPHS_METADATA | frozenset(metadata),
        None if known is None else known.paths,
    )
    # What is erased after this is not written any more. A checkpoint is named, since this is no run that goes on.
    await target.aget_tuple(_config(copying.into, min(parents)))
    there = await _parents(target, copying.into)
    equal = await _already_there(copying, parents, there) if there else frozenset()
    if equal == parents.keys():
        return Imported()
    # Asked after the target was read, which from then on writes nothing that is erased.
    erased = None if erased_at is None else await erased_at()
    if erased is not None:
        await _require_younger(copying, parents, erased)
    try:
        done, prints = await _copy(copying, parents, equal)
    except (DatabaseUnavailableError, StateConflictError):
        raise
    except MemwardenError:
        # What cannot be copied is not left in part, unless there was a part that could.
        if not there:
            await target.adelete_thread(copying.into)
        raise
    await _verify(copying, parents, prints)
    return done


async def _require_younger(copying: _Copying, parents: _Parents, erased_at: datetime) -> None:
    """Refuse a thread that began before an erasure, or may have: its beginning may have been pruned."""
    for place, parent in parents.items():
        if parent in parents:
            continue
        first = await _read(copying.source, copying.thread_id, place)
        # LangGraph counts the steps of a run from -1, and what it put before them from -2.
        begins = parent is None and first.metadata.get("step", 0) < 0
        if not begins or _instant(first.checkpoint["ts"]) <= erased_at:
            raise StateConflictError(
                "This thread began before its user, its tenant or the conversation was erased, and does not come back; "
                "delete it at its source as well."
            )


async def _already_there(copying: _Copying, parents: _Parents, there: _Parents) -> Collection[Place]:
    """Return the checkpoints that need nothing: those that are equal, and all of them where only the target went on."""
    equal = set()
    state = Ahead.TARGET if there.keys() - parents.keys() else Ahead.NOBODY
    state |= Ahead.SOURCE if parents.keys() - there.keys() else Ahead.NOBODY
    async for wanted in _wanted(copying, parents):
        if wanted.place in there:
            kept = await _read(copying.target, copying.into, wanted.place)
            difference = compared(wanted.print, _print_of(kept))
            state |= difference
            if difference is Ahead.NOBODY:
                equal.add(wanted.place)
    if Ahead.APART in state or Ahead.SOURCE | Ahead.TARGET in state or state is Ahead.ASKED_OTHERWISE:
        raise StateConflictError(
            "The user has a thread of this id already that is another one, or went on by itself; import the thread under "
            "another id, or delete the one that is there first."
        )
    return equal if Ahead.SOURCE in state else parents.keys()


async def _copy(
    copying: _Copying, parents: _Parents, equal: Collection[Place]
) -> tuple[Imported, Mapping[Place, Print]]:
    """Write what is missing; a checkpoint comes after its writes, so that one that is there has all of them."""
    spaces, checkpoints, writes = set(), 0, 0
    prints = {}
    target = copying.target
    async for wanted in _wanted(copying, parents):
        prints[wanted.place] = wanted.print
        if wanted.place in equal:
            continue
        place = _config(copying.into, wanted.place)
        for task in wanted.tasks:
            for some in filter(None, (task.special, task.regular)):
                await target.aput_writes(place, some, task.id, task.path)
        parent = None if wanted.parent_id is None else wanted.place._replace(id=wanted.parent_id)
        await target.aput(
            _config(copying.into, parent, wanted.place.ns),
            wanted.checkpoint,
            wanted.metadata,
            wanted.new_versions,
        )
        spaces.add(wanted.place.ns)
        checkpoints += 1
        writes += len(wanted.print.writes)
    return Imported(checkpoints, writes, len(spaces)), prints


async def _verify(copying: _Copying, parents: _Parents, prints: Mapping[Place, Print]) -> None:
    """Read every checkpoint back; remove the copy and raise `NotImportedError` unless each is what it was."""
    target = copying.target
    state = Ahead.NOBODY
    for place, expected in prints.items():
        found = await target.aget_tuple(_config(copying.into, place))
        state |= Ahead.SOURCE if found is None else compared(expected, _print_of(found))
    went_on = bool((await _parents(target, copying.into)).keys() - parents.keys())
    if state is Ahead.NOBODY and not went_on:
        return
    if went_on or not state & (Ahead.SOURCE | Ahead.APART):
        raise StateConflictError(
            "Somebody went on with the thread while it was imported; see what is there, and import it again."
        )
    await target.adelete_thread(copying.into)
    raise NotImportedError(
        "The copy did not read back as the thread was, and was removed; import it again when nobody writes to it, and "
        "report it if it fails again."
    )


async def _wanted(copying: _Copying, parents: _Parents) -> AsyncIterator[_Wanted]:
    """Yield the checkpoints of a thread as they are to be kept, each after its parent."""
    children = Counter(parents.values())
    versions: dict[Place | None, Versions] = {}
    for place in _oldest_first(parents):
        found = await _read(copying.source, copying.thread_id, place)
        parent = parents[place]
        renewed = versions_of(found.checkpoint, versions.get(parent))
        yield _as_kept(copying, place, found, renewed, renewed.new_since(versions.get(parent)))
        # A long thread's versions are not all held at once.
        children[parent] -= 1
        if not children[parent]:
            versions.pop(parent, None)
        if children[place]:
            versions[place] = renewed


def _as_kept(
    copying: _Copying, place: Place, found: CheckpointTuple, versions: Versions, new: ChannelVersions
) -> _Wanted:
    checkpoint = cast(
        "Checkpoint",
        {**found.checkpoint, "channel_versions": versions.ours, "versions_seen": versions.ours_seen},
    )
    metadata = cast(
        "CheckpointMetadata",
        {name: value for name, value in found.metadata.items() if name in copying.metadata},
    )
    parent_id = _parent_id(found)
    tasks = _tasks(place, found.pending_writes or [], copying.paths)
    writes = [
        (task.id, channel, value) for task in tasks for channel, value in (*task.special, *task.regular)
    ]
    kept = print_of(checkpoint, metadata, parent_id, writes, copying.target.serde)
    return _Wanted(place, parent_id, checkpoint, metadata, new, tasks, kept)


def _tasks(
    place: Place, writes: Sequence[PendingWrite], paths: Mapping[tuple[str, str, str], str] | None
) -> list[_Task]:
    """Return what each task wrote, in the order in which it is applied."""
    by_task: dict[str, list[tuple[str, Any]]] = {}
    for task_id, channel, value in writes:
        by_task.setdefault(task_id, []).append((channel, value))

    def path(turn: int, task_id: str) -> str:
        if paths is not None:
            return paths.get((place.ns, place.id, task_id), "")
        return "" if task_id == _INPUT_TASK else f"~{turn:06}"

    tasks = [
        _Task(
            path(turn, task_id),
            task_id,
            sorted((w for w in wrote if w[0] in WRITES_IDX_MAP), key=lambda w: WRITES_IDX_MAP[w[0]]),
            [w for w in wrote if w[0] not in WRITES_IDX_MAP],
        )
        for turn, (task_id, wrote) in enumerate(by_task.items())
    ]
    return sorted(tasks, key=lambda task: (task.path, task.id))


async def _parents(saver: BaseCheckpointSaver[Any], thread_id: str) -> dict[Place, Place | None]:
    """Return every checkpoint of a thread, in any namespace, with its parent."""
    found: dict[Place, Place | None] = {}
    async for each in saver.alist(_config(thread_id, None)):
        configurable = each.config["configurable"]
        place = Place(configurable["checkpoint_id"], configurable.get("checkpoint_ns", ""))
        parent_id = _parent_id(each)
        found[place] = None if parent_id is None else place._replace(id=parent_id)
    return found


def _oldest_first(parents: _Parents) -> Iterator[Place]:
    """Yield checkpoints by their ids, but for those whose parent says it is younger: they come after it."""
    done = set()
    for place in sorted(parents):
        chain: list[Place] = []
        at: Place | None = place
        while at is not None and at in parents and at not in done:
            done.add(at)
            chain.append(at)
            at = parents[at]
        yield from reversed(chain)


async def _read(saver: BaseCheckpointSaver[Any], thread_id: str, place: Place) -> CheckpointTuple:
    found = await saver.aget_tuple(_config(thread_id, place))
    if found is None:
        raise NotImportedError(
            "The thread changed while it was read; import it again when nobody writes to it."
        )
    return found


def _print_of(found: CheckpointTuple) -> Print:
    return print_of(found.checkpoint, found.metadata, _parent_id(found), found.pending_writes or [])


def _parent_id(found: CheckpointTuple) -> str | None:
    return None if found.parent_config is None else found.parent_config["configurable"].get("checkpoint_id")


def _config(thread_id: str, place: Place | None, ns: str | None = None) -> RunnableConfig:
    """Return the configuration that names a checkpoint, or for null a thread, or one of its namespaces."""
    configurable = {"thread_id": thread_id}
    if place is not None:
        configurable |= {"checkpoint_ns": place.ns, "checkpoint_id": place.id}
    elif ns is not None:
        configurable |= {"checkpoint_ns": ns}
    return {"configurable": configurable}


def _instant(written: str) -> datetime:
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
