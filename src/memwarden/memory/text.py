"""What may come in as text at all, whatever it says."""

from __future__ import annotations

import unicodedata

from memwarden.errors import InvalidInputError

MAX_TEXT = 100_000
"""Characters of a text that is judged; the guard keeps far fewer."""

MAX_QUERY = 2_000
"""Characters of a question that recall looks at; of a longer one, its two ends."""


def checked_text(text: str, what: str) -> str:
    """Return ``text`` in Unicode's composed form, without white space around it.

    Raises `InvalidInputError` when it is blank, longer than `MAX_TEXT`, or holds NUL or an unpaired
    surrogate, which PostgreSQL cannot store.
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"The {what} must be a string, not {type(text).__name__}.")
    if len(text) > MAX_TEXT:
        raise InvalidInputError(f"The {what} has {len(text):,} characters; a memory is one short sentence.")
    if "\0" in text or any("\ud800" <= ch <= "\udfff" for ch in text):
        raise InvalidInputError(f"The {what} holds a NUL or an unpaired surrogate, which is no text.")
    composed = unicodedata.normalize("NFC", text).strip()
    if not composed:
        raise InvalidInputError(f"The {what} is empty; say what it is about.")
    return composed


def checked_query(query: str | None) -> str:
    """Return a question fit for searching, the empty string when there is none; never raises for content.

    A question is whatever the user typed, so what cannot be searched (NUL, surrogates) is dropped, not refused.
    """
    if query is None:
        return ""
    if not isinstance(query, str):
        raise InvalidInputError(f"The question must be a string, not {type(query).__name__}.")
    if len(query) > MAX_QUERY:
        query = query[: MAX_QUERY // 2] + " " + query[-MAX_QUERY // 2 :]
    plain = "".join(" " if ch == "\0" or "\ud800" <= ch <= "\udfff" else ch for ch in query)
    return unicodedata.normalize("NFC", plain).strip()
