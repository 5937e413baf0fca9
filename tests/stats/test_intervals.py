"""Intervals for a rate: published values, statsmodels as the oracle, and what must always hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import Interval, clopper_pearson_interval, normal_interval, wilson_interval
from duologue.stats.rates.intervals import normal_quantile, student_p_value, student_quantile
from tests.stats.golden import COMPUTED, as_printed, golden_rows
from tests.strategies import thorough

METHODS = {
    "wilson": (wilson_interval, "wilson"),
    "clopper-pearson": (clopper_pearson_interval, "beta"),
    "normal": (normal_interval, "normal"),
}
counts = st.integers(min_value=0, max_value=2000)
levels = st.floats(min_value=0.5, max_value=0.999)


@pytest.mark.parametrize("method", METHODS)
def test_the_single_model_rate_of_the_per_turn_paper_has_the_known_intervals(method: str) -> None:
    interval = METHODS[method][0](111, 128)
    low, high = COMPUTED["intervals_of_111_in_128"][method]
    assert (interval.low, interval.high) == (as_printed(low), as_printed(high))


def test_wilson_intervals_of_the_experts_in_the_nuc_paper() -> None:
    for successes, n, low, high in COMPUTED["wilson"]:
        interval = wilson_interval(successes, n)
        assert (interval.low, interval.high) == (as_printed(low), as_printed(high))


def test_per_turn_table_6_prints_normal_intervals() -> None:
    wins = {"BST": 111, "TCS": 106, "WoW": 104, "M": 120}  # the only counts that round to the table
    for row in golden_rows("per_turn_table_6.csv"):
        interval = normal_interval(wins[row["bot"]], int(row["turns"]))
        assert (interval.low, interval.high) == (as_printed(row["ci_low"]), as_printed(row["ci_high"]))


def test_nuc_table_2_prints_normal_half_widths_of_ten_questions_a_person() -> None:
    people = {
        "AMT non-exp Movie": 145,
        "AMT non-exp Twitter": 145,
        "AMT non-exp Ubuntu": 135,
        "AMT exp Ubuntu": 10,
    }
    lab = 8  # a nominal number: its percentages are not counts out of 80, and 69.7 and 98.4 miss by one digit
    for row in golden_rows("nuc_table_2.csv"):
        for recall in ("r1", "r2"):
            printed = row[f"{recall}_halfwidth"]
            if printed:
                group = f"{row['group']} {row['corpus']}"
                rate, n = float(row[f"{recall}_percent"]) / 100, 10 * people.get(group, lab)
                half_width = 100 * 1.96 * np.sqrt(rate * (1 - rate) / n)
                expected = as_printed(printed) if group in people else pytest.approx(float(printed), abs=0.1)
                assert half_width == expected, group


def test_the_rule_of_thumb_asks_for_five_successes_and_five_failures() -> None:
    assert [normal_interval(k, 80).is_reliable for k in (4, 5, 75, 76)] == [False, True, True, False]


def test_normal_half_widths_of_the_nuc_paper_to_two_decimals() -> None:
    for percent, n, half_width in COMPUTED["normal_half_widths_percent"]:
        rate = float(percent) / 100
        assert 100 * normal_quantile(0.95) * np.sqrt(rate * (1 - rate) / n) == as_printed(half_width)


@pytest.mark.parametrize("method", METHODS)
@thorough(10)
@given(successes=counts, failures=counts, level=levels)
def test_intervals_agree_with_statsmodels(method: str, successes: int, failures: int, level: float) -> None:
    n = successes + failures
    assume(n > 0)
    ours, oracle = METHODS[method]
    interval = ours(successes, n, level=level)
    low, high = proportion_confint(successes, n, alpha=1 - level, method=oracle)
    if method == "normal":  # statsmodels cuts it off at 0 and 1, papers do not
        low, high = (
            max(low, interval.low) if low == 0 else low,
            min(high, interval.high) if high == 1 else high,
        )
        interval = Interval(max(0.0, interval.low), min(1.0, interval.high), level, "normal")
        low, high = max(0.0, low), min(1.0, high)
    assert interval.low == pytest.approx(low, abs=1e-9)
    assert interval.high == pytest.approx(high, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@given(successes=counts, failures=counts, level=levels)
def test_counting_losses_instead_of_wins_mirrors_the_interval(
    method: str, successes: int, failures: int, level: float
) -> None:
    assume(successes + failures > 0)
    wins = METHODS[method][0](successes, successes + failures, level=level)
    losses = METHODS[method][0](failures, successes + failures, level=level)
    assert wins.low == pytest.approx(1 - losses.high, abs=1e-12)
    assert wins.high == pytest.approx(1 - losses.low, abs=1e-12)
    assert wins.is_reliable == losses.is_reliable


@pytest.mark.parametrize("method", METHODS)
@given(successes=counts, failures=counts, level=levels)
def test_the_rate_is_inside_and_more_confidence_is_wider(
    method: str, successes: int, failures: int, level: float
) -> None:
    n = successes + failures
    assume(n > 0)
    interval = METHODS[method][0](successes, n, level=level)
    wider = METHODS[method][0](successes, n, level=(1 + level) / 2)
    assert successes / n in Interval(interval.low - 1e-12, interval.high + 1e-12, level, "")
    assert wider.low <= interval.low + 1e-12
    assert wider.high >= interval.high - 1e-12


@pytest.mark.parametrize("n", [1, 2, 50, 10**9])
def test_no_success_and_nothing_but_success_reach_the_ends_exactly(n: int) -> None:
    for interval_of in (wilson_interval, clopper_pearson_interval):
        assert interval_of(0, n).low == 0.0
        assert interval_of(n, n).high == 1.0
        assert 0.0 < interval_of(0, n).high < 1.0
        assert 0.0 < interval_of(n, n).low < 1.0


def test_a_thousand_million_judgments_give_a_narrow_interval_about_the_rate() -> None:
    for interval_of, _ in METHODS.values():
        interval = interval_of(10**9 // 2, 10**9)
        assert interval.high - interval.low == pytest.approx(2 * 1.959964 * np.sqrt(0.25 / 1e9), rel=1e-4)


@pytest.mark.parametrize("interval_of", [wilson_interval, clopper_pearson_interval, normal_interval])
def test_no_judgments_have_no_interval(interval_of: type) -> None:
    with pytest.raises(NotEnoughJudgments):
        interval_of(0, 0)


def test_more_successes_than_judgments_are_refused() -> None:
    with pytest.raises(BadNumber, match="at most n = 3"):
        wilson_interval(4, 3)


@pytest.mark.parametrize("n", [5, 17, 40])
@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5, 0.9])
def test_clopper_pearson_covers_at_least_as_often_as_it_says(n: int, rate: float) -> None:
    chances = stats.binom.pmf(np.arange(n + 1), n, rate)
    covered = [rate in clopper_pearson_interval(k, n, level=0.9) for k in range(n + 1)]
    assert chances[covered].sum() >= 0.9


def test_quantiles_and_tails_are_those_of_scipy() -> None:
    assert normal_quantile(0.9) == pytest.approx(stats.norm.ppf(0.95))
    assert student_quantile(0.9, 3) == pytest.approx(stats.t.ppf(0.95, 3))
    assert student_p_value(1.7, 3) == pytest.approx(2 * stats.t.sf(1.7, 3))
