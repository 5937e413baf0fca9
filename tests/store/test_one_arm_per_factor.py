"""Annotators who see one arm of each factor: the same pair under one phrasing of each axis."""

from collections import Counter
from dataclasses import replace

from duologue.store import Store, ThanksStation, fetch_judgments, fetch_progress, load_dialogues, load_items
from duologue.studies import StudyRules
from tests.store.small_study import (
    CAPS,
    Hand,
    answer,
    come,
    dialogues,
    judge_all,
    pairing,
    working,
)
from tests.store.truth import assert_sound

FACTORS = {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "b3": "b"}
CAPS_BY_FACTOR = replace(
    CAPS, arms=tuple(FACTORS), factors=FACTORS, one_per_factor=True, annotations_per_item=4
)


def load_pair(store: Store, caps: StudyRules = CAPS_BY_FACTOR) -> None:
    """One pair of dialogues, to be judged on each axis."""
    store.run(load_dialogues(dialogues("AB", 2)))
    pair = pairing("A-0", "B-0")
    items = [replace(pair, id=f"pair-{factor}", factor=factor) for factor in "ab"]
    store.run(load_items(items, caps))


def arms_of(store: Store) -> list[str]:
    return [one.assignment.arm for one in working(judge_all(store, CAPS_BY_FACTOR))]


def test_an_annotator_judges_the_pair_once_in_one_arm_of_each_factor(store: Store, database: str) -> None:
    load_pair(store)
    stations = judge_all(store, CAPS_BY_FACTOR)
    shown = working(stations)
    assert sorted(FACTORS[one.assignment.arm] for one in shown) == ["a", "b"]
    assert {one.assignment.item.dialogues for one in shown} == {("A-0", "B-0")}
    assert [(one.assignment.number, one.assignment.total) for one in shown] == [(1, 2), (2, 2)]
    assert isinstance(stations[-1], ThanksStation)
    assert_sound(database, CAPS_BY_FACTOR)


def test_an_item_has_places_in_the_arms_of_its_factor_only(store: Store) -> None:
    load_pair(store)
    progress = store.run(fetch_progress())
    assert {one.arm: one.wanted for one in progress} == dict.fromkeys(FACTORS, 4)


def test_places_of_all_arms_are_filled_evenly(store: Store, database: str) -> None:
    load_pair(store)
    seen = [arms_of(store) for _ in range(6)]
    counts = Counter(arm for arms in seen for arm in arms)
    assert max(counts[arm] for arm in ("a1", "a2")) - min(counts[arm] for arm in ("a1", "a2")) <= 1
    assert {counts[arm] for arm in ("b1", "b2", "b3")} == {2}
    first = Counter(FACTORS[arms[0]] for arms in seen)
    assert min(first.values()) >= 2
    for _ in range(6):
        arms_of(store)
    assert all(one.done == one.wanted for one in store.run(fetch_progress()))
    assert_sound(database, CAPS_BY_FACTOR)


def test_a_dialogue_is_not_shown_twice_in_one_arm(store: Store) -> None:
    caps = replace(CAPS_BY_FACTOR, max_judgments=2)
    store.run(load_dialogues(dialogues("AB", 2)))
    pairs = [pairing("A-0", "B-0"), pairing("A-0", "B-1"), pairing("A-1", "B-1")]
    items = [replace(one, id=f"{one.id}-{factor}", factor=factor) for one in pairs for factor in "ab"]
    store.run(load_items(items, caps))
    shown = [one.assignment for one in working(judge_all(store, caps))]
    per_arm = Counter((one.arm, name) for one in shown for name in one.item.dialogues)
    assert set(per_arm.values()) == {1}
    assert Counter(FACTORS[one.arm] for one in shown) == {"a": 2, "b": 2}


def test_a_late_judgment_of_the_second_arm_counts_while_its_place_is_free(store: Store, hand: Hand) -> None:
    load_pair(store)
    token, station = come(store, CAPS_BY_FACTOR)
    second = answer(store, token, station, CAPS_BY_FACTOR)
    hand.move(10 * CAPS.lease_seconds)
    come(store, CAPS_BY_FACTOR)  # its lease is taken back
    answer(store, token, second, CAPS_BY_FACTOR)
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())] == ["", ""]
