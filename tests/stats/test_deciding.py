"""The rule that decides: verdict and interval never contradict each other, whatever the family."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special, stats

from duologue.errors import BadNumber
from duologue.stats import (
    Evidence,
    ExactDifference,
    ExactRate,
    OrderAdjustedTest,
    OrderEffect,
    clopper_pearson_interval,
    clustered_difference,
    clustered_mean,
    clustered_rate,
    decide_together,
    holm,
    holm_steps,
    order_effect,
    sign_test,
)
from duologue.stats.rates.deciding import SPENT
from tests.strategies import thorough


@st.composite
def matchups(draw: st.DrawFn) -> list[list[Evidence]]:
    """A family: some matchups with clusters, some without, some unanimous, some that cannot be decided."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    found: list[list[Evidence]] = []
    for _ in range(draw(st.integers(1, 6))):
        n, rate = int(rng.integers(4, 90)), rng.choice([0.5, 0.7, 1.0])
        outcomes = (rng.random(n) < rate).astype(float)
        tests: list[Evidence] = [ExactRate(int(outcomes.sum()), n - int(outcomes.sum()))]
        if rng.random() < 0.6:
            codes = np.concatenate([[0, 1], rng.integers(0, 7, n - 2)])
            tests.append(clustered_rate(outcomes, [codes]))
        if rng.random() < 0.1:
            lowest, highest = sorted(rng.normal(0, 0.4, 2).tolist())
            tests = [OrderAdjustedTest(one, lowest, highest) for one in tests]
        found.append(tests if rng.random() < 0.9 else [])
    return found


@thorough(10)
@given(matchups(), st.sampled_from([0.01, 0.05, 0.0625, 0.25]), st.integers(0, 3))
def test_the_interval_excludes_one_half_exactly_when_there_is_a_difference(
    family: list[list[Evidence]], alpha: float, unjudged: int
) -> None:
    decisions = decide_together(family, alpha=alpha, family=len(family) + unjudged)
    for tests, found in zip(family, decisions, strict=True):
        assert (found is None) == (not tests)
        if found is not None:
            assert (0.5 not in found.interval) == found.is_different
            assert found.is_different == (found.p_adjusted <= alpha)
            assert found.p_value == max(one.p_value for one in tests)
            assert found.p_value == tests[found.deciding].p_value
            assert found.unadjusted.level == pytest.approx(1 - alpha)
            assert found.interval.low <= found.unadjusted.low
            assert found.interval.high >= found.unadjusted.high


