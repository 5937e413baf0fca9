"""From schema 3 to schema 4: the plan as it was frozen, and when somebody looked at results.

Written out as it was then, so that later changes of `schema` do not reach back into it.
"""

from __future__ import annotations

from sqlalchemy import Connection

_PLANS = """
CREATE TABLE plans (
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (number)
)
"""
_LOOKS = """
CREATE TABLE looks (
    n {number} NOT NULL,
    how TEXT NOT NULL,
    judgments INTEGER DEFAULT '0' NOT NULL,
    planned INTEGER DEFAULT '0' NOT NULL,
    short INTEGER DEFAULT '0' NOT NULL,
    data TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (n)
)
"""
_SQLITE = """
CREATE TRIGGER {table}_never_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END
"""
_POSTGRESQL = """
CREATE TRIGGER {table}_never_{verb} BEFORE {verb} ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change()
"""


def add_plans_and_looks(connection: Connection) -> None:
    """Add the two tables; a study that has judgments already was never frozen, and stays so."""
    is_sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql(_PLANS)
    connection.exec_driver_sql(_LOOKS.format(number="INTEGER" if is_sqlite else "BIGSERIAL"))
    for table in ("plans", "looks"):
        for verb in ("update", "delete"):
            form = _SQLITE if is_sqlite else _POSTGRESQL
            connection.exec_driver_sql(form.format(table=table, verb=verb))
