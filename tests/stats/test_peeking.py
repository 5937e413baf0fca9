"""Peeking: exact golden rates, a simulated twin, and properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import binomial_power_curve
from duologue.stats.stopping.peeking import peeking
from tests.stats.golden import as_printed
from tests.strategies import thorough


@pytest.mark.parametrize(
    ("judgments", "every_vote", "every_ten", "every_fifty"),
    [
        (100, "0.208", "0.133", "0.058"),
        (200, "0.266", "0.186", "0.096"),
        (500, "0.340", "0.258", "0.161"),
        (1000, "0.393", "0.313", "0.215"),
    ],
)
def test_looking_until_significant_finds_winners_between_equal_bots(
    judgments: int, every_vote: str, every_ten: str, every_fifty: str
) -> None:
    assert peeking(judgments, first_look=10).wrong == as_printed(every_vote)
    assert peeking(judgments, first_look=20, every=10).wrong == as_printed(every_ten)
    assert peeking(judgments, first_look=50, every=50).wrong == as_printed(every_fifty)


def test_simulated_peeking_agrees() -> None:
    rng = np.random.default_rng(11)
    wins = np.cumsum(rng.integers(0, 2, size=(4000, 100)), axis=1)
    looks = np.arange(10, 101)
    low = stats.binom.ppf(0.025, looks, 0.5) - 1  # the most wins whose doubled tail is below alpha
    count = wins[:, looks - 1]
    found = ((count <= low) | (count >= looks - low)).any(axis=1).mean()
    assert found == pytest.approx(peeking(100).wrong, abs=4 * (0.208 * 0.792 / 4000) ** 0.5)


def test_one_look_is_the_fixed_test() -> None:
    once = peeking(196, first_look=196, gap=0.2)
    assert once.verdicts == pytest.approx(binomial_power_curve([196], 0.6)[0])
    assert once.expected == 196


@thorough(10)
@given(judgments=st.integers(10, 300), every=st.integers(1, 60), gap=st.floats(-1, 1))
def test_more_judgments_and_a_mirrored_gap(judgments: int, every: int, gap: float) -> None:
    ours = peeking(judgments, every=every, gap=gap)
    theirs = peeking(judgments, every=every, gap=-gap)
    assert ours.verdicts == pytest.approx(theirs.verdicts, abs=1e-9)
    assert (np.diff(ours.verdicts_by) >= 0).all()
    assert ours.verdicts_by[-1] == pytest.approx(ours.verdicts)
    assert ours.wrong <= ours.verdicts + 1e-12
    assert ours.expected <= judgments * (1 + 1e-12)


def test_verdicts_by_n_are_those_of_stopping_there() -> None:
    longer = peeking(300)
    assert longer.verdicts_by[100] == pytest.approx(peeking(100).wrong)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"judgments": 5}, "only 5 are planned"),
        ({"judgments": 100, "every": 0}, "at least one judgment"),
        ({"judgments": 100, "first_look": 0}, "at least one judgment"),
        ({"judgments": 100, "gap": 1.5}, "gap"),
        ({"judgments": 100, "alpha": 1.0}, "alpha"),
    ],
)
def test_numbers_out_of_range_are_refused(arguments: dict[str, float], match: str) -> None:
    with pytest.raises(DesignError, match=match):
        peeking(**arguments)  # type: ignore[arg-type]
