"""The position effect: a stratified table as the oracle, symmetry, error when it is ignored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable

from duologue.errors import BadNumber
from duologue.stats import order_effect, sign_test

TABLES = st.lists(
    st.lists(st.integers(0, 40), min_size=4, max_size=4).map(lambda four: [four[:2], four[2:]]),
    min_size=1,
    max_size=6,
)


@given(TABLES)
def test_the_order_effect_is_that_of_a_stratified_table(tables: list[list[list[int]]]) -> None:
    found = order_effect(tables)
    judged = [table for table in tables if np.sum(table)]
    for_first = sum(a * d / (a + b + c + d) for (a, b), (c, d) in judged)
    against = sum(b * c / (a + b + c + d) for (a, b), (c, d) in judged)
    assert (found is None) == (for_first == 0 or against == 0)
    if found is not None:
        theirs = StratifiedTable([np.array(table, dtype=float) for table in judged])
        assert 2 * found.estimate == pytest.approx(theirs.logodds_pooled)
        assert 2 * found.standard_error == pytest.approx(theirs.logodds_pooled_se)


@given(TABLES)
def test_turning_the_screen_or_the_bots_round_turns_the_order_effect_round_or_keeps_it(
    tables: list[list[list[int]]],
) -> None:
    found, turned = order_effect(tables), order_effect([table[::-1] for table in tables])
    bots = order_effect([[table[1][::-1], table[0][::-1]] for table in tables])
    if found is None:
        assert turned is None
        assert bots is None
    else:
        assert turned is not None
        assert turned.estimate == pytest.approx(-found.estimate)
        assert bots is not None
        assert (bots.estimate, bots.standard_error) == pytest.approx((found.estimate, found.standard_error))


def test_tables_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadNumber, match="two by two"):
        order_effect([[1, 2], [3, 4]])
    with pytest.raises(BadNumber):
        order_effect([[[1, -2], [3, 4]]])
    assert order_effect([[[5, 5], [0, 0]]]) is None


@pytest.mark.slow
def test_a_position_effect_does_not_raise_the_error_when_the_order_is_random() -> None:
    rng = np.random.default_rng(72)
    rejections = 0
    for _ in range(4000):
        first_shown = rng.random(150) < 0.5
        chance = np.where(first_shown, 0.62, 0.38)  # equal bots, a strong preference for what comes first
        wins = int((rng.random(150) < chance).sum())
        rejections += sign_test(wins, 150 - wins).p_value <= 0.05
    assert rejections / 4000 <= 0.055
