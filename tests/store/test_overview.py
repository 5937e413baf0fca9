"""What a researcher reads."""

import threading
from dataclasses import replace
from itertools import islice

import pytest

from duologue.errors import LinkUnknown, NotFound
from duologue.protocols import Answer
from duologue.store import (
    ItemStation,
    Station,
    Store,
    exclude_judgments,
    fetch_annotators,
    fetch_assignment,
    fetch_assignment_in_hand,
    fetch_dialogues,
    fetch_items,
    fetch_judgments,
    fetch_leases,
    fetch_progress,
    give_consent,
    invite_annotators,
    list_leases,
    load_dialogues,
    load_items,
    record_answer,
)
from duologue.store.database.schema import SCHEMA
from duologue.studies import AttentionTable
from tests.store.small_study import CAPS, SCREENED, Hand, answer, come, dialogues, judge_all, load, pairings
from tests.waiting import PATIENCE


def _answer_in(store: Store, token: str, station: Station, seconds: float) -> Station:
    assert isinstance(station, ItemStation)
    return store.run(
        record_answer(
            token,
            CAPS,
            assignment=station.assignment.key,
            answer=Answer({"side": 1}),
            seconds=seconds,
            is_correct=None,
            key="",
        )
    )


@pytest.mark.parametrize(
    ("seconds", "median"), [([], None), ([5.0], 5.0), ([9.0, 1.0], 5.0), ([1.0, 80.0, 3.0], 3.0)]
)
def test_median_seconds_are_the_middle_of_an_annotators_own(
    store: Store, hand: Hand, seconds: list[float], median: float | None
) -> None:
    load(store)
    judge_all(store)
    token, station = come(store)
    for each in seconds:
        hand.move(100)
        station = _answer_in(store, token, station, each)
    assert store.run(fetch_annotators())[1].median_seconds == median


def test_progress_counts_what_is_done_leased_and_excluded(store: Store) -> None:
    load(store)
    judge_all(store)
    come(store)
    store.run(exclude_judgments([next(store.stream(fetch_judgments())).id], rule="slow", reason="", by="me"))
    found = [
        (one.group, one.wanted, one.done, one.excluded, one.leased) for one in store.run(fetch_progress())
    ]
    assert found == [("A__vs__B", 4, 0, 1, 1), ("A__vs__C", 4, 1, 0, 0), ("B__vs__C", 4, 1, 0, 0)]


def test_leases_say_who_holds_what_until_when(store: Store, hand: Hand) -> None:
    load(store)
    _token, station = come(store)
    (lease,) = store.run(fetch_leases())
    assert isinstance(station, ItemStation)
    assert (lease.assignment, lease.annotator) == (station.assignment.key, station.annotator.id)
    assert (lease.group, lease.arm) == ("A__vs__B", "main")
    assert lease.leased_at == "2026-05-01T12:00:00.000000+00:00"
    assert lease.expires_at == "2026-05-01T12:30:00.000000+00:00"
    hand.move(CAPS.lease_seconds)
    assert store.run(fetch_leases()) == ()


def test_an_item_is_in_progress_until_its_deadline_though_its_sitting_goes_on(
    store: Store, hand: Hand
) -> None:
    caps = replace(CAPS, item_seconds=60.0)
    store.run(load_dialogues(dialogues("AB", 4)))
    store.run(load_items([replace(item, block="red") for item in pairings("AB", 4)], caps))
    come(store, caps)
    (lease,) = store.run(fetch_leases())
    assert lease.expires_at == "2026-05-01T12:01:00.000000+00:00"
    hand.move(59)
    assert store.run(fetch_leases()) == store.run(list_leases()).rows == (lease,)
    hand.move(1)
    assert store.run(fetch_leases()) == store.run(list_leases()).rows == ()


@pytest.mark.parametrize("role", ["onboarding", "attention"])
def test_what_is_asked_beside_judgments_is_in_progress_too(store: Store, role: str) -> None:
    caps = SCREENED if role == "onboarding" else replace(CAPS, attention=AttentionTable(every=2))
    load(store, caps, onboarding=1, attention=2)
    token, station = come(store, caps)
    while isinstance(station, ItemStation) and station.assignment.item.role != role:
        station = answer(store, token, station, caps)
    assert isinstance(station, ItemStation)
    assert [lease.assignment for lease in store.run(fetch_leases())] == [station.assignment.key]


def test_looking_up_what_is_in_hand_hands_out_nothing(store: Store) -> None:
    load(store)
    (invitation,) = store.run(invite_annotators())
    assert store.run(fetch_assignment_in_hand(invitation.token)) == ""
    assert store.run(fetch_leases()) == ()
    station = store.run(give_consent(invitation.token, CAPS))
    assert isinstance(station, ItemStation)
    assert store.run(fetch_assignment_in_hand(invitation.token)) == station.assignment.key


def test_looking_up_what_is_in_hand_with_an_unknown_link_is_refused(store: Store) -> None:
    with pytest.raises(LinkUnknown):
        store.run(fetch_assignment_in_hand("nobody"))


def test_assignment_is_found_after_it_was_judged(store: Store) -> None:
    load(store)
    token, station = come(store)
    answer(store, token, station)
    assert isinstance(station, ItemStation)
    assert store.run(fetch_assignment(token, station.assignment.key)) == station.assignment


def test_assignment_of_somebody_else_is_not_found(store: Store) -> None:
    load(store)
    _token, station = come(store)
    other, _station = come(store)
    assert isinstance(station, ItemStation)
    with pytest.raises(NotFound):
        store.run(fetch_assignment(other, station.assignment.key))


def test_dialogues_come_in_the_order_asked_for(store: Store) -> None:
    store.run(load_dialogues(dialogues()))
    keys = [f"{bot}-{number}" for number in (3, 1, 3) for bot in "CAB"]
    assert [dialogue.id for dialogue in store.run(fetch_dialogues(keys))] == keys
    with pytest.raises(NotFound, match="dialogue 'Z-9'"):
        store.run(fetch_dialogues(["A-1", "Z-9"]))


def test_items_come_in_the_order_they_were_loaded(store: Store) -> None:
    load(store)
    assert list(store.stream(fetch_items())) == pairings()


def test_reader_keeps_one_picture_while_others_write(store: Store) -> None:
    load(store)
    judge_all(store)
    reading = store.stream(fetch_judgments())
    first = next(reading)
    judge_all(store)
    assert len([first, *reading]) == 3
    assert len(list(store.stream(fetch_judgments()))) == 6


def test_reader_who_stops_half_way_holds_nothing_up(store: Store) -> None:
    load(store)
    judge_all(store)
    assert len(list(islice(store.stream(fetch_judgments()), 1))) == 1
    done = threading.Event()
    store._writer.run(lambda tx: done.set()).result(timeout=PATIENCE)
    assert done.is_set()


def test_healthy_store_says_what_it_runs_on(store: Store, database: str) -> None:
    health = store.healthy()
    assert (health.is_healthy, health.problem, health.schema) == (True, "", SCHEMA)
    assert database.startswith(health.engine)
