"""A share of the items is judged by a second annotator: which, by whom, and that no verdict counts it."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.protocols import Answer
from duologue.store import (
    ItemStation,
    Store,
    exclude_judgments,
    fetch_judged_batches,
    fetch_judged_twice,
    fetch_judgments,
    fetch_progress,
    fetch_tallies,
    load_dialogues,
    load_items,
    record_answer,
    restore_judgments,
)
from duologue.studies import StudyRules, judged_twice_of
from tests.store.small_study import CAPS, come, dialogues, judge_all, load, pairings
from tests.store.truth import assert_sound

TWICE = replace(CAPS, judged_twice=0.5, max_judgments=3)
NOT_TWICE = replace(TWICE, judged_twice=0.0)


@given(st.floats(0, 1), st.integers(0, 1000))
def test_the_number_judged_twice_is_the_share_rounded(share: float, items: int) -> None:
    assert abs(judged_twice_of(share, items) - share * items) <= 0.5
    assert 0 <= judged_twice_of(share, items) <= items


def judge_everything(store: Store, caps: StudyRules = TWICE) -> None:
    while len(judge_all(store, caps)) > 1:
        pass


def test_the_share_of_each_group_is_judged_by_two_annotators(store: Store, database: str) -> None:
    load(store, TWICE, each=6)
    judge_everything(store)
    found = list(store.stream(fetch_judgments()))
    times = Counter(one.item for one in found)
    assert Counter(times.values()) == {1: 9, 2: 9}
    assert len({(one.annotator, one.item) for one in found}) == 27
    assert Counter(one.group for one in found) == dict.fromkeys({one.group for one in found}, 9)
    assert_sound(database, TWICE)


def test_second_judgments_are_marked_and_counted_apart(store: Store) -> None:
    load(store, TWICE, each=6)
    judge_everything(store)
    found = list(store.stream(fetch_judgments()))
    assert Counter(one.excluded for one in found) == {"": 18, "second-judgment": 9}
    batches = [rule for batch in store.stream(fetch_judged_batches()) for rule in batch.excluded]
    assert batches == [one.excluded for one in found]
    for group in store.run(fetch_progress()):
        assert (group.wanted, group.done, group.second_wanted, group.second_done) == (6, 6, 3, 3)
    groups = [("main", group.group) for group in store.run(fetch_progress())]
    assert sum(tally.done for tally in store.run(fetch_tallies(groups))) == 18


def test_both_judgments_of_an_item_are_found(store: Store) -> None:
    load(store, TWICE, each=6)
    judge_everything(store)
    pairs = store.run(fetch_judged_twice())
    assert len(pairs) == 9
    for first, second in pairs:
        assert first.item == second.item
        assert first.judgment.annotator != second.judgment.annotator
        assert (first.judgment.excluded, second.judgment.excluded) == ("", "second-judgment")


@pytest.mark.parametrize("which", [0, 1])
def test_an_item_one_of_whose_judgments_is_excluded_is_no_pair(
    store: Store, database: str, which: int
) -> None:
    load(store, TWICE, bots="AB", each=6)
    judge_everything(store)
    pairs = store.run(fetch_judged_twice())
    key = pairs[0][which].judgment.id
    store.run(exclude_judgments([key], rule="slow", reason="a test", by="me"))
    assert len(store.run(fetch_judged_twice())) == len(pairs) - 1
    assert_sound(database, TWICE)
    store.run(restore_judgments([key], rule="slow", reason="a test", by="me"))
    assert len(store.run(fetch_judged_twice())) == len(pairs)
    assert_sound(database, TWICE)


def test_the_choice_is_the_seeds_and_stays_when_items_are_loaded_again(store: Store) -> None:
    load(store, TWICE, each=6)
    judge_all(store, TWICE)
    judge_all(store, TWICE)
    before = store.run(fetch_progress())
    store.run(load_items(pairings("ABC", 6), TWICE))
    assert store.run(fetch_progress()) == before


def test_second_judgments_stay_when_the_share_is_taken_back(store: Store, database: str) -> None:
    load(store, replace(TWICE, judged_twice=1.0), bots="AB", each=4)
    judge_everything(store)
    store.run(load_items(pairings("AB", 4), replace(TWICE, judged_twice=0.25)))
    (group,) = store.run(fetch_progress())
    assert (group.second_wanted, group.second_done) == (4, 4)
    store.run(load_items(pairings("AB", 4), NOT_TWICE))
    assert [len(store.run(fetch_judged_twice()))] == [4]
    assert_sound(database, TWICE)


def test_places_that_nobody_took_go_with_the_share(store: Store, database: str) -> None:
    load(store, TWICE, bots="AB", each=6)
    store.run(load_items(pairings("AB", 6), NOT_TWICE))
    (group,) = store.run(fetch_progress())
    assert (group.wanted, group.second_wanted) == (6, 0)
    store.run(load_items(pairings("AB", 6), TWICE))
    (group,) = store.run(fetch_progress())
    assert (group.wanted, group.second_wanted) == (6, 3)
    assert_sound(database, TWICE)


def test_items_that_come_later_are_judged_twice_in_the_same_share(store: Store) -> None:
    store.run(load_dialogues(dialogues("AB", 40)))
    store.run(load_items(pairings("AB", 20), TWICE))
    judge_all(store, TWICE)
    store.run(load_items(pairings("AB", 40), TWICE))
    (group,) = store.run(fetch_progress())
    assert (group.wanted, group.second_wanted) == (40, 20)


def test_second_judgments_come_among_the_first_ones(store: Store) -> None:
    caps = replace(TWICE, judged_twice=0.2, max_judgments=1)
    load(store, caps, bots="AB", each=60)
    judge_everything(store, caps)
    places = [place for place, one in enumerate(store.stream(fetch_judgments())) if one.excluded]
    assert len(places) == 12
    assert places[0] < 50
    assert places[-1] > 55


def test_late_second_judgment_still_fills_its_place(store: Store, database: str) -> None:
    caps = replace(TWICE, judged_twice=1.0, max_judgments=1)
    load(store, caps, bots="AB", each=1)
    judge_all(store, caps)
    token, station = come(store, caps)
    assert isinstance(station, ItemStation)
    store.run(
        record_answer(
            token,
            caps,
            assignment=station.assignment.key,
            answer=Answer({"side": 2}),
            seconds=1.0,
            is_correct=None,
            key="k",
        )
    )
    assert len(store.run(fetch_judged_twice())) == 1
    assert_sound(database, caps)
