"""The page of an export that a person reads."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from memwarden.model.archive import ArchiveKind
from memwarden.model.record import Source, Status
from memwarden.model.scope import Scope

if TYPE_CHECKING:
    from jinja2 import Template

    from memwarden.memory.conversations import Earlier
    from memwarden.memory.export import Held

_SOURCES = {
    Source.USER_STATED: "you said so",
    Source.USER_CONFIRMED: "you confirmed it",
    Source.SYSTEM: "noted by the system",
}


def page(held: Held, scope: Scope, now: datetime) -> str:
    """Return one HTML page, whole in itself, with everything held about a user."""
    kept = [record for record in held.memories if record.status is Status.ACTIVE]
    return _template().render(
        held=held,
        scope=scope,
        now=now,
        provided=[record for record in kept if record.source is not Source.SYSTEM],
        derived=[record for record in kept if record.source is Source.SYSTEM],
        older=[record for record in held.memories if record.status is not Status.ACTIVE],
        sources=_SOURCES,
        earlier=_earlier(held),
        titles={listed.id: listed.title for listed in held.listing},
    )


def _earlier(held: Held) -> dict[str, list[Earlier]]:
    """Return what is in the archive of each conversation, but for messages that its state still has."""
    present = {c.id: {message.id for message in c.messages} for c in held.conversations}
    shown: dict[str, list[Earlier]] = {}
    for item in held.archive:
        if item.kind is not ArchiveKind.MESSAGE or item.id not in present.get(item.conversation_id, ()):
            shown.setdefault(item.conversation_id, []).append(item)
    return shown


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["day"] = lambda at: "" if at is None else f"{at:%Y-%m-%d}"
    environment.filters["minute"] = lambda at: "" if at is None else f"{at:%Y-%m-%d %H:%M}"
    source = files("memwarden.memory").joinpath("export_page.html.j2").read_text(encoding="utf-8")
    return environment.from_string(source)
