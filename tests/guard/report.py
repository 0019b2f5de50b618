"""Measures of the guard on the labelled sets: one table, and every line that went the wrong way."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from memwarden.guard import judge, redact
from memwarden.model.verdict import Decision, Verdict
from tests.guard.corpus import Line, SecretString, guard_lines, secret_strings


@dataclass
class Report:
    decisions: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    named: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[Line, Verdict]] = field(default_factory=list)

    def total(self, label: str) -> int:
        return sum(self.decisions[label].values())

    def share(self, label: str, *decisions: Decision) -> float:
        return sum(self.decisions[label][decision.value] for decision in decisions) / self.total(label)

    def kept(self) -> float:
        return self.share("allow", Decision.STORE, Decision.REDACT)

    def recall(self, label: str) -> float:
        return 1 - self.share(label, Decision.STORE)


def _is_miss(line: Line, verdict: Verdict) -> bool:
    if line.label == "allow":
        return verdict.decision not in (Decision.STORE, Decision.REDACT)
    return verdict.decision is Decision.STORE


def measure(lines: list[Line] | None = None) -> Report:
    report = Report()
    for line in lines if lines is not None else guard_lines():
        verdict = judge(line.candidate)
        report.decisions[line.label][verdict.decision.value] += 1
        report.named[line.label] += bool(verdict.reasons) and verdict.reasons[0].value == line.label
        if _is_miss(line, verdict):
            report.misses.append((line, verdict))
    return report


def left_behind(string: SecretString) -> list[str]:
    """Return the spans of a string that redaction did not remove."""
    redacted = redact(string.text)
    return [span for span in string.spans if span in redacted]


def render(report: Report) -> str:
    decisions = [decision.value for decision in Decision]
    rows = [
        f"{'label':<12}{'lines':>6}"
        + "".join(f"{name:>8}" for name in decisions)
        + f"{'right':>8}{'named':>8}"
    ]
    for label in report.decisions:
        right = report.kept() if label == "allow" else report.recall(label)
        counts = "".join(f"{report.decisions[label][name]:>8}" for name in decisions)
        named = "" if label == "allow" else f"{report.named[label] / report.total(label):>8.3f}"
        rows.append(f"{label:<12}{report.total(label):>6}{counts}{right:>8.3f}{named}")
    rows.append("")
    rows.extend(
        f"miss {line.number} [{line.lang}] {line.label} -> {verdict.decision} "
        f"{[str(reason) for reason in verdict.reasons]}: {verdict.redacted}"
        for line, verdict in report.misses
    )
    strings = secret_strings()
    secret = [string for string in strings if string.category != "G"]
    missed = [string.id for string in secret if left_behind(string)]
    false = [string.id for string in strings if string.category == "G" and redact(string.text) != string.text]
    rows.append(
        f"secrets.json: {len(secret) - len(missed)}/{len(secret)} wholly covered, missed {missed}; touched look-alikes {false}"
    )
    return "\n".join(rows)
