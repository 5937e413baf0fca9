"""Closed testing of all pairs: a naive twin, published thresholds, properties, error rates."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import special, stats

from duologue.stats import holm, range_tail, range_threshold
from duologue.stats.strengths.closed import _together, closed_p_values
from tests.error_rates import STUDIES, why_refused

Floats = NDArray[np.float64]


def own_p(z: Floats) -> Floats:
    return np.asarray(2 * special.ndtr(-np.abs(z)))


@st.composite
def differences(draw: st.DrawFn, most: int = 9) -> tuple[int, Floats]:
    """Pairs of so many bots, each with a difference in standard errors; strengths need not explain them."""
    bots = draw(st.integers(2, most))
    seed, spread = draw(st.integers(0, 10**6)), draw(st.sampled_from([0.7, 1.5, 3.0, 6.0]))
    return bots, np.random.default_rng(seed).normal(0, spread, bots * (bots - 1) // 2)


@pytest.mark.parametrize(
    ("sizes", "threshold"),
    [
        ((8,), 3.031),
        ((7,), 2.948),
        ((6, 2), 2.878),
        ((4, 4), 2.813),
        ((5,), 2.728),
        ((4,), 2.569),
        ((2, 2, 2, 2), 2.491),
        ((3,), 2.344),
        ((2,), 1.960),
    ],
)
def test_groups_of_equals_are_tested_at_the_thresholds_of_the_studentised_range(
    sizes: tuple[int, ...], threshold: float
) -> None:
    at = [threshold - 0.0005, threshold + 0.0005]
    below, above = _together([range_tail(at, bots=size) for size in sizes])
    assert above < 0.05 < below


def test_three_bots_in_a_row_are_all_told_apart_where_holm_separates_one() -> None:
    p = own_p(np.array([2.1, 4.2, 2.1]))
    assert (closed_p_values(p, bots=3) <= 0.05).all()
    assert (holm(p) <= 0.05).tolist() == [False, True, False]


def ways_to_part(bots: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Every partition, by the group that holds the first bot."""
    if not bots:
        yield []
        return
    first, *others = bots
    for size in range(len(others) + 1):
        for beside in itertools.combinations(others, size):
            left = tuple(bot for bot in others if bot not in beside)
            for rest in ways_to_part(left):
                yield [(first, *beside), *rest]


def twin(z: Floats, bots: int) -> Floats:
    """One partition after the other, with scipy's studentised range."""
    pairs = list(itertools.combinations(range(bots), 2))
    size_of = dict(zip(pairs, np.abs(z), strict=True))
    worst = dict.fromkeys(pairs, 0.0)
    for partition in ways_to_part(tuple(range(bots))):
        groups = [group for group in partition if len(group) > 1]
        within = [pair for group in groups for pair in itertools.combinations(group, 2)]
        if not within:
            continue
        largest = max(size_of[pair] for pair in within)
        holds = np.prod(
            [stats.studentized_range.cdf(largest * np.sqrt(2), len(group), np.inf) for group in groups]
        )
        for pair in within:
            worst[pair] = max(worst[pair], 1 - float(holds))
    return np.array([worst[pair] for pair in pairs])


@given(differences(most=6))
def test_it_is_what_listing_all_partitions_gives(made: tuple[int, Floats]) -> None:
    bots, z = made
    z = np.clip(z, -4.5, 4.5)  # beyond it both are rounding
    assert closed_p_values(own_p(z), bots=bots) == pytest.approx(twin(z, bots), rel=1e-4, abs=2e-6)


@given(differences(most=12))
def test_what_tukeys_single_step_separates_is_separated(made: tuple[int, Floats]) -> None:
    bots, z = made
    is_apart = np.abs(z) >= range_threshold(0.95, bots=bots) + 1e-9
    assert (closed_p_values(own_p(z), bots=bots)[is_apart] <= 0.05).all()


@given(differences(most=9))
def test_what_holm_separates_is_separated_up_to_nine_bots(made: tuple[int, Floats]) -> None:
    bots, z = made
    p = own_p(z)
    assert (closed_p_values(p, bots=bots)[holm(p) <= 0.05 - 1e-9] <= 0.05).all()


@given(differences(most=12), st.integers(0, 10**6), st.floats(0.01, 3.0))
def test_a_larger_difference_undoes_nothing(made: tuple[int, Floats], which: int, more: float) -> None:
    bots, z = made
    raised = np.abs(z)
    raised[which % len(z)] += more
    before, after = closed_p_values(own_p(z), bots=bots), closed_p_values(own_p(raised), bots=bots)
    assert (after <= before * (1 + 1e-9)).all()


