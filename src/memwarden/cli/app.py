"""The commands and their options; what they do is in the rooms below."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console

from memwarden.cli import present
from memwarden.errors import MemwardenError
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.model.outcome import Outcome
from memwarden.model.verdict import Origin
from memwarden.settings import read_settings

EXIT_MISTAKE = 1
"""Something could not be done; one sentence on stderr says what and what to do."""
EXIT_REFUSED = 3
"""`remember` or `correct` was understood, and the guard refused it."""

PIPE_WIDTH = 160

app = typer.Typer(
    name="memwarden",
    help="Governed memory for AI agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Tenant = Annotated[str, typer.Option("--tenant", help="Tenant the user belongs to.")]
User = Annotated[str, typer.Option("--user", help="User whose memory it is.")]
Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        help="PostgreSQL to use, as the application role. Default: MEMWARDEN_DATABASE_URL, else embedded.",
    ),
]
DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Folder of the embedded PostgreSQL.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
RecordId = Annotated[str, typer.Argument(help="Id of the memory, as `memwarden memories` shows it.")]
ProposalId = Annotated[str, typer.Argument(help="Id of the proposal, as `memwarden proposals` shows it.")]
Purpose = Annotated[str, typer.Argument(help="Purpose, as the notice and `memwarden memories` word it.")]
Erase = Annotated[
    bool, typer.Option("--erase", help="Also empty what was kept; without it, it stays unseen.")
]


class Switch(StrEnum):
    """Where memory is switched to."""

    ON = "on"
    OFF = "off"


OriginOption = Annotated[
    Origin,
    typer.Option(
        "--origin", help="Whose words they are; only the user's own and the application's are stored."
    ),
]


def console() -> Console:
    """Return the console for results: colours in a terminal, plain text of ample width in a pipe."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(width=width, highlight=False, emoji=False, markup=False)


