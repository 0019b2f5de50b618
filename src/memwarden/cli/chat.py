"""`memwarden chat`: the helpdesk agent, line by line, from a terminal or a pipe."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

from anyio.from_thread import start_blocking_portal
from rich.console import Console
from rich.text import Text

from memwarden.cli import present
from memwarden.cli.conversation import Conversation, Turn, conversation
from memwarden.cli.running import silence_the_queue
from memwarden.errors import MemwardenError
from memwarden.jobs import work_in_background
from memwarden.memory.warden import Memwarden
from memwarden.model.audit import Action, AuditEvent
from memwarden.model.clock import system_clock
from memwarden.model.ids import new_id
from memwarden.settings import read_settings

HELP = """/memories /proposals  what is kept, what waits      /confirm ID  /decline ID   decide
/prompt               the memory section of the last prompt   /quit   leave
Answer "yes" or "no" right after a proposal to decide about it."""

_LOGGED = {
    Action.STORED: ("green", "stored"),
    Action.RENEWED: ("green", "known already, renewed"),
    Action.SUPERSEDED: ("dim", "superseded"),
    Action.PROPOSED: ("yellow", "proposed"),
    Action.REFUSED: ("red", "refused"),
    Action.CONFIRMED: ("green", "confirmed"),
    Action.DECLINED: ("dim", "declined"),
    Action.FORGOTTEN: ("dim", "forgotten"),
    Action.MERGED: ("dim", "merged"),
    Action.PURGED: ("dim", "purged"),
    Action.ERASED: ("dim", "erased"),
    Action.COMPLETED: ("dim", "erasure complete"),
    Action.HELD: ("yellow", "held"),
    Action.RELEASED: ("dim", "hold released"),
    Action.EXPORTED: ("dim", "exported"),
    Action.CONSENTED: ("green", "purpose agreed to"),
    Action.WITHDRAWN: ("dim", "consent withdrawn"),
    Action.SWITCHED_OFF: ("yellow", "switched off"),
    Action.SWITCHED_ON: ("green", "switched on"),
}


def run_chat(
    tenant: str,
    user: str,
    thread: str | None,
    *,
    url: str | None,
    data_dir: Path | None,
    out: Console,
    as_json: bool,
) -> None:
    """Talk until the input ends or "/quit".

    The conversation runs on an event loop in a thread of its own, so that Ctrl-C ends a wait for input at once.
    """
    thread_id = thread or new_id(system_clock())
    interactive = sys.stdin.isatty() and not as_json
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_talk(tenant, user, thread_id, url, data_dir)) as talk,
    ):
        if interactive:
            out.print(
                Text(f"Conversation {thread_id}. /help lists the commands, Ctrl-D ends it.", style="dim")
            )
        chat = Chat(talk, out, as_json)
        for line in _lines("you: " if interactive else ""):
            try:
                portal.call(chat.line, line)
            except MemwardenError as error:
                _complain(error)


@asynccontextmanager
async def _talk(
    tenant: str, user: str, thread_id: str, url: str | None, data_dir: Path | None
) -> AsyncIterator[Conversation]:
    settings = read_settings()
    silence_the_queue()
    embedded = url is None and (settings.database_url is None or data_dir is not None)
    async with (
        Memwarden.open(url, data_dir=data_dir) as memwarden,
        # Nobody else works for a server of ours.
        work_in_background(memwarden.dependencies) if embedded else nullcontext(),
        conversation(memwarden, memwarden.user(tenant, user), thread_id, settings.model) as talk,
    ):
        yield talk


def _lines(prompt: str) -> Iterator[str]:
    """Yield the lines that say something, until "/quit" or the end of the input."""
    while True:
        try:
            line = input(prompt).strip()
        except EOFError:
            return
        if line in ("/quit", "/exit"):
            return
        if line:
            yield line


def _complain(error: MemwardenError) -> None:
    console = Console(stderr=True, markup=False, highlight=False, soft_wrap=True)
    console.print(f"memwarden: {error}", style="red")


class Chat:
    """The state of one chat at the terminal: the memory section of the last prompt."""

    def __init__(self, talk: Conversation, out: Console, as_json: bool) -> None:
        self._talk = talk
        self._out = out
        self._as_json = as_json
        self._section = ""

    async def line(self, text: str) -> None:
        """Act on one line of input."""
        await (self._command(text) if text.startswith("/") else self._turn(text))

    async def _turn(self, text: str) -> None:
        turn = await self._talk.say(text)
        self._section = turn.section
        if self._as_json:
            self._out.out(json.dumps(present.as_json(turn), ensure_ascii=False), highlight=False)
            return
        self._out.print(Text("assistant: ", style="bold").append(turn.answer, style="none"))
        for line in memory_lines(turn):
            self._out.print(line)

    async def _command(self, text: str) -> None:
        name, _, argument = text[1:].partition(" ")
        user = self._talk.user
        match name:
            case "memories":
                self._out.print(present.memories_table(await user.memories()))
            case "proposals":
                self._out.print(present.proposals_table(await user.proposals()))
            case "confirm" | "decline":
                await self._decide(argument.strip(), keep=name == "confirm")
            case "prompt":
                self._out.print(Text(self._section or "The last prompt had no memory section."))
            case _:
                self._out.print(Text(HELP, style="dim"))

    async def _decide(self, proposal_id: str, *, keep: bool) -> None:
        if keep:
            record = await self._talk.user.confirm(proposal_id)
            self._out.print(
                Text("  memory: ", style="dim")
                .append("confirmed", style="green")
                .append(f"  {record.content}")
            )
        else:
            await self._talk.user.decline(proposal_id)
            self._out.print(Text("  memory: declined; nothing of it is kept", style="dim"))


def memory_lines(turn: Turn) -> list[Text]:
    """Return a line for each thing memory did in a turn: what, about what, and why."""
    lines = [_event_line(event, turn) for event in turn.events]
    if turn.erasure is not None:
        lines.append(Text("  memory: ", style="dim").append(present.erasure(turn.erasure)))
    return lines


def _event_line(event: AuditEvent, turn: Turn) -> Text:
    colour, name = _LOGGED[event.action]
    line = Text("  memory: ", style="dim").append(name, style=colour)
    about: dict[str, str] = {record.id: _labelled(record.key, record.content) for record in turn.memories}
    about |= {proposal.id: _labelled(proposal.key, proposal.content) for proposal in turn.proposals}
    if event.record_id is not None:
        line.append(f"  {about.get(event.record_id, event.record_id)}")
    source = next((record.source.value for record in turn.memories if record.id == event.record_id), None)
    if source is not None:
        line.append(f"  [{source}]", style="dim")
    if event.reasons:
        line.append(f"  [{', '.join(event.reasons)}]", style="dim")
    return line


def _labelled(key: str | None, content: str) -> str:
    return f"{key}: {content}" if key else content
