"""The commands about the audit log: show it, and verify that nothing of it was removed or altered."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from memwarden.cli import present
from memwarden.cli.audit_verify import verified
from memwarden.cli.options import EXIT_MISTAKE, AsJson, DataDir, Url
from memwarden.cli.running import print_result, with_user
from memwarden.memory.user import UserMemory

audit_commands = typer.Typer(
    name="audit", help="Show the log of writes and refusals about a user, or verify it.", no_args_is_help=True
)


@audit_commands.callback(invoke_without_command=True)
def audit(
    context: typer.Context,
    tenant: Annotated[str | None, typer.Option("--tenant", help="Tenant the user belongs to.")] = None,
    user: Annotated[str | None, typer.Option("--user", help="User the log is about.")] = None,
    limit: Annotated[int, typer.Option("--limit", help="Events at the most.")] = 100,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Show the log of writes and refusals about a user, newest first; `memwarden audit verify` checks it."""
    if context.invoked_subcommand is not None:
        return
    if tenant is None or user is None:
        raise typer.BadParameter("give --tenant and --user, or the command verify")

    async def work(memory: UserMemory) -> None:
        events = await memory.audit(limit=limit)
        print_result(
            json,
            events,
            lambda out: out.print(present.audit_table(events) if events else "The log is empty."),
        )

    with_user(tenant, user, url, data_dir, work)


@audit_commands.command()
def verify(
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
    chains = asyncio.run(verified(tenant, url, data_dir))
    print_result(
        json, chains, lambda out: out.print(present.chains_table(chains) if chains else "The log is empty.")
    )
    if any(chain.faults for chain in chains):
        raise typer.Exit(EXIT_MISTAKE)
