"""Print how the guard does on the labelled sets in tests/data/guard: per label, and every miss."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from memwarden.guard import judge
from tests.guard.corpus import guard_lines
from tests.guard.report import measure, render


def main() -> None:
    print(render(measure()))
    lines = guard_lines()
    started = time.perf_counter()
    for line in lines:
        judge(line.candidate)
    print(f"{len(lines) / (time.perf_counter() - started):,.0f} candidates a second")


if __name__ == "__main__":
    main()
