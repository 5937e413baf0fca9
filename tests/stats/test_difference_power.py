"""Power of differences of means and of shares: statsmodels, an enumerating twin, properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestIndPower
from statsmodels.stats.proportion import proportions_ztest

from duologue.errors import DesignError
from duologue.stats.planning.difference_power import detectable_change, t_power, two_proportions_power
from tests.strategies import thorough


@thorough(10)
@given(
    n=st.integers(2, 2000),
    gap=st.floats(0.01, 1.5),
    sd=st.floats(0.3, 3),
    alpha=st.sampled_from([0.01, 0.05]),
)
def test_power_of_the_t_test_is_that_of_statsmodels(n: int, gap: float, sd: float, alpha: float) -> None:
    theirs = TTestIndPower().power(gap / sd, n, alpha)
    assume(not np.isnan(theirs))  # statsmodels has gaps where the power is 1
    assert t_power([n], gap, sd=sd, alpha=alpha)[0] == pytest.approx(float(theirs), abs=1e-9)


def test_a_huge_gap_is_always_found() -> None:
    gaps = [t_power([2, 10, 100, 1000, 10**6], gap, sd=1) for gap in (20.0, 37.0, 100.0, 1000.0)]
    assert np.array(gaps) == pytest.approx(1.0, abs=1e-3)


def test_the_strictest_levels_have_a_power() -> None:
    """scipy's non-central t is NaN for some of these."""
    powers = t_power([2, 3, 10, 100], 0.3, sd=1, alpha=1e-9)
    assert ((powers >= 0) & (powers < 1e-3)).all()


def test_fewer_than_two_ratings_have_no_power() -> None:
    assert t_power([0, 1], 5.0, sd=1).tolist() == pytest.approx([0, 0])


def test_no_gap_is_found_at_the_level_of_the_test() -> None:
    assert t_power([2, 50, 10**7], 0.0, sd=1) == pytest.approx(0.05, abs=1e-9)


@pytest.mark.parametrize("sd", [0.0, -1.0, float("inf"), float("nan")])
def test_a_spread_that_is_not_positive_is_refused(sd: float) -> None:
    with pytest.raises(DesignError, match="standard deviation"):
        t_power([10], 0.5, sd=sd)


@pytest.mark.parametrize(
    ("n", "first", "second"), [(15, 0.5, 0.8), (30, 0.1, 0.3), (22, 0.6, 0.6), (8, 0.0, 1.0)]
)
def test_power_of_two_shares_is_what_enumerating_every_table_gives(
    n: int, first: float, second: float
) -> None:
    enumerated = 0.0
    for x in range(n + 1):
        for y in range(n + 1):
            if x != y and proportions_ztest([x, y], [n, n])[1] <= 0.05:
                enumerated += stats.binom.pmf(x, n, first) * stats.binom.pmf(y, n, second)
    assert two_proportions_power([n], first, second)[0] == pytest.approx(enumerated, abs=1e-12)


@thorough(10)
@given(n=st.integers(1, 300), first=st.floats(0, 1), second=st.floats(0, 1))
def test_which_group_comes_first_does_not_matter(n: int, first: float, second: float) -> None:
    ours, theirs = two_proportions_power([n], first, second)[0], two_proportions_power([n], second, first)[0]
    assert ours == pytest.approx(theirs, abs=1e-9)
    mirrored = two_proportions_power([n], 1 - first, 1 - second)[0]
    assert ours == pytest.approx(mirrored, abs=1e-9)


def test_groups_of_nobody_have_no_power() -> None:
    assert two_proportions_power([0], 0.1, 0.9).tolist() == pytest.approx([0])


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_out_of_range_is_refused(share: float) -> None:
    with pytest.raises(DesignError, match="the second share"):
        two_proportions_power([10], 0.5, share)


def test_many_numbers_at_once_are_the_same_as_one_at_a_time() -> None:
    n = np.array([1, 10, 100])
    alone = [two_proportions_power([one], 0.5, 0.7)[0] for one in n]
    assert two_proportions_power(n, 0.5, 0.7).tolist() == pytest.approx(alone)


def test_a_change_that_can_be_found_is_found_with_about_the_stated_power() -> None:
    change = detectable_change(200, 200)
    assert two_proportions_power([200], 0.5, 0.5 + change)[0] == pytest.approx(0.8, abs=0.02)
    assert detectable_change(200, 400) < change < detectable_change(200, 50)


def test_a_change_between_groups_without_judgments_is_refused() -> None:
    with pytest.raises(DesignError, match="both have judgments"):
        detectable_change(10, 0)
