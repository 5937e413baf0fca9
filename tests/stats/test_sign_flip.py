"""Flipping whole clusters: enumeration by hand, random against exact, ends, calibration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import clustered_rate, flip_scores, sign_flip_test
from duologue.stats.clusters import sign_flip


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=16), st.integers(0, 2**32))
def test_all_flips_are_counted_as_by_hand(outcomes: list[float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    clusters = rng.integers(0, 6, len(outcomes))
    totals = [sum(y - 0.5 for y, c in zip(outcomes, clusters, strict=True) if c == k) for k in range(6)]
    seen = abs(sum(totals))
    flips = [
        abs(sum(s * t for s, t in zip(signs, totals, strict=True)))
        for signs in itertools.product((1, -1), repeat=6)
    ]
    expected = sum(flip >= seen for flip in flips) / len(flips)
    assert sign_flip_test(outcomes, clusters, rng=rng).p_value == pytest.approx(expected)


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=30))
def test_swapping_the_two_bots_mirrors_the_test(outcomes: list[float]) -> None:
    clusters = np.arange(len(outcomes)) // 3
    rng = np.random.default_rng(1)
    ours = sign_flip_test(outcomes, clusters, rng=rng)
    theirs = sign_flip_test([1 - y for y in outcomes], clusters, rng=rng)
    assert ours.p_value == pytest.approx(theirs.p_value)
    assert ours.estimate == pytest.approx(1 - theirs.estimate)


def test_random_flips_agree_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    clusters = np.repeat(np.arange(18), 5)
    outcomes = (rng.random(90) < 0.62).astype(float)
    exact = sign_flip_test(outcomes, clusters, rng=rng)
    monkeypatch.setattr(sign_flip, "EXACT_UP_TO", 0)
    random = sign_flip_test(outcomes, clusters, rng=rng, draws=200_000)
    assert (exact.method, random.method, random.flips) == ("exact", "random", 200_000)
    assert random.p_value == pytest.approx(exact.p_value, abs=4 * np.sqrt(exact.p_value / 200_000))


def test_the_same_seed_gives_the_same_p_value() -> None:
    outcomes, clusters = np.tile([1.0, 0.0, 1.0], 40), np.arange(120) // 2
    first, second = (sign_flip_test(outcomes, clusters, rng=np.random.default_rng(3)) for _ in range(2))
    assert first == second


def test_nothing_but_ties_is_no_difference() -> None:
    result = sign_flip_test([0.5] * 6, [0, 0, 1, 1, 2, 2], rng=np.random.default_rng(4))
    assert result.p_value == pytest.approx(1)


def test_five_unanimous_clusters_cannot_reach_one_in_twenty() -> None:
    result = sign_flip_test([1.0] * 50, np.repeat(np.arange(5), 10), rng=np.random.default_rng(5))
    assert result.p_value == pytest.approx(2 / 2**5)


def test_no_judgment_is_an_error() -> None:
    with pytest.raises(NotEnoughJudgments):
        sign_flip_test([], [], rng=np.random.default_rng(6))


POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)
scores = st.lists(st.sampled_from(POINTS), min_size=1, max_size=40)


@given(scores, st.integers(1, 12), st.integers(0, 2**32))
def test_flips_of_scores_are_counted_exactly(found: list[float], groups: int, seed: int) -> None:
    clusters = np.random.default_rng(seed).integers(0, groups, len(found))
    every = sign_flip_test(found, clusters, rng=np.random.default_rng(0))
    assert every.method == "exact"
    assert flip_scores(found, clusters, step=0.25).p_value == pytest.approx(every.p_value, abs=1e-12)


def test_a_thousand_single_choices_are_the_exact_binomial_test() -> None:
    from duologue.stats import sign_test

    flipped = flip_scores([1.0] * 540 + [0.0] * 460, range(1000), step=0.25)
    assert flipped.p_value == pytest.approx(sign_test(540, 460).p_value)


@given(scores, st.integers(1, 12), st.integers(0, 2**32), st.sampled_from([0.5, 0.9, 0.95, 0.998]))
def test_the_interval_of_flips_excludes_one_half_exactly_when_they_reject(
    found: list[float], groups: int, seed: int, level: float
) -> None:
    clusters = np.random.default_rng(seed).integers(0, groups, len(found))
    flipped = flip_scores(found, clusters, step=0.25)
    interval = flipped.interval_at(level)
    assert (0.5 in interval) == (flipped.p_value > 1 - level + 1e-12)
    assert interval.low - 1e-9 <= flipped.estimate <= interval.high + 1e-9


@given(scores, st.integers(1, 12), st.integers(0, 2**32))
def test_swapping_the_two_bots_mirrors_the_flips_of_scores(
    found: list[float], groups: int, seed: int
) -> None:
    clusters = np.random.default_rng(seed).integers(0, groups, len(found))
    ours = flip_scores(found, clusters, step=0.25)
    theirs = flip_scores([1 - score for score in found], clusters, step=0.25)
    assert ours.p_value == theirs.p_value
    low, high = theirs.interval_at(0.95).limits
    assert ours.interval_at(0.95).limits == pytest.approx((1 - high, 1 - low))


def test_by_hand_the_limits_are_means_as_far_away_as_the_furthest_flip_that_is_not_rejected() -> None:
    """Seven of (1, 1, ¾, 1, ¾, 1, ¾): 11 steps; flips reach 11 in 2, 9 in 8, and 7 in 22 of 128 cases."""
    flipped = flip_scores([1, 1, 0.75, 1, 0.75, 1, 0.75], range(7), step=0.25)
    assert flipped.tails[[11, 9, 7]] == pytest.approx([2 / 128, 8 / 128, 22 / 128])
    low, high = flipped.interval_at(0.95).limits
    leads = (np.array([1, 1, 0.75, 1, 0.75, 1, 0.75]) - low) / 0.25
    assert leads.sum() ** 2 == pytest.approx(9**2 / 19 * (leads @ leads))
    assert high == pytest.approx(1)  # the other one lies beyond the scale


def test_the_interval_of_flips_is_that_of_student_where_there_are_many() -> None:
    rng = np.random.default_rng(8)
    found = rng.choice(POINTS, 2000, p=[0.1, 0.2, 0.1, 0.3, 0.3])
    ours = flip_scores(found, range(2000), step=0.25).interval_at(0.95)
    theirs = clustered_rate(found, [range(2000)]).interval
    assert ours.limits == pytest.approx(theirs.limits, abs=5e-4)


def test_as_few_unanimous_clusters_say_nothing_of_where_the_mean_is() -> None:
    interval = flip_scores([1.0] * 5, range(5), step=0.25).interval_at(0.95)
    assert interval.limits == (0.0, 1.0)


def test_scores_that_no_flip_changes_are_no_difference() -> None:
    flipped = flip_scores([1.0, 0.0, 0.5], [0, 0, 1], step=0.25)
    assert flipped.p_value == pytest.approx(1)
    assert flipped.interval_at(0.95).limits == (0.5, 0.5)


def test_scores_between_the_points_of_the_scale_are_refused() -> None:
    with pytest.raises(BadNumber, match=r"whole steps of 0\.25 from 0\.5"):
        flip_scores([0.6, 1.0], [0, 1], step=0.25)
    with pytest.raises(NotEnoughJudgments):
        flip_scores([], [], step=0.25)


@pytest.mark.slow
def test_the_error_stays_below_alpha_with_eight_clusters() -> None:
    rng = np.random.default_rng(7)
    dialogues = np.repeat(np.arange(8), 10)
    rejections = 0
    for _ in range(4000):
        outcomes = (rng.random(80) < rng.beta(4.5, 4.5, 8)[dialogues]).astype(float)
        rejections += sign_flip_test(outcomes, dialogues, rng=rng).p_value <= 0.05
    assert rejections / 4000 <= 0.055
