"""A disk that fills up while memories are written: an error in our words, nothing half written, and it goes on after."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memwarden import Memwarden, Origin
from memwarden.errors import DatabaseError


@pytest.mark.slow
async def test_a_full_disk_loses_no_acknowledged_write(roots_mount: Callable[[str], Path]) -> None:
    folder = roots_mount("size=160m,mode=0755") / "data"
    acknowledged: list[str] = []
    async with Memwarden.open(data_dir=folder) as memwarden:
        user = memwarden.user("acme", "asha")
        ballast = folder.parent / "ballast"
        first = await user.remember("I live in Pune", origin=Origin.USER_TURN)
        assert first.record is not None
        acknowledged.append(first.record.id)
        with ballast.open("wb") as file, pytest.raises(OSError, match="space"):
            while True:
                file.write(b"\0" * 65536)
                file.flush()
        with pytest.raises(DatabaseError):
            for number in range(100_000):
                result = await user.remember(f"I like {spelt(number)}", origin=Origin.USER_TURN)
                assert result.record is not None
                acknowledged.append(result.record.id)
        ballast.unlink()
    async with Memwarden.open(data_dir=folder) as memwarden:
        user = memwarden.user("acme", "asha")
        kept = [record.id for record in await user.memories()]
        assert set(acknowledged) <= set(kept)
        assert len(kept) <= len(acknowledged) + 1
        assert (await user.remember("I have two cats", origin=Origin.USER_TURN)).record is not None


def spelt(number: int) -> str:
    """Return a made-up word for a number; a memory with digits would be asked about."""
    return "novels by A" + "".join("aeioubdfgk"[int(digit)] for digit in f"{number:06d}")
