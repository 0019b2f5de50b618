"""Who is asking: what a verified token says, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ANYBODY = "*"
"""In the grant of a service: every user of its tenant."""


class Role(StrEnum):
    """What a caller may do; each one by itself, none includes another."""

    USER = "user"
    """Has a memory, and does with it what its owner may."""
    SERVICE = "service"
    """Acts for the users its token names, each request for one of them."""
    AUDITOR = "auditor"
    """Reads the content-free log of its tenant, and of each user in it."""
    TENANT_ADMIN = "tenant_admin"
    """Erases its tenant, and places and releases legal holds on its users."""
    OPERATOR = "operator"
    """Reads what is counted about the deployment: metrics and background work."""


@dataclass(frozen=True, slots=True)
class Caller:
    """One verified identity and, for a service, the user it acts for in this request.

    ``act_for`` are the users it was granted, `ANYBODY` for all of its tenant's; ``acting_for`` is one of them, or null.
    """

    tenant_id: str
    subject: str
    roles: frozenset[Role]
    act_for: frozenset[str] = frozenset()
    acting_for: str | None = None

    def may_act_for(self, user_id: str) -> bool:
        """Tell whether the token grants acting for a user of its tenant."""
        return Role.SERVICE in self.roles and (user_id in self.act_for or ANYBODY in self.act_for)

    @property
    def user_id(self) -> str | None:
        """Whose memory the request is about: the user acted for, or the caller who is a user; null for neither."""
        if self.acting_for is not None:
            return self.acting_for
        return self.subject if Role.USER in self.roles else None
