"""The kept form of free text: what the speaker says of themselves, as a note about them.

"I work night shifts" is kept as "Works night shifts", in the form that slots are rendered in and that
extracted notes have, so that one thing said three ways is one record. English only, and only where the
grammar leaves no choice; everything else is kept in the user's own words.
"""

from __future__ import annotations

import re

from memwarden.guard.frame_words import DURABLE_VERBS, NOT_HABITUAL, PAST_VERBS, third_person

_SEVERAL = re.compile(r"[;!?\n]|\.\s+\S|[\"“”]")
_OTHERS = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|we|us|our|ours|you|your|yours|he|she|they)\b")
_JOINED = re.compile(
    r"(?:,|\b(?:and|but|or|so|then|because|since|which|that|as|while))\s+"
    r"(?:(?:and|but|or|so|then|also|never|not|always|only|usually|just)\s+)*(?P<verb>[a-z']+)"
)
_SUBJECT = re.compile(r"^(?:the user|user)\s+(?=[a-z])", re.IGNORECASE)
_SPEAKER = re.compile(
    r"^I(?P<short>'m|'ve|'d)?\s+(?P<adverbs>(?:(?:also|usually|mostly|mainly|generally|normally|often|always|never|sometimes|typically|really|still|only|just|currently|primarily|rarely|regularly|now|much|strongly)\s+)*)(?P<verb>[A-Za-z']+)\b(?P<rest>.*)$"
)
_OWN = {"my": "their", "me": "them", "myself": "themselves", "mine": "theirs"}
_OWN_WORD = re.compile(r"\b(?:my|me|myself|mine)\b")
_WISHES = frozenset("rather prefer like love want appreciate need welcome".split())
_UNCHANGED = frozenset("can can't cannot could couldn't would wouldn't was wasn't had".split())
_IRREGULAR = {"am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't"}
_NO_VERBS = frozenset("once first mainly sometimes both almost even myself alone".split())
_PRESENT_OR_PAST = frozenset("read put set cut let hit cost shut split spread quit".split())


def as_note(sentence: str) -> str:
    """Return a sentence of the speaker about themselves as a note about them, or unchanged where that is not sure."""
    bare = _SUBJECT.sub("", sentence)
    if bare != sentence:
        return bare[:1].upper() + bare[1:]
    match = _SPEAKER.match(sentence.replace("’", "'"))
    if match is None or _SEVERAL.search(sentence) or _OTHERS.search(match.group("rest")):
        return sentence
    if _goes_on(match.group("rest")):
        return sentence
    verb = _conjugated(match.group("short") or "", match.group("verb"))
    if verb is None:
        return sentence
    rest = _OWN_WORD.sub(lambda own: _OWN[own.group()], match.group("rest"))
    note = f"{match.group('adverbs')}{verb}{rest}"
    return note[:1].upper() + note[1:]


def _goes_on(rest: str) -> bool:
    """Tell whether the speaker may be the subject of a second verb, which would have to be changed too."""
    return any(
        match.group("verb") in DURABLE_VERBS or match.group("verb") in _IRREGULAR
        for match in _JOINED.finditer(rest)
    )


def _conjugated(short: str, verb: str) -> str | None:
    """Return what "I <short> <verb>" becomes without its subject, or null where that is not sure."""
    if short == "'m":
        return f"is {verb}"
    if short == "'ve":
        return f"has {verb}"
    if short == "'d":
        return f"would {verb}" if verb in _WISHES else None
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in _UNCHANGED or verb in PAST_VERBS or verb.endswith("ed"):
        return verb
    if verb in _PRESENT_OR_PAST or verb in _NO_VERBS or not verb.islower():
        return None
    unknown = verb.isalpha() and not verb.endswith(("ing", "ly")) and verb not in NOT_HABITUAL
    if verb in DURABLE_VERBS or unknown:
        return third_person(verb)
    return None
