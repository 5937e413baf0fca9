"""The jackknife over clusters: against Student's t, an asymptotic error, a naive twin, and by coverage."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats as scipy_stats
from statsmodels.stats.inter_rater import cohens_kappa, to_table

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import cohen_kappa, jackknife_interval


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=12, unique=True))
def test_of_a_mean_of_single_values_it_is_students_interval(values: list[float]) -> None:
    given_values = np.array(values)
    found = jackknife_interval(
        lambda kept: float(given_values[kept].mean()), np.arange(len(values)), bounds=(-9, 9)
    )
    error = scipy_stats.sem(given_values)
    if found is None:
        assert error == pytest.approx(0, abs=1e-12)
        return
    half = scipy_stats.t.ppf(0.975, len(values) - 1) * error
    assert found.low == pytest.approx(given_values.mean() - half)
    assert found.high == pytest.approx(given_values.mean() + half)


def test_of_kappa_on_independent_items_it_agrees_with_the_asymptotic_error() -> None:
    rng = np.random.default_rng(4)
    one = rng.random(600) < 0.4
    two = np.where(rng.random(600) < 0.8, one, rng.random(600) < 0.4)
    found = jackknife_interval(
        lambda kept: cohen_kappa(one[kept].astype(int), two[kept].astype(int)).kappa, np.arange(600)
    )
    theirs = cohens_kappa(to_table(np.column_stack([one, two]).astype(int), bins=2)[0])
    assert found is not None
    assert (found.high - found.low) / 2 / 1.964 == pytest.approx(theirs.std_kappa, rel=0.03)


def test_clusters_are_left_out_whole_and_their_names_do_not_matter() -> None:
    values, clusters = np.array([0.1, 0.3, 0.2, 0.9, 0.8, 0.6]), np.array([5, 5, 9, 9, 700, 700])
    found = jackknife_interval(lambda kept: float(values[kept].mean()), clusters)
    means = [values[clusters != one].mean() for one in (5, 9, 700)]
    error = np.sqrt(2 / 3 * sum((one - np.mean(means)) ** 2 for one in means))
    half = scipy_stats.t.ppf(0.975, 2) * error
    assert found is not None
    assert found.low == pytest.approx(max(-1, values.mean() - half))
    assert found.high == pytest.approx(min(1, values.mean() + half))


def test_it_says_nothing_where_nothing_can_be_said() -> None:
    assert jackknife_interval(lambda kept: 1.0, [0, 1, 2]) is None
    assert jackknife_interval(lambda kept: None, [0, 1]) is None
    assert jackknife_interval(lambda kept: 0.5 if kept.all() else None, [0, 1]) is None
    with pytest.raises(NotEnoughJudgments):
        jackknife_interval(lambda kept: 0.5, [3, 3])
    with pytest.raises(BadNumber):
        jackknife_interval(lambda kept: 0.5, [0, 1], level=1.5)


@pytest.mark.slow
def test_intervals_of_kappa_cover_what_is_true_though_turns_are_correlated() -> None:
    def kappa_of(n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], ...]:
        same = rng.beta(8, 2, n)  # how far a reader follows the participant differs between dialogues
        dialogue = np.repeat(np.arange(n), 10)
        one = (rng.random(10 * n) < np.repeat(rng.beta(3, 3, n), 10)).astype(int)
        two = np.where(rng.random(10 * n) < same[dialogue], one, rng.integers(0, 2, 10 * n))
        return one, two, dialogue

    one, two, _ = kappa_of(200_000, np.random.default_rng(0))
    true = cohen_kappa(one, two).kappa
    assert true is not None
    covered, studies = 0, 400
    for seed in range(studies):
        one, two, dialogue = kappa_of(30, np.random.default_rng([1, seed]))
        found = jackknife_interval(_kappa(one, two), dialogue)
        assert found is not None
        covered += true in found
    assert 0.95 - 2.6 * (0.05 * 0.95 / studies) ** 0.5 <= covered / studies


def _kappa(one: NDArray[np.int64], two: NDArray[np.int64]) -> Callable[[NDArray[np.bool_]], float | None]:
    return lambda kept: cohen_kappa(one[kept], two[kept]).kappa
