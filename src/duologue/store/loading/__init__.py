"""Putting dialogues and items into the database, many at a time."""
