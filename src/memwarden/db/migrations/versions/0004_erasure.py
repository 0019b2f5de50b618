"""Erasures are numbered, so that what was under way when one happened can be told from what came after."""

from memwarden.db.plain_sql import run_beside

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
    run_beside(__file__)
