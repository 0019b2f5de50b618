"""Run a migration that is written as plain SQL, in the file beside its revision."""

from __future__ import annotations

from pathlib import Path

from alembic import op


def run_beside(revision: str) -> None:
    """Execute the SQL file that has the name of the Python file ``revision``."""
    sql = Path(revision).with_suffix(".sql").read_text(encoding="utf-8")
    # Straight to the driver: the text is plain SQL, in which a percent sign is no placeholder.
    driver = op.get_bind().connection.driver_connection
    if driver is None:
        raise RuntimeError("The migration was given a connection that is closed.")
    driver.execute(sql)
