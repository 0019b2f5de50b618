"""What of a model's summary may be kept: what the conversation bears out, and what the pinned items leave to say. Pure.

A line is kept whole or not at all. What a model alters of a pinned item goes, because the item itself stands beside the
summary word for word; what it invents, or takes from a tool's result for the user's decision, has no words to rest on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from langchain_core.messages import AIMessage, AnyMessage

from memwarden.guard.redact import redact
from memwarden.session.admissible import gives_orders, one_line, speaks_of_consent
from memwarden.session.content_words import Vocabulary, content_words, vocabulary, words_of
from memwarden.session.extract import Stated
from memwarden.session.figures import Figures, figures
from memwarden.session.message_text import calls_of, text_of
from memwarden.session.pinned import Kind, Pinned, Section
from memwarden.session.roles import is_users_own
from memwarden.session.summary import ANSWERED, Summary, all_lines, grown, lines_of, summary_of

SUPPORTED = 0.5
"""Share of a line's content words that its source has to hold."""

_MOSTLY = 0.5
_ABOUT_IT = 0.6
_DECIDED = frozenset({Kind.CONSENT, Kind.CONFIRMED, Kind.REFUSED, Kind.APPROVAL})
_ASSENT = re.compile(
    r"\b(?:approv|agree|authori[sz]|accept|permi(?:t|ssion)|allow|grant|waiv|refus|declin)\w*", re.IGNORECASE
)


class _Verdict(Enum):
    KEPT = 1
    SAID_ALREADY = 2
    """The pinned items speak of it, rightly or not is all the same."""
    UNFAITHFUL = 3


@dataclass(frozen=True, slots=True)
class _Source:
    """What a summary may rest on; ``spoken`` is without what tools returned and frameworks wrote."""

    held: Vocabulary
    spoken: Vocabulary
    figures: Figures
    pinned: tuple[Vocabulary, ...]
    pinned_words: tuple[tuple[str, ...], ...]


def faithful(
    proposed: Summary, previous: Summary, evicted: Sequence[AnyMessage], ledger: Sequence[Pinned]
) -> Summary | None:
    """Return ``previous`` grown by what may be kept of a model's summary, or null when too little of it may.

    Kept are lines whose numbers and identifiers all occur in the conversation, or in what was held before, and at least
    half of whose content words do; for decisions and assent, in what was said and called, not in what tools returned.
    Lines of consent, about pinned decisions, and lines that give orders are dropped, secrets removed. It is null when
    more than half of the lines were unfaithful, or none is left of a conversation.
    """
    source = _source(previous, evicted, ledger)
    judged = {
        section: [
            (line, _judged(line, section, source)) for line in map(one_line, lines_of(proposed, section))
        ]
        for section in Section
    }
    verdicts = [verdict for lines in judged.values() for _, verdict in lines]
    if verdicts.count(_Verdict.UNFAITHFUL) * 2 > len(verdicts) - verdicts.count(_Verdict.SAID_ALREADY):
        return None
    if _Verdict.KEPT not in verdicts and any(text_of(message).strip() for message in evicted):
        return None
    kept = summary_of(
        lambda name: (redact(line) for line, verdict in judged[name] if verdict is _Verdict.KEPT)
    )
    return grown(previous, kept)


def completed(summary: Summary, held: Stated, ledger: Sequence[Pinned]) -> Summary:
    """Return a summary with the open questions and the user's facts that neither it nor a pinned item speaks of.

    Only a question speaks of a question, since nothing was answered to these. All words count, not the content words
    alone: a fact that a model turned round is not the same one.
    """
    waiting = [item["text"] for item in ledger if item["kind"] == Kind.APPROVAL]
    others = [item["text"] for item in ledger if item["kind"] != Kind.APPROVAL]
    return Summary(
        decisions=summary["decisions"],
        open_questions=[
            *summary["open_questions"],
            *_missing(held.open_questions, [*summary["open_questions"], *waiting]),
        ],
        confirmed_facts=[
            *summary["confirmed_facts"],
            *_missing(held.facts, [*summary["decisions"], *summary["confirmed_facts"], *others]),
        ],
        consent=summary["consent"],
    )


def _missing(lines: Iterable[str], said: Iterable[str]) -> list[str]:
    by_line = [vocabulary([line]) for line in said]
    return [line for line in lines if not any(one.share(words_of(line)) >= ANSWERED for one in by_line)]


def _judged(line: str, section: Section, source: _Source) -> _Verdict:
    if section is Section.CONSENT or speaks_of_consent(line) or _repeats_pinned(line, source):
        return _Verdict.SAID_ALREADY
    if gives_orders(line) or not source.figures.hold(line):
        return _Verdict.UNFAITHFUL
    decides = section is Section.DECISIONS or _ASSENT.search(line)
    held = source.spoken if decides else source.held
    words = [word for word in content_words(line) if not word.isdigit()]
    return _Verdict.KEPT if words and held.share(words) >= SUPPORTED else _Verdict.UNFAITHFUL


def _repeats_pinned(line: str, source: _Source) -> bool:
    """Tell whether a line is about what a pinned decision is about: it holds most of its words, or mostly its words."""
    words = content_words(line)
    if not words:
        return False
    own = vocabulary([line])
    return any(
        own.share(of_item) > _MOSTLY or item.share(words) >= _ABOUT_IT
        for item, of_item in zip(source.pinned, source.pinned_words, strict=True)
        if of_item
    )


def _source(previous: Summary, evicted: Sequence[AnyMessage], ledger: Sequence[Pinned]) -> _Source:
    before = [*all_lines(previous), *(text for item in ledger for text in (item["text"], item["about"]))]
    spoken = [*before, *(text for message in evicted for text in _spoken(message))]
    held = [*spoken, *(text_of(message) for message in evicted)]
    decided = [item["text"] for item in ledger if item["kind"] in _DECIDED]
    return _Source(
        vocabulary(held),
        vocabulary(spoken),
        figures(held),
        tuple(vocabulary([text]) for text in decided),
        tuple(tuple(content_words(text)) for text in decided),
    )


def _spoken(message: AnyMessage) -> Iterator[str]:
    """Yield what the user or the agent said in a message, and what it called."""
    if is_users_own(message) or isinstance(message, AIMessage):
        yield text_of(message)
    for call in calls_of(message):
        yield call.name
        yield from (text for argument in call.arguments for text in argument)
