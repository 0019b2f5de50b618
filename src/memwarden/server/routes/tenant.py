"""What concerns a tenant, for its auditors and administrators: the log, legal holds, erasure as a whole."""

from __future__ import annotations

from fastapi import APIRouter

from memwarden.errors import InvalidInputError
from memwarden.memory.erase_tenant import TENANT_ITSELF
from memwarden.memory.user import UserMemory
from memwarden.server.access import Auditor, Opened, TenantAdmin, TenantsUser
from memwarden.server.pages import MOST, Page, Paged, Paging
from memwarden.server.representations.audit_event import AuditEvent
from memwarden.server.representations.erasure import ForgetTenant, TenantErasure
from memwarden.server.representations.form import RecordId
from memwarden.server.representations.hold import LegalHold, ToHold

router = APIRouter(prefix="/v1/tenant", tags=["tenant"])


@router.get("/audit")
async def tenant_events(caller: Auditor, memwarden: Opened, paging: Paged) -> Page[AuditEvent]:
    """List what was done with the tenant as a whole, newest first."""
    return await _events(memwarden.user(caller.tenant_id, TENANT_ITSELF), paging)


@router.get("/users/{user_id}/audit")
async def users_events(
    caller: Auditor, user_id: TenantsUser, memwarden: Opened, paging: Paged
) -> Page[AuditEvent]:
    """List what was done with a user's memory, newest first."""
    return await _events(memwarden.user(caller.tenant_id, user_id), paging)


@router.get("/users/{user_id}/holds")
async def list_holds(
    caller: TenantAdmin, user_id: TenantsUser, memwarden: Opened, paging: Paged
) -> Page[LegalHold]:
    """List the legal holds on a user, newest first."""
    rows = await memwarden.user(caller.tenant_id, user_id).holds(limit=MOST)
    return paging.page(rows, lambda hold: hold.id, LegalHold.model_validate)


@router.post("/users/{user_id}/holds", status_code=201)
async def place_hold(
    asked: ToHold, caller: TenantAdmin, user_id: TenantsUser, memwarden: Opened
) -> LegalHold:
    """Place a legal hold: nothing of the user's is lost while it stands, or seen again."""
    return LegalHold.model_validate(await memwarden.user(caller.tenant_id, user_id).hold(asked.reference))


@router.delete("/users/{user_id}/holds/{hold_id}")
async def release_hold(
    hold_id: RecordId, caller: TenantAdmin, user_id: TenantsUser, memwarden: Opened
) -> LegalHold:
    """End a legal hold, and erase what only it kept."""
    return LegalHold.model_validate(await memwarden.user(caller.tenant_id, user_id).release(hold_id))


@router.get("/erasures")
async def list_erasures(caller: TenantAdmin, memwarden: Opened, paging: Paged) -> Page[TenantErasure]:
    """List the erasures of the whole tenant, newest first."""
    rows = await memwarden.tenant_erasures(caller.tenant_id)
    return paging.page(rows, lambda erasure: erasure.id, TenantErasure.model_validate)


@router.post("/erasures", status_code=201)
async def erase(asked: ForgetTenant, caller: TenantAdmin, memwarden: Opened) -> TenantErasure:
    """Remove everything about every user of the caller's tenant; safe to ask for again where it was cut short."""
    if asked.tenant_id != caller.tenant_id:
        raise InvalidInputError("Name your own tenant, to say that you mean it.")
    return TenantErasure.model_validate(await memwarden.erase_tenant(caller.tenant_id))


async def _events(memory: UserMemory, paging: Paging) -> Page[AuditEvent]:
    rows = await memory.audit(limit=MOST)
    return paging.page(rows, lambda event: event.id, AuditEvent.model_validate)
