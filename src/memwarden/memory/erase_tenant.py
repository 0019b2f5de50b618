"""Erase a whole tenant: every user in it, then the stores that keep something of the tenant itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memwarden.db import tenant_erasure
from memwarden.errors import NotFoundError
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import BY_THE_SYSTEM, ROWS, erase_user, reach, state_of
from memwarden.memory.keep import log
from memwarden.memory.receipt import Receipt, scope_of_subject, signed, subject_hash
from memwarden.model.audit import Action
from memwarden.model.erasure import ErasureState, StoreReport, Subject, TenantErasure
from memwarden.model.ids import is_id, new_id
from memwarden.model.scope import Scope

TENANT_ITSELF = "memwarden:tenant"
"""The user under whom the log has what concerns a tenant as a whole."""

BATCH = 200


Told = Callable[[str], None]
"""Is told of each user who was erased."""


def tell_nobody(user_id: str) -> None:
    """Keep it to oneself."""


async def erase_tenant(deps: Dependencies, tenant_id: str, told: Told = tell_nobody) -> TenantErasure:
    """Remove everything about every user of a tenant; each gets an erasure and a receipt of their own.

    Nobody's write that began before comes after it. Raises what the database raises; what was done until then stays
    done, and `finish_tenant` goes on from there.
    """
    scope = Scope(tenant_id, TENANT_ITSELF)
    async with deps.database.transaction(scope) as tx:
        now = deps.clock()
        erasure_id = new_id(now)
        await tenant_erasure.begin(tx, erasure_id, now)
        await log(tx, scope, now, Action.ERASED, BY_THE_SYSTEM, erasure_id)
    return await finish_tenant(deps, tenant_id, erasure_id, told)


async def finish_tenant(
    deps: Dependencies, tenant_id: str, erasure_id: str, told: Told = tell_nobody
) -> TenantErasure:
    """Go on with the erasure of a tenant until nobody is left in it, and sign what came of it."""
    scope = Scope(tenant_id, TENANT_ITSELF)
    begun = await _get(deps, scope, erasure_id)
    if begun.state is ErasureState.COMPLETE:
        return begun
    await _erase_users(deps, scope, erasure_id, told)
    left = len(await tenant_erasure.users(deps.database, scope, BATCH))
    begun = await _get(deps, scope, erasure_id)
    known = {report.name: report for report in begun.stores}
    subject = Subject(tenant_id)
    stores = (StoreReport(ROWS, begun.users, left), *await reach(deps.erasers, subject, known))
    open_ = await tenant_erasure.open_erasures(deps.database, scope)
    done = _closed(deps, replace(begun, stores=stores), subject, open_)
    async with deps.database.transaction(scope) as tx:
        if await tenant_erasure.finish(tx, done) and done.state is ErasureState.COMPLETE:
            await log(tx, scope, deps.clock(), Action.COMPLETED, BY_THE_SYSTEM, erasure_id)
    return done


async def _erase_users(deps: Dependencies, scope: Scope, erasure_id: str, told: Told) -> None:
    """Erase user after user; whoever is found again although they were erased is left to the next attempt."""
    seen: set[str] = set()
    while fresh := set(await tenant_erasure.users(deps.database, scope, BATCH)) - seen:
        for user_id in sorted(fresh):
            await erase_user(deps, Scope(scope.tenant_id, user_id), BY_THE_SYSTEM)
            told(user_id)
        async with deps.database.transaction(scope) as tx:
            await tenant_erasure.count_users(tx, erasure_id, len(fresh))
        seen |= fresh


async def _get(deps: Dependencies, scope: Scope, erasure_id: str) -> TenantErasure:
    found = await tenant_erasure.get(deps.database, scope, erasure_id) if is_id(erasure_id) else None
    if found is None:
        raise NotFoundError("No such erasure of this tenant; list them to see their ids.")
    return found


def _closed(
    deps: Dependencies, erasure: TenantErasure, subject: Subject, open_erasures: dict[ErasureState, int]
) -> TenantErasure:
    now = deps.clock()
    state = state_of(erasure.stores, open_erasures.get(ErasureState.HELD, 0))
    if open_erasures.keys() - {ErasureState.HELD}:
        state = ErasureState.INCOMPLETE
    receipt = Receipt(
        id=erasure.id,
        scope=scope_of_subject(subject),
        subject=subject_hash(erasure.id, subject),
        ordered_at=erasure.at,
        signed_at=now,
        state=state,
        removed={"users": erasure.users},
        stores=erasure.stores,
        withheld=open_erasures.get(ErasureState.HELD, 0),
    )
    return replace(
        erasure,
        state=state,
        residue=receipt.residue,
        receipt=signed(receipt, deps.keys.receipt),
        completed_at=now if state is ErasureState.COMPLETE else None,
    )
