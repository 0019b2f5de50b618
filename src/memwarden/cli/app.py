"""The commands and their options; what they do is in the rooms below."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console

from memwarden.cli import present
from memwarden.cli.auditing import audit_commands
from memwarden.cli.checkpoints import checkpoint_commands
from memwarden.cli.consents import consent_commands
from memwarden.cli.erasing import erasing_commands
from memwarden.cli.options import (
    EXIT_MISTAKE,
    EXIT_REFUSED,
    AsJson,
    DataDir,
    OriginOption,
    ProposalId,
    RecordId,
    Tenant,
    Url,
    User,
)
from memwarden.cli.receipts import receipt_commands
from memwarden.cli.running import console, print_result, with_user
from memwarden.cli.serving import serving_commands
from memwarden.cli.working import working_commands
from memwarden.errors import MemwardenError
from memwarden.memory.user import UserMemory
from memwarden.model.outcome import Outcome
from memwarden.model.verdict import Origin
from memwarden.settings import read_settings

app = typer.Typer(
    name="memwarden",
    help="Governed memory for AI agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(consent_commands)
app.add_typer(erasing_commands)
app.add_typer(working_commands)
app.add_typer(audit_commands)
app.add_typer(receipt_commands)
app.add_typer(checkpoint_commands)
app.add_typer(serving_commands)


@app.command()
def remember(
    text: Annotated[str, typer.Argument(help='One short sentence, such as "I prefer replies in Telugu".')],
    tenant: Tenant,
    user: User,
    origin: OriginOption = Origin.USER_TURN,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Store, propose or refuse a sentence; exit 3 when it is refused."""

    async def work(memory: UserMemory) -> None:
        result = await memory.remember(text, origin=origin)
        print_result(json, result, lambda out: out.print(present.decision(result)))
        if result.outcome is Outcome.REFUSED:
            raise typer.Exit(EXIT_REFUSED)

    with_user(tenant, user, url, data_dir, work)


