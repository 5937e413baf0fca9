"""Flipping whole clusters: enumeration by hand, random against exact, ends, calibration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import NotEnoughJudgments
from duologue.stats import sign_flip_test
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


@pytest.mark.slow
def test_the_error_stays_below_alpha_with_eight_clusters() -> None:
    rng = np.random.default_rng(7)
    dialogues = np.repeat(np.arange(8), 10)
    rejections = 0
    for _ in range(4000):
        outcomes = (rng.random(80) < rng.beta(4.5, 4.5, 8)[dialogues]).astype(float)
        rejections += sign_flip_test(outcomes, dialogues, rng=rng).p_value <= 0.05
    assert rejections / 4000 <= 0.055
