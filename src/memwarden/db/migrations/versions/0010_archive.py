"""The archive of conversations: what left their state."""

from memwarden.db.plain_sql import run_beside

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add it."""
    run_beside(__file__)
