"""The ledger of a conversation: what no summary may lose or alter, found without a model. Pure.

It holds what the user confirmed, refused and consented to, what waits for approval, and the numbers of tickets.
An item that a later one replaced, or a decision ended, keeps its place as a spent one without text, so that its
message may be seen again at the next compaction without bringing it back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolMessage

from memwarden.guard.redact import redact
from memwarden.session import approvals
from memwarden.session.approvals import Approval
from memwarden.session.identifiers import Identifier, harmless, identifiers_in, once
from memwarden.session.ledger_sentences import beginning, one_line
from memwarden.session.ledger_statements import CONSENTED, NOT_CONSENTED, Statement, answered, stated
from memwarden.session.pinned import SECTION_OF, Kind, Pinned, Section
from memwarden.session.roles import is_users_own

MAX_ITEM = 400
"""Characters of one item."""
MAX_LINE = 1_200
"""Characters of a line of identifiers."""

_NUMBERS = "Tickets and requests: "
_REPLACEABLE = frozenset({Kind.CONSENT.value, Kind.APPROVAL.value})


def pinned_in(messages: Sequence[AnyMessage]) -> list[Pinned]:
    """Return every item found in these messages, in order.

    An item's id is that of its message, its kind and its place among them, so that it is the same whenever the
    message is seen. An approval that was decided is an item without text about the same identifier.
    """
    found: list[Pinned] = []
    asked = ""
    for message in messages:
        text = _text(message)
        found += _items(message, text, asked)
        asked = text if isinstance(message, AIMessage) else ""
    return found


def merged(held: Sequence[Pinned] | None, found: Sequence[Pinned]) -> list[Pinned]:
    """Return the ledger after ``found``: every item once, in order of first appearance.

    Of consent and approvals about the same, the latest stands; a refusal also ends every consent to something
    narrower. What is replaced stays as a spent item: its id, and neither text nor subject.
    """
    ledger: dict[str, Pinned] = {}
    latest: dict[tuple[str, str], str] = {}
    for item in (*(held or ()), *found):
        key = (item["kind"], item["about"])
        if item["id"] in ledger or (item["kind"] == Kind.IDENTIFIER and key in latest):
            continue
        for replaced in _replaced(item, latest, ledger):
            ledger[replaced] = _spent(ledger[replaced])
        ledger[item["id"]] = item
        if item["about"]:
            latest[key] = item["id"]
    return list(ledger.values())


def rendered(ledger: Sequence[Pinned]) -> dict[Section, list[str]]:
    """Return the lines of each section as they are to stand in a prompt, oldest first."""
    lines: dict[Section, list[str]] = {section: [] for section in Section}
    for item in ledger:
        if item["text"] and item["kind"] != Kind.IDENTIFIER:
            lines[SECTION_OF[Kind(item["kind"])]].append(item["text"])
    numbers = [item["text"] for item in ledger if item["text"] and item["kind"] == Kind.IDENTIFIER]
    lines[SECTION_OF[Kind.IDENTIFIER]] += _gathered(numbers)
    return lines


def _replaced(item: Pinned, latest: Mapping[tuple[str, str], str], ledger: Mapping[str, Pinned]) -> list[str]:
    """Return the ids of the items that end with this one."""
    if not item["about"] or item["kind"] not in _REPLACEABLE:
        return []
    key = (item["kind"], item["about"])
    same = [latest[key]] if key in latest else []
    if not item["text"].startswith(NOT_CONSENTED):
        return same
    words = set(item["about"].split())
    narrower = (
        held["id"]
        for held in ledger.values()
        if held["kind"] == Kind.CONSENT
        and held["text"].startswith(CONSENTED)
        and words <= set(held["about"].split())
    )
    return [*same, *narrower]


def _spent(item: Pinned) -> Pinned:
    return Pinned(id=item["id"], kind=item["kind"], text="", about="")


def _gathered(numbers: Iterable[str]) -> list[str]:
    """Return lines that name all numbers, each whole."""
    lines: list[str] = []
    for number in numbers:
        if lines and len(lines[-1]) + len(number) + 2 <= MAX_LINE:
            lines[-1] += f", {number}"
        else:
            lines.append(_NUMBERS + number)
    return lines


def _text(message: BaseMessage) -> str:
    """Return a message's text; nothing where its content has no form that a message's should have."""
    try:
        return str(message.text)
    except (TypeError, ValueError, KeyError, AttributeError):
        return ""


def _items(message: BaseMessage, text: str, asked: str) -> Iterator[Pinned]:
    """Yield what one message adds; ``asked`` is the text of the AI message directly before it."""
    counted: Counter[Kind] = Counter()
    for kind, shown, about, heard in _parts(message, text, asked):
        source = message.id or f"text-{blake2b(heard.encode(errors='replace'), digest_size=8).hexdigest()}"
        yield Pinned(id=f"{source}/{kind}/{counted[kind]}", kind=kind.value, text=shown, about=about)
        counted[kind] += 1


def _parts(message: BaseMessage, text: str, asked: str) -> Iterator[tuple[Kind, str, str, str]]:
    """Yield kind, text and subject of each item, and the text an id is made of where the message has none."""
    if not text.strip():
        return
    if is_users_own(message):
        yield from _said(text, asked)
    value = approvals.parsed(text) if isinstance(message, ToolMessage) else None
    if isinstance(message, (AIMessage, ToolMessage)):
        for approval in _safe(approvals.said_in(text) if value is None else approvals.shown_in(value)):
            yield Kind.APPROVAL, approval.text, approval.about, text
    for identifier in _numbers(text, value):
        yield Kind.IDENTIFIER, identifier.written, identifier.same, text


def _said(text: str, asked: str) -> Iterator[tuple[Kind, str, str, str]]:
    answer = answered(text, asked) if asked else None
    if answer is not None:
        # one "yes" without an id must not be taken for another
        yield answer.kind, _line(answer), answer.about, f"{asked}\n{text}"
    for statement in stated(text, asked):
        yield statement.kind, _line(statement), statement.about, text


def _line(statement: Statement) -> str:
    return beginning(one_line(redact(statement.text)), MAX_ITEM)


def _safe(found: Iterable[Approval]) -> Iterator[Approval]:
    """Yield approvals without secrets in them, each state once."""
    states = list(dict.fromkeys(found))
    spelled = "\n".join(part for state in states for part in (state.about, state.text))
    private = bool(states) and redact(spelled) != spelled
    for about, text in states:
        shown = redact(text) if private else text
        subject = "" if private and redact(about) != about else about
        yield Approval(subject, beginning(one_line(shown), MAX_ITEM))


def _numbers(text: str, value: object) -> list[Identifier]:
    keyed = [found for _, fields in approvals.objects_in(value) for found in approvals.identifiers_of(fields)]
    found = once([*identifiers_in(text), *keyed])
    return harmless(found) if found else []
