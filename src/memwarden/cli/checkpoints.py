"""The commands about checkpoints: import threads from LangGraph's own savers."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text
from ulid import ULID

from memwarden.cli.options import EXIT_MISTAKE, AsJson, DataDir, Url
from memwarden.cli.running import error_console, print_result
from memwarden.cli.thread_owners import read_owners
from memwarden.db import erasure
from memwarden.errors import (
    ConfigurationError,
    DatabaseUnavailableError,
    MemwardenError,
    SchemaError,
    StorageFullError,
)
from memwarden.memory.warden import Memwarden
from memwarden.model.scope import Scope

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from memwarden.checkpoint.importing import Imported
    from memwarden.checkpoint.langgraph_savers import Source

ADDRESS = "MEMWARDEN_IMPORT_FROM"

_NO_THREAD_CAN = (ConfigurationError, DatabaseUnavailableError, SchemaError, StorageFullError)
"""What every thread would fail by."""

checkpoint_commands = typer.Typer(
    name="checkpoints",
    help="Checkpoints of conversations: import them from LangGraph's savers.",
    no_args_is_help=True,
)


@checkpoint_commands.callback()
def _checkpoints() -> None:
    """Keep `import` a command of its own while it is the only one."""


@dataclass(slots=True)
class Report:
    """What became of an import: threads counted, failed ones by their ids; what was copied in this run."""

    imported: int = 0
    already_there: int = 0
    not_in_map: int = 0
    failed: list[str] = field(default_factory=list)
    checkpoints: int = 0
    writes: int = 0

    def count(self, done: Imported) -> None:
        """Count a thread that did not fail."""
        self.imported += bool(done.checkpoints)
        self.already_there += not done.checkpoints
        self.checkpoints += done.checkpoints
        self.writes += done.writes


@checkpoint_commands.command("import")
def import_(
    address: Annotated[
        str | None,
        typer.Option(
            "--from",
            envvar=ADDRESS,
            help="Database of LangGraph's saver: postgresql://... or mongodb://...; it is only read. Best given in the "
            "environment, as it may hold a password.",
        ),
    ] = None,
    thread: Annotated[
        list[str] | None, typer.Option("--thread", help="Id of a thread of the user's; repeat for more.")
    ] = None,
    tenant: Annotated[str | None, typer.Option("--tenant", help="Tenant the user belongs to.")] = None,
    user: Annotated[str | None, typer.Option("--user", help="User whose threads they are.")] = None,
    owners: Annotated[
        Path | None,
        typer.Option(
            "--map",
            help="JSON Lines, or CSV with a first line of names: thread_id, tenant_id, user_id. Threads that are not in it "
            "stay where they are. - for standard input.",
        ),
    ] = None,
    allow_type: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-type", help="A type of the application's that may be read, as module:Class; repeat."
        ),
    ] = None,
    keep_metadata: Annotated[
        list[str] | None,
        typer.Option(
            "--keep-metadata",
            help="A key of the metadata to keep beside LangGraph's own, into which its savers copy `configurable`; repeat.",
        ),
    ] = None,
    database: Annotated[
        str, typer.Option("--mongodb-database", help="Database in MongoDB.")
    ] = "checkpointing_db",
    checkpoints: Annotated[
        str, typer.Option("--mongodb-checkpoints", help="Collection of checkpoints in MongoDB.")
    ] = "checkpoints",
    writes: Annotated[
        str, typer.Option("--mongodb-writes", help="Collection of writes in MongoDB.")
    ] = "checkpoint_writes",
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Copy threads from LangGraph's PostgreSQL or MongoDB saver, and read every checkpoint back.

    Those savers know no owners: say whose the threads are, with --tenant, --user and --thread, or with --map. Run it again
    after an interruption; what is there already is left alone. Exits with 1 when a thread failed.
    """
    from memwarden.checkpoint.langgraph_savers import Collections, opened

    if address is None:
        raise typer.BadParameter(f"give --from, or better the environment variable {ADDRESS}")
    wanted = _wanted(thread, tenant, user, owners)
    types = [_type(name) for name in allow_type or ()]
    opening = opened(address, types, Collections(database, checkpoints, writes))

    async def run() -> None:
        async with opening as source, Memwarden.open(url, data_dir=data_dir) as memwarden:
            report = Report()
            try:
                if owners is not None:
                    with source.failures():
                        report.not_in_map = len(set(await source.threads()) - wanted.keys())
                await _import_all(_Importing(memwarden, source, types, keep_metadata or ()), wanted, report)
            finally:
                print_result(json, report, lambda out: _print(out, report))
        if report.failed:
            raise typer.Exit(EXIT_MISTAKE)

    asyncio.run(run())


