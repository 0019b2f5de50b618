"""What may stand in a summary at all, whoever wrote it: one short line that gives no orders and holds no secret. Pure."""

from __future__ import annotations

import re
import unicodedata

from memwarden.guard.lint import find_objections
from memwarden.guard.normalise import fold
from memwarden.guard.policy import DEFAULT_POLICY
from memwarden.guard.redact import redact
from memwarden.model.verdict import Finding, Reason

MAX_LINE = 200
"""Characters of a line that code writes."""

MAX_INSPECTED = 2_000
"""Characters of a text that are looked at for a line."""

_JOINERS = "\u200c\u200d"
_HIDING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_ORDER = re.compile(
    r"\b(?:you|must|shall|should|always|never|ha(?:s|ve) to|needs? to|dear|attention|hey|note to)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(r"(?:sent|\w+ed)\b", re.IGNORECASE)
_CONSENT = re.compile(
    r"\b(?:consent\w*|opt(?:s|ed|ing)?[- ](?:in|out)|(?:gives?|gave|given|grants?|granted|withdrew|withdraws?|revoked?) (?:\w+ ){0,2}permissions?"
    r"|einwillig\w*|eingewilligt|zustimm\w*|zugestimmt|consentement\w*|consentir|consentimiento\w*|consentimento\w*|consenso|toestemming\w*"
    r"|samtyck\w*|samtykke\w*|zgod\w*|onay\w*|persetujuan|sahmati|anumati)\b"
    r"|согласи|згод|सहमति|सम्मति|अनुमति|సమ్మతి|అనుమతి|ஒப்புதல்|சம்மத|ಒಪ್ಪಿಗೆ|ಸಮ್ಮತಿ|സമ്മത|সম্মতি|સંમતિ|ਸਹਿਮਤੀ|رضامند|موافق|同意|동의|ยินยอม",
    re.IGNORECASE,
)


def admitted(text: str, most: int = MAX_LINE) -> str | None:
    """Return a text as a line of at most ``most`` characters, secrets removed; null when it is empty or gives orders."""
    line = one_line(text[:MAX_INSPECTED])
    if not any(ch.isalnum() for ch in line) or gives_orders(line):
        return None
    return cut(redact(line), most)


def one_line(text: str) -> str:
    """Return a text on one line, without characters that reorder or hide text."""
    if not text.isprintable():
        text = "".join(" " if hides(ch) else ch for ch in text)
    return " ".join(text.split())


def hides(ch: str) -> bool:
    """Tell whether a character ends a line, or reorders or hides text; joiners shape letters and emoji."""
    return unicodedata.category(ch) in _HIDING and ch not in _JOINERS


def cut(line: str, most: int) -> str:
    """Return a line of at most ``most`` characters, cut between words where it has to be."""
    if len(line) <= most:
        return line
    head = line[: most - 1]
    return (head[: head.rfind(" ")] if " " in head[most // 2 :] else head).rstrip() + "…"


def gives_orders(line: str) -> bool:
    """Tell whether a line would steer whoever reads it, rather than report."""
    return any(
        finding.reason is Reason.INSTRUCTION and not _is_report(finding, line)
        for finding in find_objections(fold(line), DEFAULT_POLICY)
    )


def _is_report(finding: Finding, line: str) -> bool:
    """Tell whether it is only said what somebody will do or has sent; the guard's rules are for memories, not events."""
    found = line[finding.start : finding.end]
    if finding.kind == "addresses_agent":
        return not _ORDER.search(found)
    return finding.kind == "send_out" and bool(_REPORTED.match(found) or re.search(r"\bsent to\b", found))


def speaks_of_consent(line: str) -> bool:
    """Tell whether a line states or denies consent, of which the pinned items alone may speak."""
    return bool(_CONSENT.search(line))
