"""Secrets: tokens by their shape, keys by their armour, and passwords said in plain words.

People do not paste configuration, they write sentences. So besides the shapes of `vendor_tokens` there
is a grammar: a word for a credential, at most a few words between, a connector, and a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memwarden.guard.credential_words import (
    CODES,
    INSIDE_WORDS,
    KEYS,
    NOT_HEADS,
    NOT_VALUES,
    NUMBER_WORDS,
    WIFI_OPENERS,
    WORD_SECRETS,
)
from memwarden.guard.hit import Hit
from memwarden.guard.normalise import Folded, fold_lexicon
from memwarden.guard.vendor_tokens import (
    CONTEXT_SHAPES,
    PLACEHOLDER,
    PRIVATE_KEY_END,
    PRIVATE_KEY_START,
    VENDOR_TOKEN,
    vendor_kind,
)
from memwarden.model.verdict import Reason

_REACH = 140
_EDGE = ".,;:!?)]}>\"'"
_NOT_HEADS = frozenset(NOT_HEADS.split())
_NOT_VALUES = frozenset(fold_lexicon(NOT_VALUES).split())


def _words(groups: Iterable[str]) -> str:
    return fold_lexicon("|".join(groups))


# The left edge may be an underscore or a letter of another script, so \b is not what is wanted here.
_KEYWORD = re.compile(
    rf"(?:(?<![a-z])(?=[^\W\d]|0)(?:(?P<key>{_words(KEYS)})|(?P<word>{_words(WORD_SECRETS)})|(?P<code>{_words(CODES)}))"
    + "".join(f"|(?P<inner_{strength}>{part})" for strength, part in INSIDE_WORDS.items())
    + r")(?![a-z])"
)
_CONNECTOR = (
    r"(?:\s*(?:[:=]|->|=>)\s*|,?\s+(?:is|was|are|equals|stays|remains|being|reads|says|starts with|begins with|set to"
    r"|hai|hain|he|h|es|est|c'est|sont|son|ist|lautet|lauten|sao|era|ante|undi|e)(?:\s+(?:still|now|just|currently|always"
    r"|simply|the|le|la|el|der|die|das|o|a|no|number|code|token|key))?\s*[:=]?\s+"
    + fold_lexicon(r"|\s*(?:है|हैं|अहे|आहे|ஆகும்|అంటే|是|为|為|は|=|هي|هو|это)\s*:?\s*)")
)
_FILLER = r"(?:[\s,/'\"(]{1,3}[^\s,;:=.!?\"()]{1,30}){0,7}?\)?"
_TAIL = re.compile(_FILLER + _CONNECTOR + r"[\"'`(<]*(?P<value>[^\s;，。]{1,400})")
_ADJACENT = re.compile(
    fold_lexicon(r"\s{0,3}(?:no\.?|number|code|#|ka|ki|ko|के|का|की|wala|waala)?\s{0,3}[:\-=]?\s{0,3}[\"'`(]?")
    + r"(?P<value>[^\s,;]{2,400})"
)
_LIST_TAIL = re.compile(
    r"(?:[\s,]+(?:and|y|et|und|aur)?\s*(?=[\w-]*\d)[A-Za-z0-9][\w-]{3,40}){1,20}", re.ASCII
)
_WORD_LIST = re.compile(r"(?:\s+[a-z]{2,12}\b){1,24}", re.ASCII)
_BEFORE = re.compile(
    r"(?P<value>[^\s,;:]{4,400})\s+(?:is|was|are|hai|es|est|ist)\s+(?:(?:my|your|the|our|a|mera|meri|mi|mon|mein)\s+)?"
    r"(?:[a-z0-9'&-]{1,20}\s+){0,4}?$"
)
_PAIR = re.compile(
    r"\s*(?:is|are|was|:|=)?\s*(?P<user>[\w.@+-]{2,60})\s*(?:/|\||,? (?:and|with)(?: password)?)\s*(?P<value>[^\s,;]{4,100})"
)
_DIGITS = re.compile(r"[a-z]-\d{4,8}|\d{3,10}|\d[\d -]{2,12}\d")
_POSTAL = re.compile(r"\bpin[\s-]?codes?\b|पिन\s?कोड|పిన్\s?కోడ్")
_PAYMENT = re.compile(r"\b(?:atm|upi|card|bank|debit|credit|sim|unlock|phone|login)\b")
_WIFI = re.compile(
    rf"\b{WIFI_OPENERS}\b[^.;!?]{{0,40}}?\b(?:wants|needs|takes|uses|accepts|opens (?:with|to)|unlocks with|asks for|with|via)\s+"
    r"(?P<value>[^\s,;]{6,80})"
)
_OPENED_BY_CODE = re.compile(
    r"\b(?:keypad|alarm|unlock(?:s|ed)?|locked|lockbox|safe|locker|padlock|intercom|entry ?phone|gate|front door|wi-?fi|hotspot|tablet|screen lock)\b"
    r"[^.;!?]{0,60}?(?:\b(?:is|with|w/|by|via|takes|wants|needs)|w/|:|,)\s+[\"'(]?(?P<value>(?:[a-z]{3,20}-)?#?\d{3,5}(?:[ -]?\d{2,5})?#?)(?![\w:./%]|[ -]?(?:am|pm|gb|ghz|mbps|euros?|rupees|inches|people|users|hours|minutes|years?|floor|street|road)\b)"
)
_SLASHED_PAIR = re.compile(
    r"\b(?:admin\w*|root|user(?:name)?|login|account|zugang\w*|acceso|acces|acesso)\b[^;!?\n]{0,40}?(?:[:=]\s*|\s)[\w.@-]{2,40}\s?/\s?(?P<value>[^\s,;/]{6,80})"
)
_ENTERED_PAIR = re.compile(
    r"\b(?:log|sign)(?:s|ged|ging)?[\s-]?(?:in|on)(?:to)?\b[^;!?\n]{0,60}?\bas\s+[\w.@+-]{2,60}\s*[/|]\s*(?P<value>[^\s,;/]{6,100})"
)
_SERVED_BY = re.compile(
    r"\b(?:uses?|using|types?|typing|enters?|entering|has|with)\s+(?P<value>(?=\S*[a-z])(?=\S*\d)(?=\S*[_#@!$%^&*~])[^\s,;/:]{8,60})\s+"
    r"(?:for|on|at|in|into|to (?:enter|open|get into|log|sign))\s+(?:the |my |our |her |his |their |all )?(?:[\w'-]+ ){0,3}"
    r"(?:portals?|log-?ins?|sign-?ins?|accounts?|sites?|websites?|app|vpn|wi-?fi|router|laptop|email|e-?mail|mailbox|bank\w*|everything|intranet|server|system)\b"
)
_UNLOCK_WORDS = re.compile(
    r"\b(?:unlock|open|decrypt|log|sign|get|let)\w*\b[^.!?]{0,60}?\b(?:\d|two|three|four|five|six|seven|eight|twelve)\s+words\b\s*[,:-]?\s*"
    r"(?P<value>(?:[a-z]{2,15}[\s,]+){1,24}?[a-z]{2,15})(?=[,.;!?]|\s+and\b|$)"
)
_LOGIN_AS = re.compile(
    r"\b(?:log|sign)(?:s|ged|ging)?[\s-]?(?:in|on)\s+(?:as|with|using)\s+(?P<value>[\w.@+-]{2,60}(?:,|\s+(?:and|then|plus|with))[^.;!?]{3,160})"
)
_LOGIN_WITH = re.compile(
    r"\b(?:log|sign)(?:s|ged|ging)?[\s-]?(?:in|on)\b[^;!?]{0,80}?\s(?:with|using|by|and)\s+(?P<value>[^\s,;]{6,100})"
)
_LOGIN_REST = re.compile(r"\b(?:the rest|the other half|second part|the word|followed by|then|after it)\b")
_SEED_WORDS = 11
_PASSPHRASE_WORDS = 3
_WORD = re.compile(r"[^\s,]+")
_FUNCTION_WORDS = frozenset(
    "the and of to in is an that with for on my from it as are was were be been not but or so this have has had"
    " you your our his her their its they she he we at by do does did can will would should may if when who what"
    " which than then there i'm don't use all any que los las del por para con una les des une est dans pour avec"
    " und der die das ich ein eine nicht mit von auf ist para com uma hai hoon mein aur nahi".split()
)
_TOKEN_CHARS = re.compile(r"[A-Za-z0-9+/=_-]+", re.ASCII)
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])", re.ASCII)


def _has(value: str, kind: str) -> bool:
    return any(getattr(ch, kind)() for ch in value)


def looks_random(value: str) -> bool:
    """Tell whether a token mixes letters with digits or signs the way passwords do and words do not."""
    if len(value) < 4 or PLACEHOLDER.fullmatch(value):
        return False
    letters, digits = _has(value, "isalpha"), _has(value, "isdigit")
    if any(ch in "#@$%^&*!_~" for ch in value[1:]) and letters:
        return digits or any(ch in "#@$%^&*!~" for ch in value)
    return letters and digits


def _key_like(value: str) -> bool:
    if len(value) < 8 or PLACEHOLDER.search(value):
        return False
    return looks_random(value) or (
        len(value) >= 20 and _TOKEN_CHARS.fullmatch(value) is not None and not value.islower()
    )


def _plain_value(value: str) -> bool:
    word = value.lower()
    if word in _NOT_VALUES or len(word) < 3:
        return False
    return not word.endswith(("ed", "ing", "able", "ible")) and any(ch.isalpha() for ch in word)


def _is_value(strength: str, value: str, explicit: bool) -> bool:
    """Tell whether ``value`` can be what a credential word of this strength announces."""
    if strength == "key":
        return _key_like(value)
    if looks_random(value):
        return True
    if _DIGITS.fullmatch(value.lower()):
        return strength == "code" or (strength == "word" and len(value) >= 4)
    return explicit and strength == "word" and _plain_value(value)


def _trimmed(value: str) -> str:
    return value.rstrip(_EDGE)


def _keyword_strength(match: re.Match[str], lower: str) -> str | None:
    """Return the strength of a credential word, or None where it means something else."""
    after = lower[match.end() : match.end() + 24]
    following = re.match(r"[\s_-]*([a-z]+)", after)
    if following and following.group(1) in _NOT_HEADS:
        return None
    around = lower[max(0, match.start() - 25) : match.end() + 12]
    if match.group().startswith("pin") and _POSTAL.search(around) and not _PAYMENT.search(around):
        return None
    return match.lastgroup.removeprefix("inner_") if match.lastgroup else None


def _extended(source: Folded, start: int, end: int, strength: str) -> int:
    """Return where the value ends once the rest of a phrase or list of codes is taken in."""
    more = _LIST_TAIL.match(source.text, end)
    if more and strength != "word":
        return more.end()
    if strength == "word" and source.lower[start:end].isalpha():
        words = _WORD_LIST.match(source.lower, end)
        if words:
            return words.end()
    return end


def _after(source: Folded, match: re.Match[str], strength: str) -> Hit | None:
    limit = min(len(source.lower), match.end() + _REACH)
    tail = _ADJACENT.match(source.text, match.end())
    candidates = [
        (
            tail,
            ":" in source.text[match.end() : match.end() + 3]
            or "=" in source.text[match.end() : match.end() + 3],
        )
    ]
    candidates.append((_TAIL.match(source.lower, match.end(), limit), True))
    for found, explicit in candidates:
        if found is None:
            continue
        start = found.start("value")
        full = re.compile(r"[^\s,;]{1,400}").match(source.text, start)
        value = _trimmed(full.group() if full else "")
        phrase = _phrase(source, match, start) if explicit else None
        if phrase is not None:
            return phrase
        if value and _is_value(strength, value, explicit):
            end = _extended(source, start, start + len(value), strength)
            return Hit(Reason.SECRET, f"credential_{strength}", start, end)
    return None


def _phrase(source: Folded, match: re.Match[str], start: int) -> Hit | None:
    """Several plain words after a word for a pass phrase."""
    if "phrase" not in match.group() and "word" not in match.group()[-5:]:
        return None
    words = _WORD_LIST.match(" " + source.lower[start : start + 300])
    if words is None:
        return None
    found = words.group().split()
    if (
        len(found) < _PASSPHRASE_WORDS
        or _FUNCTION_WORDS.intersection(found)
        or found[0].endswith(("ed", "ing"))
    ):
        return None
    return Hit(Reason.SECRET, "passphrase", start, start + len(words.group()) - 1)


def _before(source: Folded, match: re.Match[str], strength: str) -> Hit | None:
    begin = max(0, match.start() - _REACH)
    found = _BEFORE.search(source.lower[begin : match.start()])
    if found is None:
        return None
    start = begin + found.start("value")
    value = _trimmed(source.text[start : begin + found.end("value")])
    if not _is_value(strength, value, explicit=False):
        return None
    return Hit(Reason.SECRET, f"credential_{strength}", start, start + len(value))


def _pair(source: Folded, match: re.Match[str]) -> Hit | None:
    """A user name and a password with a stroke between them: "login is asha / ..."."""
    found = _PAIR.match(source.text, match.end())
    if found is None or not looks_random(_trimmed(found.group("value"))):
        return None
    start = found.start("value")
    return Hit(Reason.SECRET, "credential_pair", start, start + len(_trimmed(found.group("value"))))


def _spoken(source: Folded) -> Iterator[Hit]:
    """Credentials announced by a word for them."""
    done = 0
    for match in _KEYWORD.finditer(source.lower):
        strength = _keyword_strength(match, source.lower) if match.start() >= done else None
        if strength is None:
            continue
        pair = _pair(source, match) if "log" in match.group() or "cred" in match.group() else None
        hit = pair or _after(source, match, strength) or _before(source, match, strength)
        if hit is not None:
            done = hit.end
            yield hit


def _unannounced(source: Folded) -> Iterator[Hit]:
    """Passwords described without any word for them."""
    for pattern, kind in (
        (_WIFI, "credential_opener"),
        (_SLASHED_PAIR, "credential_pair"),
        (_LOGIN_WITH, "credential_opener"),
        (_ENTERED_PAIR, "credential_opener"),
        (_SERVED_BY, "credential_opener"),
    ):
        yield from _random_values(source, pattern, kind)
    for match in _OPENED_BY_CODE.finditer(source.lower):
        yield Hit(Reason.SECRET, "opening_code", *match.span("value"))
    for match in _UNLOCK_WORDS.finditer(source.lower):
        yield Hit(Reason.SECRET, "passphrase", *match.span("value"))
    for match in _LOGIN_AS.finditer(source.lower):
        if _LOGIN_REST.search(match.group("value")):
            yield Hit(Reason.SECRET, "credential_pair", *match.span("value"))
    yield from _seed_phrases(source)


def _random_values(source: Folded, pattern: re.Pattern[str], kind: str) -> Iterator[Hit]:
    """What a pattern says is opened or entered with, where it looks random."""
    for match in pattern.finditer(source.lower):
        start = match.start("value")
        value = _trimmed(source.text[start : match.end("value")])
        if looks_random(value) and (kind != "credential_pair" or _has(value, "isdigit")):
            yield Hit(Reason.SECRET, kind, start, start + len(value))


def _seed_phrases(source: Folded) -> Iterator[Hit]:
    """Runs of words that no sentence has: eleven or more without a single small word among them."""
    run: list[re.Match[str]] = []
    for match in _WORD.finditer(source.lower + " ."):
        word = match.group().rstrip(".;:")
        if 3 <= len(word) <= 8 and word.isascii() and word.isalpha() and word not in _FUNCTION_WORDS:
            run.append(match)
            continue
        if len(run) >= _SEED_WORDS and not all(item.group() in NUMBER_WORDS for item in run):
            yield Hit(Reason.SECRET, "seed_phrase", run[0].start(), run[-1].end())
        run = []


def _private_keys(source: Folded) -> Iterator[Hit]:
    """Private keys from their header to the footer, or to the end of the text where it is cut off."""
    position = 0
    while (begin := PRIVATE_KEY_START.search(source.text, position)) is not None:
        end = PRIVATE_KEY_END.search(source.text, begin.end())
        position = end.end() if end else len(source.text)
        yield Hit(Reason.SECRET, "private_key", begin.start(), position)


def _shaped(source: Folded) -> Iterator[Hit]:
    for match in VENDOR_TOKEN.finditer(source.text):
        if not PLACEHOLDER.search(match.group()):
            yield Hit(Reason.SECRET, vendor_kind(match.group()), *match.span())
    for kind, pattern in CONTEXT_SHAPES:
        for match in pattern.finditer(source.text):
            group = "s" if "s" in pattern.groupindex else 0
            if not PLACEHOLDER.fullmatch(match.group(group)):
                yield Hit(Reason.SECRET, kind, *match.span(group))
    if "aws" in source.lower or "akia" in source.lower:
        for match in _AWS_SECRET.finditer(source.text):
            yield Hit(Reason.SECRET, "aws_secret", *match.span())


def find_secrets(source: Folded) -> list[Hit]:
    """Return every secret in one reading of a text."""
    hits = list(_private_keys(source))
    hits.extend(_shaped(source))
    hits.extend(_spoken(source))
    hits.extend(_unannounced(source))
    return hits
