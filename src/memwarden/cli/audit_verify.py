"""`memwarden audit verify`: the audit log as its owner sees it, link by link."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pydantic import SecretStr

from memwarden.db.audit_chain import Chain, verify
from memwarden.memory.opening import owner_dsn
from memwarden.settings import Settings, read_settings


async def verified(tenant: str | None, url: str | None, data_dir: Path | None) -> list[Chain]:
    """Return what is found of every tenant's chain, or of one tenant's."""
    async with owner_dsn(_settings(url, data_dir)) as dsn:
        return await asyncio.to_thread(lambda: list(verify(dsn, tenant)))


def _settings(url: str | None, data_dir: Path | None) -> Settings:
    settings = read_settings()
    if url is not None:
        return settings.model_copy(update={"migration_url": SecretStr(url)})
    if data_dir is not None:
        return settings.model_copy(update={"migration_url": None, "database_url": None, "data_dir": data_dir})
    return settings
