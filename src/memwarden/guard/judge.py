"""The guard's answer: whether a text may become a memory, and in which form.

Default deny. A text is stored only when nothing speaks against it *and* it is recognisably a durable
statement about the speaker; detection is the second net, not the first.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memwarden.errors import InvalidInputError
from memwarden.guard.commands import strip_command
from memwarden.guard.contacts import find_contacts, is_channel_preference
from memwarden.guard.explain import explain
from memwarden.guard.frame import fits
from memwarden.guard.frame_denials import admits
from memwarden.guard.lint import find_objections, is_contextual
from memwarden.guard.minimise import city_of_address
from memwarden.guard.normalise import Folded, clean, fold
from memwarden.guard.policy import STRICT_POLICY, FreeText, GuardPolicy
from memwarden.guard.provenance import Support, check_support
from memwarden.guard.recognise import MAX_STATEMENT, recognise
from memwarden.guard.redact import find_private, without
from memwarden.guard.slots import SlotRegistry
from memwarden.guard.third_person import as_note
from memwarden.model.consent import BETWEEN
from memwarden.model.record import MemoryType
from memwarden.model.verdict import Candidate, Decision, Finding, Origin, Reason, Statement, Verdict

_LONGEST_INSPECTED = 4_000
_STRENGTH = {reason: place for place, reason in enumerate((
    Reason.SECRET, Reason.IDENTIFIER, Reason.UNTRUSTED, Reason.INSTRUCTION, Reason.PERMISSION, Reason.SENSITIVE,
    Reason.THIRD_PARTY, Reason.INFERENCE, Reason.POLICY, Reason.TRANSIENT, Reason.TRANSCRIPT, Reason.UNSUPPORTED,
    Reason.UNFRAMED, Reason.NO_CONSENT, Reason.DECLINED, Reason.FORGOTTEN,
    Reason.CONTRADICTS, Reason.PROPOSED,
))}  # fmt: skip
_WISH = re.compile(
    r"\b(?:prefers?|likes?|wants?|rather|dislikes?|hates?|loves?|enjoys?|please|always|never|don't|call me|keep|use|answer|reply|write|show|avoid|prefiero|prefiro|prefere|bevorzuge|mochte|bitte|pasand|ishtam)\b|पसंद|ఇష్టం|பிடிக்கும்|喜欢"
)
_CLAUSE = re.compile(
    r"\s*[;,]\s+(?:and\s+|but\s+|so\s+)?|\.\s+|\s+(?:and|but)\s+(?=(?:i|my)\b)", re.IGNORECASE
)


def _encodable(text: str) -> bool:
    """Tell whether a text is free of unpaired surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _checked(candidate: Candidate) -> None:
    """Refuse what is no text at all."""
    for value, what in (
        (candidate.text, "candidate"),
        (candidate.message, "message"),
        (candidate.quote, "quote"),
    ):
        if value is None:
            continue
        if not isinstance(value, str):
            raise InvalidInputError(f"The {what} must be a string, not {type(value).__name__}.")
        if "\0" in value or not _encodable(value):
            raise InvalidInputError(f"The {what} holds a NUL or an unpaired surrogate, which is no text.")
    if not candidate.text or candidate.text.isspace():
        raise InvalidInputError("The candidate is empty; there is nothing to remember.")


def _ordered(reasons: set[Reason]) -> tuple[Reason, ...]:
    return tuple(sorted(reasons, key=_STRENGTH.__getitem__))


def _verdict(
    decision: Decision, reasons: set[Reason], stored: Statement | None, redacted: str, findings: list[Finding]
) -> Verdict:
    ordered = _ordered(reasons)
    unique = sorted(
        set(findings), key=lambda found: (_STRENGTH[found.reason], found.start, found.end, found.kind)
    )
    return Verdict(decision, ordered, stored, redacted, explain(decision, ordered, stored), tuple(unique))


