"""From schema 7 to schema 8: flags of judgments under a name that says so, and an index of people at forms.

Written out as it was then, so that later changes of `schema` do not reach back into it.
"""

from __future__ import annotations

from sqlalchemy import Connection

_RENAMED_ON_POSTGRESQL = """
ALTER TABLE judgment_flags RENAME CONSTRAINT chat_flags_pkey TO judgment_flags_pkey;
ALTER TABLE judgment_flags RENAME CONSTRAINT chat_flags_judgment_rule_key TO judgment_flags_judgment_rule_key;
ALTER TABLE judgment_flags RENAME CONSTRAINT chat_flags_judgment_fkey TO judgment_flags_judgment_fkey;
ALTER SEQUENCE chat_flags_n_seq RENAME TO judgment_flags_n_seq
"""
_INDEXED = """
CREATE INDEX annotators_at_forms ON annotators ({column})
    WHERE consented_at IS NOT NULL AND onboarding_wanted IS NULL
"""


def name_flags_and_index_forms(connection: Connection) -> None:
    """Flags are of judgments, not of chats alone; people at the forms before are found by an index."""
    connection.exec_driver_sql("ALTER TABLE chat_flags RENAME TO judgment_flags")
    if connection.dialect.name == "postgresql":
        for statement in _RENAMED_ON_POSTGRESQL.split(";"):
            connection.exec_driver_sql(statement)
    column = "cohort" if connection.dialect.name == "postgresql" else "last_seen"
    connection.exec_driver_sql(_INDEXED.format(column=column))
