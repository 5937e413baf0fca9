"""The interval of a ratio from sums, against a jackknife and against plain sums over clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import NotEnoughJudgments
from duologue.stats import RatioSums, jackknife_interval, ratio_interval


def _sums(x: list[int], n: list[int]) -> RatioSums:
    pairs = list(zip(x, n, strict=True))
    return RatioSums(
        len(x), sum(x), sum(n), sum(a * a for a in x), sum(a * b for a, b in pairs), sum(b * b for b in n)
    )


@given(st.lists(st.integers(0, 9), min_size=3, max_size=12).filter(lambda x: len(set(x)) > 1))
def test_it_is_the_jackknife_where_clusters_are_of_one_size(x: list[int]) -> None:
    found = ratio_interval(_sums(x, [9] * len(x)))
    values = np.array(x) / 9
    expected = jackknife_interval(
        lambda kept: float(values[kept].mean()), range(len(x)), bounds=(0.0, np.inf)
    )
    assert found is not None
    assert expected is not None
    assert found.limits == pytest.approx(expected.limits)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=2, max_size=9))
def test_it_is_the_linearised_variance_of_clusters_of_any_size(pairs: list[tuple[int, int]]) -> None:
    x, n = np.array(pairs).T
    found = ratio_interval(_sums(x.tolist(), n.tolist()), bounds=(-np.inf, np.inf))
    residuals = x - x.sum() / n.sum() * n
    error = np.sqrt(len(x) / (len(x) - 1) * (residuals**2).sum()) / n.sum()
    if found is None:
        assert error == pytest.approx(0.0, abs=1e-9)
    else:
        from scipy.stats import t

        half = t.ppf(0.975, max(1, n.sum() ** 2 / (n**2).sum() - 1)) * error
        assert (found.high - found.low) / 2 == pytest.approx(half)


def test_nothing_is_said_of_one_cluster_or_of_none_that_differ() -> None:
    with pytest.raises(NotEnoughJudgments):
        ratio_interval(_sums([1], [2]))
    with pytest.raises(NotEnoughJudgments):
        ratio_interval(_sums([0, 0], [0, 0]))
    assert ratio_interval(_sums([1, 2], [2, 4])) is None
