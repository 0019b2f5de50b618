"""Conversations: titles and lives, beside the checkpoints of their threads."""

from memwarden.db.plain_sql import run_beside

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add them."""
    run_beside(__file__)
