"""Print how the guard does on its labelled sets: per label, per language, and every miss.

Without arguments, the sets in tests/data/guard; with paths, those files (JSON Lines of the same form).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from memwarden.guard import judge
from tests.guard.corpus import guard_lines, lines_of
from tests.guard.report import measure, render, render_secrets


def main() -> None:
    paths = [Path(argument) for argument in sys.argv[1:]]
    lines = [line for path in paths for line in lines_of(path)] if paths else guard_lines()
    print(render(measure(lines)))
    if not paths:
        print(render_secrets())
    started = time.perf_counter()
    for line in lines:
        judge(line.candidate)
    print(f"{len(lines) / (time.perf_counter() - started):,.0f} candidates a second")


if __name__ == "__main__":
    main()
