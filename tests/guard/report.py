"""Measures of the guard on the labelled sets: one table, and every line that went the wrong way."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from memwarden.guard import judge, redact
from memwarden.model.verdict import Candidate, Decision, Verdict
from tests.guard.corpus import Line, SecretString, guard_lines, secret_strings


@dataclass
class Report:
    decisions: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    languages: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
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


def measure(lines: Iterable[Line] | None = None, deciding: Callable[[Candidate], Verdict] = judge) -> Report:
    report = Report()
    for line in lines if lines is not None else guard_lines():
        verdict = deciding(line.candidate)
        report.decisions[line.label][verdict.decision.value] += 1
        report.languages[line.lang]["allow" if line.label == "allow" else "bad"] += 1
        report.named[line.label] += bool(verdict.reasons) and verdict.reasons[0].value == line.label
        if _is_miss(line, verdict):
            report.languages[line.lang]["missed allow" if line.label == "allow" else "missed bad"] += 1
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
    rows += ["", f"{'language':<12}{'allow':>6}{'kept':>8}{'bad':>8}{'recall':>8}"]
    for lang, counted in sorted(report.languages.items(), key=lambda item: -sum(item[1].values())):
        kept = _share(counted["missed allow"], counted["allow"])
        recall = _share(counted["missed bad"], counted["bad"])
        rows.append(f"{lang:<12}{counted['allow']:>6}{kept:>8}{counted['bad']:>8}{recall:>8}")
    rows.append("")
    rows.extend(
        f"miss {line.number} [{line.lang}] {line.label} -> {verdict.decision} "
        f"{[str(reason) for reason in verdict.reasons]}: {verdict.redacted}"
        for line, verdict in report.misses
    )
    return "\n".join(rows)


def _share(missed: int, total: int) -> str:
    return f"{1 - missed / total:.3f}" if total else "-"


def render_secrets() -> str:
    """Return one line about the strings of secrets.json: what redaction left, and what it should not have touched."""
    strings = secret_strings()
    secret = [string for string in strings if string.category != "G"]
    missed = [string.id for string in secret if left_behind(string)]
    false = [string.id for string in strings if string.category == "G" and redact(string.text) != string.text]
    covered = len(secret) - len(missed)
    return (
        f"secrets.json: {covered}/{len(secret)} wholly covered, missed {missed}; touched look-alikes {false}"
    )
