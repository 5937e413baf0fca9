"""The studentized range: another library's numbers, limits, and that threshold and tail agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from duologue.errors import BadNumber
from duologue.stats import range_tail, range_threshold


@pytest.mark.parametrize("bots", [3, 8, 59])
@pytest.mark.parametrize("df", [5, 19, 123, np.inf])
def test_it_is_that_of_another_library(bots: int, df: float) -> None:
    sizes = np.array([1.5, 3.0, 4.5])
    others = stats.studentized_range.sf(sizes * np.sqrt(2), bots, df)
    assert range_tail(sizes, bots=bots, df=df) == pytest.approx(others, abs=3e-6)


def test_for_two_bots_it_is_students_t() -> None:
    for df in (4.0, 19.0, 300.0):
        assert float(range_tail(2.1, bots=2, df=df)) == pytest.approx(2 * special.stdtr(df, -2.1), abs=1e-7)


@given(level=st.floats(0.5, 0.999), bots=st.integers(2, 60), df=st.floats(10, 500))
def test_the_tail_at_the_threshold_is_what_the_level_leaves(level: float, bots: int, df: float) -> None:
    threshold = range_threshold(level, bots=bots, df=df)
    assert float(range_tail(threshold, bots=bots, df=df)) == pytest.approx(1 - level, abs=1e-7)


def test_more_bots_and_fewer_degrees_of_freedom_ask_for_more() -> None:
    asked = [range_threshold(0.95, bots=bots, df=30) for bots in (2, 3, 8, 30)]
    assert asked == sorted(asked)
    assert range_threshold(0.95, bots=8, df=10) > range_threshold(0.95, bots=8, df=100)
    assert range_threshold(0.999999, bots=3, df=1) > 10


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadNumber):
        range_tail(2.0, bots=1)
    with pytest.raises(BadNumber):
        range_tail(2.0, bots=3, df=0)
    with pytest.raises(BadNumber):
        range_threshold(1.0, bots=3)
