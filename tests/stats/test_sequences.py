"""Cascading and gathering: known orders, exact expectations, a naive twin, ends, and their error."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import gathering_test, reselection_tests
from tests.strategies import thorough


def test_the_expectation_is_that_of_all_orders() -> None:
    turns, codes = [1, 1, 0, 1], [0, 0, 0, 0]
    (found,) = reselection_tests([[turn] for turn in turns], codes, rng=np.random.default_rng(1), draws=9)
    assert found is not None
    orders = [np.array(order) for order in itertools.permutations(turns)]
    repeats = [float((order[1:] * order[:-1]).sum()) for order in orders]
    starts = [float(order[:-1].sum()) for order in orders]
    assert found.expected == pytest.approx(np.mean(repeats) / np.mean(starts))
    assert (found.rate, found.base, found.after, found.n, found.draws) == (0.5, 0.75, 2, 4, 9)


def test_the_p_value_is_close_to_that_of_all_orders() -> None:
    turns, codes = np.array([1, 1, 1, 0, 0, 0]), [0] * 6
    orders = set(itertools.permutations(turns.tolist()))
    repeats = np.array([sum(a * b for a, b in itertools.pairwise(order)) for order in orders])
    exact = (np.abs(repeats - repeats.mean()) >= 2 - repeats.mean()).mean()
    (found,) = reselection_tests(turns[:, None], codes, rng=np.random.default_rng(1), draws=3999)
    assert found is not None
    assert found.p_value == pytest.approx(exact, abs=0.03)


def test_turns_of_one_dialogue_need_not_stand_together() -> None:
    apart = reselection_tests(
        [[1], [0], [1], [0], [1], [0]], [0, 1, 0, 1, 0, 1], rng=np.random.default_rng(1)
    )
    assert apart[0] is not None
    assert apart[0].rate == 1.0
    assert apart[0].p_value == 1.0  # each dialogue is all alike: no order tells anything


def test_what_never_happened_has_no_test() -> None:
    found = reselection_tests([[0, 1], [0, 1], [1, 0]], [0, 0, 0], rng=np.random.default_rng(1), draws=5)
    assert found[0] is None
    assert found[1] is not None


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_dialogues_in_another_order_are_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    turns, codes = rng.integers(0, 2, (30, 1)), np.repeat(np.arange(6), 5)
    turns[0] = 1
    moved = reselection_tests(turns, 5 - codes, rng=np.random.default_rng(2), draws=3)[0]
    found = reselection_tests(turns, codes, rng=np.random.default_rng(2), draws=3)[0]
    assert found is not None
    assert moved is not None
    assert (moved.rate, moved.base) == (found.rate, found.base)
    assert moved.expected == pytest.approx(found.expected)


def test_gathering_agrees_with_its_twin() -> None:
    values, codes = [1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 2, 2]
    found = gathering_test(values, codes, rng=np.random.default_rng(3), draws=3999)
    sums = [
        sum(sum(order[at] for at in range(6) if codes[at] == one) ** 2 / 2 for one in range(3))
        for order in set(itertools.permutations(values))
    ]
    assert found.p_value == pytest.approx((np.array(sums) >= 2.5 - 1e-9).mean(), abs=0.03)
    assert (found.base, found.clusters, found.n) == (0.5, 3, 6)


@pytest.mark.parametrize("codes", [[0, 0], [0, 0, 0, 0]])
def test_one_cluster_says_nothing(codes: list[int]) -> None:
    with pytest.raises((NotEnoughJudgments, BadNumber)):
        gathering_test([1, 0, 1, 0], codes, rng=np.random.default_rng(3))


@pytest.mark.parametrize(
    ("table", "codes", "error"),
    [
        ([[1], [0]], [0, 1], NotEnoughJudgments),
        ([1, 0], [0, 0], BadNumber),
        ([[2], [0]], [0, 0], BadNumber),
        ([[1], [0]], [0], BadNumber),
    ],
)
def test_what_cannot_be_tested_is_refused(table: object, codes: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        reselection_tests(table, codes, rng=np.random.default_rng(1))  # type: ignore[arg-type]


@pytest.mark.slow
def test_both_keep_their_error_where_dialogues_differ_but_turns_do_not_follow_each_other() -> None:
    rng, studies = np.random.default_rng(4), 600
    codes = np.repeat(np.arange(30), 10)
    cascading = gathering = 0
    for _ in range(studies):
        rates = rng.beta(2, 2, 30)
        turns = (rng.random(300) < rates[codes]).astype(int)
        (found,) = reselection_tests(turns[:, None], codes, rng=rng, draws=99)
        cascading += found is not None and found.p_value <= 0.05
        even = (rng.random(300) < 0.4).astype(int)
        gathering += gathering_test(even, codes, rng=rng, draws=99).p_value <= 0.05
    assert cascading / studies <= 0.07
    assert gathering / studies <= 0.07
