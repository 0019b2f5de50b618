"""Numbers, dates and identifiers of a text: what a summary has to repeat exactly. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

_DATE = re.compile(r"(?<!\d)\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?!\d)")
_NUMBER = re.compile(r"\d+(?:[.,:'\u2019]\d+)*")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_RUN = re.compile(r"\d+")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,'\u2019]\d{2,3})*[.,'\u2019]\d{3}")
_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[-_./:@#+&=?%~]+[A-Za-z0-9]+)*")
_JOINTS = re.compile(r"[/:=?&#]+")
_COUNTED = re.compile(r"\d+(?:st|nd|rd|th|am|pm|h|k|kb|mb|gb|kg|km|cm|mm|m|s|d|x)?", re.IGNORECASE)
_ADDRESS = re.compile(r"@|://|\b[A-Za-z]+\.[A-Za-z]{2,}\b")


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures that some texts hold."""

    numbers: frozenset[str]
    """As `_plain` writes them, whole and by the runs of digits in them."""
    dates: frozenset[tuple[str, ...]]
    """The runs of digits of each, sorted: a date may be written the other way round."""
    identifiers: frozenset[str]

    def hold(self, text: str) -> bool:
        """Tell whether every number, date and identifier of a text is among these."""
        text = _digits(text)
        return (
            all(self._holds_date(match.group()) for match in _DATE.finditer(text))
            and all(self._holds_number(match.group()) for match in _NUMBER.finditer(_DATE.sub(" ", text)))
            and all(token in self.identifiers for token in _identifiers(text))
        )

    def _holds_date(self, date: str) -> bool:
        if _plain(date) in self.numbers:
            return True
        return not _is_year_first(date) and tuple(sorted(_runs(date))) in self.dates

    def _holds_number(self, number: str) -> bool:
        if _plain(number) in self.numbers:
            return True
        return bool(_THOUSANDS.fullmatch(number)) and _joined(number) in self.numbers


def figures(texts: Iterable[str]) -> Figures:
    """Return the figures of the texts."""
    plain = [_digits(text) for text in texts]
    dates = {match.group() for text in plain for match in _DATE.finditer(text)}
    numbers = {number for text in plain for number in _NUMBER.findall(text)}
    tokens = {token for text in plain for token in _TOKEN.findall(text)}
    return Figures(
        frozenset(form for number in (*numbers, *dates) for form in _forms(number)),
        frozenset(tuple(sorted(_runs(date))) for date in dates),
        frozenset(form for token in tokens for form in _token_forms(token.casefold())),
    )


def _forms(number: str) -> Iterable[str]:
    yield _plain(number)
    yield from _runs(number)
    if _THOUSANDS.fullmatch(number):
        yield _joined(number)


def _digits(text: str) -> str:
    """Return the text in compatibility form, with the digits of every script as plain ones."""
    text = unicodedata.normalize("NFKC", text)
    return (
        text
        if text.isascii()
        else _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit.group())), text)
    )


def _runs(number: str) -> list[str]:
    return [_bare(run) for run in _RUN.findall(number)]


def _bare(run: str) -> str:
    return run.lstrip("0") or "0"


def _plain(number: str) -> str:
    """Return a number as it is compared: no leading zeros, one and the same sign for a separator's kind."""
    return _RUN.sub(lambda run: _bare(run.group()), number.replace("\u2019", "'"))


def _joined(number: str) -> str:
    return _bare("".join(_RUN.findall(number)))


def _is_year_first(date: str) -> bool:
    return bool(re.match(r"\d{4}", date))


def _token_forms(token: str) -> Iterable[str]:
    """Yield a token as a whole and by its parts, since a source may write an identifier inside a longer one."""
    yield token
    if not token.isalnum():
        yield from _JOINTS.split(token)


def _identifiers(text: str) -> Iterable[str]:
    """Yield what looks like an identifier or an address; it has no other spelling, and is written in Latin letters."""
    for match in _TOKEN.finditer(text):
        token = match.group()
        if _ADDRESS.search(token) or _is_identifier(token):
            yield token.casefold()


def _is_identifier(token: str) -> bool:
    if not any(ch.isdigit() for ch in token) or not any(ch.isalpha() for ch in token):
        return False
    parts = re.split(r"[\W_]+", token)
    mixed = (part for part in parts if not part.isdigit() and any(ch.isdigit() for ch in part))
    return any(not _COUNTED.fullmatch(part) for part in mixed) or any(
        len(part) > 1 and part.isalpha() and part.isupper() for part in parts
    )
