"""Checkpoints in parts that a thread keeps once, in place of LangGraph's tables."""

from memwarden.db.plain_sql import run_beside

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add them, and drop the interim ones."""
    run_beside(__file__)
