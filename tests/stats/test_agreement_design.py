"""What comparing two phrasings can tell: the enumerated power."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from duologue.errors import DesignError
from duologue.stats import ModalDifference, rate_difference


@pytest.mark.parametrize("n", [1, 7, 12])
def test_power_is_the_sum_over_all_pairs_of_counts(n: int) -> None:
    base, gap = 0.92, 0.3
    first, second = (stats.binom.pmf(np.arange(n + 1), n, p) for p in (base, base - gap))
    found = sum(
        first[x] * second[y]
        for x in range(n + 1)
        for y in range(n + 1)
        if rate_difference(max(x, n - x), n, max(y, n - y), n).p_value <= 0.05
    )
    assert ModalDifference(base=base).power([n], gap)[0] == pytest.approx(found)


def test_twenty_annotators_tell_little_apart() -> None:
    assert ModalDifference(base=0.9).power([20], 0.4)[0] == pytest.approx(0.701, abs=5e-4)
    assert ModalDifference(base=0.95).power([20], 0.35)[0] == pytest.approx(0.811, abs=5e-4)


def test_equally_clear_phrasings_are_rarely_told_apart() -> None:
    sizes = [ModalDifference(base=base).power([20], 0.0)[0] for base in np.arange(0.51, 1.0, 0.01)]
    assert max(sizes) <= 0.0501


@pytest.mark.parametrize(("base", "gap"), [(0.5, 0.0), (0.8, 0.31), (0.3, 0.1)])
def test_agreement_below_one_half_is_refused(base: float, gap: float) -> None:
    with pytest.raises(DesignError, match="coin flips"):
        ModalDifference(base=base).power([20], gap)


def test_nobody_tells_nothing() -> None:
    assert ModalDifference().power([0], 0.2).tolist() == [0.0]
