"""The study itself: its revisions and dialogues, facts noted by name, the number of the schema."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table, Text

from duologue.store.database.schema.columns import metadata, own_number, string

migrations = Table(
    "migrations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    string("name"),
    string("at"),
)
"""One row: the number of the schema that the tables were made with."""

facts = Table("facts", metadata, Column("key", Text, primary_key=True), string("value"))
"""Secrets and noted facts, by name."""

revisions = Table(
    "revisions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    string("design_hash"),
    string("text"),
    string("at"),
)

dialogues = Table(
    "dialogues",
    metadata,
    own_number(),
    Column("id", Text, nullable=False, unique=True),
    string("bot"),
    string("content_hash"),
    string("body"),
)
