"""Erasing from wide rows: threads, that there was a user, and whatever a run that is under way would bring back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.wide import DIRECTORY, WideEngine
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.model.clock import Clock
from memwarden.model.erasure import Subject
from memwarden.model.ids import new_id
from memwarden.model.scope import Scope

KEPT_OUT = timedelta(days=30)
"""How long it is remembered that something was erased: longer than a run that began before it may take."""


class WideEraser:
    """Takes part in the erasures of users, conversations and tenants for checkpoints in wide rows."""

    name = "checkpoints"

    def __init__(self, engine: WideEngine, rows: WideRows, clock: Clock) -> None:
        self._engine = engine
        self._rows = rows
        self._clock = clock

    async def erase(self, subject: Subject) -> int:
        """Remove the subject's threads; return how many items there were."""
        removed = 0
        for scope in await self._scopes(subject):
            # The mark first: whoever writes after it looks at it while holding the turn of the thread.
            now = self._clock()
            mark = {keys.fence(subject.conversation_id): new_id(now).encode()}
            await self._rows.put(scope, "", [mark], now + KEPT_OUT)
            for thread_id in await self._threads(scope, subject):
                removed += await self._items(scope, thread_id)
                await self._engine.delete(scope, thread_id, now)
            if subject.conversation_id is None:
                await self._unmark(scope)
                await self._unlist(scope)
        return removed

    async def residue(self, subject: Subject) -> int:
        """Count what is there of the subject's threads."""
        return sum(
            [
                await self._items(scope, thread_id)
                for scope in await self._scopes(subject)
                for thread_id in await self._threads(scope, subject)
            ]
        )

    async def _unmark(self, scope: Scope) -> None:
        """Forget which conversations were erased; that of their user is heeded by whoever would heed those."""
        marks = await self._rows.keys(scope, "", *keys.all_of("e"))
        await self._rows.delete(scope, "", [mark for mark in marks if mark != keys.fence(None)])

    async def _unlist(self, scope: Scope) -> None:
        """Forget that there was a user, unless a thread began meanwhile: one is there before its user is listed."""
        tenant, user = Scope(scope.tenant_id, DIRECTORY), keys.user(scope.user_id)
        await self._rows.delete(tenant, "", [user])
        if await self._rows.threads(scope):
            await self._rows.put(tenant, "", [{user: scope.user_id.encode()}], None)

    async def _items(self, scope: Scope, thread_id: str) -> int:
        there = await self._rows.state(scope, thread_id) is not None
        return len(await self._rows.keys(scope, thread_id, "", keys.END)) + there

    async def _threads(self, scope: Scope, subject: Subject) -> Sequence[str]:
        if subject.conversation_id is not None:
            return [subject.conversation_id]
        return await self._rows.threads(scope)

    async def _scopes(self, subject: Subject) -> list[Scope]:
        if subject.user_id is not None:
            return [Scope(subject.tenant_id, subject.user_id)]
        found = await self._rows.scan(Scope(subject.tenant_id, DIRECTORY), "", *keys.all_of("u"))
        return [Scope(subject.tenant_id, data.decode()) for _, data in found]
