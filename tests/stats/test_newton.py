"""Newton's method reaches the top, and says so when there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import NotConverged
from duologue.stats.newton import maximise


@given(st.floats(-50, 50), st.floats(0.01, 1000))
def test_the_log_odds_of_a_binomial_are_found_from_far_away(start: float, odds: float) -> None:
    def value(x: np.ndarray) -> float:
        return float(-odds * np.logaddexp(0, -x[0]) - np.logaddexp(0, x[0]))

    def derivatives(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rate = 1 / (1 + np.exp(-x[0]))
        return np.array([odds - (1 + odds) * rate]), np.array([[(1 + odds) * rate * (1 - rate) + 1e-300]])

    top = maximise(value, derivatives, np.array([np.clip(start, -20, 20)]), method="A binomial")
    assert top[0] == pytest.approx(np.log(odds), abs=1e-8)


def test_a_hill_without_a_top_is_an_error() -> None:
    with pytest.raises(NotConverged, match="A slope did not converge in 100 steps"):
        maximise(lambda x: float(x[0]), lambda x: (np.ones(1), np.eye(1)), np.zeros(1), method="A slope")


def test_a_direction_that_the_data_do_not_see_is_an_error() -> None:
    with pytest.raises(NotConverged, match="do not determine every parameter"):
        maximise(lambda x: 0.0, lambda x: (np.ones(2), np.ones((2, 2))), np.zeros(2), method="A plateau")
