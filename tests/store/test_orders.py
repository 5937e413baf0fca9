"""Shown orders: random from the seed, balanced, whatever the number of dialogues."""

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from duologue.store.sittings.orders import balanced_order, is_straight, random_number, rarest_order

numbers = st.integers(0, 2**32 - 1)


def _gives(number: int) -> Callable[[], int]:
    return lambda: number


@given(length=st.integers(1, 6), drawn=numbers, straight=st.integers(0, 9), reversed_=st.integers(0, 9))
def test_order_shows_every_slot_once_and_evens_the_count(
    length: int, drawn: int, straight: int, reversed_: int
) -> None:
    order = balanced_order(length, draw=lambda: drawn, straight=straight, reversed_=reversed_)
    assert sorted(order) == list(range(length))
    if length > 1 and straight != reversed_:
        assert is_straight(order) == (straight < reversed_)


@given(length=st.integers(2, 5), drawn=st.lists(numbers, min_size=1, max_size=30))
def test_both_orders_never_differ_by_more_than_one(length: int, drawn: list[int]) -> None:
    counts = {True: 0, False: 0}
    for number in drawn:
        order = balanced_order(length, draw=_gives(number), straight=counts[True], reversed_=counts[False])
        counts[is_straight(order)] += 1
        assert abs(counts[True] - counts[False]) <= 1


def test_every_order_of_three_is_shown() -> None:
    draws = [random_number(1, "order", str(number)) for number in range(200)]
    orders = {balanced_order(3, draw=_gives(drawn), straight=0, reversed_=0) for drawn in draws}
    assert len(orders) == 6


def test_random_numbers_depend_on_seed_stage_and_key() -> None:
    drawn = {
        random_number(seed, stage, key)
        for seed in (1, 2**70)
        for stage in ("order", "arm")
        for key in ("a", "b")
    }
    assert len(drawn) == 8


def test_first_of_a_block_falls_either_way() -> None:
    coins = Counter(random_number(7, "order", f"item {number}") % 2 for number in range(1000))
    assert 430 < coins[0] < 570  # 4.4 standard deviations of a fair coin


def test_random_number_is_the_same_for_ever() -> None:
    """Another number would be another study."""
    assert random_number(7, "order", "main\0pair-1\0000") == 393057350


@given(draws=st.lists(st.integers(0, 2**32 - 1), min_size=12, max_size=12))
def test_six_orders_of_three_show_every_slot_at_every_position_twice(draws: list[int]) -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for drawn in draws:
        seen[rarest_order(seen, drawn)] += 1
    assert set(seen.values()) == {2}
    for slot in range(3):
        assert Counter(order.index(slot) for order in seen.elements()) == {0: 4, 1: 4, 2: 4}
