"""Numbers of tickets, requests and cases: found in text, and under the keys of a tool's result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memwarden.guard.normalise import fold_lexicon
from memwarden.guard.redact import redact

MAX_TEXT = 200_000
"""Characters of one message that are looked through."""

_NO_TICKET = frozenset(
    "UTF UCS ISO IEC IEEE RFC DIN EN BS ANSI COVID SARS GPT LLAMA CLAUDE BERT QWEN GEMINI UTC GMT CET IST EST PST SHA AES RSA"
    " MD CVE CWE USB HTTP TLS SSL IPV IP WIN HDMI PCI RTX GTX SOC WIFI WPA FY QTR AD BC AM PM VER VERSION USD EUR INR GBP JPY"
    " CHF AUD CAD RS JAN FEB MAR APR MAY JUN JUL AUG SEP SEPT OCT NOV DEC MON TUE WED THU FRI SAT SUN PAGE STEP TOP PART FIG"
    " CHAPTER SECTION LEVEL TIER GRADE CLASS ROOM FLOOR BLOCK GATE MP MPEG JPEG ASCII LATIN CP TEL FAX EXT PIN APT KW WEEK"
    " DAY PYTHON PY JAVA ES TIMES COL ROW".split()
)
"""Beginnings of what is written like a ticket and is none."""
_MODEL = re.compile(
    r"(?<![\w-])(?P<prefix>[A-Z]{2,10})(?:[-_][0-9]{2,4})?[-_][0-9]{1,10}(?![\w-]|[.,/:][0-9])"
)
_SERVICE = re.compile(
    r"(?<![\w-])(?:INC|REQ|RITM|SCTASK|TASK|CHG|PRB|CASE|TKT|HRC|HR|CS|SR|WO)[0-9]{4,12}(?![\w-])"
)
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NOUNS = (
    r"ticket|tickets|request|requests|case|incident|order|issue|antrag|anfrage|vorgang|fall|solicitud|pedido|caso|incidencia"
    r"|demande|requete|requête|dossier|commande|solicitação|solicitacao|chamado|richiesta|pratica|verzoek|aanvraag|zaak"
    r"|टिकट|अनुरोध|आवेदन|టికెట్|అభ్యర్థన|దరఖాస్తు"
)
_NUMBER = r"(?:numbers?|numéro|numero|número|nummer|no\.?|nr\.?|num\.?|n[°º]\.?|id|संख्या|नंबर|సంఖ్య|నంబర్)"
_ENDS = r"(?=\s*(?:[,;:!?)\]\"']|\.(?![0-9])|$|\n|(?:is|was|has|for|about|and|from|to|in|with|are|still|please|ist|est|es|è|está|का|है)\b))"
_NAMED = re.compile(
    rf"\b(?P<noun>{_NOUNS})[\s_]*"
    rf"(?:(?P<marked>(?:{_NUMBER}\s*)?[:#]\s*#?|{_NUMBER}\s*)|\s)"
    rf"(?P<value>{_UUID}|[a-z]{{1,10}}[-_]?[0-9]{{2,12}}|[0-9]{{1,14}})(?![\w/-]|[.,:][0-9])"
)
_LETTERS = re.compile(r"[A-Za-z]*")
_UUID_LENGTH = 36
_LEAST_BARE = 3
_PLAIN_END = re.compile(_ENDS)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}$")
_ORDERED = frozenset({"order", "orders", "pedido", "commande", "fall", "caso", "issue"})
"""Nouns that a bare number may follow as an amount: "order 500 chairs"."""
_KEY = re.compile(
    r"(?:.*_)?(?P<noun>ticket|request|case|incident|order|issue|approval)(?:_?(?:id|number|no|key|ref))?$"
)
_VALUE = re.compile(rf"(?:{_UUID}|[A-Za-z]{{1,10}}[-_]?[0-9]{{2,12}}|[0-9]{{1,14}})$")
_SHORT = re.compile(r"[A-Z]{2,10}[-_]?[0-9]{1,6}")
"""What no number of a person or a card looks like."""
_SAME_KEY = frozenset({"id", "key", "number", "reference", "ref", "name"})


class Identifier(NamedTuple):
    """An identifier as written, and in the one spelling by which two are told to be the same."""

    written: str
    same: str


def _ticket(token: str) -> bool:
    shaped = _MODEL.fullmatch(token)
    if shaped is not None:
        return shaped.group("prefix") not in _NO_TICKET
    return _SERVICE.fullmatch(token) is not None


def _numbered(noun: str, value: str, written: str) -> Identifier:
    if _ticket(value.upper()) and not value.isdigit():
        return Identifier(value, value.upper())
    return Identifier(" ".join(written.split()), f"{fold_lexicon(noun).casefold()} {value.casefold()}")


def _named(match: re.Match[str], text: str) -> Identifier | None:
    """Return the identifier behind a noun; ``text`` is what was matched, in its own case."""
    noun, value = (text[slice(*match.span(group))] for group in ("noun", "value"))
    if not value.isdigit():
        prefix = _LETTERS.match(value)
        if len(value) != _UUID_LENGTH and prefix is not None and prefix.group().upper() in _NO_TICKET:
            return None
    elif not match.group("marked") and not _stands_bare(noun, value, match):
        return None
    return _numbered(noun, value, text[slice(*match.span())])


def _stands_bare(noun: str, value: str, match: re.Match[str]) -> bool:
    """Tell whether a number right behind a noun is its number: "case 4711", and not "order 500 chairs"."""
    if noun.isascii() and _PLAIN_END.match(match.string, match.end()) is None:
        return False
    if noun.isascii() and noun.isupper():
        return True
    return len(value) >= _LEAST_BARE and not _YEAR.match(value) and noun.casefold() not in _ORDERED


def _lower(text: str) -> str:
    """Return a text in lower case, place by place the same."""
    lowered = text.lower()
    return (
        lowered
        if len(lowered) == len(text)
        else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    )


def _places(text: str) -> Iterator[tuple[int, Identifier]]:
    for match in _MODEL.finditer(text):
        if match.group("prefix") not in _NO_TICKET:
            yield match.start(), Identifier(match.group(), match.group())
    for match in _SERVICE.finditer(text):
        yield match.start(), Identifier(match.group(), match.group())
    for match in _NAMED.finditer(_lower(text)):
        found = _named(match, text)
        if found is not None:
            yield match.start("value"), found


def identifiers_in(text: str) -> list[Identifier]:
    """Return the identifiers that a text spells, each once, in order of first appearance."""
    return once(found for _, found in sorted(_places(text[:MAX_TEXT]), key=lambda placed: placed[0]))


def identifier_under(key: str, value: object) -> Identifier | None:
    """Return the identifier that a key of a tool's result holds: any under "ticket_id", a ticket-like one under "id"."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    spelled, lower = str(value).strip().lstrip("#"), key.casefold().replace("-", "_")
    if _ticket(spelled) and (lower in _SAME_KEY or _KEY.match(lower)):
        return Identifier(spelled, spelled)
    named = _KEY.match(_snake(key))
    if named is None or not _VALUE.match(spelled):
        return None
    noun = named.group("noun")
    return _numbered(noun, spelled, f"{noun} {spelled}")


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).replace("-", "_").casefold()


def once(found: Iterable[Identifier]) -> list[Identifier]:
    """Return each identifier once, in its first spelling."""
    first: dict[str, Identifier] = {}
    for identifier in found:
        first.setdefault(identifier.same, identifier)
    return list(first.values())


def harmless(found: list[Identifier]) -> list[Identifier]:
    """Leave out what the guard takes for a secret or for the number of a person or a card."""
    if all(_SHORT.fullmatch(identifier.written) for identifier in found):
        return found
    spelled = ", ".join(identifier.written for identifier in found)
    if redact(spelled) == spelled:
        return found
    return [identifier for identifier in found if redact(identifier.written) == identifier.written]
