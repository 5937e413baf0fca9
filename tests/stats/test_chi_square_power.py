"""Power of chi-square tests over several bots: goldens, scipy and statsmodels, and simulated turns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import GofChisquarePower

from duologue.errors import DesignError
from duologue.stats.planning.chi_square_power import (
    chi_square_power,
    cochran_noncentrality,
    least_favourable_effect,
    noncentrality_for,
    worst_discordance,
)
from tests.strategies import thorough


def test_noncentralities_are_the_golden_ones() -> None:
    found = [noncentrality_for(0.8, df=df) for df in (1, 2, 3)]
    assert found == pytest.approx([7.8489, 9.6347, 10.9026], abs=5e-5)


@thorough(10)
@given(df=st.integers(1, 30), shift=st.floats(0, 100), alpha=st.sampled_from([0.001, 0.05, 0.2]))
def test_power_is_that_of_scipy(df: int, shift: float, alpha: float) -> None:
    oracle = stats.ncx2.sf(stats.chi2.isf(alpha, df), df, shift) if shift > 0 else alpha
    assert chi_square_power(shift, df=df, alpha=alpha)[0] == pytest.approx(oracle, rel=1e-6, abs=1e-9)


@thorough(10)
@given(df=st.integers(1, 30), power=st.floats(0.2, 0.99))
def test_noncentrality_and_power_undo_each_other(df: int, power: float) -> None:
    assert chi_square_power(noncentrality_for(power, df=df), df=df)[0] == pytest.approx(power, abs=1e-8)


def test_goodness_of_fit_agrees_with_statsmodels() -> None:
    ours = chi_square_power(546 * 0.02, df=3)[0]
    theirs = GofChisquarePower().power(effect_size=0.02**0.5, nobs=546, alpha=0.05, n_bins=4)
    assert ours == pytest.approx(float(theirs), abs=1e-9)


@thorough(10)
@given(bots=st.integers(2, 8), gap=st.floats(0.001, 0.2), data=st.data())
def test_no_shares_with_that_gap_are_harder_to_see(bots: int, gap: float, data: st.DataObject) -> None:
    """Shares of any k bots whose largest and smallest differ by the gap have at least that effect."""
    inner = data.draw(st.lists(st.floats(0, 1), min_size=bots - 2, max_size=bots - 2))
    offsets = np.array([0.0, 1.0, *inner]) * gap
    shares = 1 / bots + offsets - offsets.mean()
    assert bots * ((shares - 1 / bots) ** 2).sum() >= least_favourable_effect(gap, bots=bots) - 1e-12


@thorough(10)
@given(bots=st.integers(2, 9), data=st.data())
def test_no_way_of_selecting_bots_is_more_discordant_than_the_worst(bots: int, data: st.DataObject) -> None:
    weights = np.array(data.draw(st.lists(st.floats(0.01, 1), min_size=bots + 1, max_size=bots + 1)))
    selected = np.arange(bots + 1)
    mean = (weights / weights.sum() * selected * (bots - selected)).sum() / (bots * (bots - 1) / 2)
    assert mean <= worst_discordance(bots) + 1e-12


def test_cochran_noncentrality_is_the_general_formula_at_one_pair_off_the_average() -> None:
    bots, gap, discordance, n = 4, 0.1, 0.472, 515
    rates = 0.4 + np.array([gap / 2, -gap / 2, 0, 0])
    expected_x = discordance * bots * (bots - 1) / 2
    general = n * bots * (bots - 1) * ((rates - rates.mean()) ** 2).sum() / expected_x
    assert cochran_noncentrality(n, gap, discordance=discordance)[0] == pytest.approx(general)


@pytest.mark.slow
def test_simulated_turns_reach_the_power_of_pearsons_test() -> None:
    rng = np.random.default_rng(3)
    counts = rng.multinomial(546, [0.30, 0.20, 0.25, 0.25], size=40_000)
    found = (stats.chisquare(counts, axis=1).pvalue <= 0.05).mean()
    assert found == pytest.approx(chi_square_power(546 * 0.02, df=3)[0], abs=0.01)


@pytest.mark.slow
def test_430_turns_see_the_least_favourable_gap_69_times_in_100() -> None:
    """What the per-turn paper's own number gives without its unpublished pilot."""
    rng = np.random.default_rng(4)
    counts = rng.multinomial(430, [0.30, 0.20, 0.25, 0.25], size=40_000)
    found = (stats.chisquare(counts, axis=1).pvalue <= 0.05).mean()
    assert found == pytest.approx(0.69, abs=0.01)


def test_a_gap_that_no_shares_have_is_refused() -> None:
    with pytest.raises(DesignError, match=r"exceeds 0\.5; got 0\.6"):
        least_favourable_effect(0.6, bots=4)


@pytest.mark.parametrize("bots", [1, 0, -3])
def test_fewer_than_two_bots_are_refused(bots: int) -> None:
    with pytest.raises(DesignError, match="at least two bots"):
        worst_discordance(bots)


def test_turns_that_never_disagree_are_refused() -> None:
    with pytest.raises(DesignError, match="larger than 0"):
        cochran_noncentrality(100, 0.1, discordance=0.0)
