"""From schema 8 to schema 9: which reasons say the same, and an index of second judgments.

Written out as it was then, so that later changes of `schema` do not reach back into it. What a reason's print
is belongs to screening, here as there: reasons that were given before are compared with later ones.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from duologue.screening import fingerprint, may_be_shared

_ADDED = (
    """
CREATE TABLE reason_prints (
    judgment {number} NOT NULL,
    print TEXT NOT NULL,
    may_be_shared BOOLEAN NOT NULL,
    PRIMARY KEY (judgment),
    FOREIGN KEY(judgment) REFERENCES judgments (n)
)
""",
    "CREATE INDEX reasons_that_say_the_same ON reason_prints (print)",
    "CREATE INDEX second_slots ON slots (quota, state) WHERE copy = 1000000",
)
_REASONS = """
SELECT judgments.n, reasons.text FROM judgments JOIN reasons ON reasons.judgment = judgments.n
    WHERE judgments.role = 'judged' AND judgments.occasion = 1
"""
_ADD = "INSERT INTO reason_prints (judgment, print, may_be_shared) VALUES (:judgment, :print, :may_be_shared)"


def add_prints_and_second_slots(connection: Connection) -> None:
    """Reasons that say the same are found by an index, and so are the places of second judgments."""
    is_sqlite = connection.dialect.name == "sqlite"
    for statement in _ADDED:
        connection.exec_driver_sql(statement.format(number="INTEGER" if is_sqlite else "BIGINT"))
    rows = [
        {"judgment": number, "print": found, "may_be_shared": may_be_shared(reason)}
        for number, reason in connection.execute(text(_REASONS))
        if (found := fingerprint(reason))
    ]
    if rows:
        connection.execute(text(_ADD), rows)
