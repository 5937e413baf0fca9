"""Revisions, secrets and marks."""

from datetime import datetime, timedelta, timezone

from duologue.store import (
    ItemStation,
    Store,
    ensure_secret,
    fetch_fact,
    fetch_judgments,
    fetch_revisions,
    note_fact,
    open_store,
    record_revision,
)
from tests.store.small_study import CAPS, Hand, answer, come, judge_all, load


def test_first_design_is_revision_one_and_stays_it(store: Store) -> None:
    assert store.run(record_revision("hash", "the text")) == 1
    assert store.run(record_revision("hash", "the text, with another comment")) == 1
    (revision,) = store.run(fetch_revisions())
    assert (revision.number, revision.design_hash, revision.text) == (1, "hash", "the text")
    assert revision.at == "2026-05-01T12:00:00.000000+00:00"


def test_design_that_changes_before_the_first_judgment_is_replaced(store: Store) -> None:
    store.run(record_revision("old", "old text"))
    assert store.run(record_revision("new", "new text")) == 1
    assert [(revision.number, revision.text) for revision in store.run(fetch_revisions())] == [
        (1, "new text")
    ]


def test_design_that_changes_after_the_first_judgment_is_a_new_revision(store: Store) -> None:
    load(store)
    store.run(record_revision("old", "old text"))
    token, station = come(store)
    station = answer(store, token, station)
    assert store.run(record_revision("new", "new text")) == 2
    station = answer(store, token, station)
    answer(store, token, station)
    assert [judgment.revision for judgment in store.stream(fetch_judgments())] == [1, 1, 2]
    assert [revision.text for revision in store.run(fetch_revisions())] == ["old text", "new text"]


def test_design_that_somebody_is_looking_at_is_not_replaced(store: Store, hand: Hand) -> None:
    load(store)
    store.run(record_revision("old", "old text"))
    token, station = come(store)
    assert store.run(record_revision("new", "new text")) == 2
    answer(store, token, station)
    assert [judgment.revision for judgment in store.stream(fetch_judgments())] == [1]


def test_design_that_was_only_looked_at_is_replaced(store: Store, hand: Hand) -> None:
    load(store)
    store.run(record_revision("old", "old text"))
    come(store)
    hand.move(CAPS.lease_seconds + 1)
    assert store.run(record_revision("new", "new text")) == 1


def test_going_back_to_an_older_design_is_a_new_revision(store: Store) -> None:
    load(store)
    for number, design in enumerate(["old", "new", "old"], 1):
        assert store.run(record_revision(design, design)) == number
        token, station = come(store)
        assert isinstance(station, ItemStation)
        answer(store, token, station)


def test_times_are_stored_in_utc_whatever_the_clock_says(database: str) -> None:
    tokyo = datetime(2026, 5, 1, 21, tzinfo=timezone(timedelta(hours=9)))
    with open_store(database, clock=lambda: tokyo) as store:
        store.run(record_revision("hash", "text"))
        assert store.run(fetch_revisions())[0].at == "2026-05-01T12:00:00.000000+00:00"


def test_secrets_are_made_once_and_kept(database: str) -> None:
    with open_store(database) as store:
        key, cookie = store.run(ensure_secret("researcher")), store.run(ensure_secret("cookies"))
        assert key != cookie
        assert len(key) == 32
    with open_store(database) as again:
        assert again.run(ensure_secret("researcher")) == key


def test_marks_are_kept_and_can_be_changed(database: str) -> None:
    with open_store(database) as store:
        assert store.run(fetch_fact("rehearsal")) is None
        store.run(note_fact("rehearsal", "yes"))
        store.run(note_fact("rehearsal", "no"))
    with open_store(database) as again:
        assert again.run(fetch_fact("rehearsal")) == "no"


def test_a_design_with_more_bots_is_the_same_revision_and_its_own_from_then_on(store: Store) -> None:
    load(store)
    store.run(record_revision("three bots", "the text"))
    judge_all(store, CAPS)
    before = store.run(fetch_revisions())
    assert store.run(record_revision("four bots", "more text", grown_from="three bots")) == 1
    (revision,) = store.run(fetch_revisions())
    assert (revision.design_hash, revision.text, revision.at) == ("four bots", "more text", before[0].at)
    assert store.run(record_revision("another fourth bot", "text", grown_from="another three")) == 2
