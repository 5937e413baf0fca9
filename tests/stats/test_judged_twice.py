"""Agreement of two annotators: the plain double loop as the twin, published ceilings, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import ceiling_of, judge_ceiling, pair_agreement, wilson_interval
from duologue.stats.rates.intervals import student_quantile

ROUNDED = 1e-6
"""Where everybody agrees or nobody does, the root of a variance that is zero but for rounding."""


def drawn(
    seed: int, pairs: int, items: int, people: int
) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    rng = np.random.default_rng(seed)
    both = np.array([rng.permutation(people)[:2] for _ in range(pairs)])
    item = np.concatenate([np.arange(min(items, pairs)), rng.integers(0, items, max(0, pairs - items))])
    return rng.integers(0, 2, pairs).astype(np.float64), item, both[:, 0], both[:, 1]


@given(st.integers(0, 2**32), st.integers(1, 30), st.integers(1, 12), st.integers(2, 9))
def test_the_clustered_interval_is_that_of_a_plain_double_loop(
    seed: int, pairs: int, items: int, people: int
) -> None:
    same, item, first, second = drawn(seed, pairs, items, people)
    found = pair_agreement(same, item, first, second)
    count = len(np.unique(item))
    weights = np.array([1 / (item == one).sum() for one in item])
    rate = sum(same * weights) / count
    residual = weights * (same - rate)
    total, independent = 0.0, 0.0
    for one in range(pairs):
        for two in range(pairs):
            shares = {first[one], second[one]} & {first[two], second[two]}
            if shares or item[one] == item[two]:
                total += residual[one] * residual[two]
            if item[one] == item[two]:
                independent += residual[one] * residual[two]
    who = np.concatenate([first, second])
    met = np.array([(who == one).sum() for one in np.unique(who)])
    variance = max(total * len(met) / (len(met) - 1), independent, 0.0) / count**2
    df = max(1.0, met.sum() ** 2 / (met**2).sum() - 1)
    half = student_quantile(0.95, df) * math.sqrt(variance)
    assert found.rate == pytest.approx(rate)
    assert found.clustered.low == pytest.approx(max(0.0, rate - half), abs=ROUNDED)
    assert found.clustered.high == pytest.approx(min(1.0, rate + half), abs=ROUNDED)
    assert found.interval.low <= found.clustered.low
    assert found.interval.high >= found.clustered.high


@given(st.integers(1, 60), st.data())
def test_the_interval_is_never_narrower_than_wilsons(items: int, data: st.DataObject) -> None:
    same = data.draw(st.integers(0, items))
    found = pair_agreement(
        [1.0] * same + [0.0] * (items - same), range(items), range(items), range(items, 2 * items)
    )
    plain = wilson_interval(same, items)
    assert found.interval.low == pytest.approx(min(plain.low, found.clustered.low), abs=1e-12)
    assert found.interval.high == pytest.approx(max(plain.high, found.clustered.high), abs=1e-12)


@given(st.integers(0, 2**32), st.integers(1, 20))
def test_who_is_called_first_makes_no_difference(seed: int, pairs: int) -> None:
    same, item, first, second = drawn(seed, pairs, pairs, 6)
    one, other = pair_agreement(same, item, first, second), pair_agreement(same, item, second, first)
    assert (one.interval.low, one.interval.high) == pytest.approx((other.interval.low, other.interval.high))


def test_annotators_who_always_meet_the_same_are_worth_no_more_than_they_are() -> None:
    everybody = pair_agreement([1.0, 0.0] * 20, range(40), range(40), range(40, 80))
    two = pair_agreement([1.0, 0.0] * 20, range(40), [0] * 40, [1] * 40)
    assert everybody.annotators == 80
    assert everybody.interval.high < 0.7
    assert (two.interval.low, two.interval.high) == (0.0, 1.0)


@pytest.mark.parametrize(("agreement", "ceiling"), [(0.68, 0.80), (0.75, 0.854), (1.0, 1.0), (0.5, 0.5)])
def test_ceiling_of_two_answers(agreement: float, ceiling: float) -> None:
    assert ceiling_of(agreement) == pytest.approx(ceiling, abs=5e-4)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(2, 5))
def test_no_judge_does_better_than_the_ceiling_however_hard_the_items_are(
    commonest: list[float], answers: int
) -> None:
    """Of each item, one answer has this probability and the others share the rest equally."""
    shares = [np.array([p, *[(1 - p) / (answers - 1)] * (answers - 1)]) for p in commonest]
    agreement = float(np.mean([(p * p).sum() for p in shares]))
    best = float(np.mean([p.max() for p in shares]))
    assert agreement - 1e-9 <= best <= ceiling_of(agreement, answers=answers) + 1e-7


def test_ceiling_takes_the_ends_of_the_interval() -> None:
    agreed = pair_agreement([1.0] * 15 + [0.0] * 5, range(20), range(20), range(20, 40))
    ceiling = judge_ceiling(agreed, answers=3)
    assert ceiling.value == pytest.approx(ceiling_of(0.75, answers=3))
    assert ceiling.interval.low == ceiling_of(agreed.interval.low, answers=3)
    assert ceiling.interval.high == ceiling_of(agreed.interval.high, answers=3)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(NotEnoughJudgments):
        pair_agreement([], [], [], [])
    with pytest.raises(BadNumber, match="first"):
        pair_agreement([1.0], [0], [0, 1], [1])
    with pytest.raises(BadNumber, match="answers"):
        judge_ceiling(pair_agreement([1.0], [0], [0], [1]), answers=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "pairs", "spread", "least"),
    [
        (10, 60, 1.5, 0.91),
        (20, 60, 1.5, 0.93),
        (60, 120, 1.5, 0.93),
        (200, 100, 0.0, 0.93),
        (30, 200, 1.0, 0.93),
    ],
)
def test_interval_covers_where_annotators_differ_in_care(
    people: int, pairs: int, spread: float, least: float
) -> None:
    rng = np.random.default_rng(31)
    care = 1 / (1 + np.exp(-rng.normal(1.0, spread, 200_000)))
    truth = float(care.mean() ** 2 + (1 - care.mean()) ** 2)
    covered = 0
    for _ in range(1000):
        reliable = 1 / (1 + np.exp(-rng.normal(1.0, spread, people)))
        both = np.array([rng.permutation(people)[:2] for _ in range(pairs)])
        right = rng.random((pairs, 2)) < reliable[both]
        found = pair_agreement(
            (right[:, 0] == right[:, 1]).astype(np.float64), np.arange(pairs), both[:, 0], both[:, 1]
        )
        covered += truth in found.interval
    assert covered / 1000 >= least
