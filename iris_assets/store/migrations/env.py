"""Alembic's entry: migrates the connection that it is handed, or prints the SQL of a dialect that it is handed."""

from alembic import context
from sqlalchemy.sql.elements import quoted_name

from iris_assets.store.tables.schema import metadata

attributes = context.config.attributes
# Quoted, a server may take the schema's name for a delimited identifier.
schema = quoted_name(attributes["schema"], quote=False) if attributes.get("schema") else None

if context.is_offline_mode():
    context.configure(
        dialect_name=attributes["dialect"].name,
        target_metadata=metadata,
        literal_binds=True,
        version_table_schema=schema,
    )
    attributes["steps"].prepare_offline(context.get_context().dialect)
else:
    context.configure(
        connection=attributes["connection"],
        target_metadata=metadata,
        version_table_schema=schema,
    )

with context.begin_transaction():
    context.run_migrations()
