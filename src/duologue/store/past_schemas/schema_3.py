"""From schema 2 to schema 3: how the judgments that count were answered is counted as they come.

Written out as it was then, so that later changes of `schema` and `tallies` do not reach back into it.
"""

from __future__ import annotations

import hashlib
import json

from sqlalchemy import Connection, text

from duologue.strict_json import read_json

_TABLE = """
CREATE TABLE tallies (
    quota {number} NOT NULL REFERENCES quotas (n),
    kind TEXT NOT NULL,
    example {number} NOT NULL REFERENCES judgments (n),
    done INTEGER DEFAULT '0' NOT NULL,
    PRIMARY KEY (quota, kind)
){without_rowid}
"""
_COUNTING = """
SELECT judgments.quota, judgments.n, judgments.revision, items.body, judgments.shown, judgments.answer
FROM slots JOIN judgments ON judgments.n = slots.judgment JOIN items ON items.n = judgments.item
ORDER BY judgments.n
"""


def add_tallies(connection: Connection) -> None:
    """Add the counts, from the judgments that hold their slots."""
    is_sqlite = connection.dialect.name == "sqlite"
    number, without_rowid = ("INTEGER", " WITHOUT ROWID") if is_sqlite else ("BIGINT", "")
    connection.exec_driver_sql(_TABLE.format(number=number, without_rowid=without_rowid))
    found: dict[tuple[int, str], list[int]] = {}
    rows = connection.execute(text(_COUNTING), execution_options={"yield_per": 5_000})
    for quota, judgment, revision, body, shown, answer in rows:
        facts = json.dumps([revision, read_json(body)["bots"], shown, answer])
        kind = hashlib.sha256(facts.encode()).hexdigest()[:32]
        found.setdefault((quota, kind), [judgment, 0])[1] += 1
    adding = text("INSERT INTO tallies (quota, kind, example, done) VALUES (:quota, :kind, :example, :done)")
    for (quota, kind), (example, done) in found.items():
        connection.execute(adding, {"quota": quota, "kind": kind, "example": example, "done": done})
