"""The mixture SPRT: golden evidence, its rule and its test agreeing, validity, and its interval."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import DesignError
from duologue.stats.planning.designs import ForcedChoice
from duologue.stats.stopping.rules import operating_characteristics
from duologue.stats.stopping.sequential import (
    SequentialPlan,
    cluster_bet,
    confidence_sequence,
    e_value,
    graded_bet,
    plan_sequential,
    sequential_power,
    sequential_test,
    stopping_rule,
)
from tests.strategies import thorough

GOLDEN = Path(__file__).parents[1] / "golden" / "stats"

PLAN = SequentialPlan(gap=0.2, alpha=0.05, futility=3.5, most=600)
judgments = st.lists(st.integers(0, 1), max_size=120)
MANY_STUDIES = pytest.mark.parametrize("studies", [120, pytest.param(600, marks=pytest.mark.slow)])


def test_evidence_of_seventy_wins_in_a_hundred_is_golden() -> None:
    assert e_value(70, 30, gap=0.2) == pytest.approx(215.95182, abs=5e-6)


def test_the_fewest_wins_that_stop_are_golden() -> None:
    ours = stopping_rule(SequentialPlan(gap=0.2, alpha=0.05, futility=None, most=200)).first_from
    n = np.arange(201)
    assert (n[ours <= n][0], *ours[[50, 100, 200]]) == (21, 37, 65, 120)


@thorough(10)
@given(wins=st.integers(0, 200), losses=st.integers(0, 200), gap=st.floats(0.01, 0.99))
def test_evidence_is_the_mean_of_two_likelihood_ratios(wins: int, losses: int, gap: float) -> None:
    n, equal = wins + losses, stats.binom.logpmf(wins, wins + losses, 0.5)
    ratios = [math.exp(stats.binom.logpmf(wins, n, (1 + sign * gap) / 2) - equal) for sign in (1, -1)]
    assert e_value(wins, losses, gap=gap) == pytest.approx(sum(ratios) / 2, rel=1e-6)
    assert e_value(wins, losses, gap=gap) == pytest.approx(e_value(losses, wins, gap=gap))


@thorough(10)
@given(
    outcomes=judgments,
    gap=st.sampled_from([0.05, 0.2, 0.5, 0.9, 1.0]),
    alpha=st.sampled_from([0.05, 0.2, 0.5]),
    futility=st.sampled_from([None, 1.5, 3.5]),
    most=st.integers(1, 130),
)
def test_the_test_stops_where_the_rule_says(
    outcomes: list[int], gap: float, alpha: float, futility: float | None, most: int
) -> None:
    plan = SequentialPlan(gap=gap, alpha=alpha, futility=futility, most=most)
    verdict = sequential_test(outcomes, plan)
    rule = stopping_rule(SequentialPlan(gap=gap, alpha=alpha, futility=futility, most=max(len(outcomes), 1)))
    wins = np.concatenate([[0], np.cumsum(outcomes)]).astype(int)
    n = np.arange(len(wins))
    first, second = np.flatnonzero(wins >= rule.first_from[n]), np.flatnonzero(wins <= rule.second_upto[n])
    if first.size or second.size:
        at = min([*first, *second])
        assert verdict.decided_at == at
        assert verdict.decision == ("first-better" if at in first else "second-better")
        return
    assert verdict.decided_at is None
    last = len(outcomes)
    is_futile = bool(last and rule.futile_from[last] <= wins[last] <= rule.futile_upto[last])
    expected = "futile" if is_futile else "undecided" if last >= most else "continue"
    assert verdict.decision == expected
    assert verdict.is_over == (expected != "continue")


@thorough(10)
@given(gap=st.floats(0.05, 1.0), alpha=st.sampled_from([0.01, 0.05, 0.3]), most=st.integers(1, 400))
def test_equal_bots_are_told_apart_at_most_alpha_of_the_time_whenever_one_stops(
    gap: float, alpha: float, most: int
) -> None:
    rule = stopping_rule(SequentialPlan(gap=gap, alpha=alpha, futility=None, most=most))
    (equal,) = operating_characteristics(rule, [0.5])
    assert equal.verdict <= alpha


def test_futility_only_lowers_the_error() -> None:
    with_it, without = (
        operating_characteristics(stopping_rule(SequentialPlan(0.2, 0.05, futility, 600)), [0.5])[0].verdict
        for futility in (3.5, None)
    )
    assert with_it < without < 0.05


@thorough(10)
@given(outcomes=judgments)
def test_swapping_the_bots_mirrors_the_verdict(outcomes: list[int]) -> None:
    ours, theirs = sequential_test(outcomes, PLAN), sequential_test([1 - one for one in outcomes], PLAN)
    mirror = {"first-better": "second-better", "second-better": "first-better"}
    assert mirror.get(ours.decision, ours.decision) == theirs.decision
    assert (ours.e_value, ours.p_value) == pytest.approx((theirs.e_value, theirs.p_value))
    assert (ours.low, ours.high) == pytest.approx((1 - theirs.high, 1 - theirs.low), abs=1e-9)


@thorough(10)
@given(outcomes=judgments, ties=st.integers(0, 50))
def test_ties_say_nothing_either_way(outcomes: list[int], ties: int) -> None:
    with_ties = sequential_test([0.5] * ties + outcomes, PLAN)
    assert with_ties.e_value == pytest.approx(sequential_test(outcomes, PLAN).e_value)


@thorough(10)
@given(outcomes=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=100))
def test_the_interval_excludes_one_half_exactly_when_the_evidence_suffices(outcomes: list[float]) -> None:
    low, high = confidence_sequence(outcomes, gap=0.2)
    ups = np.sum(np.log1p(0.2 * (2 * np.array(outcomes) - 1)))
    downs = np.sum(np.log1p(-0.2 * (2 * np.array(outcomes) - 1)))
    evidence = np.logaddexp(ups, downs) - math.log(2)
    assume(abs(evidence - math.log(20)) > 1e-9)
    assert (low > 0.5 or high < 0.5) == (evidence > math.log(20))
    assert 0 <= low <= np.mean(outcomes) + 0.2
    assert low < high <= 1


@thorough(10)
@given(wins=st.integers(0, 300), losses=st.integers(0, 300), gap=st.sampled_from([0.1, 0.2, 0.5]))
def test_the_interval_holds_exactly_the_rates_that_are_not_rejected(
    wins: int, losses: int, gap: float
) -> None:
    """The twin: a grid of rates, each tested on its own."""
    low, high = confidence_sequence([1] * wins + [0] * losses, gap=gap)
    rates = np.linspace(0.001, 0.999, 400)
    ratio = (1 + gap) / (1 - gap)
    log_e = []
    for shift in (ratio, 1 / ratio):
        other = rates * shift / (1 - rates + rates * shift)
        log_e.append(wins * np.log(other / rates) + losses * np.log((1 - other) / (1 - rates)))
    evidence = np.logaddexp(*log_e) - math.log(2)
    clear = abs(evidence - math.log(20)) > 1e-9
    kept = evidence < math.log(20)
    assert ((rates > low) & (rates < high))[clear].tolist() == kept[clear].tolist()


@MANY_STUDIES
def test_the_interval_holds_the_truth_at_every_look(studies: int) -> None:
    rng = np.random.default_rng(21)
    rate, missed = 0.62, 0
    for _ in range(studies // 2):
        outcomes = (rng.random(250) < rate).astype(int)
        intervals = [confidence_sequence(outcomes[:n], gap=0.2) for n in range(25, 251, 25)]
        missed += any(not low <= rate <= high for low, high in intervals)
    assert missed / (studies // 2) <= 0.05


@MANY_STUDIES
def test_clusters_are_bet_on_by_their_means_and_the_error_holds(studies: int) -> None:
    """Dialogues of ten turns whose rates vary (ICC 0.5): turns one by one would be anti-conservative."""
    rng = np.random.default_rng(22)
    by_means = by_turns = 0
    for _ in range(studies):
        turns = rng.random((60, 10)) < rng.beta(0.5, 0.5, size=(60, 1))
        by_means += sequential_test(turns.mean(axis=1), PLAN).decided_at is not None
        by_turns += sequential_test(turns.ravel().astype(float), PLAN).decided_at is not None
    assert by_means / studies <= 0.05
    assert by_turns / studies > 0.3


def test_a_verdict_is_not_taken_back_by_later_judgments() -> None:
    verdict = sequential_test([1] * 21 + [0] * 40, PLAN)
    assert (verdict.decision, verdict.decided_at) == ("first-better", 21)
    assert verdict.e_value < 20
    assert verdict.p_value <= 0.05


def test_every_decision_has_its_sentence() -> None:
    assert sequential_test([1] * 30, PLAN).why.startswith("Stop: the first bot is better")
    assert sequential_test([0] * 30, PLAN).why.startswith("Stop: the second bot is better")
    assert "explains them at least 3.5 times better" in sequential_test([0, 1] * 80, PLAN).why
    assert sequential_test([0, 1] * 3, PLAN).why.startswith("Go on: the evidence is")
    short = SequentialPlan(gap=0.2, alpha=0.05, futility=None, most=6)
    assert "maximum of 6 judgments" in sequential_test([0, 1] * 3, short).why


def test_nothing_judged_yet_says_go_on() -> None:
    verdict = sequential_test([], PLAN)
    assert (verdict.decision, verdict.e_value, verdict.p_value) == ("continue", 1.0, 1.0)
    assert (verdict.low, verdict.high, verdict.judgments) == (0.0, 1.0, 0)


def test_a_hundred_thousand_wins_do_not_overflow() -> None:
    verdict = sequential_test(np.ones(100_000), PLAN)
    assert verdict.decision == "first-better"
    assert math.isfinite(verdict.e_value)


def test_a_plan_takes_the_smallest_futility_that_keeps_the_power() -> None:
    assert plan_sequential(0.2, most=600) == PLAN
    plan = plan_sequential(0.3, power=0.9)
    assert plan.futility is not None
    powers = [
        operating_characteristics(stopping_rule(SequentialPlan(0.3, 0.05, futility, plan.most)), [0.65])[0]
        for futility in (plan.futility, plan.futility - 0.5)
    ]
    assert powers[0].first_better >= 0.9 > powers[1].first_better


def test_too_few_judgments_for_the_power_are_refused_with_advice() -> None:
    with pytest.raises(DesignError, match=r"within 50 judgments .* Allow more judgments"):
        plan_sequential(0.2, most=50)


@pytest.mark.parametrize(
    ("plan", "match"),
    [
        (SequentialPlan(0.0, 0.05, 3.5, 600), "gap"),
        (SequentialPlan(0.2, 0.0, 3.5, 600), "alpha"),
        (SequentialPlan(0.2, 0.05, 0.5, 600), "futility"),
        (SequentialPlan(0.2, 0.05, 3.5, 0), "at least one judgment"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(plan: SequentialPlan, match: str) -> None:
    with pytest.raises(DesignError, match=match):
        stopping_rule(plan)
    with pytest.raises(DesignError, match=match):
        sequential_test([1, 0], plan)


@pytest.mark.parametrize("outcomes", [[2.0], [-0.1], [float("nan")]])
def test_outcomes_out_of_range_are_refused(outcomes: list[float]) -> None:
    with pytest.raises(DesignError, match="outcomes are numbers from 0"):
        sequential_test(outcomes, PLAN)


@pytest.mark.parametrize(
    ("size", "icc", "bet"), [(1, 0.1, 0.2), (10, 0.1, 0.2 / (0.04 + 0.96 * 0.19)), (10, 0, 0.9)]
)
def test_the_bet_on_a_cluster_is_the_one_that_grows_fastest_and_never_everything(
    size: int, icc: float, bet: float
) -> None:
    assert cluster_bet(0.2, size=size, icc=icc) == pytest.approx(bet)


@pytest.mark.parametrize(("gap", "size", "icc"), [(0.0, 5, 0.1), (0.2, 0, 0.1), (0.2, 5, 1.5)])
def test_a_bet_on_clusters_that_cannot_be_is_refused(gap: float, size: int, icc: float) -> None:
    with pytest.raises(DesignError):
        cluster_bet(gap, size=size, icc=icc)


def test_a_plan_may_stake_more_than_the_gap_and_its_interval_agrees() -> None:
    plan = SequentialPlan(gap=0.2, alpha=0.05, futility=None, most=100, bet=0.6)
    found = sequential_test([0.9, 0.8, 1.0, 0.7, 0.9, 1.0, 0.8, 0.9, 0.9, 1.0, 0.9], plan)
    assert found.decision == "first-better"
    assert found.low > 0.5
    with pytest.raises(DesignError):
        sequential_test([1.0], replace(plan, bet=1.5))


@pytest.mark.slow
def test_bets_per_cluster_keep_the_error_at_any_stopping_time_and_the_power() -> None:
    """Clusters of ten, intraclass correlation .1: every cluster is a look, in 900 judgments."""
    rng = np.random.default_rng(41)
    plan = SequentialPlan(gap=0.2, alpha=0.05, futility=None, most=90, bet=cluster_bet(0.2, size=10))

    def found(rate: float) -> float:
        strength = 1 / 0.1 - 1
        leaning = rng.beta(strength * rate, strength * (1 - rate), (3000, 90))
        means = rng.binomial(10, leaning) / 10
        return float(np.mean([sequential_test(own, plan).decided_at is not None for own in means]))

    error, power = found(0.5), found(0.6)
    print(f"bets per cluster: error {error:.4f}, power {power:.4f}")  # with -s
    assert error <= 0.05
    assert power >= 0.9


@pytest.mark.slow
def test_bets_on_single_judgments_would_err_where_they_come_in_clusters() -> None:
    rng = np.random.default_rng(42)
    plan = SequentialPlan(gap=0.2, alpha=0.05, futility=None, most=900)
    leaning = rng.beta(4.5, 4.5, (1000, 90))
    judgments = (rng.random((1000, 90, 10)) < leaning[:, :, None]).reshape(1000, 900).astype(float)
    wrong = np.mean([sequential_test(own, plan).decided_at is not None for own in judgments])
    print(f"bets on single judgments: error {wrong:.4f}")  # with -s
    assert wrong > 0.15


@thorough(10)
@given(n=st.integers(0, 400), gap=st.floats(0.1, 0.6))
def test_looking_at_any_time_costs_power_and_more_judgments_give_it(n: int, gap: float) -> None:
    fixed = float(ForcedChoice().power([max(n, 1)], gap)[0])
    patient = sequential_power(n, gap, futility=None)
    assert sequential_power(n, gap) <= patient <= sequential_power(n + 40, gap, futility=None)
    assert patient <= fixed + 0.02  # an exact test of few judgments may waste more of its alpha


@pytest.mark.slow
@pytest.mark.parametrize(("size", "n", "icc"), [(5, 400, 0.1), (10, 600, 0.1), (3, 300, 0.2)])
def test_bets_on_clusters_find_the_gap_at_least_as_often_as_their_worth_says(
    size: int, n: int, icc: float
) -> None:
    rng, studies, found = np.random.default_rng(1), 1500, 0
    plan = SequentialPlan(gap=0.2, alpha=0.05, futility=3.5, most=n, bet=cluster_bet(0.2, size=size, icc=icc))
    for _ in range(studies):
        leaning = rng.beta(0.6 * (1 / icc - 1), 0.4 * (1 / icc - 1), n // size)
        found += sequential_test(rng.binomial(size, leaning) / size, plan).decision == "first-better"
    worth = sequential_power(int(n / (1 + (size - 1) * icc)), 0.2)
    assert found / studies >= worth - 4 * (0.2 / studies) ** 0.5


SCORES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])


def test_the_bet_on_graded_scores_is_published_and_never_everything() -> None:
    """STATS.md, section 7: λ = .277 on the 4-point score."""
    assert graded_bet(0.2) == pytest.approx(0.277, abs=5e-4)
    assert graded_bet(0.2, size=10) == graded_bet(1.0) == pytest.approx(0.9)
    with pytest.raises(DesignError):
        graded_bet(0.2, size=0)


@thorough(10)
@given(
    half=st.lists(st.floats(0.01, 1), min_size=2, max_size=2),
    ties=st.floats(0, 1),
    gap=st.floats(0.05, 0.6),
)
def test_evidence_from_scores_of_equal_bots_is_one_on_average(
    half: list[float], ties: float, gap: float
) -> None:
    """Every course of three judgments, however the scale is used: the expectation is exactly 1."""
    weights = np.array([*half, ties, *half[::-1]])
    chances = weights / weights.sum()
    plan = SequentialPlan(gap=gap, alpha=0.05, futility=None, most=9, bet=graded_bet(gap))
    expected = sum(
        math.prod(chances[list(course)]) * sequential_test((1 + SCORES[list(course)]) / 2, plan).e_value
        for course in product(range(5), repeat=3)
    )
    assert expected == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "binary", "graded"), [(2, 0.635, 0.53), (4, 0.462, 0.38)])
def test_graded_scores_settle_the_published_matchups_in_fewer_judgments(
    table: int, binary: float, graded: float
) -> None:
    """STATS.md, section 7: percent of the fixed 199 judgments, futility 3.5, at most 600."""
    rates = np.loadtxt(GOLDEN / f"acute_table_{table}.csv", delimiter=",", skiprows=1, usecols=2) / 100
    rng = np.random.default_rng(3)

    def share(bet: float, *, is_graded: bool) -> float:
        used = [float(_stopped_at(rate, bet, is_graded, rng).mean()) for rate in rates]
        return float(np.mean(used)) / 199

    assert share(0.2, is_graded=False) == pytest.approx(binary, abs=0.012)
    assert share(graded_bet(0.2), is_graded=True) == pytest.approx(graded, abs=0.012)


def _stopped_at(rate: float, bet: float, is_graded: bool, rng: np.random.Generator) -> np.ndarray:
    """Where 1,500 studies stop: a latent logistic preference, "clearly" beyond log-odds of 3 to 1."""
    apart = np.log(rate) - np.log1p(-rate) + rng.logistic(size=(1500, 600))
    scores = np.sign(apart) * (np.where(np.abs(apart) > np.log(3), 1.0, 0.5) if is_graded else 1.0)
    up, down = (np.cumsum(np.log1p(sign * bet * scores), axis=1) for sign in (1, -1))
    is_over = np.logaddexp(up, down) - math.log(2) >= math.log(20)
    is_over |= np.maximum(up, down) <= -math.log(3.5)
    return np.where(is_over.any(axis=1), is_over.argmax(axis=1) + 1, 600)