@given(differences(most=12))
def test_names_of_bots_do_not_matter(made: tuple[int, Floats]) -> None:
    bots, z = made
    matrix = np.zeros((bots, bots))
    first, second = np.triu_indices(bots, 1)
    matrix[first, second] = matrix[second, first] = closed_p_values(own_p(z), bots=bots)
    order = np.random.default_rng(len(z)).permutation(bots)
    own = np.zeros((bots, bots))
    own[first, second] = own[second, first] = z
    again = closed_p_values(own_p(own[np.ix_(order, order)][first, second]), bots=bots)
    assert again == pytest.approx(matrix[np.ix_(order, order)][first, second])


@given(differences(most=18))
def test_adjusting_never_makes_a_p_value_smaller(made: tuple[int, Floats]) -> None:
    bots, z = made
    adjusted = closed_p_values(own_p(z), bots=bots)
    assert (adjusted >= own_p(z) - 1e-12).all()
    assert (adjusted <= 1).all()


@pytest.mark.parametrize("bots", [10, 16])
def test_ten_to_sixteen_bots_ask_the_published_level_of_a_pair(bots: int) -> None:
    z = np.full(bots * (bots - 1) // 2, 9.0)
    z[0] = -special.ndtri((1 - 0.95 ** (2 / bots)) / 2)  # 2.57 of ten bots
    found = closed_p_values(own_p(z), bots=bots)[0]
    assert found == pytest.approx(0.05)


def test_seventeen_bots_are_tested_step_by_step() -> None:
    bots, rng = 17, np.random.default_rng(4)
    z = np.abs(rng.normal(0, 3, bots * (bots - 1) // 2))
    p = own_p(z)
    order, worst, expected = np.argsort(p), 0.0, np.empty(len(p))
    for step, pair in enumerate(order):
        by_range = float(stats.studentized_range.sf(z[pair] * np.sqrt(2), bots, np.inf))
        worst = max(worst, min((len(p) - step) * p[pair], by_range, 1.0))
        expected[pair] = worst
    assert closed_p_values(p, bots=bots) == pytest.approx(expected, rel=1e-4, abs=2e-6)


TIED = {
    "equal": [8],
    "tied pairs": [2, 2, 2, 2],
    "two blocks": [4, 4],
    "3 and 5": [3, 5],
    "7 and 1": [7, 1],
    "2 and single ones": [2, 1, 1, 1, 1, 1, 1],
    "3 and single ones": [3, 1, 1, 1, 1, 1],
    "held out: 2 and 6": [2, 6],
    "held out: 5 and single ones": [5, 1, 1, 1],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TIED)
@pytest.mark.parametrize("apart", [2.0, 12.0])
def test_equal_bots_are_seldom_told_apart_wherever_the_others_are(name: str, apart: float) -> None:
    group = np.repeat(np.arange(len(TIED[name])), TIED[name])
    bots, rng = len(group), np.random.default_rng([8, list(TIED).index(name), int(apart)])
    first, second = np.triu_indices(bots, 1)
    errors = 0
    for strengths in group * apart + rng.normal(0, 1, (STUDIES, bots)):
        lead = strengths[first] - strengths[second]
        decided = closed_p_values(own_p(lead / np.sqrt(2)), bots=bots) <= 0.05
        is_false = (group[first] == group[second]) | (np.sign(lead) != np.sign(group[first] - group[second]))
        errors += bool((decided & is_false).any())
    assert why_refused(errors) == ""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("equal", 0.06), ("7 and 1", 0.08), ("2 and single ones", 0.11)])
def test_simultaneous_intervals_hold_together_and_cutting_them_adds_the_errors_of_the_verdicts(
    name: str, most: float
) -> None:
    group = np.repeat(np.arange(len(TIED[name])), TIED[name])
    bots, rng = len(group), np.random.default_rng([9, list(TIED).index(name)])
    first, second = np.triu_indices(bots, 1)
    margin, truth = range_threshold(0.95, bots=bots) * np.sqrt(2), 12.0 * (group[first] - group[second])
    missed = missed_when_cut = 0
    for strengths in group * 12.0 + rng.normal(0, 1, (STUDIES, bots)):
        lead = strengths[first] - strengths[second]
        decided = closed_p_values(own_p(lead / np.sqrt(2)), bots=bots) <= 0.05
        is_out = bool((np.abs(lead - truth) > margin).any())
        missed += is_out
        missed_when_cut += is_out or bool((decided & (truth * np.sign(lead) <= 0)).any())
    assert why_refused(missed) == ""
    assert missed_when_cut / STUDIES <= most
