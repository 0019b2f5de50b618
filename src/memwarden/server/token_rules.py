"""What a token must say to be believed."""

from __future__ import annotations

from dataclasses import dataclass

from memwarden.errors import ConfigurationError

ASYMMETRIC = frozenset("RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 Ed448 EdDSA".split())
"""Signatures that only the issuer's private key can make; `none` and the HMACs are not among them, and cannot be."""


@dataclass(frozen=True, slots=True)
class ClaimNames:
    """Under which names a token has the tenant, the user, the roles, and the users a service may act for."""

    tenant: str = "tenant_id"
    user: str = "sub"
    roles: str = "roles"
    act_for: str = "act_for"


@dataclass(frozen=True, slots=True)
class TokenRules:
    """The one issuer, the one audience, the algorithms that count, and how many seconds clocks may differ."""

    issuer: str
    audience: str
    algorithms: tuple[str, ...]
    leeway_s: int = 30
    claims: ClaimNames = ClaimNames()

    def __post_init__(self) -> None:
        if not self.issuer or not self.audience:
            raise ConfigurationError("Tokens need an issuer and an audience to be checked against.")
        if not self.algorithms or not ASYMMETRIC.issuperset(self.algorithms):
            raise ConfigurationError(
                f"MEMWARDEN_SERVER_ALGORITHMS may name {', '.join(sorted(ASYMMETRIC))}, one or more of them and nothing else."
            )
