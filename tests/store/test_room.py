"""Nobody is onboarded who cannot be given an item."""

import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.clock import utc_now
from duologue.protocols import HUMAN
from duologue.store import (
    ConsentStation,
    IdleStation,
    ItemStation,
    NoPlace,
    Station,
    Store,
    ThanksStation,
    fetch_leases,
    fetch_progress,
    give_consent,
    invite_annotators,
    load_items,
    open_store,
    release_assignment,
    resume_sitting,
)
from duologue.store.database.engine import Database
from duologue.store.sittings.room import PEOPLE_AT_FORMS
from tests.store.small_chats import PEOPLE, chat_items, come_to_chat
from tests.store.small_study import CAPS, SCREENED, Hand, answer, come, load, summary_of
from tests.strategies import thorough

ONE_EACH = replace(SCREENED, max_judgments=1)
THREE_EACH = replace(SCREENED, max_judgments=3)


def _is_onboarding(station: Station) -> bool:
    return isinstance(station, ItemStation) and station.assignment.item.is_onboarding


def test_of_82_who_come_at_once_for_70_places_12_are_turned_away_before_they_consent(store: Store) -> None:
    load(store, ONE_EACH, bots="AB", each=70, onboarding=1)
    tokens = [invitation.token for invitation in store.run(invite_annotators(82))]
    assert all(isinstance(store.run(resume_sitting(token, ONE_EACH)), ConsentStation) for token in tokens)
    stations = {token: store.run(give_consent(token, ONE_EACH)) for token in tokens}
    onboarded = [token for token, station in stations.items() if _is_onboarding(station)]
    turned_away = [token for token in tokens if token not in onboarded]
    assert (len(onboarded), len(turned_away)) == (70, 12)
    for token in turned_away:
        assert summary_of(store, token).consented_at is None
        assert stations[token] == store.run(resume_sitting(token, ONE_EACH))
    for token in onboarded:
        station = answer(store, token, stations[token], ONE_EACH)
        assert isinstance(station, ItemStation)
        assert not station.assignment.item.is_onboarding
        assert isinstance(answer(store, token, station, ONE_EACH), ThanksStation)
    (group,) = store.run(fetch_progress())
    assert (group.done, group.wanted) == (70, 70)


def test_somebody_who_has_judged_leaves_the_place_of_somebody_being_onboarded(store: Store) -> None:
    load(store, THREE_EACH, bots="AB", each=2, onboarding=1)
    first, station = come(store, THREE_EACH)
    station = answer(store, first, station, THREE_EACH)
    second, being_onboarded = come(store, THREE_EACH)
    assert _is_onboarding(being_onboarded)
    assert isinstance(answer(store, first, station, THREE_EACH), ThanksStation)
    assert isinstance(answer(store, second, being_onboarded, THREE_EACH), ItemStation)


def test_places_that_others_hold_may_become_free_and_the_page_says_when(store: Store, hand: Hand) -> None:
    load(store, bots="AB", each=1)
    come(store)
    hand.move(300)
    (late,) = store.run(invite_annotators())
    station = store.run(resume_sitting(late.token, CAPS))
    assert isinstance(station, IdleStation)
    assert station.no_place == NoPlace("taken", 1500.0)
    hand.move(1500)
    assert isinstance(store.run(resume_sitting(late.token, CAPS)), ConsentStation)


def test_a_place_kept_for_somebody_who_left_during_onboarding_becomes_free(store: Store, hand: Hand) -> None:
    load(store, ONE_EACH, bots="AB", each=1, onboarding=1)
    gone, _ = come(store, ONE_EACH)
    (late,) = store.run(invite_annotators())
    assert isinstance(store.run(resume_sitting(late.token, ONE_EACH)), IdleStation)
    hand.move(1800)
    station = store.run(give_consent(late.token, ONE_EACH))
    assert _is_onboarding(station)
    back = store.run(resume_sitting(gone, ONE_EACH))
    assert isinstance(back, IdleStation)
    assert back.no_place.why == "taken"
    assert isinstance(answer(store, late.token, station, ONE_EACH), ItemStation)


