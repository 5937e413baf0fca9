"""Tables that are only ever added to: the database itself refuses to change or delete their rows."""

from __future__ import annotations

from sqlalchemy import DDL, Table, event

WITHDRAWN_TEXT = "[withdrawn]"
"""What stands in the place of what an annotator wrote who has withdrawn."""

_APPEND_ONLY_SQLITE = """
CREATE TRIGGER {table}_never_{verb} BEFORE {verb} ON {table}{unless}
BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END
"""
_APPEND_ONLY_POSTGRESQL = """
CREATE TRIGGER {table}_never_{verb} BEFORE {verb} ON {table}
FOR EACH {each}{unless} EXECUTE FUNCTION refuse_to_change()
"""
_REFUSAL_POSTGRESQL = """
CREATE OR REPLACE FUNCTION refuse_to_change() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION '%% are append-only', TG_TABLE_NAME; END $$
"""


def keep_append_only(table: Table, *, unless: str = "") -> None:
    """Let the database refuse changes of a table; ``unless`` is the condition of a trigger, for updates."""
    refusal = _ddl(_REFUSAL_POSTGRESQL).execute_if(dialect="postgresql")
    event.listen(table, "after_create", refusal)
    for verb in ("update", "delete"):
        for dialect, form in (("sqlite", _APPEND_ONLY_SQLITE), ("postgresql", _APPEND_ONLY_POSTGRESQL)):
            when = unless if verb == "update" else ""
            each = "ROW" if when else "STATEMENT"
            statement = form.format(table=table.name, verb=verb, unless=when, each=each)
            event.listen(table, "after_create", _ddl(statement).execute_if(dialect=dialect))


def _ddl(statement: str) -> DDL:
    return DDL(statement)  # type: ignore[no-untyped-call]
