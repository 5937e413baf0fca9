"""Tukey's range: another library's numbers, limits, and that threshold and tail agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from duologue.errors import BadNumber
from duologue.stats import range_tail, range_threshold
from tests.strategies import thorough


@pytest.mark.parametrize("bots", [3, 8, 59, 200])
def test_it_is_that_of_another_library(bots: int) -> None:
    sizes = np.array([1.5, 3.0, 4.5])
    others = stats.studentized_range.sf(sizes * np.sqrt(2), bots, np.inf)
    assert range_tail(sizes, bots=bots) == pytest.approx(others, abs=3e-6)


def test_for_two_bots_it_is_the_normal_distribution() -> None:
    sizes = np.array([0.5, 1.96, 4.0])
    assert range_tail(-sizes, bots=2) == pytest.approx(2 * special.ndtr(-sizes), abs=1e-9)


@thorough(10)
@given(level=st.floats(0.5, 0.999), bots=st.integers(2, 60))
def test_the_tail_at_the_threshold_is_what_the_level_leaves(level: float, bots: int) -> None:
    threshold = range_threshold(level, bots=bots)
    assert float(range_tail(threshold, bots=bots)) == pytest.approx(1 - level, abs=1e-9)


def test_more_bots_ask_for_more() -> None:
    asked = [range_threshold(0.95, bots=bots) for bots in (2, 3, 8, 30)]
    assert asked == sorted(asked)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadNumber):
        range_tail(2.0, bots=1)
    with pytest.raises(BadNumber):
        range_threshold(1.0, bots=3)
