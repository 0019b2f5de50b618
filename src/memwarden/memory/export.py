"""Export: everything held about a user, in a zip that machines and people can read.

JSON Lines with a JSON Schema beside them, and one HTML page. What the user provided stands apart from what was
derived from it or noted about it.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from memwarden.db import (
    audit_table,
    consent_table,
    export_table,
    memory_table,
    proposal_table,
    read_trace_table,
)
from memwarden.db import erasure as erasures
from memwarden.db.export_table import ExportFile
from memwarden.memory.conversations import Conversation, Earlier, conversations, earlier
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import BY_THE_USER
from memwarden.memory.export_page import page
from memwarden.memory.exports import folder_of
from memwarden.memory.keep import log
from memwarden.model.audit import Action, AuditEvent
from memwarden.model.consent import Consent
from memwarden.model.conversation import ConversationMeta, TitledBy
from memwarden.model.erasure import Erasure
from memwarden.model.ids import new_id
from memwarden.model.proposal import Proposal
from memwarden.model.record import MemoryRecord, Source
from memwarden.model.scope import Scope
from memwarden.model.trace import ReadTrace

FORMAT = 1
MOST = 1_000_000
"""Rows of one kind that an export holds; nobody has that many."""

PROVIDED, DERIVED = "provided", "derived"


@dataclass(frozen=True, slots=True)
class Exported:
    """An archive: where it was written, how many rows of each kind it holds, and when it is removed (null: never)."""

    path: Path
    rows: Mapping[str, int]
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Held:
    """Everything held about a user."""

    memories: Sequence[MemoryRecord]
    proposals: Sequence[Proposal]
    consents: Sequence[Consent]
    conversations: Sequence[Conversation]
    listing: Sequence[ConversationMeta]
    archive: Sequence[Earlier]
    answers: Sequence[ReadTrace]
    audit: Sequence[AuditEvent]
    erasures: Sequence[Erasure]


_KINDS: Mapping[str, tuple[type, str]] = {
    "memories": (MemoryRecord, "What is remembered, and the older versions that are still kept."),
    "proposals": (Proposal, "What would be remembered if the user said yes."),
    "consents": (Consent, "The user's decisions about purposes, and about being remembered."),
    "conversations": (Conversation, "The latest state of conversations with the agent."),
    "listing": (
        ConversationMeta,
        "How conversations stand in the list: titles, agents that took part, when they expire.",
    ),
    "archive": (
        Earlier,
        "What left the state of conversations: messages, and whole results of tools.",
    ),
    "answers": (ReadTrace, "Which memories were in the prompt of which answer."),
    "audit": (AuditEvent, "The log of writes, refusals and decisions."),
    "erasures": (Erasure, "What was erased before, with receipts."),
}


async def export(deps: Dependencies, scope: Scope, to: Path | None) -> Exported:
    """Write the archive to ``to``, which is then the caller's to keep, or to the folder of exports, until it expires."""
    held = await _held(deps, scope)
    now = deps.clock()
    file = await _file(deps, scope, now, to)
    content = _content(held, scope, now)
    await asyncio.to_thread(_write, file.path, content)
    async with deps.database.transaction(scope) as tx:
        await log(tx, scope, now, Action.EXPORTED, BY_THE_USER, file.id)
    rows = {kind: len(getattr(held, kind)) for kind in _KINDS}
    return Exported(file.path, rows, None if to is not None else file.expires_at)


async def _file(deps: Dependencies, scope: Scope, now: datetime, to: Path | None) -> ExportFile:
    export_id = new_id(now)
    path = folder_of(deps.export_dir, scope) / f"{export_id}.zip" if to is None else to
    file = ExportFile(export_id, path, now, now + deps.retention.export)
    if to is None:
        # Noted before it is there: an erasure in between finds it, or its folder.
        async with deps.database.transaction(scope) as tx:
            await memory_table.lock_user(tx)
            await export_table.insert(tx, file)
    return file


async def _held(deps: Dependencies, scope: Scope) -> Held:
    db, now = deps.database, deps.clock()
    return Held(
        memories=[
            replace(record, details=dict(record.details))
            for record in await export_table.everything_kept(db, scope, now)
        ],
        proposals=[
            replace(proposal, fingerprint="")
            for proposal in await proposal_table.list_pending(db, scope, now, MOST)
        ],
        consents=await consent_table.list_all(db, scope, MOST),
        conversations=await conversations(deps, scope),
        listing=await deps.conversations.everything(scope, MOST),
        archive=await earlier(deps, scope),
        answers=await read_trace_table.list_all(db, scope, MOST),
        audit=await audit_table.list_recent(db, scope, MOST),
        erasures=await erasures.list_all(db, scope, MOST),
    )


def _content(held: Held, scope: Scope, now: datetime) -> dict[str, str]:
    """Return the files of the archive by name."""
    files = {f"{kind}.jsonl": _lines(kind, getattr(held, kind)) for kind in _KINDS}
    about = {
        "format": FORMAT,
        "tenant_id": scope.tenant_id,
        "user_id": scope.user_id,
        "exported_at": now.isoformat(),
        "files": {f"{kind}.jsonl": what for kind, (_, what) in _KINDS.items()},
        "left_out": "Vectors and search text, which are computed from the sentences that are here.",
    }
    return {
        "about.json": json.dumps(about, ensure_ascii=False, indent=2),
        "schema.json": json.dumps(schema(), ensure_ascii=False, indent=2),
        "index.html": page(held, scope, now),
        **files,
    }


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a line of each file."""
    return {
        f"{kind}.jsonl": {
            "type": "object",
            "required": ["provenance", "record"],
            "properties": {
                "provenance": {"enum": [PROVIDED, DERIVED]},
                "record": TypeAdapter(type_).json_schema(
                    mode="serialization", ref_template="#/properties/record/$defs/{model}"
                ),
            },
        }
        for kind, (type_, _) in _KINDS.items()
    }


def provenance(row: object) -> str:
    """Tell whether the user provided what a row says, or whether it was derived or noted about them."""
    if isinstance(row, MemoryRecord):
        return DERIVED if row.source is Source.SYSTEM else PROVIDED
    if isinstance(row, ConversationMeta):
        return PROVIDED if row.titled_by is TitledBy.USER else DERIVED
    return PROVIDED if isinstance(row, Consent | Conversation | Earlier) else DERIVED


def _lines(kind: str, rows: Sequence[object]) -> str:
    adapter: TypeAdapter[Any] = TypeAdapter(_KINDS[kind][0])
    return "".join(
        json.dumps(
            {"provenance": provenance(row), "record": adapter.dump_python(row, mode="json")},
            ensure_ascii=False,
        )
        + "\n"
        for row in rows
    )


def _write(path: Path, content: Mapping[str, str]) -> None:
    """Write the archive for this account alone; it is there whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with (
            os.fdopen(descriptor, "w+b") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for name, text in content.items():
                # An unpaired surrogate, which somebody may have typed, is written as JSON spells it.
                archive.writestr(name, text.encode("utf-8", "backslashreplace"))
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
