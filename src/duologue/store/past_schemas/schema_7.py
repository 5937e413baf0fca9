"""From schema 6 to schema 7: roles, blocks, occasions and deadlines.

Written out as it was then, so that later changes of `schema` do not reach back into it.
"""

from __future__ import annotations

from sqlalchemy import Connection

_ADDED = """
ALTER TABLE items ADD COLUMN role TEXT DEFAULT 'judged' NOT NULL;
ALTER TABLE items ADD COLUMN block TEXT DEFAULT '' NOT NULL;
UPDATE items SET role = 'onboarding' WHERE is_onboarding;
ALTER TABLE items DROP COLUMN is_onboarding;
ALTER TABLE onboarding_items RENAME TO gold_items;
ALTER TABLE gold_items ADD COLUMN role TEXT DEFAULT 'onboarding' NOT NULL;
CREATE TABLE blocks (
    name TEXT NOT NULL PRIMARY KEY,
    annotators INTEGER DEFAULT '0' NOT NULL,
    item_count INTEGER DEFAULT '0' NOT NULL
);
ALTER TABLE annotators ADD COLUMN item_block TEXT DEFAULT '' NOT NULL;
ALTER TABLE annotators ADD COLUMN began_at TEXT;
ALTER TABLE annotators ADD COLUMN ending TEXT DEFAULT '' NOT NULL;
ALTER TABLE annotators ADD COLUMN attention_asked INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE annotators ADD COLUMN attention_right INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE annotators ADD COLUMN repeated INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE annotators ADD COLUMN timed_out INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE judgments ADD COLUMN role TEXT DEFAULT 'judged' NOT NULL;
ALTER TABLE judgments ADD COLUMN occasion INTEGER DEFAULT '1' NOT NULL;
ALTER TABLE assignments ADD COLUMN occasion INTEGER DEFAULT '1' NOT NULL;
ALTER TABLE assignments ADD COLUMN deadline_at TEXT
"""
_ROLES_OF_JUDGMENTS = "UPDATE judgments SET role = 'onboarding' WHERE is_onboarding"
_INDEXED = """
DROP INDEX judgments_by_annotator;
ALTER TABLE judgments DROP COLUMN is_onboarding;
CREATE INDEX judgments_by_annotator ON judgments (annotator, role, seconds)
"""
_APPEND_ONLY = """
CREATE TRIGGER judgments_never_update BEFORE update ON judgments
BEGIN SELECT RAISE(ABORT, 'judgments are append-only'); END
"""
_POSTGRESQL = """
ALTER TABLE assignments DROP CONSTRAINT assignments_annotator_item_key;
ALTER TABLE assignments ADD UNIQUE (annotator, item, occasion)
"""


def add_roles_and_occasions(connection: Connection) -> None:
    """Give items and judgments a role, and let an annotator be asked about an item a second time."""
    _run(connection, _ADDED)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("DROP TRIGGER judgments_never_update")
        connection.exec_driver_sql(_ROLES_OF_JUDGMENTS)
        connection.exec_driver_sql(_APPEND_ONLY)
        _rebuild_assignments(connection)
    else:
        connection.exec_driver_sql("ALTER TABLE judgments DISABLE TRIGGER judgments_never_update")
        connection.exec_driver_sql(_ROLES_OF_JUDGMENTS)
        connection.exec_driver_sql("ALTER TABLE judgments ENABLE TRIGGER judgments_never_update")
        _run(connection, _POSTGRESQL)
    _run(connection, _INDEXED)


def _rebuild_assignments(connection: Connection) -> None:
    """Make the table anew with another constraint, as SQLite needs it, and its indexes as they were."""
    known = "SELECT sql FROM sqlite_master WHERE tbl_name = 'assignments' AND type = '{}' AND sql IS NOT NULL"
    (made,) = connection.exec_driver_sql(known.format("table")).scalars()
    indexes = connection.exec_driver_sql(known.format("index")).scalars().all()
    made = made.replace("CREATE TABLE assignments", "CREATE TABLE new_assignments")
    connection.exec_driver_sql(made.replace("UNIQUE (annotator, item)", "UNIQUE (annotator, item, occasion)"))
    _run(
        connection,
        "INSERT INTO new_assignments SELECT * FROM assignments; DROP TABLE assignments; "
        "ALTER TABLE new_assignments RENAME TO assignments",
    )
    for index in indexes:
        connection.exec_driver_sql(index)


def _run(connection: Connection, statements: str) -> None:
    for statement in statements.split(";"):
        connection.exec_driver_sql(statement)
