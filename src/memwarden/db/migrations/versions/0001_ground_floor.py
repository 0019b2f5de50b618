"""The ground floor: memories, proposals, the audit log, and LangGraph's checkpoint tables."""

from memwarden.db.plain_sql import run_beside

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables and their policies."""
    run_beside(__file__)
