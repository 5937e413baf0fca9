"""McNemar's test: the known table, statsmodels as the oracle, the per-turn paper, coverage, ends."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import clustered_mean, mcnemar_test, paired_difference, sign_test
from duologue.stats.paired.mcnemar import McNemarMethod
from tests.stats.golden import COMPUTED, as_printed, golden_rows
from tests.strategies import thorough

METHODS: list[McNemarMethod] = ["mid-p", "exact", "chi-square", "corrected"]
counts = st.integers(min_value=0, max_value=1500)


def test_the_known_table_comes_out_by_every_method() -> None:
    golden = COMPUTED["mcnemar"]
    table = golden["only_first"], golden["only_second"]
    for method in METHODS[:2]:
        assert mcnemar_test(*table, method=method).p_value == as_printed(golden[method])
    for method in METHODS[2:]:
        result = mcnemar_test(*table, method=method)
        assert (result.statistic, result.p_value) == tuple(as_printed(number) for number in golden[method])


def test_the_stars_of_per_turn_table_3_follow_from_its_percentages() -> None:
    for row in golden_rows("per_turn_table_3.csv"):
        turns, ours, theirs = int(row["turns"]), float(row["baseline_percent"]), float(row["bot_percent"])
        first, second = round(turns * ours / 100), round(turns * theirs / 100)
        if row["tie_win_percent"]:
            both = round(turns * float(row["tie_win_percent"]) / 100)
            p_value = mcnemar_test(first - both, second - both).p_value
        else:
            p_value = sign_test(first, turns - first).p_value
        assert (p_value < 0.05) == (row["significant"] == "1"), row


@pytest.mark.parametrize("method", ["exact", "chi-square", "corrected"])
@thorough(10)
@given(first=counts, second=counts)
def test_p_values_agree_with_statsmodels(method: McNemarMethod, first: int, second: int) -> None:
    assume(first + second > 0 and (method != "corrected" or first != second))
    oracle = mcnemar_of_statsmodels(
        [[3, first], [second, 4]], exact=method == "exact", correction=method == "corrected"
    )
    assert mcnemar_test(first, second, method=method).p_value == pytest.approx(oracle.pvalue, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@thorough(10)
@given(first=counts, second=counts)
def test_swapping_the_two_bots_mirrors_the_test(method: McNemarMethod, first: int, second: int) -> None:
    assume(first > 0 and second > 0)
    ours, theirs = mcnemar_test(first, second, method=method), mcnemar_test(second, first, method=method)
    assert ours.p_value == pytest.approx(theirs.p_value)
    assert ours.odds_ratio == pytest.approx(1 / theirs.odds_ratio)
    assert 0 <= ours.p_value <= 1


def test_equal_counts_are_no_evidence_by_any_method() -> None:
    for method in METHODS:
        assert mcnemar_test(12, 12, method=method).p_value == pytest.approx(1)


def test_a_bot_that_was_never_alone_has_infinite_odds_against_it() -> None:
    assert mcnemar_test(5, 0).odds_ratio == np.inf
    assert mcnemar_test(0, 5).odds_ratio == 0.0


@pytest.mark.parametrize("method", METHODS)
def test_nothing_but_ties_is_an_error_and_a_thousand_million_turns_are_not(method: McNemarMethod) -> None:
    with pytest.raises(NotEnoughJudgments, match="select only one of the bots"):
        mcnemar_test(0, 0, method=method)
    result = mcnemar_test(5 * 10**8 + 50_000, 5 * 10**8 - 50_000, method=method)
    assert result.p_value == pytest.approx(2 * stats.norm.sf(1e5 / np.sqrt(1e9)), rel=1e-3)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(BadNumber, match="only_second"):
        mcnemar_test(3, -1)
    with pytest.raises(BadNumber, match="neither"):
        paired_difference(1, 1, 1, 0.5)  # type: ignore[arg-type]


@given(counts, counts, counts, counts)
def test_the_difference_is_that_of_the_two_rates_and_is_mirrored(a: int, b: int, both: int, no: int) -> None:
    assume(a + b + both + no > 0)
    ours, theirs = paired_difference(a, b, both, no), paired_difference(b, a, both, no)
    assert ours.estimate == pytest.approx(ours.first_rate - ours.second_rate)
    assert ours.estimate == pytest.approx(-theirs.estimate)
    assert ours.interval.limits == pytest.approx((-theirs.interval.high, -theirs.interval.low))
    assert -1 <= ours.interval.low < ours.interval.high <= 1


def test_with_many_turns_the_interval_is_the_one_of_the_mean_of_differences() -> None:
    counted = paired_difference(3200, 2530, 670, 270)
    values = np.repeat([1.0, -1.0, 0.0], [3200, 2530, 940])
    plain = clustered_mean(values, [np.arange(6670)], bounds=(-1, 1))
    assert counted.interval.limits == pytest.approx(plain.interval.limits, abs=2e-4)
    assert counted.discordance == pytest.approx(5730 / 6670)


def test_no_turns_have_no_difference_and_ties_only_have_a_width() -> None:
    with pytest.raises(NotEnoughJudgments):
        paired_difference(0, 0, 0, 0)
    ties = paired_difference(0, 0, 5, 5)
    assert ties.estimate == pytest.approx(0)
    assert ties.interval.high > 0.1


@pytest.mark.parametrize(("first", "second"), [(0.1, 0.1), (0.3, 0.1), (0.5, 0.35), (0.05, 0.01)])
def test_the_paired_interval_covers_by_enumeration(first: float, second: float) -> None:
    n = 40
    covered = total = 0.0
    for a, b in itertools.product(range(n + 1), repeat=2):
        if a + b <= n:
            chance = float(stats.multinomial.pmf([a, b, n - a - b], n, [first, second, 1 - first - second]))
            total += chance
            covered += chance * (first - second in paired_difference(a, b, 0, n - a - b).interval)
    assert total == pytest.approx(1)
    assert covered >= 0.94


@pytest.mark.slow
@pytest.mark.parametrize("discordance", [0.2, 0.5, 0.85])
def test_mid_p_keeps_close_to_alpha_and_exact_below_it(discordance: float) -> None:
    rng = np.random.default_rng(41)
    differing = rng.binomial(200, discordance, 20_000)
    first = rng.binomial(differing, 0.5)
    keep = differing > 0
    rejections = {
        method: np.mean(
            [
                mcnemar_test(int(a), int(d - a), method=method).p_value <= 0.05
                for a, d in zip(first[keep][:4000], differing[keep][:4000], strict=True)
            ]
        )
        for method in METHODS[:2]
    }
    assert rejections["exact"] <= 0.05
    assert 0.035 <= rejections["mid-p"] <= 0.06
