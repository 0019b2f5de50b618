"""The sentences of a message, each as it was written and as it is compared, and the question it ends with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memwarden.guard.normalise import Folded, fold
from memwarden.guard.provenance import own_part

MAX_QUESTION = 280
"""Characters of a question that are kept, the last ones."""
MAX_TEXT = 50_000
"""Characters of one message that are looked through for statements."""

_END = re.compile(r"""[.!?]+["')\]*_]*(?=\s|$|[^\x00-\x7f])|\n+""")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|sr|sra|mme|no|nr|num|approx|resp|vs|e\.g|i\.e|z\.b|p\.ej|[a-z])$"
)
_NEXT_DIGIT = re.compile(r"\s*#?[0-9]")
_ORDINAL = re.compile(r"(?<![0-9.])[0-9]{1,2}\. (?:jan|feb|mar|mrz|apr|mai|mei|jun|jul|aug|sep|okt|nov|dez)")
_WORDS = re.compile(r"[^\W_]+")
_ASKS = re.compile(r"""\?[!?]*["')\]*_]*$""")
_MARK = re.compile(r"""[?？؟՞﹖⁇][!?]*["')\]*_”’»]*(?=\s|$|[^\x00-\x7f])""")
_TAIL = 2_000
_MARKS = " \t\n*_#>-"


class Sentence(NamedTuple):
    """A sentence: on one line as written, in the folded lower case, and whether a colon announced it."""

    written: str
    lower: str
    announced: bool = False

    @property
    def asks(self) -> bool:
        """Whether it ends in a question mark of any script."""
        return _ASKS.search(self.lower) is not None


def one_line(text: str) -> str:
    """Return a text with every run of white space made one space."""
    return " ".join(text.split())


def _abbreviates(lower: str, start: int, end: re.Match[str]) -> bool:
    """Tell whether a stop ends an abbreviation: "no." does before a number."""
    if end.group() != ".":
        return False
    if any(_ORDINAL.match(lower, end.start() - digits) for digits in (1, 2)):
        return True
    word = _ABBREVIATED.search(lower, max(start, end.start() - 8), end.start())
    if word is None:
        return False
    return word.group().strip(" (") not in ("no", "nr", "num") or bool(_NEXT_DIGIT.match(lower, end.end()))


def _spans(lower: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _END.finditer(lower):
        if not _abbreviates(lower, start, end):
            yield start, end.end()
            start = end.end()
    yield start, len(lower)


def _of(source: Folded) -> Iterator[Sentence]:
    announced = False
    for start, end in _spans(source.lower):
        lower = one_line(source.lower[start:end]).strip(_MARKS)
        if not lower:
            continue
        first, last = source.span(start, end)
        yield Sentence(one_line(source.original[first:last]).strip(_MARKS), lower, announced)
        announced = lower.endswith(":")


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text, in order; the end of a line ends one too."""
    return list(_of(fold(text[:MAX_TEXT])))


def _plain(lower: str) -> str:
    return " ".join(_WORDS.findall(lower))


def own_sentences(text: str) -> list[Sentence]:
    """Return what of a message its author said, without what was only pasted into it."""
    written = {_plain(sentence.lower): sentence for sentence in sentences(text)}
    # where a sentence ends in something pasted, only its folded half is the author's
    return [
        written.get(_plain(sentence.lower), sentence)._replace(announced=sentence.announced)
        for sentence in sentences(own_part(text[:MAX_TEXT]))
    ]


def last_question(text: str) -> Sentence | None:
    """Return the last sentence of a text that asks."""
    marks = [mark.end() for mark in _MARK.finditer(text)]
    if not marks:
        return None
    asking = [sentence for sentence in sentences(text[: marks[-1]][-_TAIL:]) if sentence.asks]
    return asking[-1] if asking else None


def ending(text: str, size: int) -> str:
    """Return the end of a text, cut between two words."""
    if len(text) <= size:
        return text
    kept = text[-(size - 2) :]
    return "… " + (kept.partition(" ")[2] or kept)


def beginning(text: str, size: int) -> str:
    """Return the beginning of a text, cut between two words."""
    if len(text) <= size:
        return text
    kept = text[: size - 2]
    return (kept.rpartition(" ")[0] or kept) + " …"
