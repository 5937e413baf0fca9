"""Attention checks among the judged items: where they come, what they count for, what failing them does."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.store import (
    FormStation,
    ItemStation,
    Store,
    ThanksStation,
    fetch_annotator_events,
    fetch_annotators,
    fetch_judgments,
    fetch_progress,
    let_time_run_out,
    resume_sitting,
    skip_item,
    withdraw_annotator,
)
from duologue.store.schedule.attention import checks_due, checks_in_all
from duologue.studies import AttentionTable
from tests.store.small_study import CAPS, SCREENED, answer, come, judge_all, load, walk, working
from tests.store.truth import assert_sound

EVERY = AttentionTable(every=3)
CHECKED = replace(CAPS, max_judgments=6, attention=EVERY)
EXCLUDING = replace(CHECKED, attention=AttentionTable(every=3, threshold=0.5, on_fail="exclude"))


@given(st.integers(2, 12), st.integers(0, 2**32), st.text(max_size=4))
def test_one_check_comes_in_every_so_many_items_and_never_at_their_ends(
    every: int, seed: int, who: str
) -> None:
    attention = AttentionTable(every=every)
    due = [checks_due(attention, seed=seed, annotator=who, judged=n, cap=5 * every) for n in range(5 * every)]
    before = [due[0], *(later - earlier for earlier, later in pairwise(due))]
    for stretch in range(5):
        places = before[stretch * every : (stretch + 1) * every]
        assert sum(places) == 1
        assert places[0] == 0, "it would be next to the last of the stretch before"
    assert checks_in_all(attention, seed=seed, annotator=who, cap=5 * every) == 5


@given(st.integers(1, 8), st.integers(1, 30), st.integers(0, 2**32))
def test_so_many_checks_as_the_study_says_come_in_a_sitting(wanted: int, cap: int, seed: int) -> None:
    attention = AttentionTable(per_sitting=wanted)
    due = [checks_due(attention, seed=seed, annotator="a", judged=n, cap=cap) for n in range(cap)]
    assert due[-1] == wanted == checks_in_all(attention, seed=seed, annotator="a", cap=cap)
    assert due == sorted(due)
    assert cap == 1 or due[0] == 0


def test_without_attention_checks_none_is_due() -> None:
    assert checks_due(AttentionTable(), seed=1, annotator="a", judged=99, cap=100) == 0


def test_places_differ_between_annotators_and_come_again_from_the_seed() -> None:
    places = [
        tuple(checks_due(EVERY, seed=7, annotator=who, judged=n, cap=30) for n in range(30))
        for who in ("ann", "bob", "ann")
    ]
    assert places[0] == places[2] != places[1]


def test_checks_are_interleaved_and_numbered_like_any_other_item(store: Store, database: str) -> None:
    load(store, CHECKED, each=6, attention=3)
    stations = working(judge_all(store, CHECKED))
    roles = [station.assignment.item.role for station in stations]
    assert Counter(roles) == {"judged": 6, "attention": 2}
    assert (roles[0], roles[-1]) == ("judged", "judged")
    assert [station.assignment.number for station in stations] == list(range(1, 9))
    assert {station.assignment.total for station in stations} == {8}
    assert_sound(database, CHECKED)


def test_checks_fill_no_place_and_count_against_no_cap(store: Store) -> None:
    load(store, CHECKED, each=6, attention=3)
    judge_all(store, CHECKED)
    assert sum(group.done for group in store.run(fetch_progress())) == 6
    (summary,) = store.run(fetch_annotators())
    assert (summary.judgments, summary.attention_right, summary.attention_asked) == (6, 2, 2)
    rules = Counter(judgment.excluded for judgment in store.stream(fetch_judgments()))
    assert rules == {"": 6, "attention-check": 2}


def test_checks_come_after_onboarding(store: Store) -> None:
    caps = replace(SCREENED, max_judgments=3, attention=AttentionTable(per_sitting=1))
    load(store, caps, onboarding=2, attention=2)
    roles = [station.assignment.item.role for station in working(judge_all(store, caps))]
    assert roles[0] == "onboarding"
    assert sorted(roles[1:]) == ["attention", "judged", "judged", "judged"]


def test_annotator_who_has_met_every_check_goes_on_without(store: Store) -> None:
    load(store, CHECKED, each=6, attention=1)
    stations = working(judge_all(store, CHECKED))
    roles = [station.assignment.item.role for station in stations]
    assert Counter(roles) == {"judged": 6, "attention": 1}
    assert {station.assignment.total for station in stations} == {7}


def test_failing_is_noted_and_excludes_nothing_unless_the_study_says_so(store: Store) -> None:
    load(store, CHECKED, each=6, attention=2)
    judge_all(store, CHECKED, is_right=False)
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())].count("") == 6
    (event,) = store.run(fetch_annotator_events())
    assert (event.action, event.reason, event.by) == ("flag", "0 of 1 attention checks right", "duologue")


def test_failing_excludes_all_of_an_annotator_where_the_study_says_so(store: Store, database: str) -> None:
    load(store, EXCLUDING, each=6, attention=2)
    judge_all(store, EXCLUDING, is_right=False)
    judge_all(store, EXCLUDING)
    rules = Counter(judgment.excluded for judgment in store.stream(fetch_judgments()))
    assert rules == {"": 6, "attention": 6, "attention-check": 4}
    assert sum(group.done for group in store.run(fetch_progress())) == 6
    assert_sound(database, EXCLUDING)


def test_who_is_right_again_counts_again(store: Store, database: str) -> None:
    load(store, EXCLUDING, each=6, attention=2)
    token, station = come(store, EXCLUDING)
    while isinstance(station, ItemStation) and station.assignment.item.role != "attention":
        station = answer(store, token, station, EXCLUDING)
    station = answer(store, token, station, EXCLUDING, is_right=False)
    assert {judgment.excluded for judgment in store.stream(fetch_judgments())} == {
        "attention",
        "attention-check",
    }
    list(walk(store, token, station, EXCLUDING))
    rules = Counter(judgment.excluded for judgment in store.stream(fetch_judgments()))
    assert rules == {"": 6, "attention-check": 2}
    assert [event.action for event in store.run(fetch_annotator_events())] == ["flag", "unflag"]
    assert_sound(database, EXCLUDING)


def test_nobody_fails_before_answering_enough_checks(store: Store) -> None:
    caps = replace(EXCLUDING, attention=AttentionTable(every=3, on_fail="exclude", min_checks=3))
    load(store, caps, each=6, attention=2)
    judge_all(store, caps, is_right=False)
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())].count("") == 6


def test_withdrawing_sets_aside_what_was_judged_and_leaves_the_counts_true(
    store: Store, database: str
) -> None:
    load(store, CHECKED, each=6, attention=2)
    judge_all(store, CHECKED)
    (summary,) = store.run(fetch_annotators())
    store.run(withdraw_annotator(summary.id, reason="a test"))
    rules = Counter(judgment.excluded for judgment in store.stream(fetch_judgments()))
    assert rules == {"withdrawn": 6, "attention-check": 2}
    assert_sound(database, CHECKED)


@pytest.mark.parametrize(("every", "per_sitting"), [(3, None), (None, 2)])
def test_each_check_is_shown_about_as_often_as_the_others(
    store: Store, every: int | None, per_sitting: int | None
) -> None:
    caps = replace(CHECKED, attention=AttentionTable(every=every, per_sitting=per_sitting))
    load(store, caps, each=6, attention=4)
    for _ in range(2):
        judge_all(store, caps)
    handed = Counter(one.item for one in store.stream(fetch_judgments()) if one.role == "attention")
    assert set(handed.values()) == {1}


STOPPING = replace(CHECKED, attention=AttentionTable(every=3, stop_after=2, min_checks=9))


def test_who_fails_as_many_checks_as_the_study_says_is_thanked_and_stops(store: Store, database: str) -> None:
    caps = replace(STOPPING, max_judgments=12)
    load(store, caps, bots="AB", each=12, attention=4)
    stations = list(judge_all(store, caps, is_right=False))
    roles = [station.assignment.item.role for station in working(stations)]
    assert Counter(roles)["attention"] == 2
    assert roles[-1] == "attention"
    end = stations[-1]
    assert isinstance(end, ThanksStation)
    assert (end.was_stopped, end.timed_out, end.judged, bool(end.code)) == (True, False, len(roles), True)
    (summary,) = store.run(fetch_annotators())
    assert (summary.ending, summary.state, summary.attention_asked) == ("stopped", "stopped", 2)
    assert summary.finished_at is not None
    assert [(one.action, one.reason) for one in store.run(fetch_annotator_events())] == [
        ("stop", "0 of 2 attention checks right")
    ]
    done = len(roles) - 2
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())].count("") == done
    assert_sound(database, caps)
    judge_all(store, caps)
    assert sum(group.done for group in store.run(fetch_progress())) == 12, "its open places go to others"
    assert_sound(database, caps)


def test_one_wrong_answer_less_stops_nobody(store: Store) -> None:
    load(store, STOPPING, each=6, attention=2)
    token, station = come(store, STOPPING)
    wrong = 0
    while isinstance(station, ItemStation):
        is_check = station.assignment.item.role == "attention"
        is_right = not (is_check and not wrong)
        wrong += not is_right
        station = answer(store, token, station, STOPPING, is_right=is_right)
    assert isinstance(station, ThanksStation)
    assert (wrong, station.was_stopped, station.judged) == (1, False, 8)
    (summary,) = store.run(fetch_annotators())
    assert (summary.ending, summary.state) == ("", "finished")


def test_who_was_stopped_stays_so_whatever_is_sent_again(store: Store, database: str) -> None:
    load(store, STOPPING, each=6, attention=2)
    token, station = come(store, STOPPING)
    seen = []
    while isinstance(station, ItemStation):
        seen.append(station)
        station = answer(store, token, station, STOPPING, is_right=False)
    for before in seen:
        again = answer(store, token, before, STOPPING, is_right=True)
        assert isinstance(again, ThanksStation)
        assert (again.was_stopped, again.judged) == (True, len(seen))
    assert store.run(resume_sitting(token, STOPPING)) == replace(station, saved=False)
    assert len(list(store.stream(fetch_judgments()))) == len(seen)
    (summary,) = store.run(fetch_annotators())
    assert (summary.ending, summary.attention_right) == ("stopped", 0)
    assert_sound(database, STOPPING)


def test_what_was_judged_before_is_excluded_only_where_the_study_says_so(store: Store, database: str) -> None:
    caps = replace(STOPPING, attention=AttentionTable(every=3, stop_after=2, on_fail="exclude"))
    load(store, caps, each=6, attention=2)
    judge_all(store, caps, is_right=False)
    assert "" not in {judgment.excluded for judgment in store.stream(fetch_judgments())}
    actions = [event.action for event in store.run(fetch_annotator_events())]
    assert actions == ["flag", "stop"]
    (summary,) = store.run(fetch_annotators())
    assert (summary.state, summary.ending) == ("all excluded", "stopped")
    judge_all(store, caps)
    assert sum(group.done for group in store.run(fetch_progress())) == 6
    assert_sound(database, caps)


def test_forms_after_come_before_the_thanks_of_who_was_stopped(store: Store) -> None:
    caps = replace(STOPPING, forms_after=("you",), sitting_seconds=60.0)
    load(store, caps, each=6, attention=2)
    token, station = come(store, caps)
    while isinstance(station, ItemStation):
        station = answer(store, token, station, caps, is_right=False)
    assert isinstance(station, FormStation)
    (summary,) = store.run(fetch_annotators())
    assert (summary.ending, summary.state, summary.finished_at) == ("stopped", "stopped", None)


def test_a_check_that_is_not_answered_in_time_is_not_right(store: Store) -> None:
    caps = replace(STOPPING, item_seconds=60.0, attention=AttentionTable(every=3, stop_after=1))
    load(store, caps, each=6, attention=2)
    token, station = come(store, caps)
    while isinstance(station, ItemStation) and station.assignment.item.role != "attention":
        station = answer(store, token, station, caps)
    assert isinstance(station, ItemStation)
    store.run(let_time_run_out(station.assignment.key, caps))
    end = store.run(resume_sitting(token, caps))
    assert isinstance(end, ThanksStation)
    assert end.was_stopped


def test_a_skipped_check_stops_nobody(store: Store) -> None:
    caps = replace(STOPPING, skips=2, attention=AttentionTable(every=3, stop_after=1))
    load(store, caps, each=6, attention=2)
    token, station = come(store, caps)
    while isinstance(station, ItemStation):
        if station.assignment.item.role == "attention":
            station = store.run(skip_item(token, caps, assignment=station.assignment.key))
        else:
            station = answer(store, token, station, caps)
    assert isinstance(station, ThanksStation)
    assert not station.was_stopped
