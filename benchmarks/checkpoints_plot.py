"""A picture of what `checkpoints.py` measured: bytes on disk and milliseconds a turn, by turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt

COLOURS = {"memwarden": "#0b6e4f", "langgraph postgres": "#b23a48", "langgraph sqlite": "#7a7a7a"}
LINES = {"plain": "-", "delta": "--"}


def drawn(found: Sequence[Mapping[str, Any]], target: Path) -> None:
    """Draw one column for each kind of thread into an SVG file."""
    threads = list(dict.fromkeys(one["thread"] for one in found))
    figure, axes = plt.subplots(2, len(threads), figsize=(5.5 * len(threads), 7), squeeze=False, sharex=True)
    for column, thread in enumerate(threads):
        size, time = axes[0][column], axes[1][column]
        for one in found:
            if one["thread"] != thread:
                continue
            turns, sizes, times = zip(*one["growth"], strict=True)
            look = {
                "color": COLOURS[one["saver"]],
                "linestyle": LINES[one["channel"]],
                "label": f"{one['saver']}, {one['channel']}",
            }
            size.plot(turns, [max(1, held) / 1e6 for held in sizes], **look)
            time.plot(turns, times, **look)
        size.set_yscale("log")
        size.set_ylim(bottom=0.1)
        size.set_title({"chat": "chat", "tool": "20 KB tool result each turn"}[thread])
        size.set_ylabel("MB on disk")
        time.set_ylabel("milliseconds a turn")
        time.set_ylim(bottom=0)
        time.set_xlabel("turns")
        for panel in (size, time):
            panel.grid(alpha=0.3)
    axes[0][0].legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})
