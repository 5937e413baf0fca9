"""Deadlines of items and of sittings: what is too late has an outcome of its own, and no answer."""

from dataclasses import replace

import pytest

from duologue.store import (
    ItemStation,
    Station,
    Store,
    ThanksStation,
    TimeOutCounts,
    fetch_annotators,
    fetch_judgments,
    fetch_progress,
    fetch_timed_out,
    let_time_run_out,
    resume_sitting,
)
from duologue.store.schedule.deadlines import GRACE_SECONDS
from duologue.studies import AttentionTable, StudyRules
from tests.store.small_study import CAPS, SCREENED, Hand, answer, come, judge_all, load, walk, working
from tests.store.truth import assert_sound

BY_ITEM = replace(CAPS, item_seconds=60.0)
BY_SITTING = replace(CAPS, sitting_seconds=600.0)


def test_without_a_deadline_there_is_none(store: Store) -> None:
    load(store)
    assert working([come(store)[1]])[0].assignment.deadline_at is None


def test_an_item_says_until_when_it_may_be_answered(store: Store) -> None:
    load(store, BY_ITEM)
    (station,) = working([come(store, BY_ITEM)[1]])
    assert str(station.assignment.deadline_at).startswith("2026-05-01T12:01:00")


def test_an_item_that_takes_too_long_goes_to_somebody_else(store: Store, hand: Hand, database: str) -> None:
    load(store, BY_ITEM, bots="AB", each=2)
    token, first = come(store, BY_ITEM)
    (before,) = working([first])
    hand.move(61)
    after = store.run(resume_sitting(token, BY_ITEM))
    assert isinstance(after, ThanksStation), "its place counts as one of the annotator's"
    assert not list(store.stream(fetch_judgments()))
    assert [group.leased for group in store.run(fetch_progress())] == [0]
    (summary,) = store.run(fetch_annotators())
    assert (summary.judgments, summary.timed_out) == (0, 1)
    others = [working(judge_all(store, BY_ITEM))[0].assignment.item.id for _ in range(2)]
    assert before.assignment.item.id in others
    assert_sound(database, BY_ITEM)


def test_the_next_item_comes_after_one_that_took_too_long(store: Store, hand: Hand) -> None:
    load(store, BY_ITEM)
    token, first = come(store, BY_ITEM)
    hand.move(61)
    after = store.run(resume_sitting(token, BY_ITEM))
    assert isinstance(after, ItemStation)
    assert after.timed_out
    assert after.assignment.number == 2
    assert after.assignment.item != working([first])[0].assignment.item
    again = store.run(resume_sitting(token, BY_ITEM))
    assert isinstance(again, ItemStation)
    assert not again.timed_out


def test_an_answer_on_its_way_when_the_time_ends_is_stored(store: Store, hand: Hand) -> None:
    load(store, BY_ITEM)
    token, station = come(store, BY_ITEM)
    hand.move(60 + GRACE_SECONDS - 1)
    answer(store, token, station, BY_ITEM)
    assert len(list(store.stream(fetch_judgments()))) == 1


def test_an_answer_that_comes_too_late_is_not_stored(store: Store, hand: Hand, database: str) -> None:
    load(store, BY_ITEM)
    token, station = come(store, BY_ITEM)
    hand.move(60 + GRACE_SECONDS)
    after = answer(store, token, station, BY_ITEM)
    assert isinstance(after, ItemStation)
    assert (after.saved, after.timed_out) == (False, True)
    assert answer(store, token, station, BY_ITEM) is not None
    assert not list(store.stream(fetch_judgments()))
    assert_sound(database, BY_ITEM)


def test_a_place_is_free_again_when_nobody_comes_back(store: Store, hand: Hand, database: str) -> None:
    load(store, BY_ITEM, bots="AB", each=1)
    token, _station = come(store, BY_ITEM)
    hand.move(60 + GRACE_SECONDS)
    assert working([come(store, BY_ITEM)[1]])
    ended = store.run(resume_sitting(token, BY_ITEM))
    assert isinstance(ended, ThanksStation)
    assert (bool(ended.code), ended.is_empty) == (True, True)
    assert_sound(database, BY_ITEM)


