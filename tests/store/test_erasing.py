"""Who withdraws leaves no word behind: not in turns, dialogues, drafts or flags, nor in the file itself."""

from pathlib import Path

import pytest
from sqlalchemy import text

from duologue.clock import utc_now
from duologue.errors import StoreError
from duologue.protocols import HUMAN
from duologue.store import (
    Flag,
    GivenReply,
    Store,
    fail_reply,
    fetch_assignment_in_hand,
    fetch_chat,
    fetch_chat_dialogues,
    fetch_dialogues,
    fetch_judgments,
    keep_draft,
    load_dialogues,
    load_items,
    resume_sitting,
    store_reply,
    take_replies,
    take_turn,
    withdraw_annotator,
)
from duologue.store.database.engine import Database
from duologue.store.database.operations import writes
from duologue.store.database.schema import WITHDRAWN_TEXT
from tests.store.small_chats import (
    CHAT_CAPS,
    PEOPLE,
    chat_items,
    chat_through,
    come_to_chat,
    rate,
    reply,
    say,
    two_people,
)
from tests.store.small_study import summary_of
from tests.store.truth import assert_sound

SECRET = "xylophone"


def _everything(database: str) -> str:
    """All rows of all tables, as text."""
    opened = Database(database, clock=utc_now)
    try:
        with opened.engine.connect() as connection:
            tables = (
                "chat_turns",
                "dialogues",
                "assignments",
                "judgment_flags",
                "reasons",
                "judgments",
                "exclusions",
                "reply_failures",
            )
            return "\n".join(
                str(tuple(row))
                for name in tables
                for row in connection.execute(text(f"SELECT * FROM {name}"))
            )
    finally:
        opened.close()


def test_words_of_who_withdraws_are_gone(store: Store, database: str) -> None:
    store.run(load_items(chat_items(["ada", "bea"], each=4), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    say(store, token, assignment, f"My {SECRET}!")
    (wanted,) = store.run(take_replies(bots=["ada", "bea"], lease_seconds=30))
    store.run(fail_reply(wanted.id, f"It cannot read {SECRET}."))
    given = GivenReply(f"You said {SECRET}.", 0.5, meta={"prompt": SECRET})
    store.run(store_reply(wanted.id, given))
    chat_through(store, token, assignment)
    store.run(keep_draft(token, CHAT_CAPS, assignment=assignment.key, fields={"reason": SECRET}))
    rate(store, token, assignment, flags=[Flag("offensive", SECRET)])
    station = store.run(resume_sitting(token, CHAT_CAPS))
    running = store.run(fetch_assignment_in_hand(token))
    store.run(take_turn(token, CHAT_CAPS, assignment=running, text=f"Another {SECRET}.", key="one"))
    store.run(keep_draft(token, CHAT_CAPS, assignment=running, fields={"reason": SECRET}))
    assert SECRET in _everything(database)
    store.run(withdraw_annotator(station.annotator.id, reason="a test"))
    assert SECRET not in _everything(database)
    assert not list(store.stream(fetch_chat_dialogues()))
    (judgment,) = store.stream(fetch_judgments())
    turns = [turn.text for turn in store.run(fetch_dialogues([judgment.dialogue]))[0].turns]
    assert turns == [WITHDRAWN_TEXT] * 6
    assert store.run(take_replies(bots=["ada", "bea"], lease_seconds=0)) == ()
    assert_sound(database, CHAT_CAPS)


def test_nothing_lingers_in_the_file(store: Store, database: str) -> None:
    if not database.startswith("sqlite"):
        pytest.skip("the file of a PostgreSQL table is rewritten by its vacuum when it pleases")
    store.run(load_items(chat_items(["ada"], each=4), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    say(store, token, assignment, f"My {SECRET}!")
    reply(store)
    chat_through(store, token, assignment)
    path = Path(database.removeprefix("sqlite:///"))
    files = [path, path.with_name(f"{path.name}-wal")]
    assert any(SECRET.encode() in file.read_bytes() for file in files if file.exists())
    store.run(withdraw_annotator(summary_of(store, token).id, reason="a test"))
    assert not any(SECRET.encode() in file.read_bytes() for file in files if file.exists())


def test_words_of_the_partner_stay(store: Store, database: str) -> None:
    store.run(load_items(chat_items([HUMAN], each=4), PEOPLE))
    (one, first), (two, second) = two_people(store)
    for _ in range(3):
        say(store, one, first, f"My {SECRET}!", PEOPLE)
        say(store, two, second, "How nice.", PEOPLE)
    rate(store, two, second, PEOPLE)
    store.run(withdraw_annotator(summary_of(store, one).id, reason="a test"))
    assert SECRET not in _everything(database)
    (judgment,) = store.stream(fetch_judgments())
    assert judgment.excluded == ""
    assert [turn.text for turn in store.run(fetch_dialogues([judgment.dialogue]))[0].turns] == [
        WITHDRAWN_TEXT,
        "How nice.",
    ] * 3
    assert [turn.text for turn in store.run(fetch_chat(two, second.key)).turns] == [
        WITHDRAWN_TEXT,
        "How nice.",
    ] * 3
    assert_sound(database, PEOPLE)


def test_reply_that_comes_after_the_withdrawal_is_dropped(store: Store) -> None:
    store.run(load_items(chat_items(["ada"], each=4), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    say(store, token, assignment)
    (wanted,) = store.run(take_replies(bots=["ada"], lease_seconds=30))
    store.run(withdraw_annotator(summary_of(store, token).id, reason="a test"))
    assert not store.run(store_reply(wanted.id, GivenReply(f"You said {SECRET}.", 1.0)))


def test_erased_chat_is_not_brought_back_by_a_file(store: Store, database: str) -> None:
    store.run(load_items(chat_items(["ada"], each=4), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    say(store, token, assignment, f"My {SECRET}!")
    reply(store)
    chat_through(store, token, assignment)
    collected = list(store.stream(fetch_chat_dialogues()))
    store.run(withdraw_annotator(summary_of(store, token).id, reason="a test"))
    assert store.run(load_dialogues(collected)).kept == 1
    assert SECRET not in _everything(database)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chat_turns SET text = 'other'",
        "UPDATE chat_turns SET seat = 1 - seat",
        f"UPDATE chat_turns SET text = '{WITHDRAWN_TEXT}', place = place + 7",
        "DELETE FROM chat_turns",
    ],
)
def test_turns_are_never_changed(store: Store, statement: str) -> None:
    store.run(load_items(chat_items(["ada"], each=4), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    say(store, token, assignment, "Hello!")
    with pytest.raises(StoreError, match="append-only"):
        store.run(writes(lambda tx: tx.do(text(statement)))())
    assert store.run(fetch_chat(token, assignment.key)).turns[0].text == "Hello!"
