"""Consent: decisions of users about purposes, and what they come to."""

from memwarden.db.plain_sql import run_beside

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table and the function that reads it."""
    run_beside(__file__)
