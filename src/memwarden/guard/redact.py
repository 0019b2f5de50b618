"""Finding and removing what must never be kept: secrets and identifiers, at their place in the original."""

from __future__ import annotations

from collections.abc import Iterable

from memwarden.guard.credentials import find_secrets
from memwarden.guard.identifiers import find_identifiers
from memwarden.guard.normalise import Folded, fold
from memwarden.guard.views import digit_views
from memwarden.model.verdict import Finding, Reason

_MARKS = {Reason.SECRET: "[secret removed]", Reason.IDENTIFIER: "[identifier removed]"}


def find_private(source: Folded) -> list[Finding]:
    """Return every secret and identifier of a text, found in any reading of it, in order of place."""
    found = {
        hit.finding(view)
        for view in digit_views(source)
        for hit in (*find_secrets(view), *find_identifiers(view))
    }
    return sorted(
        found, key=lambda finding: (finding.start, -finding.end, finding.reason is not Reason.SECRET)
    )


def _merged(findings: Iterable[Finding]) -> list[Finding]:
    """Join findings that overlap; a secret gives its name to what it touches."""
    merged: list[Finding] = []
    for finding in findings:
        if merged and finding.start < merged[-1].end:
            last = merged[-1]
            reason = Reason.SECRET if Reason.SECRET in (last.reason, finding.reason) else last.reason
            merged[-1] = Finding(reason, last.start, max(last.end, finding.end), last.kind)
        else:
            merged.append(finding)
    return merged


def without(text: str, findings: Iterable[Finding]) -> str:
    """Return ``text`` with the spans of ``findings`` replaced by a mark that says what was there."""
    pieces: list[str] = []
    done = 0
    for finding in _merged(findings):
        pieces += (text[done : finding.start], _MARKS.get(finding.reason, "[removed]"))
        done = finding.end
    pieces.append(text[done:])
    return "".join(pieces)


def redact(text: str) -> str:
    """Return ``text`` with secrets and identifiers replaced by "[secret removed]" or "[identifier removed]".

    Whole secrets go, wherever and however they are written; the rest of the text is unchanged.
    """
    return without(text, find_private(fold(text)))
