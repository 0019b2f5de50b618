"""Write docs/settings.md, the table of every setting, from the settings class. Run by `make generate`."""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic_core import PydanticUndefined

from memwarden.settings import Settings

TARGET = Path(__file__).resolve().parent.parent / "docs" / "settings.md"

HEAD = """# Settings

Every setting is an environment variable, and none is needed. This table is generated from
`src/memwarden/settings.py` by `make generate`.

| variable | default | meaning |
| --- | --- | --- |
"""


def table() -> str:
    """Return the page."""
    rows = []
    for name, field in Settings.model_fields.items():
        default = "" if field.default in (None, PydanticUndefined) else f"`{field.default}`"
        rows.append(f"| `MEMWARDEN_{name.upper()}` | {default} | {field.description} |\n")
    return HEAD + "".join(rows)


def main() -> None:
    """Write the page, or with --check only compare it."""
    if "--check" in sys.argv:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != table():
            sys.exit("docs/settings.md is out of date; run `make generate`.")
        return
    TARGET.write_text(table(), encoding="utf-8")


if __name__ == "__main__":
    main()
