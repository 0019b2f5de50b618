"""Each command, as a person or a program uses it."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run, run_memwarden
from tests.conftest import Addresses

pytestmark = pytest.mark.slow
"""Each test starts processes of its own."""

PASSWORD = "hunter" + "2"


@pytest.mark.slow
def test_remember_list_recall_correct_and_forget(run: Run) -> None:
    stored = run("remember", "I live in Pune", "--json")
    assert stored.code == 0
    record = stored.json()["record"]
    assert stored.json()["outcome"] == "stored"
    assert record["key"] == "location"
    assert record["scope"]["tenant_id"] == "acme"

    listed = run("memories")
    assert listed.code == 0
    assert record["id"] in listed.out
    assert "Pune" in listed.out
    assert "\x1b" not in listed.out

    recalled = run("recall", "Where do I live?")
    assert recalled.out.startswith("<user_memory>\n")
    assert "Pune" in recalled.out

    corrected = run("correct", record["id"], "Mumbai", "--json")
    assert corrected.code == 0
    assert corrected.json()["superseded"] == [record["id"]]

    forgotten = run("forget", corrected.json()["record"]["id"], "--json")
    assert len(forgotten.json()["forgotten"]) == 2
    assert run("memories", "--json").json() == []


def test_a_refusal_has_its_own_exit_code_and_repeats_nothing(run: Run) -> None:
    refused = run("remember", f"My password is {PASSWORD}")
    assert refused.code == 3
    assert "refused" in refused.out
    assert "[secret]" in refused.out
    assert PASSWORD not in refused.out + refused.err
    events = run("audit", "--json").json()
    assert [event["action"] for event in events] == ["refused"]


@pytest.mark.slow
def test_a_proposal_is_listed_confirmed_and_declined(run: Run) -> None:
    odd = "Blue pencils, second drawer"
    asked = run("remember", odd, "--json").json()
    assert asked["outcome"] == "proposed"
    proposal = asked["proposal"]["id"]
    assert proposal in run("proposals").out
    assert run("confirm", proposal, "--json").json()["source"] == "user_confirmed"
    again = run("confirm", proposal)
    assert again.code == 1
    assert again.err == "memwarden: This proposal was already confirmed.\n"
    second = run("remember", odd + " on the left", "--json").json()["proposal"]["id"]
    assert run("decline", second).code == 0
    assert run("proposals", "--json").json() == []


@pytest.mark.slow
def test_forget_everything_says_what_went(run: Run) -> None:
    run("remember", "I live in Pune")
    erased = run("forget", "--everything")
    assert erased.code == 0
    assert "memory 1" in erased.out
    assert "second look: 0" in erased.out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("forget",), 2, "--everything"),
        (("forget", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "--everything"), 2, "--everything"),
        (("forget", "nonsense"), 1, "No such memory"),
        (("confirm", "nonsense"), 1, "list them"),
        (("remember", "  "), 1, "empty"),
        (("remember", "x", "--origin", "nowhere"), 2, "nowhere"),
        (("recall", "x", "--limit", "99"), 1, "0 to 50"),
        (("nonsense",), 2, "No such command"),
    ],
)
def test_a_mistake_is_one_sentence_and_no_stack_trace(
    run: Run, arguments: tuple[str, ...], code: int, says: str
) -> None:
    done = run(*arguments)
    assert done.code == code
    assert says in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"MEMWARDEN_DATABASE_URL": "postgresql://u:topsecret@127.0.0.1:1/x"}, "No PostgreSQL answers"),
        ({"MEMWARDEN_DATABASE_URL": "topsecret"}, "cannot be read"),
        ({"MEMWARDEN_POOL_MAX_SIZE": "topsecret"}, "MEMWARDEN_POOL_MAX_SIZE"),
        ({"MEMWARDEN_DATA_DIR": "/dev/null/x"}, "folder"),
    ],
)
def test_a_wrong_setting_is_one_sentence_without_its_value(environment: dict[str, str], says: str) -> None:
    done = run_memwarden("memories", "--tenant", "acme", "--user", "asha", **environment)
    assert done.code == 1
    assert says in done.err
    assert "topsecret" not in done.err
    assert "Traceback" not in done.err
    assert done.err.count("\n") == 1


def test_doctor_says_what_is_right(addresses: Addresses) -> None:
    done = run_memwarden("doctor", "--url", addresses.app)
    assert done.code == 0, done.out + done.err
    assert done.out.count("ok ") == 4
    assert "384 dimensions" in done.out


def test_doctor_explains_a_role_that_is_too_strong(addresses: Addresses) -> None:
    done = run_memwarden("doctor", "--url", addresses.admin, "--json")
    assert done.code == 1
    (wrong,) = [finding for finding in done.json() if not finding["ok"]]
    assert wrong["what"] == "UnsafeRoleError"
    assert "superuser" in wrong["advice"]


@pytest.mark.slow
def test_migrate_needs_an_address_and_is_idempotent(addresses: Addresses) -> None:
    assert run_memwarden("migrate").code == 2
    done = run_memwarden("migrate", "--json", MEMWARDEN_MIGRATION_URL=addresses.admin)
    assert done.code == 0, done.err
    assert done.json()["role"] == "memwarden_app"


@pytest.mark.parametrize(
    "command",
    "audit chat confirm correct decline demo doctor forget guard memories migrate proposals recall reembed remember".split(),
)
def test_every_command_explains_itself(command: str) -> None:
    from typer.testing import CliRunner

    from memwarden.cli.app import app

    done = CliRunner().invoke(app, [command, "--help"])
    assert done.exit_code == 0
    assert "Usage:" in done.output
    if command != "chat":
        assert "--json" in done.output


@pytest.mark.slow
def test_consent_is_granted_withdrawn_and_listed(run: Run) -> None:
    assert run("consents").out == "No decision was recorded.\n"
    run("remember", "I play the violin")
    purpose = run("memories", "--json").json()[0]["purpose"]
    granted = run("grant", purpose, "--notice", "2026-12", "--json").json()
    assert (granted["purpose"], granted["granted"], granted["notice"]) == (purpose, True, "2026-12")
    withdrawn = run("withdraw", purpose, "--erase")
    assert withdrawn.out == f"Withdrawn: {purpose}. 1 records were emptied.\n"
    assert run("memories", "--json").json() == []
    listed = run("consents")
    assert "agreed" in listed.out
    assert "withdrawn" in listed.out
    assert "everywhere" in listed.out


@pytest.mark.slow
def test_memory_is_switched_off_and_on(run: Run) -> None:
    run("remember", "I live in Pune")
    assert run("switch", "off").out == "Memory is off. Nothing was emptied.\n"
    assert "Pune" not in run("recall", "Where do I live?").out
    refused = run("remember", "I keep bees", "--json")
    assert refused.code == 3
    assert refused.json()["reasons"] == ["no_consent"]
    assert run("switch", "on").out == "Memory is on.\n"
    assert "Pune" in run("recall", "Where do I live?").out


@pytest.mark.slow
def test_the_audit_log_is_verified_as_its_owner(run: Run, addresses: Addresses) -> None:
    run("remember", "I live in Pune")
    done = run_memwarden("audit", "verify", "--url", addresses.admin, "--tenant", "acme", "--json")
    assert done.code == 0
    chain = done.json()[0]
    assert (chain["tenant_id"], chain["faults"]) == ("acme", [])
    assert chain["events"] >= 1
    shown = run_memwarden("audit", "verify", "--url", addresses.admin)
    assert "whole" in shown.out