def test_whoever_comes_back_to_onboarding_while_there_is_a_place_goes_on(store: Store, hand: Hand) -> None:
    load(store, ONE_EACH, bots="AB", each=1, onboarding=1)
    token, station = come(store, ONE_EACH)
    assert isinstance(station, ItemStation)
    hand.move(3600)
    again = store.run(resume_sitting(token, ONE_EACH))
    assert isinstance(again, ItemStation)
    assert again.assignment.key == station.assignment.key


def test_when_every_judgment_is_given_the_study_is_complete(store: Store) -> None:
    load(store, bots="AB", each=1)
    token, station = come(store)
    answer(store, token, station)
    _, nothing = come(store)
    assert isinstance(nothing, IdleStation)
    assert nothing.no_place.why == "done"


def test_a_study_without_items_only_says_that_there_is_no_work(store: Store) -> None:
    (somebody,) = store.run(invite_annotators())
    station = store.run(resume_sitting(somebody.token, CAPS))
    assert isinstance(station, IdleStation)
    assert station.no_place.why == ""


def test_onboarding_in_progress_can_be_released_and_its_place_is_open(store: Store) -> None:
    load(store, ONE_EACH, bots="AB", each=1, onboarding=1)
    come(store, ONE_EACH)
    assert isinstance(come(store, ONE_EACH)[1], IdleStation)
    (lease,) = store.run(fetch_leases())
    assert store.run(release_assignment(lease.assignment, ONE_EACH, by="me"))
    assert isinstance(come(store, ONE_EACH)[1], ItemStation)


@pytest.mark.parametrize("onboarding", [1, 2])
@thorough(20)
@given(steps=st.lists(st.integers(0, 8), min_size=20, max_size=40))
def test_whatever_the_order_nobody_ends_with_onboarding_alone(
    onboarding: int, quick_disk: Path, steps: list[int]
) -> None:
    """One step is somebody coming, or one of those who are here answering."""
    caps = replace(SCREENED, onboarding_comparisons=onboarding, max_judgments=2)
    with (
        tempfile.TemporaryDirectory(dir=quick_disk) as folder,
        open_store(f"sqlite:///{folder}/study.db") as store,
    ):
        load(store, caps, bots="AB", each=4, onboarding=2)
        here: dict[str, Station] = {}
        for step in steps:
            if step == 0 or not here:
                token, station = come(store, caps)
            else:
                token = list(here)[step % len(here)]
                station = answer(store, token, here.pop(token), caps)
            if isinstance(station, ItemStation):
                here[token] = station
            elif isinstance(station, ThanksStation):
                assert station.judged > onboarding


def test_one_place_left_for_two_people_who_chat_is_no_place_unless_somebody_waits(store: Store) -> None:
    store.run(load_items(chat_items([HUMAN], each=3), PEOPLE))
    come_to_chat(store, PEOPLE)
    come_to_chat(store, PEOPLE)
    (lonely,) = store.run(invite_annotators())
    assert isinstance(store.run(resume_sitting(lonely.token, PEOPLE)), IdleStation)


def test_whoever_waits_for_a_partner_is_given_the_last_one(store: Store) -> None:
    store.run(load_items(chat_items([HUMAN], each=2), PEOPLE))
    come_to_chat(store, PEOPLE)
    _, assignment = come_to_chat(store, PEOPLE)
    assert assignment.chat is not None
    assert assignment.chat.state == "partner"


def test_people_at_forms_are_found_by_an_index_however_many_have_come(store: Store, database: str) -> None:
    load(store, ONE_EACH)
    opened = Database(database, clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        if not opened.is_sqlite:
            connection.exec_driver_sql("SET enable_seqscan = off")  # as for the writer
        asked = str(PEOPLE_AT_FORMS.compile(dialect=opened.engine.dialect))
        explain = "EXPLAIN QUERY PLAN" if opened.is_sqlite else "EXPLAIN"
        plan = connection.exec_driver_sql(f"{explain} {asked}", {"since": "2026"}).all()
    assert "annotators_at_forms" in str(plan)
    assert ("(last_seen>?)" in str(plan)) == opened.is_sqlite
