"""Putting dialogues and items into the database."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import select

from duologue.clock import utc_now
from duologue.dialogues import Dialogue
from duologue.errors import ContentChanged, InputError, NotFound
from duologue.protocols import Item, ask_again, item_text
from duologue.store import (
    IdleStation,
    ItemStation,
    LoadCounts,
    Store,
    exclude_judgments,
    fetch_dialogues,
    fetch_items,
    fetch_judgments,
    fetch_progress,
    load_dialogues,
    load_items,
    open_store,
    restore_judgments,
)
from duologue.store.database.encoding import dialogue_text, order_text
from duologue.store.database.engine import ROWS_AT_ONCE, Database
from duologue.store.database.schema import (
    arms,
    gold_items,
    item_dialogues,
    items,
    quotas,
    slots,
)
from duologue.store.database.schema import (
    dialogues as stored_dialogues,
)
from duologue.store.loading.batches import BATCH
from duologue.store.sittings.orders import balanced_order, is_straight, random_number, rarest_order
from duologue.studies import StudyRules
from tests.store.small_study import (
    CAPS,
    Hand,
    answer,
    come,
    dialogue,
    dialogues,
    judge_all,
    load,
    pairing,
    pairings,
    working,
)


def test_loading_twice_changes_nothing(store: Store) -> None:
    assert store.run(load_dialogues(dialogues())) == LoadCounts(added=18, kept=0)
    assert store.run(load_dialogues(dialogues())) == LoadCounts(added=0, kept=18)
    assert store.run(load_items(pairings(), CAPS)) == LoadCounts(added=12, kept=0)
    before = store.run(fetch_progress())
    assert store.run(load_items(pairings(), CAPS)) == LoadCounts(added=0, kept=12)
    assert store.run(fetch_progress()) == before
    assert list(store.stream(fetch_items())) == pairings()


def test_more_than_one_batch_is_loaded_whole(store: Store) -> None:
    store.run(load_dialogues(dialogues("AB", BATCH + 201)))
    assert store.run(load_items(pairings("AB", BATCH + 201), CAPS)).added == BATCH + 201
    assert store.run(load_items(pairings("AB", BATCH + 201), CAPS)) == LoadCounts(added=0, kept=BATCH + 201)
    assert store.run(fetch_progress())[0].wanted == BATCH + 201


def test_unknown_dialogue_is_named_and_nothing_is_loaded(store: Store) -> None:
    store.run(load_dialogues(dialogues()))
    with pytest.raises(NotFound, match="dialogue 'Z-1'"):
        store.run(load_items([*pairings(), pairing("A-0", "Z-1")], CAPS))
    assert list(store.stream(fetch_items())) == []


@pytest.mark.parametrize("apart", [1, BATCH // 2 + 100])
def test_two_dialogues_of_one_id_are_refused_by_name(store: Store, apart: int) -> None:
    other = [dialogue("A-0", text="Hello twice!")]
    with pytest.raises(InputError, match="two dialogues have the id 'A-0'"):
        store.run(load_dialogues(dialogues("AB", apart) + other))
    assert store.run(load_dialogues(dialogues("AB", 1))).added == 2


@pytest.mark.parametrize("apart", [1, BATCH + 1])
def test_two_items_of_one_id_are_refused_by_name(store: Store, apart: int) -> None:
    store.run(load_dialogues(dialogues("AB", apart)))
    items = pairings("AB", apart)
    with pytest.raises(InputError, match="two items have the id 'A-0:B-0'"):
        store.run(load_items(items + items[:1], CAPS))
    assert list(store.stream(fetch_items())) == []


def test_items_are_the_same_whatever_the_order_of_their_extras(store: Store) -> None:
    load(store, bots="AB", each=1)
    (item,) = pairings("AB", 1)
    one, same = (
        replace(item, extras=dict(extras)) for extras in ([("a", 1), ("b", 2)], [("b", 2), ("a", 1)])
    )
    store.run(load_items([one], CAPS))
    come(store)
    assert store.run(load_items([same], CAPS)) == LoadCounts(added=0, kept=1)


def test_file_that_breaks_off_loads_nothing(store: Store) -> None:
    def broken() -> Iterator[Dialogue]:
        yield from dialogues()
        raise ValueError("line 19 is broken")

    with pytest.raises(ValueError, match="line 19"):
        store.run(load_dialogues(broken()))
    assert store.run(load_dialogues(dialogues())) == LoadCounts(added=18, kept=0)


def test_dialogue_that_nobody_has_seen_is_replaced(store: Store) -> None:
    load(store, bots="AB", each=1)
    store.run(load_dialogues([dialogue("A-0", text="Hello again!")]))
    _token, station = come(store)
    assert isinstance(station, ItemStation)
    assert station.assignment.dialogues[0].turns[0].text == "Hello again!"


def test_dialogue_that_was_shown_cannot_become_another(store: Store) -> None:
    load(store, bots="AB", each=1)
    come(store)
    with pytest.raises(ContentChanged, match="dialogue 'A-0'"):
        store.run(load_dialogues([dialogue("A-0", text="Hello again!")]))
    assert store.run(fetch_dialogues(["A-0"]))[0] == dialogue("A-0")


def test_item_that_nobody_has_seen_is_replaced(store: Store) -> None:
    store.run(load_dialogues(dialogues()))
    item = pairing("A-0", "B-0")
    store.run(load_items([item], CAPS))
    other = replace(pairing("A-1", "C-1"), id=item.id)
    assert store.run(load_items([other], CAPS)) == LoadCounts(added=0, kept=1)
    assert [(group.group, group.wanted) for group in store.run(fetch_progress())] == [("A__vs__C", 1)]
    assert [station.assignment.item for station in working(judge_all(store))] == [other]


def test_item_that_was_shown_cannot_become_another(store: Store) -> None:
    store.run(load_dialogues(dialogues()))
    item = pairing("A-0", "B-0")
    store.run(load_items([item], CAPS))
    come(store)
    with pytest.raises(ContentChanged, match="item 'A-0:B-0'"):
        store.run(load_items([replace(pairing("A-1", "C-1"), id=item.id)], CAPS))


def test_item_that_left_the_file_is_retired_and_comes_back_with_it(store: Store) -> None:
    load(store, bots="AB", each=2)
    one, two = pairings("AB", 2)
    assert store.run(load_items([two], CAPS)) == LoadCounts(added=0, kept=1, retired=1)
    assert store.run(fetch_progress())[0].wanted == 1
    assert list(store.stream(fetch_items())) == [two]
    assert working([come(store)[1]])[0].assignment.item == two
    assert isinstance(come(store)[1], IdleStation)
    assert store.run(load_items([one, two], CAPS)) == LoadCounts(added=0, kept=2)
    assert working([come(store)[1]])[0].assignment.item == one


def test_judged_item_that_left_the_file_stays_judged(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    store.run(load_items([], CAPS))
    (group,) = store.run(fetch_progress())
    assert (group.wanted, group.done) == (1, 1)
    assert list(store.stream(fetch_items())) == pairings("AB", 1)


def test_retired_item_is_not_handed_out_when_its_judgment_is_excluded(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    store.run(load_items([], CAPS))
    (judgment,) = store.stream(fetch_judgments())
    store.run(exclude_judgments([judgment.id], rule="slow", reason="", by="me"))
    (group,) = store.run(fetch_progress())
    assert (group.wanted, group.done, group.excluded) == (0, 0, 1)
    assert isinstance(come(store)[1], IdleStation)
    assert store.run(restore_judgments([judgment.id], rule="slow", reason="", by="me")) == 1
    assert store.run(fetch_progress())[0].done == 1


def test_item_that_is_retired_in_somebodys_hands_is_finished_there(store: Store, hand: Hand) -> None:
    load(store, bots="AB", each=1)
    token, station = come(store)
    store.run(load_items([], CAPS))
    assert store.run(fetch_progress())[0].leased == 1
    answer(store, token, station)
    assert (store.run(fetch_progress())[0].wanted, store.run(fetch_progress())[0].done) == (1, 1)


def test_more_annotations_an_item_add_places_and_fewer_take_free_ones_away(store: Store) -> None:
    load(store, bots="AB", each=2)
    judge_all(store)
    twice = replace(CAPS, annotations_per_item=2)
    store.run(load_items(pairings("AB", 2), twice))
    assert (store.run(fetch_progress())[0].wanted, store.run(fetch_progress())[0].done) == (4, 1)
    store.run(load_items(pairings("AB", 2), CAPS))
    assert (store.run(fetch_progress())[0].wanted, store.run(fetch_progress())[0].done) == (2, 1)


def test_arm_that_is_dropped_is_asked_no_more(store: Store) -> None:
    both = replace(CAPS, arms=("one", "two"))
    load(store, both, bots="AB", each=2)
    store.run(load_items(pairings("AB", 2), replace(CAPS, arms=("two",))))
    assert [(group.arm, group.wanted) for group in store.run(fetch_progress())] == [("two", 2)]


@pytest.mark.parametrize("each", [1, 2, 7, 40])
def test_orders_are_balanced_in_every_group_of_every_arm(store: Store, each: int) -> None:
    caps = replace(CAPS, arms=("one", "two"), max_judgments=1)
    load(store, caps, bots="AB", each=each)
    orders: dict[str, Counter[tuple[int, ...]]] = {"one": Counter(), "two": Counter()}
    for _ in range(2 * each):
        for station in working(judge_all(store, caps)):
            orders[station.assignment.arm][station.assignment.order] += 1
    for counts in orders.values():
        assert sum(counts.values()) == each
        assert abs(counts[0, 1] - counts[1, 0]) <= 1


def test_orders_are_balanced_again_after_items_left(store: Store) -> None:
    caps = replace(CAPS, max_judgments=1)
    load(store, caps, bots="AB", each=20)
    items, orders = pairings("AB", 20), _expected_orders(pairings("AB", 20), caps.seed)
    straight = [item for item in items if orders[item.id] == (0, 1)]
    others = [item for item in items if item not in straight]
    assert len(straight) == len(others) == 10
    store.run(load_items(straight[:1] + others, caps))
    shown = Counter(working(judge_all(store, caps))[0].assignment.order for _ in range(11))
    assert abs(shown[0, 1] - shown[1, 0]) <= 1


def test_orders_come_from_the_seed_alone(store: Store) -> None:
    load(store, bots="AB", each=12)
    first = _orders(store)
    assert len(set(first.values())) == 2
    other = replace(CAPS, seed=8)
    assert first == _expected_orders(pairings("AB", 12), CAPS.seed)
    assert first != _expected_orders(pairings("AB", 12), other.seed)


def _orders(store: Store) -> dict[str, tuple[int, ...]]:
    caps = replace(CAPS, max_judgments=1)
    stations = [working(judge_all(store, caps))[0] for _ in range(12)]
    return {station.assignment.item.id: station.assignment.order for station in stations}


def _expected_orders(items: list[Item], seed: int) -> dict[str, tuple[int, ...]]:
    """The plain twin: blocks of two, the first at random, the second the other way round."""
    orders: dict[str, tuple[int, ...]] = {}
    for place, item in enumerate(items):
        if place % 2 == 0:
            is_straight = random_number(seed, "order", f"main\0{item.id}\0{0}") % 2 == 0
        else:
            is_straight = not is_straight
        orders[item.id] = (0, 1) if is_straight else (1, 0)
    return orders


def _stored(address: str) -> dict[str, list[tuple[object, ...]]]:
    """What loading writes, but for the numbers of slots, which the order of loading decides."""
    opened = Database(address, clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        columns = [column for column in slots.c if column is not slots.c.n]
        wanted = {
            "slots": select(*columns),
            "quotas": select(quotas),
            "items": select(items),
            "arms": select(arms),
        }
        return {name: sorted(map(tuple, connection.execute(query))) for name, query in wanted.items()}


def test_first_loading_stores_what_loading_in_two_steps_does(database: str) -> None:
    found = []
    for address, first in ((database, 0), (f"{database}_two", 5)):
        with open_store(address) as store:
            store.run(load_dialogues(dialogues("ABC", 40)))
            if first:
                store.run(load_items(pairings("ABC", 40)[:first], CAPS))
            assert store.run(load_items(pairings("ABC", 40), CAPS)).total == 120
        found.append(_stored(address))
    assert found[0] == found[1]


def test_every_row_is_what_one_at_a_time_would_be(database: str) -> None:
    caps = replace(CAPS, arms=("one", "two"), annotations_per_item=2)
    said = dialogues("ABC", ROWS_AT_ONCE + 3)
    gold = pairing("A-0", "C-0", gold=0)
    single = replace(gold, id="single", bots=("A",), dialogues=("A-1",), judged=("she",), role="judged")
    three = replace(gold, bots=("A", "B", "C"), dialogues=("A-1", "B-1", "C-1"), judged=("she",) * 3)
    triples = [replace(three, id=f"three {n}", role="judged", gold=None) for n in range(5)]
    given = [gold, *pairings("AB", ROWS_AT_ONCE + 3), replace(single, gold=None), *triples]
    with open_store(database) as store:
        store.run(load_dialogues(said))
        store.run(load_items(given, caps))
    opened = Database(database, clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        tables = (stored_dialogues, items, item_dialogues, gold_items, quotas, slots)
        found = {table.name: [tuple(row) for row in connection.execute(select(table))] for table in tables}
    wanted = _one_at_a_time(said, given, caps)
    for name, rows in wanted.items():
        assert sorted(found[name]) == sorted(rows), name


def _one_at_a_time(
    said: list[Dialogue], given: list[Item], caps: StudyRules
) -> dict[str, list[tuple[object, ...]]]:
    """The plain twin: every row of a first loading, made where it is needed."""
    rows: dict[str, list[tuple[object, ...]]] = {"items": [], "item_dialogues": [], "slots": []}
    numbers = {one.id: n for n, one in enumerate(said, 1)}
    orders: dict[int, list[bool]] = {}
    of_three: dict[int, Counter[tuple[int, ...]]] = {}
    groups: dict[tuple[str, str], int] = {}
    for n, item in enumerate(given, 1):
        rows["items"].append((n, item.id, item.group, item.role, item.block, False, item_text(item)))
        rows["item_dialogues"] += [(n, place, numbers[key]) for place, key in enumerate(item.dialogues)]
        for arm in () if item.is_onboarding else caps.arms:
            quota = groups.setdefault((arm, item.group), len(groups) + 1)
            shown = orders.setdefault(quota, [])
            for copy in range(caps.annotations_per_item):
                draw = partial(random_number, caps.seed, "order", f"{arm}\0{item.id}\0{copy}")
                if len(item.dialogues) == 3:
                    order = rarest_order(of_three.setdefault(quota, Counter()), draw())
                    of_three[quota][order] += 1
                else:
                    order = balanced_order(
                        len(item.dialogues),
                        draw=draw,
                        straight=shown.count(True),
                        reversed_=shown.count(False),
                    )
                shown.append(is_straight(order))
                place = copy * 2**32 + len(shown)
                slot = (len(rows["slots"]) + 1, quota, n, copy, place, "free", True, order_text(order))
                rows["slots"].append((*slot, None, None))
    return rows | {
        "dialogues": [
            (numbers[one.id], one.id, one.bot, one.content_hash, dialogue_text(one)) for one in said
        ],
        "gold_items": [(n, item.role, 0) for n, item in enumerate(given, 1) if not item.is_judged],
    }


def test_item_that_comes_again_much_later_in_a_first_loading_is_refused(store: Store) -> None:
    store.run(load_dialogues(dialogues("AB", BATCH + 1)))
    many = pairings("AB", BATCH + 1)
    with pytest.raises(InputError, match="two items have the id 'A-3:B-3'"):
        store.run(load_items([*many, many[3]], CAPS))
    assert list(store.stream(fetch_items())) == []


def test_when_more_is_loaded_annotators_judge_as_many_groups_as_are_new(store: Store) -> None:
    load(store, bots="ABC", each=4)
    for _ in range(4):
        assert len(working(judge_all(store))) == 3
    assert working(judge_all(store)) == []
    store.run(load_dialogues(dialogues("ABCD")))
    again = [ask_again(item, 1) for item in pairings("ABC", 4)[::3]]
    store.run(load_items([*pairings("ABCD", 4), *again], CAPS))
    assert len(working(judge_all(store))) == 3
