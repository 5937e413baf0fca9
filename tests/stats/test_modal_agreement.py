"""One matchup: coin flips, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import NotEnoughJudgments
from duologue.stats import modal_agreement, sign_test, wilson_interval
from tests.alike import assert_alike
from tests.stats.golden import COMPUTED, as_printed


def test_coin_flippers_agree_more_often_than_half_the_time() -> None:
    assert modal_agreement(10, 10).chance_rate == as_printed(COMPUTED["modal_agreement_of_20_coin_flips"])


@given(st.integers(1, 300), st.data())
def test_chance_rate_is_the_mean_of_the_more_frequent_side(n: int, data: st.DataObject) -> None:
    counts = np.arange(n + 1)
    expected = float(stats.binom.pmf(counts, n, 0.5) @ np.maximum(counts, n - counts)) / n
    first = data.draw(st.integers(0, n))
    assert modal_agreement(first, n - first).chance_rate == pytest.approx(expected)


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_folded_test_is_the_two_sided_one_and_sides_do_not_matter(first: int, second: int) -> None:
    assume(first + second > 0)
    ours = modal_agreement(first, second)
    assert_alike(ours, modal_agreement(second, first))
    assert ours.p_value == pytest.approx(sign_test(first, second).p_value)
    assert ours.lower_bound == pytest.approx(wilson_interval(max(first, second), first + second).low)


def test_no_judgment_is_an_error() -> None:
    with pytest.raises(NotEnoughJudgments):
        modal_agreement(0, 0)


def test_a_thousand_million_judgments_are_no_trouble() -> None:
    result = modal_agreement(10**9, 10**9)
    assert result.rate == pytest.approx(0.5)
    assert result.chance_rate == pytest.approx(0.5 + 1 / np.sqrt(2 * np.pi * 2e9), abs=1e-9)
