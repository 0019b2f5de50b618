"""The commands about receipts: print one, verify one, print the key they are verified with."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from memwarden.cli import present
from memwarden.cli.options import AsJson, DataDir, Tenant, Url, User
from memwarden.cli.running import console, print_result, with_user
from memwarden.errors import ConfigurationError, NotFoundError
from memwarden.memory.keys import deployment_keys
from memwarden.memory.opening import keys_folder
from memwarden.memory.receipt import public_key, require_subject, verified
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import chosen_settings
from memwarden.model.erasure import Subject
from memwarden.settings import read_settings

receipt_commands = typer.Typer(name="receipt", help="Signed receipts of erasures.", no_args_is_help=True)


@receipt_commands.command()
def show(
    erasure_id: Annotated[str, typer.Argument(help="Id of the erasure, as `memwarden erasures` shows it.")],
    tenant: Tenant,
    user: User,
    url: Url = None,
    data_dir: DataDir = None,
) -> None:
    """Print the receipt of an erasure, to be kept in a file."""

    async def work(memory: UserMemory) -> None:
        found = next((e for e in await memory.erasures() if e.id == erasure_id), None)
        if found is None or not found.receipt:
            raise NotFoundError("No such erasure, or it has no receipt yet; `memwarden erasures` lists them.")
        console().out(found.receipt, highlight=False)

    with_user(tenant, user, url, data_dir, work)


@receipt_commands.command()
def verify(
    file: Annotated[
        Path, typer.Argument(help="File with the receipt; - for standard input.", allow_dash=True)
    ],
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            help="File with the public key, as `memwarden receipt key` prints it. Default: this deployment's own.",
        ),
    ] = None,
    tenant: Annotated[
        str | None, typer.Option("--tenant", help="Check that it is about this tenant.")
    ] = None,
    user: Annotated[str | None, typer.Option("--user", help="Check that it is about this user.")] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Check that it is about this conversation.")
    ] = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Check that a receipt is genuine and unaltered, and show what it says; needs no database.

    Exits with 1 when it is not, or is about somebody else.
    """
    if tenant is None and (user or conversation):
        raise typer.BadParameter("a user is one tenant's; give --tenant")
    receipt = verified(_text(file), _own_key(data_dir) if key is None else _key(key))
    if tenant is not None:
        require_subject(receipt, Subject(tenant, user, conversation))
    print_result(json, receipt, lambda out: out.print(present.receipt(receipt)))


@receipt_commands.command("key")
def print_key(data_dir: DataDir = None) -> None:
    """Print the public key that receipts of this deployment are verified with, as a JSON Web Key."""
    console().out(json_text.dumps(_own_key(data_dir)), highlight=False)


def _own_key(data_dir: Path | None) -> Mapping[str, str]:
    settings = chosen_settings(read_settings(), None, data_dir)
    return public_key(deployment_keys(settings, keys_folder(settings)).receipt)


def _text(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.read()
    try:
        return file.read_text(encoding="ascii", errors="replace")
    except OSError as error:
        raise ConfigurationError(f"The receipt {file} cannot be read: {error.strerror}.") from error


def _key(file: Path) -> Mapping[str, str]:
    try:
        held = json_text.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"The key {file} cannot be read as a JSON Web Key.") from error
    if not isinstance(held, dict):
        raise ConfigurationError(f"The key {file} cannot be read as a JSON Web Key.")
    return held
