"""The ground floor: memories, proposals, the audit log, and LangGraph's checkpoint tables."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables and their policies."""
    sql = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    # Straight to the driver: the text is plain SQL, in which a percent sign is no placeholder.
    driver = op.get_bind().connection.driver_connection
    if driver is None:
        raise RuntimeError("The migration was given a connection that is closed.")
    driver.execute(sql)
