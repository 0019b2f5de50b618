"""What one turn of a conversation costs with everything on, and how long its prompts grow.

First the time of a turn beside the model, which answers at once: everything on, with and without the time of embedding,
and in the same run a bare agent, without checkpoints and on two savers, so that what LangGraph and LangChain take
themselves is known. Then the tokens of each prompt of one long conversation: without compaction, with LangChain's
summaries, and with ours.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.turn_growth import WINDOW, Grown, grown
from benchmarks.turn_overhead import (
    BARE,
    EVERYTHING,
    OFFLINE,
    THEIR_SAVER,
    Agent,
    Plan,
    judged_ms,
    measured,
    prepared,
    profiled,
)
from benchmarks.turn_timing import Stopwatch, Turn

TARGETS = {EVERYTHING: (8.0, 20.0), OFFLINE: (30.0, None)}
"""Milliseconds that a turn's overhead may take: the median, and the 95th percentile."""

PARTS = (
    "recall",
    "guard",
    "memory's beginning",
    "trace",
    "checkpoint",
    "compaction check",
    "compactor",
    "preprocessing",
    "postprocessing",
)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200, help="turns that are measured, of each agent")
    parser.add_argument("--threads", type=int, default=20, help="threads that they are spread over")
    parser.add_argument("--before", type=int, default=20, help="turns that are in each thread already")
    parser.add_argument("--memories", type=int, default=100, help="memories of each user")
    parser.add_argument(
        "--growth", type=int, default=300, help="turns of the long conversation; 0 leaves it out"
    )
    parser.add_argument("--profile", type=int, default=0, help="print so many lines of a profile to stderr")
    parser.add_argument("--json", action="store_true", help="print JSON for a program to read")
    parser.add_argument(
        "--plot", type=Path, help="draw the long conversation into this SVG file; needs matplotlib"
    )
    options = parser.parse_args()
    plan = Plan(options.memories, options.threads, options.before, options.turns)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="memwarden-bench-") as name:
        Path(name).chmod(0o711)  # as root, the server runs under another account and passes through
        figures, conversations = asyncio.run(_run(Path(name), plan, options.growth, options.profile))
    figures["load"] = [load, os.getloadavg()[0]]
    if options.plot and conversations:
        from benchmarks.turn_plot import drawn

        drawn([asdict(one) for one in conversations], WINDOW, options.plot)
    if options.json:
        print(json.dumps({**figures, "growth": [asdict(one) for one in conversations]}, indent=2))
    else:
        show(figures, conversations)


async def _run(folder: Path, plan: Plan, growth: int, profile: int) -> tuple[dict[str, Any], list[Grown]]:
    """Measure both, on one server."""
    watch, conversations = Stopwatch(), []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        async with prepared(folder, plan, progress) as made:
            with watch.attached():
                found = made.agents()
                await measured(found, made.asked, plan, watch, progress)
            if growth:
                conversations = await grown(made.memwarden, growth, progress)
            if profile:
                agent = next(one for one in made.agents() if one.name == EVERYTHING)
                print(await profiled(agent, made.asked[:100], profile), file=sys.stderr)
        judged = judged_ms(made.asked)
    bare = next(agent for agent in found if agent.name == BARE)
    figures = {
        "turns": plan.turns,
        "threads": plan.threads,
        "before": plan.there_already,
        "memories": plan.memories,
        "judge": _times(judged),
        "agents": {agent.name: _figures(agent, bare) for agent in found},
    }
    return figures, conversations


