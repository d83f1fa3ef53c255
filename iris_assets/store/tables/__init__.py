"""The tables: their schema and column types, and one repository for each group of rows."""
