"""Operating characteristics of stopping rules: the golden table, every path enumerated, and properties."""

from __future__ import annotations

import itertools
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import binomial_region
from duologue.stats.stopping.rules import StoppingRule, no_rule, operating_characteristics
from duologue.stats.stopping.sequential import SequentialPlan, stopping_rule
from tests.stats.golden import acute_win_matrix, as_printed, golden_rows
from tests.strategies import thorough

RATES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.8)


def fixed(n: int) -> StoppingRule:
    rule = no_rule(n)
    region = binomial_region([n])
    rule.first_from[n], rule.second_upto[n] = region.high[0], region.low[0]
    return rule


def at_three_looks() -> StoppingRule:
    rule = no_rule(12)
    rule.first_from[[4, 8, 12]], rule.second_upto[[4, 8, 12]] = [4, 7, 9], [0, 1, 3]
    return rule


OURS = ("fixed", "msprt")
"""The golden table has other rules too, for comparison; we do not have them."""


def rule_named(name: str, most: int) -> StoppingRule:
    kind, _, number = name.partition(" ")
    if kind == "fixed":
        return fixed(most)
    futility = float(number) if number else None
    return stopping_rule(SequentialPlan(gap=0.2, alpha=0.05, futility=futility, most=most))


def acute_rates(table: int) -> list[float]:
    """Win rates of the better bot in each of the 28 matchups; Table 4's INT/HF read as 81 to 19."""
    wins, _ = acute_win_matrix(table)
    upper = np.triu_indices(len(wins), 1)
    return [max(ours, theirs) / 100 for ours, theirs in zip(wins[upper], wins.T[upper], strict=True)]


@pytest.mark.parametrize(
    "row",
    [row for row in golden_rows("stopping_rules.csv") if row["design"].startswith(OURS)],
    ids=lambda row: row["design"],
)
def test_a_rule_does_what_the_golden_table_says(row: dict[str, str]) -> None:
    """Computed independently, for a gap of 0.2; means are over the matchups of ACUTE's Tables 2 and 4."""
    rule = rule_named(row["design"], int(row["most"]))
    results = operating_characteristics(rule, RATES)
    assert results[0].verdict == as_printed(row["error"])
    assert results[2].verdict == as_printed(row["power"])
    for result in results:
        assert rounded_twice(result.expected) == int(row[f"expected_{result.rate * 100:.0f}"])
    for table in (2, 4):
        mean = np.mean([result.expected for result in operating_characteristics(rule, acute_rates(table))])
        assert rounded_twice(float(mean)) == int(row[f"mean_table_{table}"])


def rounded_twice(number: float) -> int:
    """As the golden table was: to one decimal, then to the nearest whole number (118.494 → 118.5 → 119)."""
    return int(Decimal(str(round(number, 1))).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def enumerated(rule: StoppingRule, rate: float) -> tuple[float, float, float, float, float]:
    """The twin: follow every sequence of judgments."""
    ends = {"first": 0.0, "second": 0.0, "futile": 0.0, "undecided": 0.0}
    expected = 0.0
    for path in itertools.product((0, 1), repeat=rule.most):
        chance = rate ** sum(path) * (1 - rate) ** (rule.most - sum(path))
        wins, end = 0, "undecided"
        for n, won in enumerate(path, 1):
            wins += won
            if wins >= rule.first_from[n]:
                end = "first"
            elif wins <= rule.second_upto[n]:
                end = "second"
            elif rule.futile_from[n] <= wins <= rule.futile_upto[n]:
                end = "futile"
            if end != "undecided":
                break
        ends[end] += chance
        expected += chance * n
    return ends["first"], ends["second"], ends["futile"], ends["undecided"], expected


@pytest.mark.parametrize("rate", [0.0, 0.3, 0.5, 0.8, 1.0])
@pytest.mark.parametrize(
    "rule",
    [
        fixed(9),
        stopping_rule(SequentialPlan(gap=0.8, alpha=0.2, futility=1.5, most=11)),
        stopping_rule(SequentialPlan(gap=1.0, alpha=0.2, futility=2.0, most=8)),
        at_three_looks(),
        no_rule(4),
    ],
    ids=["fixed", "msprt", "certain", "looks", "none"],
)
def test_dynamic_programming_agrees_with_following_every_path(rule: StoppingRule, rate: float) -> None:
    (result,) = operating_characteristics(rule, [rate])
    ours = (result.first_better, result.second_better, result.futile, result.undecided, result.expected)
    assert ours == pytest.approx(enumerated(rule, rate), abs=1e-12)


@thorough(10)
@given(
    gap=st.floats(0.1, 1.0),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
    futility=st.one_of(st.none(), st.floats(1.2, 10)),
    most=st.integers(1, 300),
    rate=st.floats(0, 1),
)
def test_chances_add_up_and_swapping_the_bots_mirrors_them(
    gap: float, alpha: float, futility: float | None, most: int, rate: float
) -> None:
    rule = stopping_rule(SequentialPlan(gap=gap, alpha=alpha, futility=futility, most=most))
    ours, theirs, equal = operating_characteristics(rule, [rate, 1 - rate, 0.5])
    assert ours.verdict + ours.futile + ours.undecided == pytest.approx(1.0)
    assert ours.first_better == pytest.approx(theirs.second_better, abs=1e-9)
    assert ours.expected == pytest.approx(theirs.expected)
    assert 1 <= ours.median <= ours.nine_in_ten <= most
    assert equal.verdict <= alpha


def test_a_rule_that_has_always_stopped_is_over() -> None:
    rule = no_rule(9)
    rule.first_from[3], rule.second_upto[3] = 2, 1
    (result,) = operating_characteristics(rule, [0.7])
    assert (result.expected, result.undecided) == pytest.approx((3.0, 0.0))
    assert result.first_better == pytest.approx(0.784)


def test_a_rule_of_no_judgments_is_refused() -> None:
    with pytest.raises(DesignError, match="at least one judgment"):
        no_rule(0)


def test_a_rate_that_is_no_chance_is_refused() -> None:
    with pytest.raises(DesignError, match="the win rate"):
        operating_characteristics(no_rule(3), [0.5, 1.2])
