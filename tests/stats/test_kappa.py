"""Cohen's kappa: statsmodels as the oracle, symmetry, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import cohen_kappa

answers = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40)


@given(answers)
def test_kappa_agrees_with_statsmodels(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs).T
    assume(len({*first.tolist(), *second.tolist()}) > 1)
    table = np.zeros((3, 3))
    np.add.at(table, (first, second), 1)
    found = cohen_kappa(first, second)
    assert found.kappa == pytest.approx(cohens_kappa(table, return_results=False))
    assert found == cohen_kappa(second, first)
    assert found.items == len(pairs)


def test_one_answer_only_is_nothing_to_agree_about() -> None:
    found = cohen_kappa([1, 1], [1, 1])
    assert (found.kappa, found.agreement) == (None, 1.0)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(BadNumber):
        cohen_kappa([1, 0], [1])
    with pytest.raises(NotEnoughJudgments):
        cohen_kappa([], [])
