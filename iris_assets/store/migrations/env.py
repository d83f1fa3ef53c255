"""Alembic's entry: migrates the connection that it is handed, or prints the SQL of a dialect that it is handed."""

from alembic import context

from iris_assets.store.schema import metadata

attributes = context.config.attributes
schema = attributes.get("schema")

if context.is_offline_mode():
    context.configure(
        dialect=attributes["dialect"],
        target_metadata=metadata,
        literal_binds=True,
        version_table_schema=schema,
    )
else:
    context.configure(
        connection=attributes["connection"],
        target_metadata=metadata,
        version_table_schema=schema,
    )

with context.begin_transaction():
    context.run_migrations()
