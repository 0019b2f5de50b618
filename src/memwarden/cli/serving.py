"""The commands of the server: run it, and issue a token for development."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.options import AsJson, DataDir, Tenant, Url, User
from memwarden.cli.running import console, print_result, silence_the_queue
from memwarden.errors import ConfigurationError
from memwarden.memory.opening import keys_folder
from memwarden.memory.warden import Memwarden, chosen_settings
from memwarden.model.clock import system_clock
from memwarden.settings import Settings, read_settings

if TYPE_CHECKING:
    import socket

    from memwarden.server.caller import Role

serving_commands = typer.Typer()

_ROLES = "user, service, auditor, tenant_admin or operator"


@serving_commands.command()
def serve(
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on. Default: MEMWARDEN_SERVER_HOST.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65_535, help="Port; 0 for any. Default: MEMWARDEN_SERVER_PORT."),
    ] = None,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Serve memory over HTTP, to whoever has a token.

    Without an issuer of tokens it listens on this machine alone, and takes those of `memwarden token`.
    """
    _require_the_extra()
    from memwarden.server.running import bound_socket

    settings = chosen_settings(read_settings(), url, data_dir)
    address = host or settings.server_host
    _require_an_issuer_for(address, settings)
    with bound_socket(address, settings.server_port if port is None else port) as listening:
        asyncio.run(_serve(settings, address, listening, as_json=json))


@serving_commands.command()
def token(
    tenant: Tenant,
    user: User,
    role: Annotated[
        list[str] | None, typer.Option("--role", help=f"One of {_ROLES}; may be repeated.")
    ] = None,
    act_for: Annotated[
        list[str] | None,
        typer.Option("--act-for", help="A user that a service may act for, * for all; may be repeated."),
    ] = None,
    minutes: Annotated[int, typer.Option("--minutes", min=1, max=1440, help="How long it is good for.")] = 60,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Print a token for development, which a server without an issuer takes.

    Give the --url or --data-dir that the server has. Whoever may read the key, beside the file of keys, may issue them
    for anybody.
    """
    _require_the_extra()
    from memwarden.server.development_key import development_key, development_token

    settings = chosen_settings(read_settings(), url, data_dir)
    issued = development_token(
        development_key(keys_folder(settings)),
        tenant,
        user,
        _roles(role or ["user"]),
        now=datetime.now(UTC),
        lifetime=timedelta(minutes=minutes),
        act_for=act_for or (),
    )
    print_result(json, {"token": issued}, lambda out: out.out(issued, highlight=False))


async def _serve(settings: Settings, host: str, listening: socket.socket, *, as_json: bool) -> None:
    from memwarden.server.options import server_options
    from memwarden.server.running import serve as run
    from memwarden.server.running import server_log
    from memwarden.server.verification import token_verifier

    options = server_options(settings, host)
    silence_the_queue()
    log = server_log()
    # PostgreSQL takes as long to start as the routes take to load, and does so elsewhere.
    loading = asyncio.create_task(asyncio.to_thread(import_module, "memwarden.server.app"))
    async with (
        token_verifier(settings, keys_folder(settings), log, system_clock) as verifier,
        Memwarden.open(settings=settings) as memwarden,
    ):
        await loading
        from memwarden.server.app import create_app

        app = create_app(memwarden, verifier, options, log)
        _announce(settings, listening, as_json=as_json)
        await run(app, listening)


def _announce(settings: Settings, listening: socket.socket, *, as_json: bool) -> None:
    from memwarden.server.running import address_of
    from memwarden.server.verification import is_development

    out, where, development = console(), address_of(listening), is_development(settings)
    if as_json:
        out.out(f'{{"url": "{where}", "development": {str(development).lower()}}}', highlight=False)
    else:
        out.print(f"Memwarden listens on {where}; stop it with Ctrl-C.")
        out.print(_how_to_get_a_token(settings))
    out.file.flush()


def _how_to_get_a_token(settings: Settings) -> str:
    from memwarden.server.verification import is_development

    if not is_development(settings):
        return f"Tokens come from {settings.server_issuer}."
    same = " --url URL" if settings.database_url else ""
    if settings.data_dir and not same:
        same = f" --data-dir {settings.data_dir}"
    return f"Get a token with: memwarden token --tenant TENANT --user USER{same}"


def _require_an_issuer_for(host: str, settings: Settings) -> None:
    from memwarden.server.options import is_loopback
    from memwarden.server.verification import is_development

    if is_development(settings) and not is_loopback(host):
        raise ConfigurationError(
            "With development tokens the server listens on 127.0.0.1 alone; set MEMWARDEN_SERVER_ISSUER and its keys to listen elsewhere."
        )


def _roles(names: list[str]) -> list[Role]:
    from memwarden.server.caller import Role

    for name in names:
        if name not in set(Role):
            raise typer.BadParameter(f"a role is {_ROLES}", param_hint="--role")
    return [Role(name) for name in names]


def _require_the_extra() -> None:
    if any(find_spec(name) is None for name in ("fastapi", "structlog", "uvicorn", "prometheus_client")):
        raise ConfigurationError("The server is an extra: pip install 'memwarden[server]'.")
