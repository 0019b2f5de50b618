"""What a route may have: the memory of whom the request is about, or a role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, cast

from fastapi import Depends, Path, Request

from memwarden.errors import InvalidInputError, NotFoundError
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.server.authentication import caller_of
from memwarden.server.caller import Caller, Role
from memwarden.server.problems import ProblemError, forbidden, unauthenticated
from memwarden.server.tokens import user_name


def verified_caller(request: Request) -> Caller:
    """Return who is asking; a request that came here without a verified token ends here, whatever let it in."""
    caller = caller_of(request.scope)
    if caller is None:
        raise ProblemError(unauthenticated("This needs a bearer token.", invalid=False))
    return caller


Verified = Annotated[Caller, Depends(verified_caller)]


def opened_memory(request: Request) -> Memwarden:
    """Return the opened memory that the application serves."""
    return cast("Memwarden", request.app.state.memwarden)


Opened = Annotated[Memwarden, Depends(opened_memory)]


def own_memory(caller: Verified, memwarden: Opened) -> UserMemory:
    """Return the memory of the user who asks, or for whom a service does."""
    user_id = caller.user_id
    if user_id is None:
        raise ProblemError(forbidden("The token is no user's, and names nobody that it acts for."))
    return memwarden.user(caller.tenant_id, user_id)


OwnMemory = Annotated[UserMemory, Depends(own_memory)]


def having(role: Role) -> Callable[[Caller], Caller]:
    """Return a dependency that lets only callers with ``role`` through."""

    def checked(caller: Verified) -> Caller:
        if role not in caller.roles:
            raise ProblemError(forbidden(f"This needs the role {role.value}."))
        return caller

    return checked


Auditor = Annotated[Caller, Depends(having(Role.AUDITOR))]
TenantAdmin = Annotated[Caller, Depends(having(Role.TENANT_ADMIN))]
Operator = Annotated[Caller, Depends(having(Role.OPERATOR))]


def tenants_user(user_id: Annotated[str, Path(description="A user of the caller's own tenant.")]) -> str:
    """Return the user that an address names, who is looked for in the caller's own tenant alone."""
    try:
        return user_name(user_id)
    except InvalidInputError as error:
        raise NotFoundError("No such user.") from error


TenantsUser = Annotated[str, Depends(tenants_user)]
