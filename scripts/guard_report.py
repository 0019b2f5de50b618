"""Print how the guard does on its labelled sets: per label, per language, and every miss.

Without arguments, the set the rules were written against; with paths, those files (JSON Lines of the same form).
What is printed is what Memwarden keeps: the rules, then the linear head as second opinion. ``--rules-alone``
prints what the rules keep for a guard that hears no opinion.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from memwarden.guard import judge
from memwarden.model.verdict import Candidate, Verdict
from tests.guard.corpus import guard_lines, lines_of
from tests.guard.opined import opined_judge
from tests.guard.report import measure, render, render_secrets


def main() -> None:
    alone = "--rules-alone" in sys.argv
    paths = [Path(argument) for argument in sys.argv[1:] if not argument.startswith("--")]
    lines = [line for path in paths for line in lines_of(path)] if paths else guard_lines()
    deciding: AbstractContextManager[Callable[[Candidate], Verdict]]
    deciding = nullcontext(judge) if alone else opined_judge()
    with deciding as decide:
        shown = track(lines, "Judging", console=Console(stderr=True), transient=True)
        print(render(measure(shown, decide)))
    if not paths:
        print(render_secrets())
    started = time.perf_counter()
    for line in lines:
        judge(line.candidate)
    print(f"{len(lines) / (time.perf_counter() - started):,.0f} candidates a second by the rules alone")


if __name__ == "__main__":
    main()
