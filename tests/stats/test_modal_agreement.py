"""One item and several: coin flips, ends."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import NotEnoughJudgments
from duologue.stats import modal_agreement_on_items, sign_test, wilson_interval
from tests.alike import assert_alike
from tests.stats.golden import COMPUTED, as_printed


def test_coin_flippers_agree_more_often_than_half_the_time() -> None:
    assert modal_agreement_on_items([(10, 10)]).chance_rate == as_printed(
        COMPUTED["modal_agreement_of_20_coin_flips"]
    )


@given(st.integers(1, 300), st.data())
def test_chance_rate_is_the_mean_of_the_more_frequent_side(n: int, data: st.DataObject) -> None:
    counts = np.arange(n + 1)
    expected = float(stats.binom.pmf(counts, n, 0.5) @ np.maximum(counts, n - counts)) / n
    first = data.draw(st.integers(0, n))
    assert modal_agreement_on_items([(first, n - first)]).chance_rate == pytest.approx(expected)


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_folded_test_is_the_two_sided_one_and_sides_do_not_matter(first: int, second: int) -> None:
    assume(first + second > 0)
    ours = modal_agreement_on_items([(first, second)])
    assert_alike(ours, modal_agreement_on_items([(second, first)]))
    assert ours.p_value == pytest.approx(sign_test(first, second).p_value)
    assert ours.lower_bound == pytest.approx(wilson_interval(max(first, second), first + second).low)


def test_the_p_value_over_items_is_the_share_of_all_coin_flips_that_agree_as_much() -> None:
    counts = [(3, 1), (1, 4)]
    flips = [max(sum(a), 4 - sum(a)) + max(sum(b), 5 - sum(b)) for a in _flips(4) for b in _flips(5)]
    found = modal_agreement_on_items(counts)
    assert found.modal == 7
    assert found.p_value == pytest.approx(np.mean([sum_ >= 7 for sum_ in flips]))
    assert found.chance_rate == pytest.approx(np.mean(flips) / 9)


def _flips(n: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=n))


def test_items_without_judgments_are_left_out_and_nothing_at_all_is_an_error() -> None:
    assert modal_agreement_on_items([(0, 0), (3, 0)]).items == 1
    with pytest.raises(NotEnoughJudgments):
        modal_agreement_on_items([(0, 0)])