def with_user(
    tenant: str,
    user: str,
    url: str | None,
    data_dir: Path | None,
    work: Callable[[UserMemory], Awaitable[None]],
) -> None:
    """Open the memory, run ``work`` on one user's, and close it."""

    async def run() -> None:
        async with Memwarden.open(url, data_dir=data_dir) as memwarden:
            await work(memwarden.user(tenant, user))

    asyncio.run(run())


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
        _print(json, result, lambda out: out.print(present.decision(result)))
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
        _print(json, result, lambda out: out.print(present.recalled(result)))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def memories(
    tenant: Tenant, user: User, url: Url = None, data_dir: DataDir = None, json: AsJson = False
) -> None:
    """List what is remembered about a user, newest first."""

    async def work(memory: UserMemory) -> None:
        records = await memory.memories()
        _print(
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
        _print(
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
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Keep a proposal, because the user said yes."""

    async def work(memory: UserMemory) -> None:
        record = await memory.confirm(proposal_id)
        _print(json, record, lambda out: out.print(present.memories_table([record])))

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
        _print(json, {"declined": proposal_id}, lambda out: out.print("Declined; nothing of it is kept."))

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
        _print(json, result, lambda out: out.print(present.decision(result)))
        if result.outcome is Outcome.REFUSED:
            raise typer.Exit(EXIT_REFUSED)

    with_user(tenant, user, url, data_dir, work)


@app.command()
def forget(
    tenant: Tenant,
    user: User,
    record_id: Annotated[str | None, typer.Argument(help="Id of the memory to forget.")] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Forget all of it: memories, proposals, checkpoints.")
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
            _print(json, removed, lambda out: out.print(present.erasure(removed)))
        else:
            ids = await memory.forget(record_id)
            _print(json, {"forgotten": ids}, lambda out: out.print(f"Forgotten: {', '.join(ids)}"))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def consents(
    tenant: Tenant, user: User, url: Url = None, data_dir: DataDir = None, json: AsJson = False
) -> None:
    """Show what a user agreed to, withdrew and switched, newest first."""

    async def work(memory: UserMemory) -> None:
        found = await memory.consents()
        _print(
            json,
            found,
            lambda out: out.print(present.consents_table(found) if found else "No decision was recorded."),
        )

    with_user(tenant, user, url, data_dir, work)


@app.command()
def grant(
    purpose: Purpose,
    tenant: Tenant,
    user: User,
    notice: Annotated[str, typer.Option("--notice", help="Version of the notice the user was shown.")],
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Record that a user agreed to a purpose."""

    async def work(memory: UserMemory) -> None:
        consent = await memory.grant(purpose, notice=notice)
        _print(json, consent, lambda out: out.print(f"Agreed to: {consent.purpose}"))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def withdraw(
    purpose: Purpose,
    tenant: Tenant,
    user: User,
    erase: Erase = False,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Record that a user no longer agrees to a purpose: nothing of it is written or read from now on."""

    async def work(memory: UserMemory) -> None:
        decided = await memory.withdraw(purpose, erase=erase)
        _print(json, decided, lambda out: out.print(present.decided(decided)))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def switch(
    to: Annotated[Switch, typer.Argument(help="off: nothing is remembered or recalled; on: it is again.")],
    tenant: Tenant,
    user: User,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Only in this conversation.")
    ] = None,
    erase: Erase = False,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Switch a user's memory off, or on again."""

    async def work(memory: UserMemory) -> None:
        if to is Switch.ON:
            consent = await memory.switch_on(conversation_id=conversation)
            _print(json, consent, lambda out: out.print("Memory is on."))
            return
        decided = await memory.switch_off(conversation_id=conversation, erase=erase)
        _print(json, decided, lambda out: out.print(present.decided(decided)))

    with_user(tenant, user, url, data_dir, work)


@app.command()
def audit(
    tenant: Tenant,
    user: User,
    limit: Annotated[int, typer.Option("--limit", help="Events at the most.")] = 100,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Show the log of writes and refusals about a user."""

    async def work(memory: UserMemory) -> None:
        events = await memory.audit(limit=limit)
        _print(
            json,
            events,
            lambda out: out.print(present.audit_table(events) if events else "The log is empty."),
        )

    with_user(tenant, user, url, data_dir, work)


@app.command()
def audit_verify(
    tenant: Annotated[str | None, typer.Option("--tenant", help="Only this tenant's log.")] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            help="PostgreSQL as the owner of the tables. Default: MEMWARDEN_MIGRATION_URL, else embedded.",
        ),
    ] = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Check that no event of the audit log was removed or altered.

    Exits with 1 when one was. The head that is printed shows, if kept elsewhere, a log rewritten as a whole.
    """
    from memwarden.cli.audit_verify import verified

    chains = asyncio.run(verified(tenant, url, data_dir))
    _print(
        json, chains, lambda out: out.print(present.chains_table(chains) if chains else "The log is empty.")
    )
    if any(chain.faults for chain in chains):
        raise typer.Exit(EXIT_MISTAKE)


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
    _print(json, result.as_line(), lambda out: print_judged(out, result))
    if result.decision is Decision.REFUSE:
        raise typer.Exit(EXIT_REFUSED)


@app.command()
def reembed(
    tenant: Tenant, user: User, url: Url = None, data_dir: DataDir = None, json: AsJson = False
) -> None:
    """Give a user's memories vectors of the present model."""

    async def work(memory: UserMemory) -> None:
        count = await memory.reembed()
        _print(json, {"reembedded": count}, lambda out: out.print(f"Embedded again: {count}."))

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
    _print(json, {"version": version, "role": settings.app_role}, lambda out: out.print(line))


@app.command()
def doctor(url: Url = None, data_dir: DataDir = None, json: AsJson = False) -> None:
    """Check the database, role and embedding model.

    Exits with 1 when something is wrong.
    """
    from memwarden.cli.doctor import examine, print_findings

    findings = asyncio.run(examine(url, data_dir))
    _print(json, findings, lambda out: print_findings(out, findings))
    if not all(finding.ok for finding in findings):
        raise typer.Exit(EXIT_MISTAKE)


def _print(as_json: bool, value: object, pretty: Callable[[Console], None]) -> None:
    out = console()
    if as_json:
        present.print_json(out, value)
    else:
        pretty(out)


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
