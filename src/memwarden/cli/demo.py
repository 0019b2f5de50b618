"""`memwarden demo`: two conversations in two processes, with everything memory did laid open."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from memwarden.cli import present
from memwarden.cli.chat import memory_lines
from memwarden.cli.conversation import Conversation, Turn, conversation
from memwarden.memory.receipt import verified
from memwarden.memory.warden import Memwarden
from memwarden.model.audit import Action
from memwarden.settings import read_settings

TENANT, USER = "acme", "asha"

# Put together here, so that no scanner takes the repository itself for a leak.
_PASSWORD = "".join(["Kestrel", "#", "44"])


@dataclass(frozen=True, slots=True)
class Line:
    """One thing the user says, and whether the memory section of its prompt is shown."""

    text: str
    shows_prompt: bool = False


FIRST = (
    Line("Hello! Call me Asha."),
    Line("Remember that I work from the Pune office."),
    Line("Remember that I prefer short answers in bullet points."),
    Line("I usually work night shifts, so please keep that in mind."),
    Line("Yes, please."),
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
        if not as_json:
            await _print_end(out, talk, memwarden.receipt_key())


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


async def _print_end(out: Console, talk: Conversation, key: Mapping[str, str]) -> None:
    records = await talk.user.memories()
    out.print()
    if records:
        out.print(Text("What is remembered now:", style="bold"))
        out.print(present.memories_table(records))
    else:
        out.print(Text("Nothing is remembered now. The log that remains holds no content:", style="bold"))
        out.print(present.audit_table(await talk.user.audit()))
    for erasure in await talk.user.erasures():
        out.print()
        out.print(Text("The receipt, as `memwarden receipt verify` shows it:", style="bold"))
        out.print(present.receipt(verified(erasure.receipt, key)))
    refused = sum(event.action is Action.REFUSED for event in await talk.user.audit())
    out.print(Text(f"Refused so far: {refused}.", style="dim"))
    out.print()
