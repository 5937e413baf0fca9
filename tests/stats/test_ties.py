"""Davidson's likelihood of wins and ties: the model in its own words, and its slopes by differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.stats.strengths.ties import PairCounts, davidson_logs, davidson_slopes, spread

leads, ties = st.floats(-5, 5), st.floats(-4, 3)
PAIRS = PairCounts.of(
    np.array([[0.0, 12, 18], [8, 0, 11], [5, 9, 0]]), np.array([[0.0, 5, 4], [5, 0, 6], [4, 6, 0]])
)


def likelihood(pairs: PairCounts, lead: np.ndarray, tie: float) -> float:
    won, lost, tied = davidson_logs(lead, tie)
    return float(pairs.won @ won + pairs.lost @ lost + pairs.tied @ tied)


@given(lead=leads, tie=ties)
def test_chances_are_those_of_the_paper_and_mirror_each_other(lead: float, tie: float) -> None:
    weights = np.exp([lead / 2, -lead / 2, tie])
    won, lost, tied = (float(log[0]) for log in davidson_logs(np.array([lead]), tie))
    assert np.exp([won, lost, tied]) == pytest.approx(weights / weights.sum())
    assert davidson_logs(np.array([-lead]), tie)[0][0] == pytest.approx(lost)


@given(lead=st.lists(leads, min_size=3, max_size=3), tie=ties)
def test_slopes_are_those_of_the_likelihood(lead: list[float], tie: float) -> None:
    at, step = np.array(lead), 1e-5
    by_lead, by_tie, lead_lead, lead_tie, tie_tie = davidson_slopes(PAIRS, at, tie)
    for place in range(3):
        up, down = at.copy(), at.copy()
        up[place] += step
        down[place] -= step
        slope = (likelihood(PAIRS, up, tie) - likelihood(PAIRS, down, tie)) / (2 * step)
        assert by_lead[place] == pytest.approx(slope, abs=1e-4)
        above, below = davidson_slopes(PAIRS, up, tie), davidson_slopes(PAIRS, down, tie)
        assert -lead_lead[place] == pytest.approx((above[0] - below[0])[place] / (2 * step), abs=1e-4)
        assert -lead_tie[place] == pytest.approx((above[1] - below[1]) / (2 * step), abs=1e-4)
    slope = (likelihood(PAIRS, at, tie + step) - likelihood(PAIRS, at, tie - step)) / (2 * step)
    assert by_tie == pytest.approx(slope, abs=1e-4)
    above, below = davidson_slopes(PAIRS, at, tie + step), davidson_slopes(PAIRS, at, tie - step)
    assert -tie_tie == pytest.approx((above[1] - below[1]) / (2 * step), abs=1e-4)


def test_slopes_of_matchups_are_spread_over_their_bots() -> None:
    assert spread(PAIRS, np.array([1.0, 10.0, 100.0])).tolist() == [11.0, 99.0, -110.0]
    assert PAIRS.tie_share == pytest.approx(15 / 78)
