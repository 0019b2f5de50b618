"""Lists in settings, with commas between."""

from __future__ import annotations


def comma_list(text: str) -> tuple[str, ...]:
    """Return what stands between the commas, without white space and without what is empty."""
    return tuple(part for part in (piece.strip() for piece in text.split(",")) if part)
