"""Refused secrets are named in the audit log by kind and keyed hash."""

from memwarden.db.plain_sql import run_beside

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column."""
    run_beside(__file__)
