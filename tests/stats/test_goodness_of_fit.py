"""Shares of several bots: scipy as the oracle, the per-turn paper's table, ends."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import goodness_of_fit_test
from tests.stats.golden import golden_rows

count_lists = st.lists(st.integers(0, 400), min_size=2, max_size=6)


def test_the_star_of_per_turn_table_4_is_not_guaranteed_by_its_percentages() -> None:
    row = golden_rows("per_turn_table_4.csv")[0]
    turns = int(row["turns"])
    percent = [int(row[bot]) for bot in ("GPT2XL-BST", "GPT2XL-TCS", "GPT2XL-WoW", "GPT2M-BST")]
    near = [[c for c in range(turns) if round(100 * c / turns) == share] for share in percent]
    possible = [c for c in itertools.product(*near) if sum(c) == turns]
    results = [goodness_of_fit_test(counts) for counts in possible]
    assert len(possible) == 20
    assert min(r.statistic for r in results) == pytest.approx(7.56, abs=0.005)
    assert max(r.statistic for r in results) == pytest.approx(9.71, abs=0.005)
    assert max(r.p_value for r in results) > 0.05 > min(r.p_value for r in results)


@given(count_lists, st.integers(0, 2**32))
def test_the_test_is_scipys(counts: list[int], seed: int) -> None:
    assume(sum(counts) > 0)
    shares = np.random.default_rng(seed).dirichlet(np.full(len(counts), 5.0))
    for expected in (None, shares):
        oracle = stats.chisquare(counts, None if expected is None else expected * sum(counts))
        ours = goodness_of_fit_test(counts, expected=expected)
        assert ours.statistic == pytest.approx(float(oracle.statistic))
        assert ours.p_value == pytest.approx(float(oracle.pvalue), abs=1e-12)
        assert ours.effect**2 * ours.n == pytest.approx(ours.statistic)


@given(count_lists, st.randoms(use_true_random=False))
def test_the_order_of_the_bots_does_not_matter(counts: list[int], random: np.random.Generator) -> None:
    assume(sum(counts) > 0)
    shuffled = list(counts)
    random.shuffle(shuffled)
    assert goodness_of_fit_test(shuffled).statistic == pytest.approx(goodness_of_fit_test(counts).statistic)


def test_two_bots_give_the_squared_z_of_one_rate() -> None:
    assert goodness_of_fit_test([560, 440]).statistic == pytest.approx(
        ((0.56 - 0.5) / np.sqrt(0.25 / 1000)) ** 2
    )


def test_small_expected_counts_are_flagged() -> None:
    assert goodness_of_fit_test([10, 5, 5]).is_reliable
    assert not goodness_of_fit_test([4, 5, 5]).is_reliable


def test_all_turns_to_one_bot_and_a_thousand_million_turns_are_no_trouble() -> None:
    assert goodness_of_fit_test([0, 50]).statistic == pytest.approx(50)
    assert goodness_of_fit_test([10**9, 10**9, 10**9]).p_value == pytest.approx(1)


@pytest.mark.parametrize("expected", [[0.5, 0.5, 0.0], [0.5, 0.5], [0.5, 0.4, 0.2], [0.5, np.nan, 0.5]])
def test_expected_shares_that_are_none_are_refused(expected: list[float]) -> None:
    with pytest.raises(BadNumber, match="expected"):
        goodness_of_fit_test([1, 2, 3], expected=expected)


def test_too_little_to_compare_is_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="2 bots"):
        goodness_of_fit_test([5])
    with pytest.raises(NotEnoughJudgments, match="1 judgments"):
        goodness_of_fit_test([0, 0, 0])