def statement_of(sentence: str, slots: SlotRegistry) -> Statement:
    """Return the form a sentence would be kept in: its slot's rendering, else a note of what the user said."""
    known = recognise(sentence, slots)
    if known is not None:
        return known
    kind = MemoryType.PREFERENCE if _WISH.search(fold(sentence).lower) else MemoryType.FACT
    return Statement(kind, as_note(sentence[:1].upper() + sentence[1:]))


def _too_long(candidate: Candidate) -> Verdict:
    """Refuse what is no single statement; only a moderately long one is searched for what must not be logged."""
    findings: list[Finding] = []
    size = len(candidate.text)
    redacted = f"[{size} characters removed]"
    if size <= _LONGEST_INSPECTED:
        findings = find_private(fold(candidate.text))
        redacted = without(candidate.text, findings)
    reasons = {Reason.TRANSCRIPT, *(finding.reason for finding in findings)}
    if candidate.origin not in (Origin.USER_TURN, Origin.SYSTEM):
        reasons.add(Reason.UNTRUSTED)
    return _verdict(Decision.REFUSE, reasons, None, redacted, findings)


def _without_contacts(
    source: Folded, contacts: list[tuple[int, int, str]], slots: SlotRegistry
) -> Statement | None:
    """Return the clauses that stand by themselves and hold no contact detail, if there are any."""
    kept: list[str] = []
    done = 0
    for match in (*_CLAUSE.finditer(source.lower), None):
        end = match.start() if match else len(source.lower)
        if not any(start < end and stop > done for start, stop, _ in contacts) and end > done:
            first, last = source.span(done, end)
            kept.append(source.original[first:last])
        done = match.end() if match else end
    own = [clause for clause in kept if _fits(clean(clause))]
    return statement_of("; ".join(own), slots) if own else None


def _city_alone(sentence: str, contacts: list[tuple[int, int, str]], slots: SlotRegistry) -> Statement | None:
    """Return where the speaker lives, to the city, if that is all their home address is needed for."""
    if any(kind != "street_address" for _, _, kind in contacts):
        return None
    city = city_of_address(sentence)
    return None if city is None else recognise(f"I live in {city}", slots)


def _fits(sentence: str) -> bool:
    folded = fold(sentence)
    return fits(folded.lower, folded.text)


def _against(
    findings: list[Finding], policy: GuardPolicy, consented: frozenset[str]
) -> tuple[list[Finding], str | None]:
    """Part what speaks against a text from what the user consented to, and return the purpose of the latter."""
    against: list[Finding] = []
    purposes: list[str] = []
    for finding in findings:
        purpose = policy.purpose_of(finding.kind, consented)
        if purpose is None:
            against.append(finding)
        else:
            purposes.append(purpose)
    return against, BETWEEN.join(dict.fromkeys(purposes)) or None


def _reduced(
    candidate: Candidate,
    sentence: str,
    source: Folded,
    support: Support,
    contacts: list[tuple[int, int, str]],
    stored: Statement,
    slots: SlotRegistry,
) -> Verdict:
    """Decide about a text with contact details nobody consented to: without them, if something is left."""
    findings = [Finding(Reason.IDENTIFIER, *source.span(start, end), kind) for start, end, kind in contacts]
    rest = _without_contacts(source, contacts, slots) or _city_alone(sentence, contacts, slots)
    reasons = {Reason.IDENTIFIER, *support.reasons}
    redacted = without(candidate.text, findings)
    if rest is not None and not support.reasons:
        return _verdict(Decision.REDACT, reasons, rest, redacted, findings)
    return _verdict(Decision.ASK, reasons, stored, redacted, findings)


def _framed(sentence: str, policy: GuardPolicy) -> bool:
    folded = fold(sentence)
    if fits(folded.lower, folded.text):
        return True
    return policy.free_text is FreeText.STORE and admits(folded.lower, folded.text)


_OF_ONESELF = re.compile(r"^(?:i|i'm|i am|i've|my|has|have|is|am)\b")


