"""The audit log of each tenant is a chain of hashes, so that a removed or altered row shows."""

from memwarden.db.plain_sql import run_beside

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the chain."""
    run_beside(__file__)
