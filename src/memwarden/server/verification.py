"""From settings to what verifies tokens: an issuer, or without one the development key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from structlog.typing import FilteringBoundLogger

from memwarden.errors import ConfigurationError
from memwarden.model.clock import Clock
from memwarden.server.comma_list import comma_list
from memwarden.server.development_key import RULES, development_key
from memwarden.server.fetched_keys import FetchedKeys
from memwarden.server.key_set import FixedKeys, KeySource, keys_of_file
from memwarden.server.token_rules import ClaimNames, TokenRules
from memwarden.server.tokens import TokenVerifier
from memwarden.settings import Settings

_TIMEOUT_S = 5.0


@asynccontextmanager
async def token_verifier(
    settings: Settings, folder: Path, log: FilteringBoundLogger, clock: Clock
) -> AsyncIterator[TokenVerifier]:
    """Yield what verifies the tokens of the issuer that the settings name, or of the development key in ``folder``.

    Raises `ConfigurationError` when half an issuer is named: there is no falling back from one to the other.
    """
    if is_development(settings):
        key = development_key(folder)
        public = type(key).import_key(key.as_dict(private=False))
        yield TokenVerifier(FixedKeys({key.thumbprint(): public}), RULES, clock)
        return
    rules = issuer_rules(settings)
    async with httpx.AsyncClient(timeout=_TIMEOUT_S) as client:
        yield TokenVerifier(_issuer_keys(settings, client, log), rules, clock)


def is_development(settings: Settings) -> bool:
    """Tell whether nothing at all of an issuer is named."""
    named = (
        settings.server_issuer,
        settings.server_audience,
        settings.server_jwks_url,
        settings.server_jwks_file,
    )
    return not any(named)


def issuer_rules(settings: Settings) -> TokenRules:
    """Return what tokens of the configured issuer must say; raise `ConfigurationError` for half an issuer."""
    if not settings.server_issuer or not settings.server_audience:
        raise ConfigurationError(
            "Tokens of an issuer need both MEMWARDEN_SERVER_ISSUER and MEMWARDEN_SERVER_AUDIENCE."
        )
    return TokenRules(
        settings.server_issuer,
        settings.server_audience,
        comma_list(settings.server_algorithms),
        settings.server_leeway_s,
        ClaimNames(
            settings.server_tenant_claim,
            settings.server_user_claim,
            settings.server_roles_claim,
            settings.server_act_for_claim,
        ),
    )


def _issuer_keys(settings: Settings, client: httpx.AsyncClient, log: FilteringBoundLogger) -> KeySource:
    if (settings.server_jwks_url is None) is (settings.server_jwks_file is None):
        raise ConfigurationError(
            "The keys of the issuer come from MEMWARDEN_SERVER_JWKS_URL or MEMWARDEN_SERVER_JWKS_FILE; set one of them."
        )
    if settings.server_jwks_file is not None:
        return FixedKeys(keys_of_file(settings.server_jwks_file))
    return FetchedKeys(str(settings.server_jwks_url), client, log)