def test_the_union_of_both_intervals_is_what_inverts_the_larger_p_value() -> None:
    outcomes = np.concatenate([np.ones(70), np.tile([1.0, 0.0, 0.0], 10)])
    clustered = clustered_rate(outcomes, [np.arange(100) // 7])
    assert clustered.interval.low < clopper_pearson_interval(80, 100).low
    (found,) = decide_together([[ExactRate(80, 20), clustered]])
    exact = clopper_pearson_interval(80, 20 + 80)
    assert found is not None
    assert found.interval.low == min(exact.low, clustered.interval.low)
    assert found.interval.high == max(exact.high, clustered.interval.high)
    assert found.interval.method == "clopper-pearson or CR3"


def test_a_p_value_exactly_at_alpha_is_a_difference_on_either_side() -> None:
    """Five of five: p = 2/32 exactly."""
    for wins, losses in ((5, 0), (0, 5)):
        (found,) = decide_together([[ExactRate(wins, losses)]], alpha=0.0625)
        assert found is not None
        assert found.is_different
        assert 0.5 not in found.interval


def test_holm_levels_follow_the_steps() -> None:
    steps = holm_steps([0.2, 0.001, 0.012, 0.001], alpha=0.05)
    assert steps.rejected.tolist() == [False, True, True, True]
    # Equal p-values share the first step; the last one fails at alpha / 1.
    assert steps.levels == pytest.approx([1 - 0.05, 1 - 0.05 / 4, 1 - 0.05 / 2, 1 - 0.05 / 4])
    assert steps.adjusted == pytest.approx(holm([0.2, 0.001, 0.012, 0.001]))


def test_planned_tests_without_a_p_value_count_as_one() -> None:
    alone, planned = holm_steps([0.02, 0.03]), holm_steps([0.02, 0.03], family=3)
    assert alone.rejected.tolist() == [True, True]
    assert planned.rejected.tolist() == [False, False]
    assert planned.adjusted == pytest.approx(holm([0.02, 0.03, 1.0])[:2])
    assert planned.levels == pytest.approx([1 - 0.05 / 3] * 2)
    assert holm_steps([]).levels.size == 0
    with pytest.raises(BadNumber, match="family"):
        holm_steps([0.1, 0.2], family=1)


@given(st.lists(st.floats(0, 1), max_size=8), st.integers(0, 4))
def test_holm_steps_reject_what_holm_rejects(p_values: list[float], more: int) -> None:
    steps = holm_steps(p_values, family=len(p_values) + more)
    assert steps.adjusted == pytest.approx(holm([*p_values, *[1.0] * more])[: len(p_values)])
    assert steps.rejected.tolist() == (steps.adjusted <= 0.05).tolist()


def test_the_exact_evidence_is_the_sign_test_either_way_round() -> None:
    assert ExactRate(66, 44).p_value == ExactRate(44, 66).p_value == sign_test(66, 44).p_value


def test_without_an_effect_of_the_order_nothing_but_the_spent_error_changes() -> None:
    own = ExactRate(66, 44)
    freed = OrderAdjustedTest(own, 0.0, 0.0)
    assert freed.p_value == pytest.approx(own.p_value + SPENT, rel=1e-6)
    assert freed.interval_at(0.95).limits == pytest.approx(own.interval_at(0.95 + SPENT).limits)
    assert freed.interval_at(1 - SPENT / 2).limits == (0.0, 1.0)


def test_the_order_is_taken_off_in_log_odds_with_its_uncertainty() -> None:
    effect = OrderEffect(0.4, 0.2)
    freed = OrderAdjustedTest.of(ExactRate(80, 20), effect, lean=1.0)
    reach = stats.norm.isf(SPENT / 2) * 0.2
    low, high = clopper_pearson_interval(80, 100, level=0.95 + SPENT).limits
    expected = (special.logit(low) - 0.4 - reach, special.logit(high) - 0.4 + reach)
    assert freed.interval_at(0.95).limits == pytest.approx(special.expit(expected))
    # At the error rate that the p-value is, the interval just touches one half.
    assert freed.interval_at(1 - freed.p_value).low == pytest.approx(0.5, abs=1e-6)
    mirrored = OrderAdjustedTest.of(ExactRate(20, 80), effect, lean=-1.0)
    assert mirrored.p_value == pytest.approx(freed.p_value)
    assert OrderAdjustedTest.of(ExactRate(60, 40), effect, lean=1.0).p_value == pytest.approx(1.0)


def test_few_judgments_are_never_sure_however_well_the_order_is_known() -> None:
    assert OrderAdjustedTest(ExactRate(3, 0), 0.3, 0.3).p_value > 0.2


@pytest.mark.slow
def test_matchups_shown_in_one_order_keep_their_error_rate() -> None:
    """Equal bots, side 1 preferred; the effect of the side is estimated from another matchup."""
    rng, wrong, studies = np.random.default_rng(9), 0, 4000
    for _ in range(studies):
        side = rng.binomial(120, [0.62, 0.62])
        other = [[[side[0], 120 - side[0]], [120 - side[1], side[1]]]]
        effect = order_effect(other)
        assert effect is not None
        wins = int(rng.binomial(80, 0.62))
        wrong += OrderAdjustedTest.of(ExactRate(wins, 80 - wins), effect, lean=1.0).p_value <= 0.05
    assert wrong / studies <= 0.05


def test_clustered_estimates_give_intervals_at_any_level() -> None:
    outcomes, codes = np.tile([1.0, 0.0, 1.0, 1.0], 10), np.arange(40) // 3
    rate = clustered_rate(outcomes, [codes])
    assert rate.interval_at(0.95) == rate.interval
    assert rate.interval_at(0.99).limits == pytest.approx(
        clustered_rate(outcomes, [codes], level=0.99).interval.limits
    )
    mean = clustered_mean(4 * outcomes - 2, [codes], bounds=(-2, 2), level=0.9)
    assert mean.interval_at(0.9).limits == pytest.approx(mean.interval.limits)
    alike = clustered_mean(np.full(40, 2.0), [codes], bounds=(-2, 2), level=0.9)
    assert alike.interval_at(0.9).limits == pytest.approx(alike.interval.limits)
    gap = clustered_difference(outcomes, 1 - outcomes, [codes], [codes], level=0.9)
    assert gap.interval_at(0.9).limits == pytest.approx(gap.interval.limits)


@pytest.mark.parametrize(
    ("is_different", "low", "high"), [(False, 0.5, 0.9), (False, 0.1, 0.5), (True, 0.5, 0.9)]
)
def test_an_interval_that_rounding_puts_on_the_wrong_side_is_put_right(
    is_different: bool, low: float, high: float
) -> None:
    class Rounded:
        """A test whose interval is off by a rounding error."""

        p_value = 0.04 if is_different else 0.06

        def interval_at(self, level: float) -> object:
            off = 1e-15 if not is_different else -1e-15
            own = clopper_pearson_interval(1, 2, level=level)
            edges = (low + off, high) if low == 0.5 else (low, high - off)
            return type(own)(*edges, level, "rounded")

    (found,) = decide_together([[Rounded()]])  # type: ignore[list-item]  # a stand-in for rounding only
    assert found is not None
    assert (0.5 not in found.interval) == is_different


@given(
    known=st.floats(0.02, 0.98),
    wins=st.integers(0, 40),
    losses=st.integers(0, 40),
    level=st.floats(0.5, 0.999),
)
def test_a_known_rate_minus_a_seen_one_is_the_exact_test_of_the_seen_one(
    known: float, wins: int, losses: int, level: float
) -> None:
    assume(wins + losses > 0)
    n = wins + losses
    found, rate = ExactDifference(known, wins / n, n), ExactRate(wins, losses, known)
    assert found.p_value == pytest.approx(rate.p_value)
    low, high = rate.interval_at(level).limits
    assert found.interval_at(level).limits == pytest.approx((known - high, known - low))
    if abs(found.p_value - (1 - level)) > 1e-9:
        assert (0.0 in found.interval_at(level)) == (found.p_value > 1 - level)


def test_a_fraction_of_a_unit_lies_between_whole_ones() -> None:
    few, between, many = (ExactDifference(0.5, wins / 12.0, 12.0).p_value for wins in (2, 2.5, 3))
    assert few < between < many
    assert ExactDifference(0.9, 0.5 / 12, 12.0).p_value < 1e-9
