"""What a model answers, read as a summary: sections under headings in any markdown, or a JSON object. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from memwarden.session.admissible import one_line
from memwarden.session.pinned import Section
from memwarden.session.summary import Summary, all_lines, summary_of

MAX_TEXT = 200_000
"""Characters of an answer that are read."""

_NAMES = (
    (Section.DECISIONS, r"(?:key )?decisions?(?: made)?"),
    (Section.OPEN_QUESTIONS, r"open[ _-]?(?:questions?|items?)"),
    (Section.CONFIRMED_FACTS, r"confirmed[ _-]?facts?|facts?"),
    (Section.CONSENT, r"consents?(?: state| status)?"),
)
_HEADING = re.compile(
    r"[\s#>*_•<\[(-]*(?:\d{1,2}[.)]\s*)?[*_]{0,3}(?:"
    + "|".join(f"(?P<{section.value}>{names})" for section, names in _NAMES)
    + r")\s*(?:\(\d+\))?(?P<end>[*_\])>\s]*[:：]?[*_\s]*)(?P<rest>.*)",
    re.IGNORECASE,
)
_OTHER_HEADING = re.compile(r"\s{0,3}(?:#{1,6}\s+\S.*|\*\*[^*]+\*\*[:：]?\s*|__[^_]+__[:：]?\s*|</?\w+>\s*)")
_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪●∙·–—→]|\d{1,3}[.)]|[a-z][)])\s+(?:\[[ xX]\]\s+)?(?P<text>\S.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_NOTHING = re.compile(
    r"[\s(\[*_-]*(?:none|no(?:ne|thing)?(?: (?:yet|so far|at this time|to report|recorded|given|stated|noted))?|nil|n/?a|empty|"
    r"keine|aucune?|ningun[oa]?|nessun[oa]|geen|nenhum[ae]?|нет|无|無|没有|なし|없음|कोई नहीं|कुछ नहीं)?[\s.)\]*_।。-]*",
    re.IGNORECASE,
)

_LONGEST_NOTHING = 60


def parsed(text: str) -> Summary | None:
    """Return what a model's answer says under the four headings, or null when there is nothing under any.

    Lines are bullets of any kind; where a section has none, its paragraph. Everything else is ignored.
    """
    text = text[:MAX_TEXT]
    found = _from_json(text) or _from_headings(text)
    summary = summary_of(lambda section: filter(None, map(_line, found.get(section, ()))))
    return summary if all_lines(summary) else None


def _line(text: str) -> str:
    line = one_line(text.replace("**", "").replace("__", ""))
    return "" if len(line) <= _LONGEST_NOTHING and _NOTHING.fullmatch(line) else line


def _from_json(text: str) -> dict[Section, list[str]]:
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin:
        return {}
    try:
        value: object = json.loads(text[begin : end + 1])
    except (ValueError, RecursionError):
        return {}
    return _sections(value) if isinstance(value, dict) else {}


def _sections(value: Mapping[object, object]) -> dict[Section, list[str]]:
    found: dict[Section, list[str]] = {}
    for key, held in value.items():
        section = _named(str(key))
        if section is not None:
            found.setdefault(section, []).extend(_texts(held))
    return found


def _named(name: str) -> Section | None:
    match = _HEADING.fullmatch(name)
    return None if match is None or match["rest"] else _section(match)


def _texts(held: object) -> Iterable[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, list):
        yield from (item for item in held if isinstance(item, str))


def _section(match: re.Match[str]) -> Section | None:
    return next((section for section in Section if match[section.value]), None)


def _from_headings(text: str) -> dict[Section, list[str]]:
    blocks: list[tuple[Section | None, list[str]]] = [(None, [])]
    for line in text.splitlines():
        heading = _heading(line)
        if heading is not None:
            blocks.append(heading)
        elif _OTHER_HEADING.fullmatch(line):
            blocks.append((None, []))
        elif not _FENCE.match(line):
            blocks[-1][1].append(line)
    found: dict[Section, list[str]] = {}
    for section, lines in blocks:
        if section is not None:
            found.setdefault(section, []).extend(_items(lines))
    return found


def _heading(line: str) -> tuple[Section, list[str]] | None:
    """Return the section a line opens, and what it says of it at once: "Decisions: the leave is booked"."""
    match = _HEADING.fullmatch(line)
    section = None if match is None else _section(match)
    if match is None or section is None:
        return None
    if not match["rest"]:
        return section, []
    is_item = _BULLET.fullmatch(line) is not None and "**" not in line
    is_named = ":" in match["end"] or "：" in match["end"]
    return (section, [match["rest"]]) if is_named and not is_item else None


def _items(lines: Iterable[str]) -> list[str]:
    """Return the bullets, with the indented lines that go on with them; where there are none, the first paragraph."""
    bullets: list[str] = []
    paragraph: list[str] = []
    closed = False
    for line in lines:
        bullet = _BULLET.fullmatch(line)
        if bullet is not None:
            bullets.append(bullet["text"])
        elif bullets and line[:2].isspace() and line.strip():
            bullets[-1] += " " + line.strip()
        elif line.strip() and not closed:
            paragraph.append(line.strip())
        closed = closed or (not line.strip() and bool(paragraph))
    return bullets or paragraph
