"""The embedded engine: one SQLite file, a full-text index and a vector matrix beside it."""
