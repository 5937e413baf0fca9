"""Blocks of items: an annotator stays in one, and as many come into each."""

from collections import Counter
from dataclasses import replace

from duologue.protocols import Item
from duologue.store import (
    Store,
    fetch_timed_out,
    give_consent,
    invite_annotators,
    load_dialogues,
    load_items,
    resume_sitting,
)
from duologue.studies import AttentionTable
from tests.store.small_study import CAPS, Hand, come, dialogues, judge_all, pairings, walk, working
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


def test_items_of_a_block_that_took_too_long_are_counted_as_such(store: Store, hand: Hand) -> None:
    caps = replace(SEVERAL, item_seconds=60.0)
    load_versions(store, [*versions(), replace(pairings("AB", 10)[9], block="")])
    token, _station = come(store, caps)
    for _ in range(4):
        hand.move(61)
        store.run(resume_sitting(token, caps))
    found = store.run(fetch_timed_out())
    assert (found.items, found.annotators, found.in_blocks) == (4, 1, 3)


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


def questions(each: int = 4, **more: object) -> list[Item]:
    """Items without bots or dialogues: five things to choose from, in two groups."""
    return [
        replace(Item(f"q{n}", f"corpus {n % 2}", (), (), (), slots=5), **more)  # type: ignore[arg-type]
        for n in range(each)
    ]


def test_what_has_slots_alone_is_shown_in_orders_of_all_of_them(store: Store, database: str) -> None:
    caps = replace(CAPS, annotations_per_item=8, max_judgments=4, attention=AttentionTable(per_sitting=1))
    check = replace(questions(1)[0], id="check", role="attention", gold=2)
    store.run(load_items([*questions(), check], caps))
    seen = [one.assignment for _ in range(8) for one in working(judge_all(store, caps))]
    assert len(seen) == 8 * 5
    assert all(sorted(one.order) == [0, 1, 2, 3, 4] and not one.dialogues for one in seen)
    for role in ("judged", "attention"):
        assert len({one.order for one in seen if one.item.role == role}) > 3
    assert_sound(database, caps)


def test_an_item_of_one_cohort_is_handed_to_nobody_else(store: Store, database: str) -> None:
    caps = replace(CAPS, copies={"expert": 1, "": 2}, has_cohorts=True)
    own = [replace(item, id=f"x{item.id}") for item in questions(6, block="x", cohorts=("expert",))]
    store.run(load_items([*questions(4, block="one", cohorts=("",)), *own], caps))
    for cohort, block, items in (("expert", "x", 6), ("", "one", 4), ("novice", "one", 4)):
        (link,) = store.run(invite_annotators(cohort=cohort))
        seen = working(list(walk(store, link.token, store.run(give_consent(link.token, caps)), caps)))
        assert [one.assignment.item.block for one in seen] == [block] * items
        assert {one.assignment.total for one in seen} == {items}
        assert link.cohort == cohort
    assert not working(judge_all(store, caps))
    assert_sound(database, caps)
