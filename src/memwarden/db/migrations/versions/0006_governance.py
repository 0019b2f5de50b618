"""Retention, holds, threads, read traces, erasures that are finished later, and the narrow views of background jobs."""

from memwarden.db.plain_sql import run_beside

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add them."""
    run_beside(__file__)
