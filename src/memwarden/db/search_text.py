"""How a sentence becomes search terms: whole words for full text, character trigrams for near misses.

PostgreSQL's own trigram extension is not everywhere, so trigrams are kept as lexemes of the same tsvector,
marked by a tilde, which no word of the ``simple`` configuration starts with.
"""

from __future__ import annotations

import unicodedata
from itertools import chain, zip_longest

MAX_WORDS = 10
MAX_TRIGRAMS = 24
SHORTEST_PREFIX = 3
"""A word of fewer characters is searched as it is, a longer one also as a beginning."""

LONGEST_WORD = 60
"""Characters of a question's word that are searched, as a beginning; a tsquery takes no more than 2,046 bytes."""

_COMMON = frozenset(
    # English
    "a about all also am an and any are as at be been but by could did do does for from had has have how i if in into "
    "is it its just me my of on or our please say should so some tell than that the their them then there these they "
    "this those to us was we were what when where which who whom whose why with would you your "
    # Hindi and Telugu, in their scripts and romanised
    "और का की के को क्या कौन कब कहाँ कैसे किस में मेरा मेरी मेरे मुझे मैं से है हैं था थी थे हूँ हो यह वह ने पर भी "
    "aur hai hain ka ki ke ko kya kab kaun kaise kis mein mera meri mere mujhe hoon tha thi "
    "ఏ ఏమి ఎవరు ఎప్పుడు ఎక్కడ ఎలా కోసం నా నాకు నేను మా మరియు naa naaku nenu emi eppudu ekkada ela kosam "
    # Spanish
    "al como con cual cuando cuál cuándo cómo de del donde dónde el en es esta este la las lo los mi mis para por que "
    "quien quién qué se son su sus un una y yo".split()
)
"""Words a question is built with and that say nothing about its subject."""


def words(text: str) -> list[str]:
    """Return the distinct words of ``text`` in lower case, in order: runs of letters, marks and digits."""
    lowered = unicodedata.normalize("NFKC", text).lower()
    spaced = "".join(ch if unicodedata.category(ch)[0] in "LMN" else " " for ch in lowered)
    return list(dict.fromkeys(spaced.split()))


def trigrams(words: list[str]) -> list[str]:
    """Return the distinct trigram lexemes of ``words``.

    Each word is taken with a space before it, so that its beginning counts for more. Its ending counts for
    less: too many words share theirs.
    """
    return list(dict.fromkeys(chain.from_iterable(map(_word_trigrams, words))))


def passage_trigrams(text: str) -> list[str]:
    """Return the trigram lexemes stored beside the words of a sentence."""
    return trigrams(words(text))


def query_terms(text: str) -> list[str]:
    """Return one tsquery for each word a question is about (see `telling_words`)."""
    return [_quoted(word) + (":*" if len(word) >= SHORTEST_PREFIX else "") for word in telling_words(text)]


def query_trigrams(text: str) -> str:
    """Return one tsquery that any of up to `MAX_TRIGRAMS` trigrams of the words a question is about satisfies.

    The words give their trigrams in turn, first ones first, so that a long word does not crowd out a short name.
    """
    in_turn = chain.from_iterable(zip_longest(*map(_word_trigrams, telling_words(text))))
    chosen = list(dict.fromkeys(gram for gram in in_turn if gram is not None))[:MAX_TRIGRAMS]
    # PostgreSQL sorts the lexemes of a query for every row it ranks, which takes no time in this order.
    return " | ".join(_quoted(gram) for gram in sorted(chosen, key=str.encode, reverse=True))


def telling_words(text: str) -> list[str]:
    """Return the `MAX_WORDS` longest words of a question, without its function words unless it has no others."""
    found = [word[:LONGEST_WORD] for word in words(text)]
    telling = [word for word in found if word not in _COMMON] or found
    return sorted(dict.fromkeys(telling), key=len, reverse=True)[:MAX_WORDS]


def _word_trigrams(word: str) -> list[str]:
    padded = " " + word
    return ["~" + padded[i : i + 3] for i in range(len(word) - 1)]


def _quoted(lexeme: str) -> str:
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
