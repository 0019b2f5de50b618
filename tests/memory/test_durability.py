"""An acknowledged write is there after kill -9, and none is there twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter

import pytest

from memwarden import Memwarden
from tests.conftest import Addresses

WRITER = """
import asyncio, sys
from memwarden import Memwarden, Origin

def title(number):
    return "".join("aeioubdfgk"[int(digit)] for digit in f"{number:04d}")

async def main():
    async with Memwarden.open(sys.argv[1]) as memwarden:
        user = memwarden.user("acme", sys.argv[2])
        for number in range(1000):
            # Two writers at a time, so that a kill lands inside transactions as well as between them.
            results = await asyncio.gather(
                user.remember(f"I play the {title(number)} violin", origin=Origin.USER_TURN),
                user.remember(f"I play the {title(number)} flute", origin=Origin.USER_TURN),
            )
            for result in results:
                print(result.record.id, result.record.content, flush=True)

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("acknowledged", [1, 40, 333])
async def test_kill_9_in_the_middle_of_a_thousand_writes(
    addresses: Addresses, memwarden: Memwarden, acknowledged: int
) -> None:
    name = f"killed-{acknowledged}"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, addresses.app, name], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        seen = [writer.stdout.readline() for _ in range(acknowledged)]
        os.kill(writer.pid, signal.SIGKILL)
        seen += writer.stdout.readlines()
    told = dict(line.rstrip("\n").split(" ", 1) for line in seen if line.endswith("\n"))
    assert len(told) >= acknowledged

    kept = {record.id: record.content for record in await memwarden.user("acme", name).memories()}
    assert told.items() <= kept.items()
    assert len(kept) <= len(told) + 2  # at most the two that were under way
    assert max(Counter(kept.values()).values()) == 1
