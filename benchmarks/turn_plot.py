"""A picture of what `turn.py` measured: the tokens of the longest prompt of each turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt

COLOURS = ("#7a7a7a", "#b23a48", "#e08e45", "#0b6e4f", "#3b6fb6")


def drawn(found: Sequence[Mapping[str, Any]], window: int, target: Path) -> None:
    """Draw one line for each variant into an SVG file."""
    figure, axes = plt.subplots(figsize=(9, 5))
    for one, colour in zip(found, COLOURS, strict=False):
        turns = range(1, len(one["by_turn"]) + 1)
        axes.plot(turns, one["by_turn"], color=colour, linewidth=1.2, label=one["variant"])
    axes.axhline(window, color="black", linestyle=":", linewidth=1, label=f"window, {window:,} tokens")
    axes.set_yscale("log")
    axes.set_xlabel("turns")
    axes.set_ylabel("tokens of the longest prompt")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})