@app.command()
def recall(
    tenant: Tenant,
    user: User,
    query: Annotated[str | None, typer.Argument(help="The question; without one, the profile alone.")] = None,
    limit: Annotated[int, typer.Option("--limit", help="Memories at the most, beside the profile.")] = 8,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Show the memory section a model would get for a question."""

    async def work(memory: UserMemory) -> None:
        result = await memory.recall(query, limit=limit)
        print_result(json, result, lambda out: out.print(present.recalled(result)))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def memories(
    tenant: Tenant,
    user: User,
    as_of: Annotated[
        datetime | None, typer.Option("--as-of", help="What was remembered at this past instant (UTC).")
    ] = None,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """List what is remembered about a user, newest first, or was at a past instant."""

    async def work(memory: UserMemory) -> None:
        records = await memory.memories(
            as_of=as_of and (as_of if as_of.tzinfo else as_of.replace(tzinfo=UTC))
        )
        print_result(
            json,
            records,
            lambda out: out.print(present.memories_table(records) if records else "Nothing is remembered."),
        )

    with_user(tenant, user, url, data_dir, work)


@app.command()
def proposals(
    tenant: Tenant, user: User, url: Url = None, data_dir: DataDir = None, json: AsJson = False
) -> None:
    """List what waits for the user's yes, oldest first."""

    async def work(memory: UserMemory) -> None:
        waiting = await memory.proposals()
        print_result(
            json,
            waiting,
            lambda out: out.print(present.proposals_table(waiting) if waiting else "Nothing waits."),
        )

    with_user(tenant, user, url, data_dir, work)


@app.command()
def confirm(
    proposal_id: ProposalId,
    tenant: Tenant,
    user: User,
    edited: Annotated[
        str | None, typer.Option("--edited", help="The user's own wording, to be kept instead.")
    ] = None,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Keep a proposal, because the user said yes."""

    async def work(memory: UserMemory) -> None:
        record = await memory.confirm(proposal_id, edited=edited)
        print_result(json, record, lambda out: out.print(present.memories_table([record])))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def decline(
    proposal_id: ProposalId,
    tenant: Tenant,
    user: User,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Drop a proposal."""

    async def work(memory: UserMemory) -> None:
        await memory.decline(proposal_id)
        print_result(
            json,
            {"declined": proposal_id},
            lambda out: out.print("Declined; nothing of it is kept, and nobody asks again."),
        )

    with_user(tenant, user, url, data_dir, work)


@app.command()
def correct(
    record_id: RecordId,
    text: Annotated[str, typer.Argument(help="The new wording, or for a slot just its new value.")],
    tenant: Tenant,
    user: User,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Reword a memory; exit 3 when that is refused."""

    async def work(memory: UserMemory) -> None:
        result = await memory.correct(record_id, text)
        print_result(json, result, lambda out: out.print(present.decision(result)))
        if result.outcome is Outcome.REFUSED:
            raise typer.Exit(EXIT_REFUSED)

    with_user(tenant, user, url, data_dir, work)


@app.command()
def forget(
    tenant: Tenant,
    user: User,
    record_id: Annotated[str | None, typer.Argument(help="Id of the memory to forget.")] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Forget all of it, in every store.")
    ] = False,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Forget one memory and its older versions, or everything."""
    if (record_id is None) is not everything:
        raise typer.BadParameter("give the id of one memory, or --everything")

    async def work(memory: UserMemory) -> None:
        if record_id is None:
            removed = await memory.forget_everything()
            print_result(json, removed, lambda out: out.print(present.erasure(removed)))
        else:
            ids = await memory.forget(record_id)
            print_result(json, {"forgotten": ids}, lambda out: out.print(f"Forgotten: {', '.join(ids)}"))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def guard(
    text: Annotated[
        str | None, typer.Argument(help="A sentence somebody would like to be remembered.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", help="JSON Lines with text (or text_b64) and origin; - for standard input."),
    ] = None,
    origin: OriginOption = Origin.USER_TURN,
    json: AsJson = False,
) -> None:
    """Ask the guard about a sentence or a file of them.

    Nothing is written anywhere. Exits with 3 when the one sentence is refused.
    """
    from memwarden.cli.guard import Judged, judged, print_judged, run_file, shipped_opinions
    from memwarden.model.verdict import Candidate, Decision

    if (text is None) is (file is None):
        raise typer.BadParameter("give one sentence, or --file")
    if file is not None:
        asyncio.run(run_file(file, console(), as_json=json))
        return

    async def work() -> Judged:
        async with shipped_opinions() as opinions:
            return await judged(Candidate(text or "", origin), opinions)

    result = asyncio.run(work())
    print_result(json, result.as_line(), lambda out: print_judged(out, result))
    if result.decision is Decision.REFUSE:
        raise typer.Exit(EXIT_REFUSED)


@app.command()
def reembed(
    tenant: Tenant, user: User, url: Url = None, data_dir: DataDir = None, json: AsJson = False
) -> None:
    """Give a user's memories vectors of the present model."""

    async def work(memory: UserMemory) -> None:
        count = await memory.reembed()
        print_result(json, {"reembedded": count}, lambda out: out.print(f"Embedded again: {count}."))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def chat(
    tenant: Tenant,
    user: User,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Id of a conversation to go on with.")
    ] = None,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Talk to the helpdesk agent, line by line.

    Lines come from the terminal or from a pipe; with --json, each turn is one JSON object on a line.
    """
    from memwarden.cli.chat import run_chat

    run_chat(tenant, user, conversation, url=url, data_dir=data_dir, out=console(), as_json=json)


@app.command()
def demo(
    data_dir: Annotated[
        Path | None,
        typer.Option(
            "--data-dir", help="Folder to keep the demo's data in. Default: a temporary one, removed."
        ),
    ] = None,
    json: AsJson = False,
    part: Annotated[int | None, typer.Option("--part", hidden=True)] = None,
) -> None:
    """Hold two conversations with an agent that remembers.

    Each runs in a process of its own, so that what is remembered has survived a restart.
    """
    from memwarden.cli.demo import run_demo, run_part

    if part is None:
        raise typer.Exit(run_demo(data_dir, as_json=json))
    if data_dir is None:
        raise typer.BadParameter("--part needs --data-dir")
    asyncio.run(run_part(part, data_dir, console(), as_json=json))


@app.command()
def migrate(
    url: Annotated[
        str | None,
        typer.Option(
            "--url", help="PostgreSQL as the role to own the tables. Default: MEMWARDEN_MIGRATION_URL."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Create or upgrade the tables, and prepare the application role."""
    from memwarden.db.migrate import migrate as run

    settings = read_settings()
    given = url or (settings.migration_url.get_secret_value() if settings.migration_url else None)
    if given is None:
        raise typer.BadParameter(
            "give --url or MEMWARDEN_MIGRATION_URL: PostgreSQL as the role to own the tables"
        )
    password = settings.app_password.get_secret_value() if settings.app_password else None
    version = run(given, app_role=settings.app_role, app_password=password)
    line = f"The tables stand at version {version}; connect as the role {settings.app_role!r}."
    print_result(json, {"version": version, "role": settings.app_role}, lambda out: out.print(line))


@app.command()
def doctor(url: Url = None, data_dir: DataDir = None, json: AsJson = False) -> None:
    """Check the database, role and embedding model.

    Exits with 1 when something is wrong.
    """
    from memwarden.cli.doctor import examine, print_findings

    findings = asyncio.run(examine(url, data_dir))
    print_result(json, findings, lambda out: print_findings(out, findings))
    if not all(finding.ok for finding in findings):
        raise typer.Exit(EXIT_MISTAKE)


def _leave(number: int, frame: FrameType | None) -> None:
    """End in order when asked to: connections close, and the embedded server stops if nobody else uses it."""
    sys.exit(128 + number)


def main() -> None:
    """Run the command line; a mistake is one sentence on stderr, never a stack trace."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        app()
    except MemwardenError as error:
        Console(stderr=True, soft_wrap=True, markup=False, highlight=False).print(
            f"memwarden: {error}", style="red"
        )
        sys.exit(EXIT_MISTAKE)
    except BrokenPipeError:
        # The reader of our output went away ("| head"): point stdout elsewhere so that closing it is silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_MISTAKE)
