"""From a bearer token to a caller: a JSON Web Token (RFC 7519) is verified, then read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import cast

from joserfc import jws, jwt
from joserfc.errors import ExpiredTokenError, JoseError
from joserfc.jwt import JWTClaimsRegistry

from memwarden.errors import AuthenticationError, InvalidInputError
from memwarden.memory.erase_tenant import TENANT_ITSELF
from memwarden.model.scope import checked_name
from memwarden.server.caller import Caller, Role
from memwarden.server.key_set import MAX_KEY_ID, KeySource
from memwarden.server.token_rules import TokenRules

MAX_TOKEN = 8_192
_TYPES = frozenset({None, "JWT", "at+jwt", "application/at+jwt", "jwt"})
"""What kind of thing the issuer may have signed (RFC 8725, 3.11)."""
_UNREADABLE = "The token cannot be read as one of the issuer's."

Clock = Callable[[], datetime]


class TokenVerifier:
    """Verifies tokens of one issuer."""

    def __init__(self, keys: KeySource, rules: TokenRules, clock: Clock) -> None:
        self._keys, self._rules, self._clock = keys, rules, clock
        self._registry = jws.JWSRegistry(algorithms=rules.algorithms, strict_check_header=False)

    async def verify(self, token: str) -> Caller:
        """Return who the token says is asking; raise `AuthenticationError` unless all of it holds."""
        key = await self._keys.key(self._key_id(token))
        try:
            # The key's own kind and, where it names one, its algorithm must fit the token's as well.
            claims = jwt.decode(token, key, registry=self._registry).claims
            self._checks().validate(claims)
        except ExpiredTokenError as error:
            raise AuthenticationError("The token has expired.") from error
        except (JoseError, ValueError, TypeError, RecursionError) as error:
            raise AuthenticationError("The token does not verify.") from error
        return self._caller(claims)

    def _key_id(self, token: str) -> str:
        if len(token) > MAX_TOKEN or not token.isascii():
            raise AuthenticationError(_UNREADABLE)
        try:
            header = jws.extract_compact(token.encode("ascii"), None, self._registry).headers()
        except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise AuthenticationError(_UNREADABLE) from error
        key_id, algorithm, kind = header.get("kid"), header.get("alg"), header.get("typ")
        if algorithm not in self._rules.algorithms or "crit" in header or "b64" in header:
            raise AuthenticationError("The token is not signed in a way that is accepted here.")
        if not (kind is None or isinstance(kind, str)) or kind not in _TYPES:
            raise AuthenticationError("The token is of another kind than those that let somebody in.")
        if not isinstance(key_id, str) or not 0 < len(key_id) <= MAX_KEY_ID:
            raise AuthenticationError("The token does not name the key that it is signed with.")
        return key_id

    def _checks(self) -> JWTClaimsRegistry:
        return JWTClaimsRegistry(
            now=int(self._clock().timestamp()),
            leeway=self._rules.leeway_s,
            iss={"essential": True, "value": self._rules.issuer},
            aud={"essential": True, "value": self._rules.audience},
            exp={"essential": True},
            iat={"essential": True},
        )

    def _caller(self, claims: Mapping[str, object]) -> Caller:
        names = self._rules.claims
        return Caller(
            tenant_id=_name(claims.get(names.tenant), "tenant"),
            subject=_name(claims.get(names.user), "user"),
            roles=_roles(claims.get(names.roles)),
            act_for=_granted(claims.get(names.act_for)),
        )


def user_name(value: object) -> str:
    """Return what can name a user of a tenant; raise `InvalidInputError` for what cannot."""
    name = checked_name(cast("str", value), "user")
    if name == TENANT_ITSELF:
        raise InvalidInputError("This name is not a user's; it stands for the tenant itself.")
    return name


def _name(value: object, what: str) -> str:
    try:
        return user_name(value) if what == "user" else checked_name(cast("str", value), what)
    except InvalidInputError as error:
        raise AuthenticationError(f"The token does not name a {what}.") from error


def _roles(value: object) -> frozenset[Role]:
    given = value.split() if isinstance(value, str) else value
    if not isinstance(given, list):
        return frozenset()
    return frozenset(Role(name) for name in given if isinstance(name, str) and name in set(Role))


def _granted(value: object) -> frozenset[str]:
    return (
        frozenset(name for name in value if isinstance(name, str)) if isinstance(value, list) else frozenset()
    )
