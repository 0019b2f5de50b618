"""`memwarden chat` from a pipe, and the demo as a newcomer sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run_memwarden
from tests.conftest import Addresses

PASSWORD = "hunter" + "2"


@pytest.mark.slow
def test_chat_from_a_pipe(run: Run) -> None:
    lines = [
        "Call me Asha",
        "I usually work night shifts, so keep that in mind.",
        "yes",
        f"Remember that my password is {PASSWORD}",
        "When would you schedule a call?",
        "/memories",
        "/prompt",
        "/confirm nonsense",
        "/quit",
        "never read",
    ]
    done = run("chat", stdin="\n".join(lines))
    assert done.code == 0, done.err
    assert "memory: stored  name: Wants to be called Asha" in done.out
    assert "memory: confirmed" in done.out
    assert "memory: refused  [secret]" in done.out
    assert PASSWORD not in done.out
    assert "because of what you told me" in done.out
    assert "<user_memory>" in done.out
    assert done.err == "memwarden: No such memory or proposal; list them to see their ids.\n"


@pytest.mark.slow
def test_a_conversation_goes_on_where_it_stopped(run: Run) -> None:
    first = run(
        "chat", "--conversation", "c1", "--json", stdin="Remember that I work from the Pune office.\n"
    )
    assert first.code == 0, first.err
    second = run("chat", "--conversation", "c1", "--json", stdin="Which public holidays are coming up?\n")
    turn = json.loads(second.out)
    assert "Shivaji Jayanti" in turn["answer"]
    assert "Pune" in turn["section"]


@pytest.mark.slow
def test_forget_me_in_a_chat_leaves_nothing(run: Run) -> None:
    done = run("chat", stdin="Remember that I live in Pune\nForget me.\n/memories\n")
    assert done.code == 0, done.err
    assert "memory: Removed: memory 1" in done.out
    assert "second look: 0" in done.out
    erased = run("forget", "--everything", "--json").json()
    assert erased["removed"] == dict.fromkeys(erased["removed"], 0)


@pytest.mark.slow
def test_an_unknown_model_is_one_sentence(addresses: Addresses) -> None:
    done = run_memwarden(
        "chat",
        "--tenant",
        "acme",
        "--user",
        "asha",
        stdin="Hello\n",
        MEMWARDEN_DATABASE_URL=addresses.app,
        MEMWARDEN_MODEL="nobody:nothing",
    )
    assert done.code == 1
    assert "MEMWARDEN_MODEL" in done.err
    assert "Traceback" not in done.err


@pytest.mark.slow
def test_the_demo_tells_the_whole_story(tmp_path: Path) -> None:
    done = run_memwarden("demo", HOME=str(tmp_path))
    assert done.code == 0, done.err
    for told in (
        "First conversation",
        "Second conversation, in a new process",
        "memory: stored  name: Wants to be called Asha",
        "memory: proposed",
        "memory: refused  [secret]",
        "memory: refused  [permission]",
        "what the model saw of memory",
        "<user_memory>",
        "memory: superseded",
        "memory: forgotten",
        "Found by a second look: 0",
        "Nothing is remembered now.",
    ):
        assert told in done.out, told
    assert done.err == ""


@pytest.mark.slow
def test_the_demo_in_json_keeps_its_data_where_it_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    done = run_memwarden("demo", "--json", "--data-dir", str(folder))
    assert done.code == 0, done.err
    turns = [json.loads(line) for line in done.out.splitlines()]
    assert len(turns) == 14
    assert turns[-1]["erasure"]["residue"] == 0
    left = run_memwarden(
        "memories", "--tenant", "acme", "--user", "asha", "--json", "--data-dir", str(folder)
    )
    assert left.json() == []
