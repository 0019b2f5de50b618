"""The commands that erase, hold, export and explain: what a person is entitled to, and what an authority may order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn

from memwarden.cli import present
from memwarden.cli.options import EXIT_MISTAKE, AsJson, DataDir, RecordId, Tenant, Url, User
from memwarden.cli.running import error_console, print_result, with_memwarden, with_user
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.model.erasure import ErasureState

erasing_commands = typer.Typer()
holds = typer.Typer(name="hold", help="Legal holds on what there is about a user.", no_args_is_help=True)
erasing_commands.add_typer(holds)

HoldId = Annotated[str, typer.Argument(help="Id of the hold, as `memwarden hold list` shows it.")]


@erasing_commands.command()
def erase(
    tenant: Tenant,
    user: Annotated[
        str | None, typer.Option("--user", help="User to erase; without one, the whole tenant.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Only this conversation of the user.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before erasing a whole tenant.")] = False,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Remove everything about a user, of a conversation, or of a tenant, from every store; print the signed receipt.

    Exits with 1 while a store has failed its part; the worker tries again.
    """
    if user is None:
        if conversation is not None:
            raise typer.BadParameter("a conversation is one user's; give --user")
        if not yes:
            typer.confirm(f"Erase everything about every user of {tenant!r}?", abort=True, err=True)
        _erase_tenant(tenant, url, data_dir, json)
        return

    async def work(memory: UserMemory) -> None:
        erased = await (
            memory.forget_everything() if conversation is None else memory.forget_conversation(conversation)
        )
        print_result(json, erased, lambda out: out.print(present.erasure(erased)))
        _require_reached(erased.state)

    with_user(tenant, user, url, data_dir, work)


def _erase_tenant(tenant: str, url: str | None, data_dir: Path | None, json: bool) -> None:
    async def work(memwarden: Memwarden) -> None:
        with Progress(
            SpinnerColumn(),
            TextColumn("{task.completed} users erased"),
            console=error_console(),
            transient=True,
        ) as progress:
            users = progress.add_task("erasing", total=None)
            erased = await memwarden.erase_tenant(tenant, told=lambda _: progress.advance(users))
        print_result(json, erased, lambda out: out.print(present.tenant_erasure(erased)))
        _require_reached(erased.state)

    with_memwarden(url, data_dir, work)


def _require_reached(state: ErasureState) -> None:
    if state is ErasureState.INCOMPLETE:
        raise typer.Exit(EXIT_MISTAKE)


@erasing_commands.command()
def erasures(
    tenant: Tenant,
    user: User,
    finish: Annotated[
        str | None, typer.Option("--finish", help="Id of one to take to the stores it has not reached.")
    ] = None,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Show what was erased for a user and how far it has come, newest first."""

    async def work(memory: UserMemory) -> None:
        if finish is not None:
            await memory.finish_erasure(finish)
        found = await memory.erasures()
        print_result(
            json,
            found,
            lambda out: out.print(present.erasures_table(found) if found else "Nothing was erased."),
        )

    with_user(tenant, user, url, data_dir, work)


@erasing_commands.command()
def export(
    tenant: Tenant,
    user: User,
    to: Annotated[
        Path | None,
        typer.Option("--to", help="File to write. Default: a file in the folder of exports, which expires."),
    ] = None,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Write everything held about a user to a zip: JSON Lines with a schema, and a page to read."""

    async def work(memory: UserMemory) -> None:
        written = await memory.export(to=to)
        print_result(json, written, lambda out: out.print(present.exported(written)))

    with_user(tenant, user, url, data_dir, work)


@erasing_commands.command()
def why(
    answer_id: Annotated[str, typer.Argument(help="Id of the answer: of the agent's message.")],
    tenant: Tenant,
    user: User,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Show which memories were in the prompt of an answer."""

    async def work(memory: UserMemory) -> None:
        found = await memory.why(answer_id)
        print_result(json, found, lambda out: out.print(present.why(found)))

    with_user(tenant, user, url, data_dir, work)


@erasing_commands.command("used-in")
def used_in(
    record_id: RecordId,
    tenant: Tenant,
    user: User,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Show which answers had a memory in their prompt, newest first."""

    async def work(memory: UserMemory) -> None:
        found = await memory.used_in(record_id)
        print_result(
            json,
            found,
            lambda out: out.print(present.traces_table(found) if found else "No answer used it."),
        )

    with_user(tenant, user, url, data_dir, work)


@holds.command("place")
def place_hold(
    reference: Annotated[str, typer.Argument(help="The case it serves.")],
    tenant: Tenant,
    user: User,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Keep what there is about a user: nothing is purged, and what is erased is put out of sight first."""

    async def work(memory: UserMemory) -> None:
        hold = await memory.hold(reference)
        print_result(json, hold, lambda out: out.print(f"Placed: {hold.id}"))

    with_user(tenant, user, url, data_dir, work)


@holds.command("release")
def release_hold(
    hold_id: HoldId,
    tenant: Tenant,
    user: User,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """End a hold; with the last one, what only it kept is erased."""

    async def work(memory: UserMemory) -> None:
        hold = await memory.release(hold_id)
        print_result(json, hold, lambda out: out.print(f"Released: {hold.id}"))

    with_user(tenant, user, url, data_dir, work)


@holds.command("list")
def list_holds(
    tenant: Tenant, user: User, url: Url = None, data_dir: DataDir = None, json: AsJson = False
) -> None:
    """Show the holds on a user, newest first."""

    async def work(memory: UserMemory) -> None:
        found = await memory.holds()
        print_result(
            json, found, lambda out: out.print(present.holds_table(found) if found else "No hold was placed.")
        )

    with_user(tenant, user, url, data_dir, work)
