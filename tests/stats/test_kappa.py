"""Two annotators, and one matchup: statsmodels as the oracle, coin flips, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import cohen_kappa, modal_agreement, sign_test, wilson_interval
from duologue.stats.kappa import Weights
from tests.alike import assert_alike
from tests.stats.golden import COMPUTED, as_printed

pairs_of_answers = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=3, max_size=40)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@settings(max_examples=40)
@given(answers=pairs_of_answers)
def test_kappa_and_its_error_agree_with_statsmodels(weights: Weights, answers: list[tuple[int, int]]) -> None:
    everything = [(1, 1), (2, 3), (4, 4), *answers]  # so that both programs know of all four answers
    first, second = (np.array(side) for side in zip(*everything, strict=True))
    table = np.zeros((4, 4))
    np.add.at(table, (first - 1, second - 1), 1)
    kind = {"none": None, "linear": "linear", "quadratic": "quadratic"}[weights]
    with np.errstate(all="ignore"):  # it divides by a zero error when one side never varies
        oracle = cohens_kappa(table, wt=kind)
    ours = cohen_kappa(first, second, weights=weights)
    assert ours.value == pytest.approx(oracle.kappa)
    assert ours.standard_error == pytest.approx(np.sqrt(max(0, oracle.var_kappa)), abs=1e-9)
    assert ours.agreement_rate == pytest.approx((first == second).mean())


@given(pairs_of_answers)
def test_it_does_not_matter_who_is_first(answers: list[tuple[int, int]]) -> None:
    first, second = zip(*answers, strict=True)
    assume(len(set(first) | set(second)) > 1)
    ours, theirs = cohen_kappa(first, second), cohen_kappa(second, first)
    assert ours.value == pytest.approx(theirs.value)
    assert ours.standard_error == pytest.approx(theirs.standard_error)
    assert -1 <= ours.interval.low <= ours.interval.high <= 1


def test_perfect_agreement_is_one_and_perfect_disagreement_below_zero() -> None:
    assert cohen_kappa([1, 2, 1], [1, 2, 1]).value == pytest.approx(1)
    assert cohen_kappa([1, 2, 1], [1, 2, 1]).standard_error == pytest.approx(0, abs=1e-9)
    assert cohen_kappa([1, 2], [2, 1]).value == pytest.approx(-1)


@pytest.mark.parametrize(("first", "second"), [([], []), ([1, 1], [1, 1])])
def test_one_answer_throughout_leaves_nothing_beyond_chance(first: list[int], second: list[int]) -> None:
    with pytest.raises(NotEnoughJudgments, match="2 different answers"):
        cohen_kappa(first, second)


def test_answers_to_different_items_are_refused() -> None:
    with pytest.raises(BadNumber, match="3 answers, as many as the first"):
        cohen_kappa([1, 2, 1], [1, 2])


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