@dataclass(frozen=True, slots=True)
class _Importing:
    """Where threads come from and go to, the types that may be in them, and the metadata kept beside LangGraph's."""

    memwarden: Memwarden
    source: Source
    types: Collection[tuple[str, str]]
    metadata: Collection[str]


async def _import_all(importing: _Importing, wanted: Mapping[str, Scope], report: Report) -> None:
    columns = (TextColumn("Importing"), BarColumn(), MofNCompleteColumn())
    out = error_console()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as progress:
        threads = progress.add_task("threads", total=len(wanted))
        for thread_id, scope in wanted.items():
            try:
                done = await _import_one(importing, thread_id, scope)
            except _NO_THREAD_CAN:
                raise
            except MemwardenError as error:
                report.failed.append(thread_id)
                out.print(Text(f"{_shown(thread_id)}: {error}"), soft_wrap=True)
            else:
                report.count(done)
            progress.advance(threads)


async def _import_one(importing: _Importing, thread_id: str, scope: Scope) -> Imported:
    from memwarden.checkpoint.importing import import_thread

    saver: BaseCheckpointSaver[str] = await importing.memwarden.scoped(scope).checkpointer()
    if importing.types:
        saver = saver.with_allowlist(importing.types)

    async def erased_at() -> datetime | None:
        found = await erasure.latest(importing.memwarden.dependencies.database, scope, thread_id)
        return None if found is None else ULID.from_str(found).datetime

    with importing.source.failures():
        return await import_thread(
            importing.source.saver,
            saver,
            thread_id,
            outline=importing.source.outline,
            metadata=importing.metadata,
            erased_at=erased_at,
        )


def _wanted(
    threads: list[str] | None, tenant: str | None, user: str | None, owners: Path | None
) -> dict[str, Scope]:
    """Return the threads to import, each with its owner: there is none by default."""
    if owners is not None:
        if threads or tenant is not None or user is not None:
            raise typer.BadParameter("the map says whose the threads are; give it alone")
        return read_owners(owners)
    if not threads or tenant is None or user is None:
        raise typer.BadParameter("give --tenant, --user and --thread, or --map: the threads have no owners")
    return dict.fromkeys(threads, Scope(tenant, user))


def _type(name: str) -> tuple[str, str]:
    """Return a type by its module and name, once it was found to be there."""
    module, _, of_module = name.partition(":")
    if not module or not of_module:
        raise typer.BadParameter(f"{name!r} names no type; write module:Class")
    try:
        getattr(importlib.import_module(module), of_module)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigurationError(
            f"The type {name} cannot be imported here; run the import where the application is installed."
        ) from error
    return module, of_module


def _print(out: Console, report: Report) -> None:
    out.print(
        f"Imported: {report.imported} threads, {report.checkpoints} checkpoints, {report.writes} writes."
        f" Already there: {report.already_there}. Not in the map: {report.not_in_map}."
    )
    if report.failed:
        out.print(Text(f"Failed: {', '.join(map(_shown, report.failed))}", style="red"), soft_wrap=True)


def _shown(thread_id: str) -> str:
    """Return an id without what a terminal would obey."""
    return "".join(ch if ch.isprintable() else "�" for ch in thread_id)