def test_a_sitting_that_takes_too_long_ends_with_thanks_and_what_was_done_counts(
    store: Store, hand: Hand, database: str
) -> None:
    load(store, BY_SITTING)
    token, station = come(store, BY_SITTING)
    after = answer(store, token, station, BY_SITTING)
    hand.move(601)
    ended = store.run(resume_sitting(token, BY_SITTING))
    assert isinstance(ended, ThanksStation)
    assert (ended.timed_out, ended.is_empty) == (True, False)
    assert ended.code
    assert isinstance(after, ItemStation)
    late = answer(store, token, after, BY_SITTING)
    assert isinstance(late, ThanksStation)
    assert [one.excluded for one in store.stream(fetch_judgments())] == [""]
    (summary,) = store.run(fetch_annotators())
    assert (summary.ending, summary.judgments, summary.timed_out) == ("timed-out", 1, 1)
    assert_sound(database, BY_SITTING)


@pytest.mark.parametrize(("caps", "ends"), [(BY_ITEM, ItemStation), (BY_SITTING, ThanksStation)])
def test_simulated_annotators_need_not_wait_until_it_is_too_late(
    store: Store, caps: StudyRules, ends: type[Station], database: str
) -> None:
    load(store, caps)
    token, first = come(store, caps)
    (before,) = working([first])
    store.run(let_time_run_out(before.assignment.key, caps))
    after = answer(store, token, before, caps)
    assert isinstance(after, ItemStation | ThanksStation)
    assert type(after) is ends
    assert after.timed_out
    assert not list(store.stream(fetch_judgments()))
    assert_sound(database, caps)


def test_who_finishes_in_time_has_finished(store: Store, hand: Hand) -> None:
    load(store, BY_SITTING)
    token, station = come(store, BY_SITTING)
    (*_, last) = walk(store, token, station, BY_SITTING)
    assert isinstance(last, ThanksStation)
    hand.move(601)
    again = store.run(resume_sitting(token, BY_SITTING))
    assert isinstance(again, ThanksStation)
    assert not again.timed_out
    assert store.run(fetch_annotators())[0].ending == ""


def test_the_time_of_a_sitting_begins_with_its_first_item_whatever_that_is_for(
    store: Store, hand: Hand
) -> None:
    caps = replace(SCREENED, sitting_seconds=600.0)
    load(store, caps, onboarding=1)
    token, station = come(store, caps)
    hand.move(300)
    both = working([station, answer(store, token, station, caps)])
    assert [one.assignment.item.role for one in both] == ["onboarding", "judged"]
    assert {str(one.assignment.deadline_at)[:19] for one in both} == {"2026-05-01T12:10:00"}


def test_the_sooner_of_both_deadlines_holds(store: Store, hand: Hand) -> None:
    caps = replace(BY_SITTING, item_seconds=400.0)
    load(store, caps)
    token, station = come(store, caps)
    hand.move(300)
    (second,) = working([answer(store, token, station, caps)])
    assert str(second.assignment.deadline_at).startswith("2026-05-01T12:10:00")


@pytest.mark.parametrize("role", ["onboarding", "attention"])
def test_a_check_that_is_not_answered_in_time_was_asked_and_is_not_right(
    store: Store, hand: Hand, role: str, database: str
) -> None:
    attention = AttentionTable(every=2) if role == "attention" else AttentionTable()
    caps = replace(SCREENED if role == "onboarding" else CAPS, item_seconds=60.0, attention=attention)
    load(store, caps, onboarding=1, attention=2)
    token, station = come(store, caps)
    while isinstance(station, ItemStation) and station.assignment.item.role != role:
        station = answer(store, token, station, caps)
    hand.move(61)
    store.run(resume_sitting(token, caps))
    (summary,) = store.run(fetch_annotators())
    counts = {
        "onboarding": (summary.onboarding_right, summary.onboarding_asked, summary.is_blocked),
        "attention": (summary.attention_right, summary.attention_asked, not summary.is_blocked),
    }
    assert counts[role] == (0, 1, True)
    late = TimeOutCounts(items=0, annotators=0, sittings=0)
    assert store.run(fetch_timed_out()) == replace(late, **{role: 1})
    assert_sound(database, caps)
