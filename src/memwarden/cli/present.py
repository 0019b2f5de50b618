"""What a person sees in a terminal, and what a program reads from it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from memwarden.db.audit_chain import Chain
from memwarden.memory.consent import Decided
from memwarden.memory.export import Exported
from memwarden.memory.recall import Recall
from memwarden.memory.receipt import Receipt
from memwarden.model.audit import AuditEvent
from memwarden.model.consent import MEMORY, Consent
from memwarden.model.erasure import Erasure, ErasureState, StoreReport, TenantErasure
from memwarden.model.hold import LegalHold
from memwarden.model.outcome import Outcome, Remembered
from memwarden.model.proposal import Proposal
from memwarden.model.record import Json, MemoryRecord
from memwarden.model.trace import ReadTrace, Why

if TYPE_CHECKING:
    from memwarden.jobs.state import WorkState

_COLOURS = {Outcome.STORED: "green", Outcome.PROPOSED: "yellow", Outcome.REFUSED: "red"}


def as_json(value: object) -> Json:
    """Return a value of the model as plain JSON: records as objects, instants in ISO 8601, enums by value."""
    if isinstance(value, Enum):
        return as_json(value.value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, PurePath):
        return str(value)
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [as_json(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def print_json(console: Console, value: object) -> None:
    """Print one JSON document, unwrapped and uncoloured."""
    console.out(json.dumps(as_json(value), ensure_ascii=False, indent=2), highlight=False)


def decision(result: Remembered) -> Text:
    """Return a decision as one line: what became of it, what is kept, and why."""
    text = Text(result.outcome.value, style=_COLOURS[result.outcome])
    if result.renewed:
        text.append(" (known already, renewed)", style="dim")
    if (kept := result.record or result.proposal) is not None:
        text.append(f"  {kept.id}  ", style="dim")
        text.append(f"{kept.key}: " if kept.key else "", style="bold")
        text.append(_shown(kept.content), style="none")
    if result.reasons:
        text.append(f"  [{', '.join(reason.value for reason in result.reasons)}]", style="dim")
    if result.superseded:
        text.append(f"  replaces {', '.join(result.superseded)}", style="dim")
    text.append(f"\n{result.explanation}", style="dim")
    return text


def memories_table(records: Sequence[MemoryRecord]) -> Table:
    """Return the table of what is remembered."""
    table = _table("id", "slot", "remembered", "source", "expires")
    for record in records:
        table.add_row(
            record.id,
            record.key or "",
            Text(_shown(record.content)),
            record.source.value,
            _day(record.expires_at),
        )
    return table


def proposals_table(proposals: Sequence[Proposal]) -> Table:
    """Return the table of what waits for the user's yes."""
    table = _table("id", "slot", "would be remembered", "asked because", "waits until")
    for proposal in proposals:
        table.add_row(
            proposal.id,
            proposal.key or "",
            Text(_shown(proposal.content)),
            ", ".join(proposal.reasons),
            _day(proposal.expires_at),
        )
    return table


def consents_table(consents: Sequence[Consent]) -> Table:
    """Return decisions about purposes as a table."""
    table = _table("when", "purpose", "decision", "notice", "where")
    for consent in consents:
        table.add_row(
            f"{consent.at:%Y-%m-%d %H:%M}",
            consent.purpose,
            "agreed" if consent.granted else "withdrawn",
            consent.notice or "-",
            consent.conversation_id or "everywhere",
        )
    return table


def decided(decision: Decided) -> Text:
    """Return one line about a withdrawal."""
    what = "Memory is off" if decision.consent.purpose == MEMORY else f"Withdrawn: {decision.consent.purpose}"
    emptied = len(decision.erased)
    return Text(f"{what}. " + (f"{emptied} records were emptied." if emptied else "Nothing was emptied."))


def chains_table(chains: Sequence[Chain]) -> Table:
    """Return what was found of each tenant's audit log as a table."""
    table = _table("tenant", "events", "before the chain", "head", "found")
    for chain in chains:
        faults = ", ".join(f"{fault.what} at {fault.place}" for fault in chain.faults[:5])
        more = f" and {len(chain.faults) - 5} more" if len(chain.faults) > 5 else ""
        table.add_row(
            chain.tenant_id,
            f"{chain.events:,}",
            f"{chain.unchained:,}",
            chain.head[:16],
            Text(faults + more, style="red") if faults else Text("whole", style="green"),
        )
    return table


def audit_table(events: Sequence[AuditEvent]) -> Table:
    """Return the table of the log, newest first."""
    table = _table("at", "who", "what", "words from", "reasons", "about")
    for event in events:
        table.add_row(
            f"{event.at:%Y-%m-%d %H:%M:%S}",
            event.actor.value,
            event.action.value,
            event.origin,
            ", ".join(event.reasons),
            event.record_id or "",
        )
    return table


def recalled(recall: Recall) -> Text:
    """Return the memory section as the model would see it."""
    return Text(recall.render() or "Nothing is remembered that bears on this.")


_STATES = {
    ErasureState.COMPLETE: ("complete", "green"),
    ErasureState.HELD: ("complete but for what a legal hold keeps out of sight", "yellow"),
    ErasureState.INCOMPLETE: ("incomplete; it is tried again by the worker", "red"),
    ErasureState.UNFINISHED: ("not finished yet", "yellow"),
}


