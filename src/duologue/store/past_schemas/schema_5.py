"""From schema 4 to schema 5: forms that annotators fill in, and cohorts of annotators.

Written out as it was then, so that later changes of `schema` do not reach back into it.
"""

from __future__ import annotations

from sqlalchemy import Connection

_FORMS = """
CREATE TABLE filled_forms (
    n {own},
    annotator {number} NOT NULL REFERENCES annotators (n),
    form TEXT NOT NULL,
    revision INTEGER DEFAULT '0' NOT NULL,
    answers TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (annotator, form)
)
"""
_IS_CHANGED = (
    "NEW.answers <> '[withdrawn]' OR NEW.annotator <> OLD.annotator OR NEW.form <> OLD.form "
    "OR NEW.revision <> OLD.revision OR NEW.at <> OLD.at"
)
_TRIGGERS_SQLITE = (
    f"CREATE TRIGGER filled_forms_never_update BEFORE update ON filled_forms WHEN ({_IS_CHANGED}) "
    "BEGIN SELECT RAISE(ABORT, 'filled_forms are append-only'); END",
    "CREATE TRIGGER filled_forms_never_delete BEFORE delete ON filled_forms "
    "BEGIN SELECT RAISE(ABORT, 'filled_forms are append-only'); END",
)
_TRIGGERS_POSTGRESQL = (
    "CREATE TRIGGER filled_forms_never_update BEFORE update ON filled_forms FOR EACH ROW "
    f"WHEN ({_IS_CHANGED}) EXECUTE FUNCTION refuse_to_change()",
    "CREATE TRIGGER filled_forms_never_delete BEFORE delete ON filled_forms FOR EACH STATEMENT "
    "EXECUTE FUNCTION refuse_to_change()",
)
_QUOTAS_SQLITE = """
CREATE TABLE new_quotas (
    n INTEGER NOT NULL PRIMARY KEY,
    arm TEXT NOT NULL,
    group_name TEXT NOT NULL,
    cohort TEXT DEFAULT '' NOT NULL,
    is_wanted BOOLEAN DEFAULT true NOT NULL,
    wanted INTEGER DEFAULT '0' NOT NULL,
    free INTEGER DEFAULT '0' NOT NULL,
    leased INTEGER DEFAULT '0' NOT NULL,
    done INTEGER DEFAULT '0' NOT NULL,
    excluded INTEGER DEFAULT '0' NOT NULL,
    UNIQUE (arm, group_name, cohort)
);
INSERT INTO new_quotas (n, arm, group_name, is_wanted, wanted, free, leased, done, excluded)
    SELECT n, arm, group_name, is_wanted, wanted, free, leased, done, excluded FROM quotas;
DROP TABLE quotas;
ALTER TABLE new_quotas RENAME TO quotas
"""
_QUOTAS_POSTGRESQL = """
DROP INDEX quotas_to_fill;
ALTER TABLE quotas ADD COLUMN cohort TEXT DEFAULT '' NOT NULL;
ALTER TABLE quotas DROP CONSTRAINT quotas_arm_group_name_key;
ALTER TABLE quotas ADD UNIQUE (arm, group_name, cohort)
"""
_INDEX = "CREATE INDEX quotas_to_fill ON quotas (arm, cohort, free DESC, n)"


def add_forms_and_cohorts(connection: Connection) -> None:
    """Add the table of forms, and the cohort of annotators and of the places they fill: none so far."""
    is_sqlite = connection.dialect.name == "sqlite"
    own, number = ("INTEGER", "INTEGER") if is_sqlite else ("BIGSERIAL", "BIGINT")
    connection.exec_driver_sql(_FORMS.format(own=f"{own} NOT NULL PRIMARY KEY", number=number))
    for statement in _TRIGGERS_SQLITE if is_sqlite else _TRIGGERS_POSTGRESQL:
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql("ALTER TABLE annotators ADD COLUMN cohort TEXT DEFAULT '' NOT NULL")
    for statement in (_QUOTAS_SQLITE if is_sqlite else _QUOTAS_POSTGRESQL).split(";"):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql(_INDEX)
