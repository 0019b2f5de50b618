"""Whose words are these? The evidence check: a candidate may say no more than the user did.

A candidate that somebody else worded carries the user's message and the words of it that it rests on.
Both are compared after folding, and what the user only pasted (quoted mail, code, forwarded text) does
not count as said by the user.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memwarden.guard.commands import strip_command
from memwarden.guard.normalise import clean, fold
from memwarden.guard.recognise import recognise
from memwarden.guard.slots import SlotRegistry
from memwarden.model.verdict import Candidate, Origin, Reason

_FENCE = re.compile(r"(```|~~~)[\s\S]*?(?:\1|\Z)")
_FORWARDED = re.compile(
    r"^[ \t>]*(?:-{2,}\s*(?:original|forwarded) message|begin forwarded message|forwarded message|fwd:|from:\s.+\n(?:sent|to|date|subject|cc):|on .{3,80} wrote:|le .{3,80} a ecrit|am .{3,80} schrieb|el .{3,80} escribio)[\s\S]*",
    re.MULTILINE,
)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
_PASTED = re.compile(
    r"\b(?:here is|here's|this is|see|below is|pasting|i(?:'ll| will)? paste[ds]?|copied)\b[^.:\n]{0,60}\b(?:mail|e-?mail|message|page|article|document|note|thread|log|text|letter|post|ticket|transcript)\b[^.:\n]{0,30}[:.\n][\s\S]*"
)
_TAGGED = re.compile(r"<(document|page|quote|email|blockquote|pre|code|html|article)\b[\s\S]*?(?:</\1>|\Z)")
_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"[.!?\n;]+(?:\s+|$)|\n")
_NEGATION = re.compile(
    r"\b(?:not|no|never|don't|doesn't|isn't|can't|cannot|won't|nor|without|avoid|avoids|hate|hates|dislike|dislikes|stop|nahi|mat|nunca|jamais|nicht|kein\w*)\b|नहीं|मत|వద్దు|లేదు|கூடாது|不|没"
)
_FRAME_WORDS = frozenset(
    "the a an and or of to in on at for with by from as is are was be am been it its this that i me my mine we our you your"
    " user users he she they their his her prefers prefer preferred likes like wants want needs need uses use using works work"
    " working lives live based has have had gets get does do did would rather please always usually answers answer replies reply"
    " responses response respond write written speak speaks called call addressed address about when if so than then over into"
    " only also more most much very not no never don't doesn't will can be being remember note that".split()
)


@dataclass(frozen=True, slots=True)
class Support:
    """What the evidence check found: reasons against, and whether the words are the user's own."""

    reasons: tuple[Reason, ...] = ()
    refuse: bool = False
    own_words: bool = True


def own_part(message: str) -> str:
    """Return a folded lower-case message without what was only pasted into it."""
    text = fold(message).lower
    for pattern in (_FENCE, _TAGGED, _FORWARDED, _PASTED, _QUOTED_LINE):
        text = pattern.sub("\n", text)
    return text


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text))


def _folded_words(text: str) -> list[str]:
    return _WORD.findall(fold(text).lower)


def _stem(word: str) -> str:
    return word if word.isdigit() or len(word) <= 4 else word[: max(4, len(word) - 3)]


def _new_words(text: str, quote: str) -> list[str]:
    """Return the content words of ``text`` that ``quote`` does not contain."""
    said = {_stem(word) for word in _folded_words(quote)}
    return [word for word in _folded_words(text) if word not in _FRAME_WORDS and _stem(word) not in said]


def _same_slot(text: str, quote: str, slots: SlotRegistry) -> bool:
    ours, theirs = recognise(text, slots), recognise(strip_command(quote), slots)
    return ours is not None and theirs is not None and (ours.key, ours.value) == (theirs.key, theirs.value)


def _says_more(text: str, quote: str, slots: SlotRegistry) -> Support:
    """Weigh what a reworded candidate adds to the words it rests on."""
    if _same_slot(text, quote, slots):
        return Support((Reason.PROPOSED,), own_words=False)
    added = _new_words(text, quote)
    content = [word for word in _folded_words(text) if word not in _FRAME_WORDS]
    turned = bool(_NEGATION.search(fold(text).lower)) != bool(_NEGATION.search(fold(quote).lower))
    if turned or any(word.isdigit() for word in added) or (content and 2 * len(added) > len(content)):
        return Support(
            (Reason.UNSUPPORTED,),
            refuse=turned or fold(text).lower.isascii() == fold(quote).lower.isascii(),
            own_words=False,
        )
    if added:
        return Support((Reason.UNSUPPORTED, Reason.PROPOSED), own_words=False)
    return Support((Reason.PROPOSED,), own_words=False)


def _whole_sentence(text: str, own: str) -> bool:
    """Tell whether ``text`` is one of the user's own sentences, or the statement after "remember that"."""
    wanted = _plain(fold(text).lower)
    return any(
        wanted in (_plain(part), _plain(fold(strip_command(part)).lower))
        for part in _SENTENCE.split(own)
        if part.strip()
    ) or wanted in (_plain(own), _plain(fold(strip_command(clean(own))).lower))


def check_support(candidate: Candidate, slots: SlotRegistry) -> Support:
    """Check a candidate's origin, and that the user's message supports it."""
    if candidate.origin not in (Origin.USER_TURN, Origin.SYSTEM):
        return Support((Reason.UNTRUSTED,), refuse=True, own_words=False)
    if candidate.message is None:
        return Support()
    own = own_part(candidate.message)
    quote = candidate.quote if candidate.quote is not None else candidate.text
    wanted = _plain(fold(quote).lower)
    if not wanted or f" {wanted} " not in f" {_plain(own)} ":
        return Support((Reason.UNSUPPORTED,), refuse=True, own_words=False)
    if _whole_sentence(candidate.text, own):
        return Support()
    return _says_more(candidate.text, quote, slots)