def erasure(result: Erasure) -> Text:
    """Return what an erasure removed, and how far it has come."""
    counts = ", ".join(f"{table} {count}" for table, count in result.removed.items())
    text = Text(f"Removed: {counts}.\nFound by a second look: {result.residue}.")
    _append_state(text, result.state, result.stores)
    if result.withheld:
        text.append(f"\nA legal hold keeps {result.withheld} rows out of sight.")
    return text.append(f"\nErasure {result.id}; `memwarden receipt show` prints its receipt.", style="dim")


def tenant_erasure(result: TenantErasure) -> Text:
    """Return what the erasure of a tenant removed, and how far it has come."""
    text = Text(f"Users erased: {result.users}. Found by a second look: {result.residue}.")
    _append_state(text, result.state, result.stores)
    return text.append(f"\n{result.receipt}", style="dim")


def _append_state(text: Text, state: ErasureState, stores: Sequence[StoreReport]) -> None:
    words, style = _STATES[state]
    text.append(" The erasure is ")
    text.append(words, style=style)
    text.append(".")
    for report in stores:
        if report.failure is not None:
            text.append(f"\nThe store {report.name} failed its part ({report.failure}).", style="red")
        elif report.residue:
            text.append(f"\nThe store {report.name} still has {report.residue}.", style="red")


def erasures_table(erasures: Sequence[Erasure]) -> Table:
    """Return erasures as a table."""
    table = _table("id", "when", "what", "rows", "state", "stores")
    for found in erasures:
        words, style = _STATES[found.state]
        table.add_row(
            found.id,
            f"{found.at:%Y-%m-%d %H:%M}",
            found.conversation_id or "everything",
            f"{sum(found.removed.values()):,}",
            Text(words, style=style),
            ", ".join(f"{r.name}: {r.failure or r.residue or 'done'}" for r in found.stores),
        )
    return table


def receipt(found: Receipt) -> Text:
    """Return what a genuine receipt says."""
    words, style = _STATES[found.state]
    text = Text("Genuine", style="green")
    text.append(
        f". Erasure {found.id} of a {found.scope}, ordered {found.ordered_at:%Y-%m-%d %H:%M}, signed {found.signed_at:%Y-%m-%d %H:%M} UTC: "
    )
    text.append(words, style=style)
    counts = ", ".join(f"{table} {count}" for table, count in found.removed.items())
    text.append(f".\nRemoved: {counts}.\nFound by a second look: {found.residue}.")
    for report in found.stores:
        text.append(
            f"\n- {report.name}: {report.failure or f'{report.removed} removed, {report.residue} left'}",
            style="dim",
        )
    return text


def exported(written: Exported) -> Text:
    """Return where an export was written, and what is in it."""
    counts = ", ".join(f"{kind} {count}" for kind, count in written.rows.items())
    until = "" if written.expires_at is None else f" It is removed on {written.expires_at:%Y-%m-%d}."
    return Text(f"Written to {written.path}: {counts}.{until}")


def why(found: Why) -> Table:
    """Return the memories of an answer's prompt as a table; what is gone, as that."""
    table = _table("id", "slot", "was in the prompt", "now", "source", "since")
    for record in found.records:
        table.add_row(
            record.id,
            record.key or "",
            Text(_shown(record.content) or "(forgotten)"),
            record.status.value,
            record.source.value,
            _day(record.created_at),
        )
    for record_id in found.gone:
        table.add_row(record_id, "", Text("(erased)"), "gone", "", "")
    return table


def traces_table(traces: Sequence[ReadTrace]) -> Table:
    """Return the answers a record was used in as a table."""
    table = _table("answer", "when", "conversation")
    for trace in traces:
        table.add_row(
            _shown(trace.answer_id), f"{trace.at:%Y-%m-%d %H:%M}", _shown(trace.conversation_id or "")
        )
    return table


def holds_table(holds: Sequence[LegalHold]) -> Table:
    """Return legal holds as a table."""
    table = _table("id", "case", "placed", "released")
    for hold in holds:
        table.add_row(
            hold.id, Text(_shown(hold.reference)), _day(hold.placed_at), _day(hold.released_at) or "stands"
        )
    return table


def done(kind: str, counts: Mapping[str, int]) -> Text:
    """Return one line about a job: what it was, and what it did."""
    text = Text(kind.replace("_", " "), style="bold")
    did = ", ".join(f"{what} {count}" for what, count in counts.items() if count)
    return text.append(f"  {did or 'nothing to do'}", style="none")


def work_table(states: Sequence[WorkState]) -> Table:
    """Return what is in the queue as a table."""
    table = _table("kind", "waiting", "running", "failed")
    for state in states:
        failed = Text(f"{state.failed:,}", style="red" if state.failed else "none")
        table.add_row(state.kind, f"{state.waiting:,}", f"{state.running:,}", failed)
    return table


def print_json_line(console: Console, value: object) -> None:
    """Print one JSON document on one line."""
    console.out(json.dumps(as_json(value), ensure_ascii=False), highlight=False)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, no_wrap=number == 0, overflow="fold")
    return table


def _day(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d}"


def _shown(text: str) -> str:
    """Return text without what a terminal would obey: control characters and escape sequences."""
    return "".join(ch if ch.isprintable() or ch in "\u200c\u200d" else "�" for ch in text)
