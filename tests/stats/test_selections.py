"""McNemar as evidence: the interval excludes no difference exactly when the test rejects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from duologue.stats import ExactRate, PairedSelections, decide_together, mcnemar_test

counts = st.integers(0, 60)
methods = st.sampled_from(["exact", "mid-p"])


@given(first=counts, second=counts, ties=counts, method=methods, level=st.sampled_from([0.9, 0.95, 0.99]))
def test_the_interval_excludes_zero_exactly_when_the_test_rejects(
    first: int, second: int, ties: int, method: str, level: float
) -> None:
    assume(first + second + ties > 0)
    found = PairedSelections(first, second, first + second + ties, method)  # type: ignore[arg-type]
    interval = found.interval_at(level)
    assume(abs(found.p_value - (1 - level)) > 1e-9)
    assert (0.0 not in interval) == (found.p_value < 1 - level)
    assert interval.low <= (first - second) / found.n <= interval.high


@given(first=counts, second=counts, method=methods)
def test_the_evidence_is_mcnemars_and_swapping_mirrors_it(first: int, second: int, method: str) -> None:
    assume(first + second > 0)
    n = first + second
    found = PairedSelections(first, second, n, method)  # type: ignore[arg-type]
    other = PairedSelections(second, first, n, method)  # type: ignore[arg-type]
    assert found.p_value == mcnemar_test(first, second, method=method).p_value  # type: ignore[arg-type]
    assert other.p_value == pytest.approx(found.p_value)
    assert other.interval_at(0.95).low == pytest.approx(-found.interval_at(0.95).high)


def test_without_ties_the_exact_one_is_twice_the_win_rate_less_one() -> None:
    interval, rate = PairedSelections(66, 44, 110, "exact").interval_at(0.95), ExactRate(66, 44)
    assert interval.low == pytest.approx(2 * rate.interval_at(0.95).low - 1)
    assert interval.high == pytest.approx(2 * rate.interval_at(0.95).high - 1)


def test_bots_that_never_differ_leave_room_for_a_difference() -> None:
    found = PairedSelections(0, 0, 40)
    assert found.p_value == 1.0
    assert found.interval_at(0.95).low < 0 < found.interval_at(0.95).high


@given(wins=counts, losses=counts, null=st.sampled_from([0.5, 0.8, 0.3]), level=st.sampled_from([0.9, 0.95]))
def test_an_exact_rate_against_any_null_agrees_with_its_interval(
    wins: int, losses: int, null: float, level: float
) -> None:
    assume(wins + losses > 0)
    found = ExactRate(wins, losses, null)
    sides = [binomtest(wins, wins + losses, null, alternative=side).pvalue for side in ("less", "greater")]
    assert found.p_value == pytest.approx(min(1.0, 2 * min(sides)))
    assume(abs(found.p_value - (1 - level)) > 1e-9)
    assert (null not in found.interval_at(level)) == (found.p_value < 1 - level)


def test_pairs_are_decided_together_on_the_scale_of_differences() -> None:
    tests = [[PairedSelections(60, 20, 100)], [PairedSelections(30, 28, 100)]]
    first, second = decide_together(tests, null=0.0)
    assert first is not None
    assert second is not None
    assert (first.is_different, second.is_different) == (True, False)
    assert np.isclose(first.p_adjusted, 2 * first.p_value)
