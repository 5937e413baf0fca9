"""Writes a database of the present schema as SQL, once for every schema, with rows in every table.

``python -m tests.store.past_schema > tests/store/schemas/N.sql``, when schema N is new; never again after.
"""

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from duologue.store import open_store
from tests.store.small_study import SCREENED, Hand, answer, judge_all, load


def fill(address: str) -> None:
    """A study half-way: judged, excluded, blocked, and one annotator with an assignment in hand."""
    with open_store(address, clock=Hand()) as store:
        store.record_revision("hash", "the study file")
        store.secret("researcher")
        store.mark("rehearsal", "no")
        load(store, SCREENED, onboarding=1)
        judge_all(store, SCREENED)
        judge_all(store, SCREENED)
        store.exclude([list(store.judgments())[-1].id], rule="slow", reason="a test", by="me")
        blocked, waiting = store.invite(labels=["Blocked", "Waiting"])
        store.block(blocked.annotator, reason="a test", by="me")
        station = store.consent(waiting.token, SCREENED)
        answer(store, waiting.token, station, SCREENED)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.db"
        fill(f"sqlite:///{path}")
        with closing(sqlite3.connect(path)) as connection:
            sys.stdout.writelines(f"{line}\n" for line in connection.iterdump())


if __name__ == "__main__":
    main()
