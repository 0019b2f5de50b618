"""The synchronous face is the asynchronous one, generated."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from memwarden import (
    Memwarden,
    Origin,
    Outcome,
    SyncMemwarden,
    SyncUserMemory,
    UserConversations,
    UserMemory,
)
from memwarden.memory.blocking import SyncUserConversations
from tests.conftest import Addresses


def test_it_does_what_the_asynchronous_one_does(addresses: Addresses) -> None:
    with Memwarden.open_sync(addresses.app) as memwarden:
        assert isinstance(memwarden, SyncMemwarden)
        user = memwarden.user("acme", "sync")
        assert user.remember("I live in Pune", origin=Origin.USER_TURN).outcome is Outcome.STORED
        proposed = user.propose(
            "Works night shifts", quote="I work night shifts", message="I work night shifts"
        )
        assert proposed.proposal is not None
        user.confirm(proposed.proposal.id)
        assert "Pune" in user.recall("Where do I live?").render()
        assert len(user.memories()) == 2
        assert user.forget_everything().residue == 0


@pytest.mark.parametrize(
    ("spoken", "generated"), [(UserMemory, SyncUserMemory), (UserConversations, SyncUserConversations)]
)
def test_every_public_verb_has_its_twin_with_the_same_arguments(spoken: type, generated: type) -> None:
    for name, verb in inspect.getmembers(spoken, inspect.isfunction):
        if name.startswith("_"):
            continue
        twin = getattr(generated, name)
        assert not inspect.iscoroutinefunction(twin)
        signature = inspect.signature(verb)
        if signature.return_annotation == "AbstractAsyncContextManager[None]":
            signature = signature.replace(return_annotation="AbstractContextManager[None]")
        assert inspect.signature(twin) == signature
        assert twin.__doc__ == verb.__doc__


def test_the_generated_file_is_up_to_date() -> None:
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "scripts/generate_blocking.py", "--check"], cwd=root, check=True)
