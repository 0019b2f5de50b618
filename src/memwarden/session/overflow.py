"""Whether a provider refused a prompt because it is too long."""

from __future__ import annotations

from collections.abc import Mapping

from langchain_core.exceptions import ContextOverflowError, ModelError

_CODES = frozenset({"context_length_exceeded", "request_too_large"})
_WORDS = ("maximum context length", "context window", "prompt is too long", "too many tokens")


def is_overflow(error: ModelError) -> bool:
    """Tell whether a model's error says that the prompt is longer than its window.

    Integrations do not always say so by `ContextOverflowError`; the code of the provider, or its words, do.
    """
    if isinstance(error, ContextOverflowError):
        return True
    body = getattr(error, "body", None)
    codes = {getattr(error, "code", None), body.get("code") if isinstance(body, Mapping) else None}
    return bool(codes & _CODES) or any(words in str(error).lower() for words in _WORDS)
