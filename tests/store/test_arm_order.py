"""Annotators who go through every arm: in a balanced order, with every cap in each arm."""

from collections import Counter
from dataclasses import replace
from itertools import groupby

from duologue.store import Store, ThanksStation, fetch_annotators, fetch_progress, load_dialogues, load_items
from duologue.store.schedule.arm_order import circle_of_arms
from tests.store.small_study import CAPS, dialogues, judge_all, pairings, working
from tests.store.truth import assert_sound

ARMS = ("one", "two", "three")
EACH = replace(CAPS, arms=ARMS, max_judgments=2, annotations_per_item=6, sees_each_arm=True)


def load_arms(store: Store) -> None:
    store.run(load_dialogues(dialogues("AB", 12)))
    store.run(load_items(pairings("AB", 12), EACH))


def arms_seen(store: Store) -> list[str]:
    return [station.assignment.arm for station in working(judge_all(store, EACH))]


def test_an_annotator_goes_through_every_arm_one_after_the_other(store: Store, database: str) -> None:
    load_arms(store)
    seen = arms_seen(store)
    assert Counter(seen) == dict.fromkeys(ARMS, 2)
    assert len(list(groupby(seen))) == 3
    assert_sound(database, EACH)


def test_every_arm_comes_first_second_and_third_equally_often(store: Store) -> None:
    load_arms(store)
    orders = [tuple(arm for arm, _ in groupby(arms_seen(store))) for _ in range(6)]
    for place in range(3):
        assert Counter(order[place] for order in orders) == dict.fromkeys(ARMS, 2)
    assert all(group.done == 12 for group in store.run(fetch_progress()))


def test_no_item_comes_twice_in_different_arms(store: Store) -> None:
    load_arms(store)
    items = [station.assignment.item.id for station in working(judge_all(store, EACH))]
    assert len(set(items)) == 6


def test_all_items_of_all_arms_are_numbered_together(store: Store) -> None:
    load_arms(store)
    stations = judge_all(store, EACH)
    assert [one.assignment.number for one in working(stations)] == [1, 2, 3, 4, 5, 6]
    assert {one.assignment.total for one in working(stations)} == {6}
    assert isinstance(stations[-1], ThanksStation)
    assert working(stations)[-1].annotator.arm == store.run(fetch_annotators())[0].arm


def test_an_arm_without_places_is_passed_over(store: Store, database: str) -> None:
    caps = replace(EACH, annotations_per_item=1)
    store.run(load_dialogues(dialogues("AB", 3)))
    store.run(load_items(pairings("AB", 3), caps))
    seen = [Counter(station.assignment.arm for station in working(judge_all(store, caps))) for _ in range(4)]
    assert sum(seen, Counter()) == dict.fromkeys(ARMS, 3)
    assert all(count <= 2 for counts in seen for count in counts.values())
    assert_sound(database, caps)


def test_by_default_an_annotator_stays_in_one_arm(store: Store) -> None:
    load_arms(store)
    caps = replace(EACH, sees_each_arm=False)
    for _ in range(3):
        assert len({one.assignment.arm for one in working(judge_all(store, caps))}) == 1


def test_the_circle_of_arms_comes_from_the_seed() -> None:
    found = {circle_of_arms(ARMS, seed) for seed in range(60)}
    assert len(found) == 6
    assert circle_of_arms(ARMS, 3) == circle_of_arms(ARMS, 3)
