"""A part of a long text, with where it stands in the whole."""

from __future__ import annotations

import re

from memwarden.session.prompt_size import text_tokens

BEFORE_FOUND = 200
"""Characters that are shown before the words that were looked for."""


def excerpt(whole: str, start: int, find: str, most_tokens: int) -> str:
    """Return a part of a text within so many tokens, with where it stands in the whole."""
    begin = min(max(0, start), len(whole))
    if find:
        found = re.compile(re.escape(find), re.IGNORECASE).search(whole, begin)
        if found is None:
            return f"The words do not stand in the result from character {begin} of {len(whole)}."
        begin = max(0, found.start() - BEFORE_FOUND)
    end = _end(whole, begin, most_tokens)
    rest = f"; go on with start={end}" if end < len(whole) else ""
    return f"[characters {begin} to {end} of {len(whole)}{rest}]\n{whole[begin:end]}"


def _end(whole: str, begin: int, most_tokens: int) -> int:
    end = min(len(whole), begin + 4 * most_tokens)
    while end > begin + 1 and text_tokens(whole[begin:end]) > most_tokens:
        end = begin + (end - begin) * 3 // 4
    return end
