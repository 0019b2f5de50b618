"""What a server lets pass: hosts, origins, sizes, rates and times."""

from __future__ import annotations

from dataclasses import dataclass

from memwarden.errors import ConfigurationError
from memwarden.server.comma_list import comma_list
from memwarden.settings import Settings

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """``hosts`` are the names clients may call the server by, without ports; ``origins`` the web pages that may use it.

    ``body_bytes`` is how long the body of a request may be; ``requests_per_minute`` counts for each caller in this
    process; ``request_timeout_s`` is how long an answer may take to begin.
    """

    hosts: tuple[str, ...] = LOOPBACK
    origins: tuple[str, ...] = ()
    body_bytes: int = 1_000_000
    requests_per_minute: int = 600
    request_timeout_s: float = 60.0


def server_options(settings: Settings, host: str) -> ServerOptions:
    """Return what the settings say, for a server that listens on ``host``.

    Raises `ConfigurationError` where nobody said by which name it is called, and for an origin that is none.
    """
    origins = comma_list(settings.server_origins)
    for origin in origins:
        if not origin.startswith(("https://", "http://")) or "*" in origin or origin.count("/") != 2:
            raise ConfigurationError(
                "MEMWARDEN_SERVER_ORIGINS lists origins in full, such as https://app.example.org, and no patterns."
            )
    return ServerOptions(
        hosts=_hosts(settings, host),
        origins=origins,
        body_bytes=settings.server_body_bytes,
        requests_per_minute=settings.server_requests_per_minute,
        request_timeout_s=settings.server_request_timeout_s,
    )


def _hosts(settings: Settings, host: str) -> tuple[str, ...]:
    named = tuple(name.lower() for name in comma_list(settings.server_hosts))
    if named:
        return named
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - it is looked for here, not listened on
        raise ConfigurationError(
            "A server that listens everywhere must know its names: set MEMWARDEN_SERVER_HOSTS to those clients call it by."
        )
    own = f"[{host}]" if ":" in host else host.lower()
    return (own, *LOOPBACK) if is_loopback(host) else (own,)


def is_loopback(host: str) -> bool:
    """Tell whether an address can be reached from this machine alone."""
    return host in ("127.0.0.1", "::1", "localhost")
