"""The pooled sequential test of several bots: its boundary, its symmetry, its error and what it saves."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from duologue.errors import DesignError, Disconnected
from duologue.stats.pooled_sequential import PooledPlan, plan_pooled, pooled_sequential_test
from duologue.stats.power import exact_binomial_power
from duologue.stats.strengths import bradley_terry
from tests.stats.golden import acute_win_matrix

EIGHT = plan_pooled(0.2, bots=8, is_familywise=False)


@pytest.mark.parametrize(("looks", "constant"), [(10, 2.207), (20, 2.245), (40, 2.288)])
def test_the_constant_grows_with_the_number_of_looks(looks: int, constant: float) -> None:
    """An independent calibration of the pooled test with 40 looks found 2.275."""
    assert plan_pooled(0.2, bots=8, looks=looks, is_familywise=False).constant == pytest.approx(
        constant, abs=0.002
    )


def test_pooling_needs_a_quarter_of_the_judgments_of_eight_bots() -> None:
    assert EIGHT.most == 53  # 2/8 of the 210 that two bots need at most
    assert EIGHT.look_at[0] == 11 * 28
    assert EIGHT.look_at[-1] == 53 * 28


def test_the_familywise_level_is_shared_among_the_pairs() -> None:
    shared = plan_pooled(0.2, bots=4)
    assert shared.alpha == pytest.approx(0.05 / 6)
    assert shared.constant > plan_pooled(0.2, bots=4, is_familywise=False).constant


def win_matrix(strengths: NDArray[np.float64], each: int, rng: np.random.Generator) -> NDArray[np.float64]:
    wins = np.zeros((len(strengths), len(strengths)))
    for i, j in itertools.combinations(range(len(strengths)), 2):
        wins[i, j] = rng.binomial(each, 1 / (1 + np.exp(strengths[j] - strengths[i])))
        wins[j, i] = each - wins[i, j]
    return wins


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), order=st.permutations(range(4)))
def test_the_order_of_the_bots_does_not_matter(seed: int, order: list[int]) -> None:
    plan = PooledPlan(bots=4, gap=0.3, most=40, looks=5, alpha=0.05, constant=2.2)
    names = ["ann", "bob", "cy", "dot"]
    wins = win_matrix(np.array([0.6, 0.2, 0.0, -0.8]), 24, np.random.default_rng(seed))
    ours = pooled_sequential_test(wins, names, plan)
    theirs = pooled_sequential_test(wins[np.ix_(order, order)], [names[i] for i in order], plan)
    found = {(pair.first, pair.second): pair for pair in theirs.pairs}
    mirror = {"first-better": "second-better", "second-better": "first-better"}
    for pair in ours.pairs:
        same = found.get((pair.first, pair.second))
        other = same or found[pair.second, pair.first]
        assert abs(pair.z) == pytest.approx(abs(other.z), rel=1e-6)
        assert pair.decision == (other.decision if same else mirror.get(other.decision, other.decision))


def test_a_verdict_needs_more_at_an_earlier_look() -> None:
    rng = np.random.default_rng(3)
    needed = [
        pooled_sequential_test(win_matrix(np.zeros(8), each, rng), "abcdefgh", EIGHT).needed
        for each in (13, 26, 53)
    ]
    assert needed == sorted(needed, reverse=True)
    assert needed[-1] == pytest.approx(EIGHT.constant)


def test_equal_bots_are_called_futile_and_the_end_is_the_end() -> None:
    even = 26.0 * (1 - np.eye(8))
    verdict = pooled_sequential_test(even, "abcdefgh", EIGHT)
    assert {pair.decision for pair in verdict.pairs} == {"futile"}
    assert verdict.is_over
    patient = PooledPlan(bots=8, gap=0.2, most=52, looks=10, alpha=0.05, constant=2.2, futility=None)
    last = pooled_sequential_test(even, "abcdefgh", patient)
    assert {pair.decision for pair in last.pairs} == {"undecided"}
    assert last.next_look is None
    early = pooled_sequential_test(even / 2, "abcdefgh", patient)
    assert {pair.decision for pair in early.pairs} == {"continue"}
    assert not early.is_over
    assert early.next_look == 31 * 28


def test_the_fit_is_always_told() -> None:
    circle = np.array([[0, 28, 2], [2, 0, 28], [28, 2, 0]], dtype=float)
    verdict = pooled_sequential_test(circle, "abc", plan_pooled(0.4, bots=3, is_familywise=False))
    assert verdict.lack_of_fit is not None
    assert verdict.lack_of_fit.p_value < 1e-6


def false_verdicts(plan: PooledPlan, strengths: NDArray[np.float64], *, studies: int, seed: int) -> float:
    """Share of tied pairs that are ever declared different, over whole studies."""
    rng = np.random.default_rng(seed)
    pairs = list(itertools.combinations(range(plan.bots), 2))
    tied = [k for k, (i, j) in enumerate(pairs) if strengths[i] == strengths[j]]
    wrong = 0
    for _ in range(studies):
        wins, before, decided = np.zeros((plan.bots, plan.bots)), 0, set()
        for total in plan.look_at:
            each = total // len(pairs)
            wins += win_matrix(strengths, each - before, rng)
            before = each
            verdict = pooled_sequential_test(wins, [str(bot) for bot in range(plan.bots)], plan)
            decided |= {k for k in tied if verdict.pairs[k].decision.endswith("better")}
        wrong += len(decided)
    return wrong / (studies * len(tied))


def test_few_tied_pairs_are_told_apart() -> None:
    plan = plan_pooled(0.4, bots=3, looks=5, is_familywise=False)
    error = false_verdicts(plan, np.zeros(3), studies=80, seed=5)
    assert error <= 0.05 + 4 * (0.05 * 0.95 / 160) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    "strengths",
    [np.zeros(8), np.repeat([0.6, 0.2, -0.2, -0.6], 2), np.zeros(3)],
    ids=["equal", "four ties", "three"],
)
def test_the_error_of_a_tied_pair_stays_near_its_level(strengths: NDArray[np.float64]) -> None:
    plan = plan_pooled(0.2, bots=len(strengths), is_familywise=False)
    assert false_verdicts(plan, strengths, studies=600, seed=6) <= 0.055


@pytest.mark.slow
def test_three_tenths_of_the_judgments_give_as_many_true_verdicts_as_acute_had() -> None:
    """ACUTE-EVAL, Table 2 smoothed by Bradley–Terry: 110 judgments a matchup, each tested by itself."""
    wins, names = acute_win_matrix(2)
    strengths = bradley_terry(wins * 1.1, names).strengths
    pairs = list(itertools.combinations(range(8), 2))
    rates = [1 / (1 + np.exp(-abs(strengths[i] - strengths[j]))) for i, j in pairs]
    direct = sum(exact_binomial_power(110, rate) for rate in rates)
    plan = PooledPlan(bots=8, gap=0.2, most=33, looks=10, alpha=0.05, constant=EIGHT.constant, futility=None)
    rng, true = np.random.default_rng(7), 0
    for _ in range(200):
        table, before, found = np.zeros((8, 8)), 0, set()
        for total in plan.look_at:
            table += win_matrix(strengths, total // 28 - before, rng)
            before = total // 28
            verdict = pooled_sequential_test(table, names, plan)
            for k, (i, j) in enumerate(pairs):
                better = "first-better" if strengths[i] > strengths[j] else "second-better"
                if verdict.pairs[k].decision == better:
                    found.add(k)
        true += len(found)
    assert true / 200 >= direct


def test_looking_too_early_is_refused() -> None:
    with pytest.raises(DesignError, match="too early to look: the first look is at 308"):
        pooled_sequential_test(np.ones((8, 8)) - np.eye(8), "abcdefgh", EIGHT)


def test_another_number_of_bots_is_refused() -> None:
    with pytest.raises(DesignError, match="the plan is for 8 bots, and there are 3"):
        pooled_sequential_test(np.zeros((3, 3)), "abc", EIGHT)
    with pytest.raises(DesignError, match="two bots"):
        plan_pooled(0.2, bots=1)


def test_bots_that_never_met_are_named() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 100
    plan = PooledPlan(bots=4, gap=0.3, most=40, looks=5, alpha=0.05, constant=2.2)
    with pytest.raises(Disconnected):
        pooled_sequential_test(wins, "abcd", plan)
