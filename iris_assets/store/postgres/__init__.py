"""The server engine of a team: PostgreSQL with pgvector. Nothing outside this folder knows its SQL."""
