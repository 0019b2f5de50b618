"""Keep what was said out of the planner's statistics, where an erasure does not reach."""

from memwarden.db.plain_sql import run_beside

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Take no samples of those columns, and drop those that were taken."""
    run_beside(__file__)
