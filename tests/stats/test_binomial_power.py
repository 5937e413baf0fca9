"""Exact power of binomial tests: against scipy's own p-values, enumerated, and by properties."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import (
    BinomialTest,
    binomial_power_curve,
    binomial_region,
)
from tests.stats.golden import as_printed
from tests.strategies import thorough


def exact_binomial_power(n: int, p: float, *, null: float = 0.5, alpha: float = 0.05) -> float:
    return float(binomial_power_curve([n], p, null=null, alpha=alpha)[0])


rates = st.floats(min_value=0.01, max_value=0.99)
levels = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.3])


def p_value(wins: int, n: int, null: float, test: BinomialTest) -> float:
    """The twin: one count at a time, from scipy."""
    if test == "exact":
        return float(stats.binomtest(wins, n, null).pvalue)
    seen = stats.binom.pmf(wins, n, null) * (0.5 if test == "mid-p" else 0.0)
    tails = stats.binom.cdf(wins, n, null) - seen, stats.binom.sf(wins - 1, n, null) - seen
    return 2 * float(min(tails))


@thorough(10)
@given(
    n=st.integers(1, 80),
    null=rates,
    p=rates,
    alpha=levels,
    test=st.sampled_from(["exact", "mid-p", "equal-tail"]),
)
def test_power_is_the_chance_of_every_count_whose_p_value_is_small(
    n: int, null: float, p: float, alpha: float, test: BinomialTest
) -> None:
    rejected = [wins for wins in range(n + 1) if p_value(wins, n, null, test) <= alpha]
    enumerated = sum(stats.binom.pmf(wins, n, p) for wins in rejected)
    power = binomial_power_curve([n], p, null=null, alpha=alpha, test=test)[0]
    assert power == pytest.approx(enumerated, abs=1e-12)


@settings(deadline=None)
@given(n=st.integers(0, 3000), null=rates, alpha=levels)
def test_an_exact_test_never_exceeds_its_level(n: int, null: float, alpha: float) -> None:
    assert exact_binomial_power(n, null, null=null, alpha=alpha) <= alpha


@settings(deadline=None)
@given(n=st.integers(0, 500), p=rates, alpha=levels)
def test_swapping_the_two_bots_keeps_the_power(n: int, p: float, alpha: float) -> None:
    assert exact_binomial_power(n, p, alpha=alpha) == pytest.approx(
        exact_binomial_power(n, 1 - p, alpha=alpha), rel=1e-9
    )


@settings(deadline=None)
@given(n=st.integers(0, 500), null=rates, p=rates)
def test_counting_losses_instead_of_wins_keeps_the_power(n: int, null: float, p: float) -> None:
    mirrored = exact_binomial_power(n, 1 - p, null=1 - null)
    assert exact_binomial_power(n, p, null=null) == pytest.approx(mirrored, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("n", "p", "test", "power"),
    [
        (196, 0.6, "exact", 0.7721),
        (196, 0.6, "mid-p", 0.8134),
        (196, 0.5, "exact", 0.038),
        (196, 0.5, "mid-p", 0.0535),
    ],
)
def test_power_and_size_at_the_196_turns_of_the_per_turn_paper(
    n: int, p: float, test: BinomialTest, power: float
) -> None:
    assert float(binomial_power_curve([n], p, test=test)[0]) == as_printed(str(power))


def test_real_power_of_the_paper_against_a_null_of_eight_in_ten() -> None:
    """Per-turn paper, Table 1: 126 turns, sized with the variance of the null in both directions."""
    powers = [float(binomial_power_curve([126], p, null=0.8, test="equal-tail")[0]) for p in (0.9, 0.7)]
    assert powers == pytest.approx([0.875, 0.737], abs=0.0005)


def test_no_judgment_and_too_few_judgments_never_reject() -> None:
    assert binomial_power_curve([0, 1, 5], 1.0).tolist() == pytest.approx([0, 0, 0])
    assert exact_binomial_power(6, 1.0) == pytest.approx(1)
    assert exact_binomial_power(6, 0.0) == pytest.approx(1)


def test_a_billion_judgments_have_a_power() -> None:
    n, p = 10**9, 0.50005
    normal = stats.norm.sf(stats.norm.isf(0.025) - (2 * p - 1) * n**0.5)
    assert exact_binomial_power(n, p) == pytest.approx(normal, abs=1e-4)
    assert exact_binomial_power(n, 0.5) == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize("null", [0.5, 0.8])
def test_the_power_of_every_number_up_to_5000_takes_a_tenth_of_a_second(null: float) -> None:
    seconds = []
    for _ in range(5):
        start = time.process_time()
        binomial_power_curve(np.arange(1, 5001), 0.6, null=null)
        seconds.append(time.process_time() - start)
    # Processor time, best of five: a busy machine must not fail it. A loop over tables takes minutes.
    assert min(seconds) < 0.1


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_a_rate_that_is_no_probability_is_refused(bad: float) -> None:
    with pytest.raises(DesignError, match="the true rate"):
        exact_binomial_power(10, bad)
    with pytest.raises(DesignError, match="the null rate"):
        exact_binomial_power(10, 0.5, null=bad)
    with pytest.raises(DesignError, match="alpha"):
        exact_binomial_power(10, 0.5, alpha=bad)


def test_a_negative_number_of_judgments_is_refused() -> None:
    with pytest.raises(DesignError, match="must not be negative; got -3"):
        exact_binomial_power(-3, 0.6)


def test_the_region_of_a_hundred_judgments_is_the_published_one() -> None:
    region = binomial_region([100])
    assert (region.low.tolist(), region.high.tolist()) == ([39], [61])
