"""`memwarden demo`: two conversations in two processes, with everything memory did laid open."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from memwarden.cli import present
from memwarden.cli.chat import asked_in, memory_lines
from memwarden.cli.conversation import Conversation, Turn, conversation
from memwarden.memory.warden import Memwarden
from memwarden.model.audit import Action
from memwarden.settings import read_settings

TENANT, USER = "acme", "asha"

# Put together here, so that no scanner takes the repository itself for a leak.
_PASSWORD = "".join(["Kestrel", "#", "44"])


@dataclass(frozen=True, slots=True)
class Line:
    """One thing the user says, and whether they say yes to what it makes the assistant propose."""

    text: str
    says_yes: bool = False
    shows_prompt: bool = False


FIRST = (
    Line("Hello! Call me Asha."),
    Line("Remember that I work from the Pune office."),
    Line("Remember that I prefer short answers in bullet points."),
    Line("I usually work night shifts, so please keep that in mind.", says_yes=True),
    Line(f"Remember that my VPN password is {_PASSWORD}"),
    Line("Remember that my manager already approved my laptop request."),
    Line("How many days of leave do I have left?"),
)

SECOND = (
    Line("Which public holidays are coming up?", shows_prompt=True),
    Line("Remember that I work from the Hyderabad office."),
    Line("And which public holidays are coming up now?", shows_prompt=True),
    Line("When would you schedule my onboarding call?"),
    Line("Forget that I prefer short answers in bullet points."),
    Line("Forget me."),
)

PARTS = (
    ("First conversation", "conversation-1", FIRST),
    ("Second conversation, in a new process", "conversation-2", SECOND),
)


def run_demo(data_dir: Path | None, *, as_json: bool) -> int:
    """Run each conversation in a process of its own on one data folder; return the first exit code that is not 0."""
    if data_dir is not None:
        return _run_parts(data_dir, as_json=as_json)
    with tempfile.TemporaryDirectory(prefix="memwarden-demo-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # as root, the server runs under another account and passes through
        return _run_parts(Path(folder) / "data", as_json=as_json)


def _run_parts(data_dir: Path, *, as_json: bool) -> int:
    for part in range(len(PARTS)):
        command = [
            sys.executable,
            "-m",
            "memwarden.cli",
            "demo",
            "--part",
            str(part),
            "--data-dir",
            str(data_dir),
        ]
        code = subprocess.call([*command, "--json"] if as_json else command)  # noqa: S603 - our own command
        if code != 0:
            return code
    return 0


async def run_part(part: int, data_dir: Path, out: Console, *, as_json: bool) -> None:
    """Hold one of the two conversations in this process, starting and stopping the embedded server."""
    title, thread_id, lines = PARTS[part]
    model = read_settings().model
    if not as_json:
        out.print(Rule(title, style="bold"))
        out.print(Text(_about_model(model), style="dim"))
    async with (
        Memwarden.open(data_dir=data_dir) as memwarden,
        conversation(memwarden, memwarden.user(TENANT, USER), thread_id, model) as talk,
    ):
        for line in lines:
            turn = await talk.say(line.text)
            if as_json:
                out.out(json.dumps(present.as_json(turn), ensure_ascii=False), highlight=False)
            else:
                _print_turn(out, turn, line)
            await _answer_proposal(out, talk, turn, line, as_json=as_json)
        if not as_json:
            await _print_end(out, talk)


def _about_model(model: str | None) -> str:
    if model is not None:
        return f"The assistant's part is played by {model}."
    return (
        "The assistant's part is played by fixed rules (examples/hr_helpdesk/scripted_model.py), not by a model; "
        "everything else is real. Set MEMWARDEN_MODEL=provider:name to use a model."
    )


def _print_turn(out: Console, turn: Turn, line: Line) -> None:
    out.print()
    out.print(Text("user:      ", style="bold cyan").append(turn.said, style="none"))
    out.print(
        Text("assistant: ", style="bold").append(turn.answer.replace("\n", "\n           "), style="none")
    )
    for happened in memory_lines(turn):
        out.print(happened)
    if line.shows_prompt:
        out.print(Text("  what the model saw of memory:", style="dim"))
        out.print(Text("\n".join(f"    {row}" for row in turn.section.splitlines()), style="dim"))


async def _answer_proposal(
    out: Console, talk: Conversation, turn: Turn, line: Line, *, as_json: bool
) -> None:
    proposal = asked_in(turn)
    if proposal is None:
        return
    if line.says_yes:
        record = await talk.user.confirm(proposal.id)
        happened = (
            Text("  memory: ", style="dim").append("stored", style="green").append(f"  {record.content}")
        )
        happened.append(f"  [{record.source.value}]", style="dim")
    else:
        await talk.user.decline(proposal.id)
        happened = Text("  memory: declined; nothing of it is kept", style="dim")
    if not as_json:
        out.print(
            Text("user:      ", style="bold cyan").append("Yes." if line.says_yes else "No.", style="none")
        )
        out.print(happened)


async def _print_end(out: Console, talk: Conversation) -> None:
    records = await talk.user.memories()
    out.print()
    if records:
        out.print(Text("What is remembered now:", style="bold"))
        out.print(present.memories_table(records))
    else:
        out.print(Text("Nothing is remembered now. The log that remains holds no content:", style="bold"))
        out.print(present.audit_table(await talk.user.audit()))
    refused = sum(event.action is Action.REFUSED for event in await talk.user.audit())
    out.print(Text(f"Refused so far: {refused}.", style="dim"))
    out.print()
