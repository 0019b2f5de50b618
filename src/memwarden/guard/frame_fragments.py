"""Sentences without their subject or verb, as people type them, that still say something lasting about the speaker.

"Learning the cello as an adult", "Counsels students on visa paperwork", "Health insurance adjuster for eleven
years", "Two-space indents, single quotes". Each form is narrow: a fragment that may be a rule of the house or
an order to the agent fits none of them.
"""

from __future__ import annotations

import re

from memwarden.guard.frame_words import NOT_HABITUAL

_WORD = re.compile(r"[^\W_]+(?:['.#+/:&-]+[^\W_]+)*[#+]*")

_PURSUITS = re.compile(
    r"^(?:currently |still |also |now )?(?:learning|studying|building|writing|training|aiming|preparing|teaching|researching"
    r"|practising|practicing|growing|restoring|developing|designing|composing|saving|trying|working|volunteering|coaching"
    r"|mentoring|raising|keeping|running|leading|managing|maintaining|translating|illustrating|recording)\b\s+(?!from home|late)"
)
"""What somebody is at for months, begun with its "-ing"."""

_TRADE = re.compile(
    r"^(?:[a-z-]+ ){0,4}(?!user|manager|approver|owner|number|order|letter|paper|computer|server|folder|never|ever|over|under|after|other)"
    r"[a-z]{3,}(?:er|or|ist|ian|eer|ant|nurse|clerk|chef|pilot|monteuse)\b,? "
    r"(?:for (?:\w+ )?(?:years?|months?|decades?|\w+ years)|at an? |in an? |by (?:trade|training|profession)|since \d{4}|from |based )"
)
"""A trade and its place or length, without "I am"."""

_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|must|shall|should|may|might|can|could|will|would|need|needs|requires?|do|does|did|gets?)\b"
)

_STYLE_WORDS = frozenset(
    "indents indent indentation commas quotes semicolons brackets emoji emojis celsius fahrenheit miles kilometres kilometers"
    " metric imperial contrast type font fonts slides humour humor jargon bullets tables charts graphs headings examples"
    " snake_case camelcase hints docstrings comments markdown prose summaries answers replies sentences paragraphs words"
    " abbreviations acronyms greetings smalltalk preamble tldr tl;dr diagrams screenshots footnotes captions subtitles lists"
    " columns spacing margins capitals lowercase uppercase punctuation hyphens dashes spelling".split()
)
_STYLE_GLUE = frozenset(
    "a an the and or but no not none never always only please pls plz for in on of with without over to first instead rather"
    " than more less fewer single double two three four trailing leading large small big short long plain simple high low dry"
    " british american oxford welcome preferred everywhere anywhere every all each thanks temperature temperatures distance"
    " distances weight weights volume time times dates date code python javascript typescript rust java sql example too as"
    " well space spaces tab tabs light dark bold italic even tick mark marks top bottom left right".split()
)
_STYLE = 2 / 3
"""Share of a fragment's words that must be words of style, their glue, or both."""

_EASIER = re.compile(
    r"\b(?:is|are|works?|reads?) (?:much |a lot |far )?(?:easier|better|best|quicker|simpler|clearer|fine|harder) (?:for me|on my eyes)\b|\blooks? the same to me\b"
)
_SHARE_OF_MINE = re.compile(
    r"^(?:half|most|much|part|all|the rest|a third|about half)(?: of)? my (?:job|work|day|week|time|role|evenings?|weekends?|clients|team)\b"
)
_ON_DAYS = re.compile(
    r"^(?:(?:on |most |every )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends|weekdays|mornings|evenings|afternoons|summers|winters),?\s+(?:i|we)\s+(?P<verb>[a-z]+)\b"
)


def fits_fragment(sentence: str) -> bool:
    """Tell whether a folded lower-case sentence is one of these fragments."""
    if _EASIER.search(sentence) or _SHARE_OF_MINE.match(sentence):
        return True
    day = _ON_DAYS.match(sentence)
    if day is not None:
        return day.group("verb") not in NOT_HABITUAL
    if _FINITE.search(sentence):
        return False
    return (
        bool(_PURSUITS.match(sentence) or _TRADE.match(sentence))
        or _is_style(sentence)
        or _says_what_one_does(sentence)
    )


def _is_style(sentence: str) -> bool:
    """A list of words of style and nothing else to speak of."""
    words = _WORD.findall(sentence)
    styled = sum(any(part in _STYLE_WORDS for part in word.split("-")) for word in words)
    known = styled + sum(word in _STYLE_GLUE for word in words)
    return 0 < len(words) <= 14 and styled > 0 and known >= _STYLE * len(words)


def _says_what_one_does(sentence: str) -> bool:
    """The elliptical third person of any verb: "Counsels students on visa paperwork"."""
    words = _WORD.findall(sentence)
    if len(words) < 3 or not words[0].isalpha() or not words[0].endswith("s") or words[0].endswith("ss"):
        return False
    stem = words[0][:-1]
    # A plural that begins a rule of the house ("Refunds above 500 ...") is followed by what it is measured by.
    measured = re.match(
        r"(?:above|over|under|below|up|of|for|from|in|within|after|before|and|or|to|with|without|at|by|are|go)$",
        words[1],
    )
    return stem not in NOT_HABITUAL and measured is None and not any(ch.isdigit() for ch in sentence)
