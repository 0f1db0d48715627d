"""All SQL and all vector indexes."""
