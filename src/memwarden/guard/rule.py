"""Rules of the lint: a kind of statement, as one pattern over the folded lower-case text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memwarden.guard.hit import Hit
from memwarden.guard.normalise import Folded, fold_lexicon
from memwarden.model.verdict import Reason


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of statement that speaks against keeping a text.

    ``latin`` is searched in every text, ``scripts`` only where the folded text is more than ASCII.
    The rule does not hold for a text that ``but_not`` is found in.
    """

    reason: Reason
    kind: str
    latin: re.Pattern[str] | None
    scripts: re.Pattern[str] | None
    but_not: re.Pattern[str] | None = None

    def hits(self, source: Folded) -> Iterator[Hit]:
        """Yield the spans of one reading of a text in which the statement is made."""
        lower = source.lower
        patterns = (self.latin,) if lower.isascii() else (self.latin, self.scripts)
        for pattern in patterns:
            for match in pattern.finditer(lower) if pattern else ():
                if match.end() > match.start() and (self.but_not is None or not self.but_not.search(lower)):
                    yield Hit(self.reason, self.kind, match.start(), match.end())


def _branches(pattern: str) -> Iterator[str]:
    """Split a pattern at the alternatives of its outermost level."""
    depth = start = position = 0
    in_class = False
    while position < len(pattern):
        ch = pattern[position]
        if ch == "\\":
            position += 1
        elif in_class:
            in_class = ch != "]"
        elif ch == "[":
            in_class = True
        elif ch in "()":
            depth += 1 if ch == "(" else -1
        elif ch == "|" and not depth:
            yield pattern[start:position]
            start = position + 1
        position += 1
    yield pattern[start:]


_LATIN_WORD = re.compile(r"(?<![a-z\\])[a-z]{3,}")


def _is_of_other_script(branch: str) -> bool:
    """Tell whether a branch can only match a text that holds letters beyond Latin."""
    return not branch.isascii() and not _LATIN_WORD.search(branch)


def _alternatives(branches: list[str]) -> re.Pattern[str] | None:
    """Join branches into one pattern, those with the same anchor under it, so that most places are left at once."""
    if not branches:
        return None
    groups = []
    for anchor in (r"\b", "^"):
        anchored = [branch.removeprefix(anchor) for branch in branches if branch.startswith(anchor)]
        if anchored:
            groups.append(f"{anchor}(?:{'|'.join(anchored)})")
    groups.extend(branch for branch in branches if not branch.startswith((r"\b", "^")))
    return re.compile("|".join(groups))


def rule(reason: Reason, kind: str, *patterns: str, but_not: str | None = None) -> Rule:
    """Build a rule from alternatives; letters outside ASCII are folded as the text is."""
    branches = [branch for pattern in patterns for branch in _branches(fold_lexicon(pattern))]
    return Rule(
        reason,
        kind,
        _alternatives([branch for branch in branches if not _is_of_other_script(branch)]),
        _alternatives([branch for branch in branches if _is_of_other_script(branch)]),
        re.compile(fold_lexicon(but_not)) if but_not else None,
    )


def first_hits(rules: Sequence[Rule], source: Folded) -> Iterator[Hit]:
    """Yield the first hit of every rule that has one."""
    lower = source.lower
    plain = lower.isascii()
    for item in rules:
        # Most rules are about something else; to see that with one search is what makes judging fast.
        latin = item.latin is not None and item.latin.search(lower)
        if latin or (not plain and item.scripts is not None and item.scripts.search(lower)):
            hit = next(item.hits(source), None)
            if hit is not None:
                yield hit
