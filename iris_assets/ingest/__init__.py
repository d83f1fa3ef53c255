"""The five stages without Dagster: read a source, write the store, under one IngestionRun."""