def _figures(agent: Agent, bare: Agent) -> dict[str, Any]:
    """Return an agent's figures: milliseconds of the whole turn, of what it is more than the bare one's, and of its parts."""
    more = [1e3 * (one.whole - other.whole) for one, other in zip(agent.turns, bare.turns, strict=True)]
    return {
        "whole": _times([1e3 * turn.whole for turn in agent.turns]),
        "overhead": _times(more),
        "trips": statistics.median(_trips(turn) for turn in agent.turns),
        "checkpoints": statistics.median(turn.calls["checkpoint put"] for turn in agent.turns),
        "writes": statistics.median(turn.calls["checkpoint writes"] for turn in agent.turns),
        "parts": {
            part: {
                **_times([1e3 * turn.seconds[part] for turn in agent.turns]),
                "trips": statistics.median(
                    sum(count for name, count in turn.trips.items() if name.startswith(part))
                    for turn in agent.turns
                ),
            }
            for part in PARTS
            if any(turn.seconds[part] for turn in agent.turns)
        },
    }


def _trips(turn: Turn) -> int:
    """Return the trips to the database that belong to a turn, and not to what is written some time later."""
    return sum(count for name, count in turn.trips.items() if not name.endswith("later"))


def _times(milliseconds: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(milliseconds, n=20, method="inclusive")
    return {"p50": statistics.median(milliseconds), "p95": cuts[-1]}


def show(figures: dict[str, Any], conversations: Sequence[Grown]) -> None:
    """Print the figures as tables."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    console.print(
        f"{figures['turns']} turns over {figures['threads']} threads that had {figures['before']}, "
        f"{figures['memories']} memories a user; load {figures['load'][0]:.1f} before, {figures['load'][1]:.1f} after"
    )
    console.print(_agents(figures["agents"]))
    console.print(_parts(figures["agents"]))
    judged = figures["judge"]
    console.print(
        f"The guard judges such a message in {judged['p50']:.2f} ms (p95 {judged['p95']:.2f}); a question is not judged."
    )
    if conversations:
        console.print(_conversations(conversations))


def _agents(found: dict[str, Any]) -> Table:
    table = Table(
        "one turn",
        "p50 ms",
        "p95 ms",
        "over bare: p50",
        "p95",
        "of peer",
        "checkpoints",
        "trips",
        "target",
        box=None,
    )
    for name, one in found.items():
        whole, overhead = one["whole"], one["overhead"]
        table.add_row(
            name,
            *(f"{value:.1f}" for value in (whole["p50"], whole["p95"], overhead["p50"], overhead["p95"])),
            f"{whole['p50'] / found[THEIR_SAVER]['whole']['p50']:.2f}x",
            f"{one['checkpoints']:.0f} + {one['writes']:.0f} writes",
            f"{one['trips']:.0f}",
            _verdict(name, overhead),
        )
    return table


def _verdict(name: str, overhead: dict[str, float]) -> str:
    if name not in TARGETS:
        return ""
    p50, p95 = TARGETS[name]
    reached = overhead["p50"] <= p50 and (p95 is None or overhead["p95"] <= p95)
    return f"p50 {p50:g}{'' if p95 is None else f', p95 {p95:g}'}: {'reached' if reached else 'missed'}"


def _parts(found: dict[str, Any]) -> Table:
    shown = [name for name, one in found.items() if one["parts"]]
    table = Table("part: p50 / p95 ms (trips)", *shown, box=None)
    for part in PARTS:
        cells = []
        for name in shown:
            one = found[name]["parts"].get(part)
            cells.append("" if one is None else f"{one['p50']:.2f} / {one['p95']:.2f} ({one['trips']:.0f})")
        table.add_row(part, *cells)
    return table


def _conversations(found: Sequence[Grown]) -> Table:
    table = Table(
        f"{found[0].turns} turns, window {WINDOW:,}",
        "prompts",
        "mean tokens",
        "longest",
        "over the window",
        "facts kept",
        "broken pairs",
        "summaries",
        box=None,
    )
    for one in found:
        table.add_row(
            one.variant,
            f"{one.prompts:,}",
            f"{one.mean_tokens:,}",
            f"{one.max_tokens:,}",
            str(one.over_window),
            f"{one.facts_kept} of {one.facts}",
            str(one.broken),
            str(one.summaries),
        )
    return table


if __name__ == "__main__":
    main()
