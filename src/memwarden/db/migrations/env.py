"""Alembic's entry: runs the migrations on the connection that `memwarden.db.migrate` hands over."""

from alembic import context
from sqlalchemy import Connection

connection: Connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    version_table="schema_version",
    version_table_schema="memwarden",
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
