"""Adjusted p-values: the per-turn paper's six comparisons, statsmodels as the oracle, and order."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from duologue.errors import BadNumber
from duologue.stats import holm
from tests.stats.golden import COMPUTED, as_printed
from tests.strategies import thorough

p_value_lists = st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=40)


def test_holm_keeps_two_of_the_six_comparisons_of_per_turn_table_5() -> None:
    golden = COMPUTED["holm_per_turn_table_5_random"]
    adjusted = holm(golden["p_values"])
    for ours, printed in zip(adjusted, golden["adjusted"], strict=True):
        assert ours == as_printed(printed)
    assert int((adjusted < 0.05).sum()) == 2


@thorough(5)  # statsmodels takes a tenth of a second for each of them
@given(p_value_lists)
def test_adjustments_agree_with_statsmodels(p_values: list[float]) -> None:
    np.testing.assert_allclose(holm(p_values), multipletests(p_values, method="holm")[1], atol=1e-12)


@given(p_value_lists, st.randoms(use_true_random=False))
def test_the_order_of_the_tests_does_not_matter(p_values: list[float], random: np.random.Generator) -> None:
    order = list(range(len(p_values)))
    random.shuffle(order)
    shuffled = [p_values[i] for i in order]
    np.testing.assert_allclose(holm(shuffled), holm(p_values)[order])


@given(p_value_lists)
def test_holm_never_claims_more_than_no_adjustment(p_values: list[float]) -> None:
    assert (holm(p_values) >= np.array(p_values) - 1e-12).all()


def test_no_tests_need_no_adjustment_and_one_test_keeps_its_p_value() -> None:
    assert len(holm([])) == 0
    assert holm([0.03]).tolist() == [0.03]


@pytest.mark.parametrize("bad", [math.nan, -0.1, 1.1])
def test_what_is_no_p_value_is_refused(bad: float) -> None:
    with pytest.raises(BadNumber, match="position 1"):
        holm([0.5, bad])
