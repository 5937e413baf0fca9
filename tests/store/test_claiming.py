"""Who is handed what, and in which order."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from duologue.store import (
    IdleStation,
    ItemStation,
    Store,
    ThanksStation,
    exclude_judgments,
    fetch_judgments,
    fetch_progress,
    give_consent,
    invite_annotators,
    load_dialogues,
    load_items,
    resume_sitting,
    screen_annotators,
)
from tests.store.small_study import (
    CAPS,
    SCREENED,
    Hand,
    answer,
    come,
    dialogue,
    dialogues,
    judge_all,
    load,
    pairing,
    working,
)


def test_every_wanted_judgment_is_made_once(store: Store) -> None:
    load(store, each=4)
    for _ in range(4):
        judge_all(store)
    assert Counter(judgment.item for judgment in store.stream(fetch_judgments())).most_common(1)[0][1] == 1
    assert all((group.wanted, group.done, group.leased) == (4, 4, 0) for group in store.run(fetch_progress()))
    assert isinstance(come(store)[1], IdleStation)


def test_two_annotators_at_once_never_hold_the_same_item(store: Store) -> None:
    load(store)
    held = [come(store)[1] for _ in range(12)]
    items = [station.assignment.item.id for station in working(held)]
    assert len(items) == len(set(items)) == 12


def test_group_that_the_annotator_has_judged_least_comes_first(store: Store) -> None:
    caps = replace(CAPS, max_judgments=4)
    load(store, caps)
    stations = working(judge_all(store, caps))
    groups = [station.assignment.item.group for station in stations]
    assert len(set(groups[:3])) == 3
    assert len(groups) == 4


def test_group_with_most_left_to_do_comes_first(store: Store) -> None:
    store.run(load_dialogues(dialogues()))
    items = [pairing("A-0", "B-0"), pairing("A-1", "C-1"), pairing("A-2", "C-2")]
    store.run(load_items(items, CAPS))
    _token, first = come(store)
    assert isinstance(first, ItemStation)
    assert first.assignment.item.group == "A__vs__C"


def test_dialogue_is_never_shown_twice_to_one_annotator(store: Store) -> None:
    caps = replace(CAPS, max_judgments=10)
    store.run(load_dialogues(dialogues()))
    items = [pairing("A-0", "B-0"), pairing("A-0", "B-1"), pairing("A-1", "B-0"), pairing("A-2", "B-2")]
    store.run(load_items(items, caps))
    shown = [key for station in working(judge_all(store, caps)) for key in station.assignment.item.dialogues]
    assert shown == ["A-0", "B-0", "A-2", "B-2"]


def test_pairing_is_never_shown_twice_to_one_annotator(store: Store) -> None:
    caps = replace(CAPS, annotations_per_item=3, max_judgments=10)
    load(store, caps, bots="AB", each=1)
    sittings = [working(judge_all(store, caps)) for _ in range(4)]
    assert [len(sitting) for sitting in sittings] == [1, 1, 1, 0]


def test_every_pairing_gets_its_first_judgment_before_any_gets_its_second(store: Store) -> None:
    caps = replace(CAPS, annotations_per_item=2, max_judgments=1)
    load(store, caps, bots="AB", each=3)
    items = [working(judge_all(store, caps))[0].assignment.item.id for _ in range(6)]
    assert len(set(items[:3])) == len(set(items[3:])) == 3


def test_annotator_stops_at_the_cap(store: Store) -> None:
    caps = replace(CAPS, max_judgments=2)
    load(store, caps)
    *way, last = judge_all(store, caps)
    assert len(working(way)) == 2
    assert isinstance(last, ThanksStation)


def test_cap_is_the_number_of_matchups_unless_given(store: Store) -> None:
    load(store, bots="ABCD")
    assert len(working(judge_all(store))) == 6


def test_cap_does_not_count_onboarding(store: Store) -> None:
    caps = replace(SCREENED, max_judgments=2)
    load(store, caps, onboarding=1)
    assert len(working(judge_all(store, caps))) == 3


def test_lease_that_expired_does_not_count_against_the_cap(store: Store, hand: Hand) -> None:
    caps = replace(CAPS, max_judgments=1)
    load(store, caps, bots="AB", each=2)
    token, first = come(store, caps)
    hand.move(caps.lease_seconds)
    judge_all(store, caps)
    second = store.run(resume_sitting(token, caps))
    assert isinstance(first, ItemStation)
    assert isinstance(second, ItemStation)
    assert second.assignment.item != first.assignment.item
    assert isinstance(answer(store, token, second, caps), ThanksStation)


MANY = 201
"""More leases than one claim takes back."""


def _leave_many(store: Store, hand: Hand) -> Callable[[], int]:
    """Let as many come and leave without an answer; how many of their places are still taken."""
    load(store, bots="AB", each=MANY)
    for invitation in store.run(invite_annotators(MANY)):
        store.run(give_consent(invitation.token, CAPS))
    hand.move(CAPS.lease_seconds)
    return lambda: sum(one.leased for one in store.run(fetch_progress()))


def test_all_who_left_give_their_places_back_at_once_however_many_they_are(store: Store, hand: Hand) -> None:
    taken = _leave_many(store, hand)
    assert taken() == MANY
    store.run(screen_annotators(CAPS))
    assert taken() == 0


def test_whoever_comes_after_many_have_left_gets_one_place_and_frees_the_others(
    store: Store, hand: Hand
) -> None:
    taken = _leave_many(store, hand)
    come(store)
    assert taken() == 1


def test_onboarding_item_that_was_handed_out_least_comes_next(store: Store) -> None:
    load(store, SCREENED, onboarding=3)
    items = [working([come(store, SCREENED)[1]])[0].assignment.item.id for _ in range(6)]
    assert sorted(items[:3]) == sorted(items[3:]) == sorted(set(items))


def test_fewer_onboarding_items_than_comparisons_are_enough(store: Store) -> None:
    caps = replace(SCREENED, onboarding_comparisons=5)
    load(store, caps, onboarding=2)
    stations = working(judge_all(store, caps))
    assert [station.assignment.item.is_onboarding for station in stations] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert stations[0].assignment.total == 5


def test_item_may_show_one_dialogue_on_both_sides(store: Store) -> None:
    store.run(load_dialogues([dialogue("A-0")]))
    store.run(load_items([pairing("A-0", "A-0")], CAPS))
    assert len(working(judge_all(store))) == 1


def test_order_is_the_same_for_everybody_who_is_handed_a_slot(store: Store) -> None:
    load(store, bots="AB", each=1)
    first = working(judge_all(store))[0]
    (judgment,) = store.stream(fetch_judgments())
    store.run(exclude_judgments([judgment.id], rule="researcher", reason="a test", by="me"))
    again = working(judge_all(store))[0]
    assert again.assignment.order == first.assignment.order