def _consented_of_oneself(stored: Statement) -> bool:
    """Tell whether the speaker states something of themselves that they consented to having kept."""
    return stored.purpose is not None and _OF_ONESELF.match(fold(stored.content).lower) is not None


def _has_innocent_reading(findings: list[Finding], policy: GuardPolicy) -> bool:
    """Tell whether all that was found may be harmless in its context, and somebody will be asked about that."""
    return (
        bool(findings)
        and policy.free_text is FreeText.STORE
        and all(is_contextual(finding) for finding in findings)
    )


def _accepted(
    candidate: Candidate,
    sentence: str,
    support: Support,
    stored: Statement,
    redacted: str,
    policy: GuardPolicy,
) -> Verdict:
    """Decide about a text that nothing speaks against."""
    reasons = set(support.reasons)
    framed = stored.key is not None or _framed(sentence, policy) or _consented_of_oneself(stored)
    if candidate.origin is not Origin.SYSTEM and not framed:
        reasons.add(Reason.UNFRAMED)
    if stored.key is None and policy.free_text in (FreeText.ASK, FreeText.REFUSE):
        reasons.add(Reason.UNFRAMED)
        if policy.free_text is FreeText.REFUSE:
            return _verdict(Decision.REFUSE, reasons, None, redacted, [])
    return _verdict(Decision.ASK if reasons else Decision.STORE, reasons, stored, redacted, [])


def judge(
    candidate: Candidate,
    policy: GuardPolicy = STRICT_POLICY,
    consented: frozenset[str] = frozenset(),
) -> Verdict:
    """Decide whether ``candidate`` may become a memory, and in which form.

    Without a policy it is as strict as a guard must be that hears no second opinion (`opinion`).
    ``consented`` are the purposes the user has consented to; they matter where ``policy`` allows a category
    for one. Raises `InvalidInputError` for an empty text and for one that holds a NUL or an unpaired surrogate.
    Everything else gets a verdict, however odd; a text longer than a statement is refused unread.
    """
    _checked(candidate)
    if len(candidate.text) > _LONGEST_INSPECTED:
        return _too_long(candidate)
    source = fold(candidate.text)
    if len(source.text) > MAX_STATEMENT:
        return _too_long(candidate)
    if not source.text.strip() and not source.hidden:
        raise InvalidInputError("The candidate holds no visible character; there is nothing to remember.")
    trusted = candidate.origin is Origin.SYSTEM
    private = find_private(source)
    support = check_support(candidate, policy.slots)
    objections = (
        [] if Reason.UNTRUSTED in support.reasons else find_objections(source, policy, trusted_code=trusted)
    )
    findings, purpose = _against([*private, *objections], policy, consented)
    redacted = without(candidate.text, private)
    reasons = {finding.reason for finding in findings}
    if _has_innocent_reading(findings, policy) and not support.refuse and not find_contacts(source.lower):
        stored = replace(statement_of(strip_command(candidate.text), policy.slots), purpose=purpose)
        return _verdict(Decision.ASK, reasons | set(support.reasons), stored, redacted, findings)
    if reasons or support.refuse:
        return _verdict(
            Decision.REFUSE, reasons | set(support.reasons) - {Reason.PROPOSED}, None, redacted, findings
        )
    contacts = [] if trusted else find_contacts(source.lower)
    needed = is_channel_preference(source.lower)
    kept = {kind: policy.purpose_of(kind, consented) if needed else None for _, _, kind in contacts}
    purpose = BETWEEN.join(dict.fromkeys(filter(None, (purpose, *kept.values())))) or None
    sentence = strip_command(candidate.text)
    stored = replace(statement_of(sentence, policy.slots), purpose=purpose)
    unneeded = [contact for contact in contacts if kept[contact[2]] is None]
    if unneeded:
        return _reduced(candidate, sentence, source, support, unneeded, stored, policy.slots)
    return _accepted(candidate, sentence, support, stored, redacted, policy)
