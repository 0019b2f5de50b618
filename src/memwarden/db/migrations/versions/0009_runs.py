"""One run of a thread at a time."""

from memwarden.db.plain_sql import run_beside

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Let a run hold its thread, and a checkpoint follow the one it was made from."""
    run_beside(__file__)
