"""The commands about consent: what a user agreed to, and whether memory is on."""

from __future__ import annotations

from typing import Annotated

import typer

from memwarden.cli import present
from memwarden.cli.options import AsJson, DataDir, Erase, Purpose, Switch, Tenant, Url, User
from memwarden.cli.running import print_result, with_user
from memwarden.memory.user import UserMemory

consent_commands = typer.Typer()


@consent_commands.command()
def consents(
    tenant: Tenant, user: User, url: Url = None, data_dir: DataDir = None, json: AsJson = False
) -> None:
    """Show what a user agreed to, withdrew and switched, newest first."""

    async def work(memory: UserMemory) -> None:
        found = await memory.consents()
        print_result(
            json,
            found,
            lambda out: out.print(present.consents_table(found) if found else "No decision was recorded."),
        )

    with_user(tenant, user, url, data_dir, work)


@consent_commands.command()
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
        print_result(json, consent, lambda out: out.print(f"Agreed to: {consent.purpose}"))

    with_user(tenant, user, url, data_dir, work)


@consent_commands.command()
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
        print_result(json, decided, lambda out: out.print(present.decided(decided)))

    with_user(tenant, user, url, data_dir, work)


@consent_commands.command()
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
            print_result(json, consent, lambda out: out.print("Memory is on."))
            return
        decided = await memory.switch_off(conversation_id=conversation, erase=erase)
        print_result(json, decided, lambda out: out.print(present.decided(decided)))

    with_user(tenant, user, url, data_dir, work)
