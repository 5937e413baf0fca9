"""Blocks of items: an annotator stays in one, and as many come into each."""

from collections import Counter
from dataclasses import replace

from duologue.protocols import Item
from duologue.store import Store, load_dialogues, load_items
from tests.store.small_study import CAPS, come, dialogues, judge_all, pairings, working
from tests.store.truth import assert_sound

VERSIONS = ("red", "green", "blue")
SEVERAL = replace(CAPS, annotations_per_item=4)


def versions(each: int = 3) -> list[Item]:
    """Pairings of two bots in three versions of a questionnaire."""
    found = pairings("AB", 3 * each)
    return [replace(item, block=VERSIONS[number % 3]) for number, item in enumerate(found)]


def load_versions(store: Store, items: list[Item]) -> None:
    store.run(load_dialogues(dialogues("AB", 20)))
    store.run(load_items(items, SEVERAL))


def test_an_annotator_answers_all_of_one_version_and_nothing_of_another(store: Store, database: str) -> None:
    load_versions(store, versions())
    for _ in range(6):
        blocks = [one.assignment.item.block for one in working(judge_all(store, SEVERAL))]
        assert len(blocks) == 3
        assert len(set(blocks)) == 1
    assert_sound(database, SEVERAL)


def test_as_many_annotators_come_into_each_version(store: Store) -> None:
    load_versions(store, versions())
    came = Counter(working([come(store, SEVERAL)[1]])[0].assignment.item.block for _ in range(9))
    assert came == dict.fromkeys(VERSIONS, 3)


def test_items_without_a_block_are_for_everybody(store: Store) -> None:
    shared = replace(pairings("AB", 10)[9], block="")
    load_versions(store, [*versions(), shared])
    for _ in range(3):
        blocks = Counter(one.assignment.item.block for one in working(judge_all(store, SEVERAL)))
        assert sorted(blocks.values()) == [1, 3]
        assert blocks[""] == 1


def test_a_version_without_places_left_is_given_to_nobody(store: Store, database: str) -> None:
    caps = replace(SEVERAL, annotations_per_item=1)
    store.run(load_dialogues(dialogues("AB", 20)))
    store.run(load_items(versions(), caps))
    seen = [working(judge_all(store, caps))[0].assignment.item.block for _ in range(3)]
    assert sorted(seen) == sorted(VERSIONS)
    assert not working(judge_all(store, caps))
    assert_sound(database, caps)


def test_a_version_that_is_gone_from_the_file_is_given_to_nobody(store: Store) -> None:
    load_versions(store, versions())
    store.run(load_items([item for item in versions() if item.block != "red"], SEVERAL))
    came = {working([come(store, SEVERAL)[1]])[0].assignment.item.block for _ in range(6)}
    assert came == {"green", "blue"}


def test_an_annotator_stays_in_a_version_that_is_gone_and_finds_nothing(store: Store) -> None:
    load_versions(store, versions())
    stations = {working([come(store, SEVERAL)[1]])[0].assignment.item.block for _ in range(3)}
    assert stations == set(VERSIONS)
    store.run(load_items([item for item in versions() if item.block != "red"], SEVERAL))
    store.run(load_items(versions(), SEVERAL))
    assert len(working(judge_all(store, SEVERAL))) == 3
