"""What the user says of consent and of what is settled: in so many words, or by an answer to a question."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import NamedTuple

from memwarden.guard.answers import Answer, answer
from memwarden.guard.redact import redact
from memwarden.session.ledger_sentences import (
    MAX_QUESTION,
    MAX_TEXT,
    Sentence,
    beginning,
    ending,
    last_question,
    one_line,
    own_sentences,
)
from memwarden.session.pinned import Kind
from memwarden.session.stance import (
    MAX_SENTENCE,
    Matter,
    Stance,
    about,
    asks_for_consent,
    concerns,
    consent,
    decision,
    denies,
    offers_a_choice,
    qualifies,
    stance,
    takes_back,
    turned,
)

CONSENTED = "The user consented"
NOT_CONSENTED = "The user has not consented"
"""How an item begins that claims a polarity."""

_SAID = "The user said about consent:"
_MAX_ANSWER = 200
"""Characters up to which a message that begins with a yes or a no is taken for an answer."""
_MAX_BESIDE = 140
"""Characters of a question beside which the user's words are quoted too."""
_FIRST = re.compile(r"[^,.;:!?–—\n]{1,40}")


class Statement(NamedTuple):
    """What the user said, as a line, and what it is about."""

    kind: Kind
    text: str
    about: str = ""


def _quote(text: str) -> str:
    return '"' + one_line(text).replace('"', "'") + '"'


def answered(text: str, asked: str) -> Statement | None:
    """Return what a message settles as the answer to an AI's message.

    None if that asks nothing, if this answers nothing, or if it states in every sentence for itself what it settles.
    """
    plain = answer(text)
    first = plain or _begun(text)
    question = last_question(asked) if first is not None else None
    if first is None or question is None:
        return None
    if plain is None:
        return _in_own_words(text, first, question)
    return (
        _of_consent(text, first, question)
        if asks_for_consent(question.lower)
        else _of_anything(first, question)
    )


def stated(text: str, asked: str = "") -> list[Statement]:
    """Return what a user's message says of consent and of what is settled, one statement a sentence, in order.

    ``asked`` is the AI's message directly before it, which tells what "I do not consent" is about.
    """
    if not concerns(text[:MAX_TEXT], (consent(), decision())):
        return []
    own = own_sentences(text)
    found: list[Statement] = []
    for sentence, following in zip_longest(own, own[1:]):
        statement = _consenting(sentence, following, asked) or _deciding(sentence, following)
        if statement is not None:
            found.append(statement)
    return found


def _asked(question: Sentence, size: int = MAX_QUESTION) -> str:
    return f"(asked: {_quote(ending(question.written, size))})"


def _begun(text: str) -> Answer | None:
    """Return the answer that a message begins with and goes on from."""
    first = _FIRST.match(text.lstrip()) if len(text) <= _MAX_ANSWER else None
    return answer(first.group()) if first is not None else None


def _in_own_words(text: str, first: Answer, question: Sentence) -> Statement | None:
    """Quote an answer that says more than yes or no, and claim nothing of it."""
    own = own_sentences(text)
    if len(own) == len(stated(text)):
        return None
    said = f"{_quote(' '.join(sentence.written for sentence in own))} {_asked(question, _MAX_BESIDE)}"
    if asks_for_consent(question.lower):
        return Statement(Kind.CONSENT, f"{_SAID} {said}")
    kind = Kind.CONFIRMED if first is Answer.YES else Kind.REFUSED
    return Statement(kind, f"The user answered {said}")


def _of_consent(text: str, first: Answer, question: Sentence) -> Statement:
    """Return a plain answer to a question about consent; where the question turns round, only what was said."""
    if first is Answer.YES and offers_a_choice(question.lower):
        return Statement(Kind.CONSENT, f"{_SAID} {_quote(text)} {_asked(question)}")
    if not turned(question.lower):
        claim = CONSENTED if first is Answer.YES else NOT_CONSENTED
    elif takes_back(question.lower) and first is Answer.YES:
        claim = NOT_CONSENTED
    else:
        return Statement(Kind.CONSENT, f"{_SAID} {_quote(text)} {_asked(question)}")
    return Statement(Kind.CONSENT, f"{claim} {_asked(question)}", _subject(question))


def _of_anything(first: Answer, question: Sentence) -> Statement:
    kind = Kind.CONFIRMED if first is Answer.YES else Kind.REFUSED
    if denies(question.lower):
        return Statement(kind, f"The user answered {first.value} {_asked(question)}")
    return Statement(kind, f"The user {kind.value} {_asked(question)}")


def _subject(sentence: Sentence) -> str:
    """Return what a sentence is about, without what is private in it, since a subject is kept too."""
    return about(redact(sentence.lower))


def _stands(sentence: Sentence, following: Sentence | None, matter: Matter) -> tuple[Stance | None, str]:
    """Return the stance of a sentence, and what to quote: the next one too, where that takes something from it."""
    stands = stance(sentence, matter)
    if (
        stands is None
        or stands is Stance.UNCLEAR
        or following is None
        or not qualifies(following.lower, stands)
    ):
        return stands, sentence.written
    return Stance.UNCLEAR, f"{sentence.written} {following.written}"


def _consenting(sentence: Sentence, following: Sentence | None, asked: str) -> Statement | None:
    stands, written = _stands(sentence, following, consent())
    if stands is None:
        return None
    said = _quote(beginning(written, MAX_SENTENCE))
    if stands is Stance.UNCLEAR:
        return Statement(Kind.CONSENT, f"{_SAID} {said}")
    claim, subject = CONSENTED if stands is Stance.FOR else NOT_CONSENTED, _subject(sentence)
    question = last_question(asked) if asked and not subject else None
    if question is None or not asks_for_consent(question.lower):
        return Statement(Kind.CONSENT, f"{claim}: {said}", subject)
    return Statement(
        Kind.CONSENT,
        f"{claim}: {said} {_asked(question, _MAX_BESIDE)}",
        "" if turned(question.lower) else _subject(question),
    )


def _deciding(sentence: Sentence, following: Sentence | None) -> Statement | None:
    stands, written = _stands(sentence, following, decision())
    if stands is None:
        return None
    said = _quote(beginning(written, MAX_SENTENCE))
    if stands is Stance.UNCLEAR:
        return Statement(Kind.CONFIRMED, f"The user said: {said}")
    kind = Kind.CONFIRMED if stands is Stance.FOR else Kind.REFUSED
    return Statement(kind, f"The user {kind.value}: {said}")
