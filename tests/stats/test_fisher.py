"""Fisher's exact test of many events: scipy as the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from duologue.errors import BadNumber
from duologue.stats import fisher_p_values


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_each_p_value_is_that_of_scipy(n: int, m: int, data: st.DataObject) -> None:
    first = data.draw(st.lists(st.integers(0, n), min_size=1, max_size=4))
    second = [data.draw(st.integers(0, m)) for _ in first]
    expected = [
        fisher_exact(np.array([[a, n - a], [b, m - b]])).pvalue for a, b in zip(first, second, strict=True)
    ]
    assert fisher_p_values(first, n, second, m) == pytest.approx(expected, rel=1e-6)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_which_group_is_called_first_makes_no_difference(n: int, m: int, data: st.DataObject) -> None:
    a, b = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    assert fisher_p_values([a], n, [b], m) == pytest.approx(fisher_p_values([b], m, [a], n))


def test_nothing_to_test_gives_no_p_value() -> None:
    assert fisher_p_values([], 3, [], 4).shape == (0,)


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [([4], [0], "first"), ([0], [5], "second"), ([0.5], [1], "first"), ([1], [], "second")],
)
def test_counts_that_cannot_be_are_refused(first: list[float], second: list[float], named: str) -> None:
    with pytest.raises(BadNumber, match=named):
        fisher_p_values(np.array(first), 3, np.array(second), 4)
