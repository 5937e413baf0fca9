"""The binomial distribution on arrays, against scipy.stats."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from duologue.stats.rates.binomial_distribution import chance_from, chance_of, chance_up_to
from tests.processes import finished
from tests.strategies import thorough

rates = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(min_value=1e-9, max_value=1 - 1e-9))


@thorough(10)
@given(n=st.integers(0, 2000), p=rates)
def test_tails_and_chances_are_those_of_scipy(n: int, p: float) -> None:
    count = np.arange(-2, n + 3)
    assert chance_up_to(count, n, p) == pytest.approx(stats.binom.cdf(count, n, p), rel=1e-9, abs=1e-15)
    assert chance_from(count, n, p) == pytest.approx(stats.binom.sf(count - 1, n, p), rel=1e-9, abs=1e-15)
    assert chance_of(count, n, p) == pytest.approx(stats.binom.pmf(count, n, p), rel=1e-9, abs=1e-15)


def test_a_billion_trials_lose_no_digits_that_matter() -> None:
    n, count = 10**9, np.array([499_900_000, 500_000_000, 500_070_000])
    assert chance_of(count, n, 0.5) == pytest.approx(stats.binom.pmf(count, n, 0.5), rel=1e-4)
    assert chance_up_to(count, n, 0.5) == pytest.approx(stats.binom.cdf(count, n, 0.5), rel=1e-6)


def test_planning_starts_without_the_slow_import() -> None:
    code = "import sys, duologue.stats.planning.sample_size; sys.exit('scipy.stats' in sys.modules)"
    assert finished([sys.executable, "-c", code]).returncode == 0
