"""Equivalence: statsmodels as the oracle, the matching interval, size at the margin, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import binom_tost
from statsmodels.stats.weightstats import ttost_paired

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import clustered_rate, equivalent_estimate, equivalent_rate, paired_test
from tests.strategies import thorough

counts = st.integers(0, 1500)
margins = st.floats(0.01, 0.3)


@given(counts, counts, margins)
def test_the_exact_test_is_that_of_statsmodels(wins: int, losses: int, margin: float) -> None:
    assume(wins + losses > 0)
    expected = binom_tost(wins, wins + losses, 0.5 - margin, 0.5 + margin)[0]
    assert equivalent_rate(wins, losses, margin=margin).p_value == pytest.approx(expected, abs=1e-9)


@given(counts, counts, margins, st.floats(0.01, 0.2))
def test_bots_are_equivalent_exactly_when_the_interval_lies_inside_the_margin(
    wins: int, losses: int, margin: float, alpha: float
) -> None:
    assume(wins + losses > 0)
    result = equivalent_rate(wins, losses, margin=margin, alpha=alpha)
    assume(abs(result.p_value - alpha) > 1e-9)
    assert result.is_equivalent == (
        result.interval.low > 0.5 - margin and result.interval.high < 0.5 + margin
    )


@given(counts, counts, margins)
def test_swapping_the_bots_changes_nothing_and_a_wider_margin_is_easier(
    wins: int, losses: int, margin: float
) -> None:
    assume(wins + losses > 0)
    ours = equivalent_rate(wins, losses, margin=margin)
    assert ours.p_value == pytest.approx(equivalent_rate(losses, wins, margin=margin).p_value)
    assert equivalent_rate(wins, losses, margin=1.5 * margin).p_value <= ours.p_value + 1e-12


@thorough(10)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=3, max_size=30), margins)
def test_the_t_version_is_that_of_statsmodels(rated: list[tuple[int, int]], margin: float) -> None:
    assume(len({a - b for a, b in rated}) > 1)
    first, second = (np.array(side) for side in zip(*rated, strict=True))
    difference = paired_test(first, second)
    ours = equivalent_estimate(
        difference.estimate, difference.standard_error, margin=margin, df=difference.df
    )
    assert ours.p_value == pytest.approx(ttost_paired(first, second, -margin, margin)[0])
    assume(abs(ours.p_value - 0.05) > 1e-9)
    assert ours.is_equivalent == (max(map(abs, ours.interval.limits)) < margin)


def test_without_degrees_of_freedom_the_estimate_is_normal() -> None:
    result = equivalent_estimate(0.02, 0.01, margin=0.05)
    assert result.p_value == pytest.approx(stats.norm.sf(3))
    assert result.interval.high == pytest.approx(0.02 + 0.01 * stats.norm.ppf(0.95))


def test_a_clustered_rate_can_be_shown_equivalent() -> None:
    rate = clustered_rate(np.tile([1.0, 0.0, 0.0, 1.0, 1.0], 200), [np.repeat(np.arange(250), 4)])
    result = equivalent_estimate(rate.estimate, rate.standard_error, margin=0.2, df=rate.df, null=0.5)
    assert result.is_equivalent


@pytest.mark.parametrize("n", [50, 301, 1000])
def test_bots_just_a_margin_apart_are_called_equivalent_at_most_one_time_in_twenty(n: int) -> None:
    chances = stats.binom.pmf(np.arange(n + 1), n, 0.6)
    called = [equivalent_rate(wins, n - wins, margin=0.1).is_equivalent for wins in range(n + 1)]
    assert chances[called].sum() <= 0.05


def test_a_thousand_million_even_judgments_are_equivalent_and_one_is_not() -> None:
    assert equivalent_rate(5 * 10**8, 5 * 10**8, margin=0.001).p_value < 1e-300
    assert equivalent_rate(1, 0, margin=0.05).p_value == 1.0
    with pytest.raises(NotEnoughJudgments):
        equivalent_rate(0, 0, margin=0.05)


@pytest.mark.parametrize("margin", [0.0, -0.1, 0.5, np.nan])
def test_margins_that_are_none_are_refused(margin: float) -> None:
    with pytest.raises(BadNumber, match="margin"):
        equivalent_rate(5, 5, margin=margin)


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadNumber, match="alpha"):
        equivalent_rate(5, 5, margin=0.1, alpha=0.5)
    with pytest.raises(BadNumber, match="standard_error"):
        equivalent_estimate(0.0, 0.0, margin=0.1)
    with pytest.raises(BadNumber, match="estimate"):
        equivalent_estimate(np.nan, 0.1, margin=0.1)
    with pytest.raises(BadNumber, match="df"):
        equivalent_estimate(0.0, 0.1, margin=0.1, df=0)
