"""Annotators one by one: plain loops as the twin, the always-left annotator, influence, speed, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import (
    agreement_with_others,
    annotator_influence,
    annotator_speeds,
    holm,
    position_preferences,
    sign_test,
)


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_agreement_with_others_is_that_of_plain_loops(seed: int, judgments: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(60)[:judgments]  # nobody judges an item twice
    who, what, answers = pairs // 10 + 100, pairs % 10, rng.integers(1, 4, judgments)
    for result in agreement_with_others(who, what, answers):
        shares = []
        for mine in np.flatnonzero(who == result.annotator):
            others = np.flatnonzero((what == what[mine]) & (who != result.annotator))
            if len(others):
                shares.append(float((answers[others] == answers[mine]).mean()))
        assert result.judgments == len(shares)
        assert result.rate == (pytest.approx(np.mean(shares)) if shares else None)


def test_annotators_come_in_the_order_of_their_codes() -> None:
    assert [a.annotator for a in agreement_with_others([9, -4, 9], [0, 0, 1], [1, 1, 1])] == [-4, 9]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), max_size=60))
def test_position_preferences_are_sign_tests_with_holm(judged: list[tuple[int, int]]) -> None:
    who, first = (np.array([row[k] for row in judged], dtype=np.int64) for k in (0, 1))
    results = position_preferences(who, first)
    assert [result.annotator for result in results] == sorted(set(who.tolist()))
    adjusted = holm([result.p_value for result in results])
    for result, p in zip(results, adjusted, strict=True):
        own = first[who == result.annotator]
        assert result.p_value == sign_test(int(own.sum()), int(len(own) - own.sum())).p_value
        assert (result.n, result.rate, result.adjusted_p_value) == (len(own), own.mean(), p)


def test_the_annotator_who_is_always_left_stands_out() -> None:
    rng = np.random.default_rng(93)
    who = np.repeat(np.arange(20), 30)
    first = np.where(who == 7, 1, rng.integers(0, 2, 600))
    suspects = [p.annotator for p in position_preferences(who, first) if p.adjusted_p_value < 0.01]
    assert suspects == [7]


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=60))
def test_influence_is_the_rate_without_the_annotator(judged: list[tuple[int, float]]) -> None:
    who, outcomes = np.array([w for w, _ in judged]), np.array([y for _, y in judged])
    results = annotator_influence(who, outcomes)
    assert sum(result.share for result in results) == pytest.approx(1)
    assert [abs(result.change) for result in results] == sorted(
        (abs(r.change) for r in results), reverse=True
    )
    for result in results:
        rest = outcomes[who != result.annotator]
        assert result.rate == pytest.approx(outcomes[who == result.annotator].mean())
        if len(rest):
            assert result.rate_without == pytest.approx(rest.mean())
            assert result.change == pytest.approx(rest.mean() - outcomes.mean())
        else:
            assert result.rate_without is None
            assert result.change == pytest.approx(0)


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0.1, 1000)), min_size=1, max_size=60))
def test_median_seconds_are_medians_of_the_logarithms(judged: list[tuple[int, float]]) -> None:
    who, seconds = np.array([w for w, _ in judged]), np.array([s for _, s in judged])
    results = annotator_speeds(who, seconds)
    assert [r.median_seconds for r in results] == sorted(r.median_seconds for r in results)
    for result in results:
        own = seconds[who == result.annotator]
        assert result.median_seconds == pytest.approx(np.exp(np.median(np.log(own))))
        assert result.n == len(own)
    assert np.median([np.log(r.ratio) for r in results]) == pytest.approx(0, abs=1e-9)


def test_somebody_ten_times_quicker_stands_out() -> None:
    rng = np.random.default_rng(94)
    who = np.repeat(np.arange(30), 20)
    seconds = 60 * np.exp(rng.normal(0, 0.4, 600)) / np.where(who == 11, 10, 1)
    quickest = annotator_speeds(who, seconds)[0]
    assert quickest.annotator == 11
    assert quickest.score < -3
    assert quickest.ratio == pytest.approx(0.1, rel=0.4)


def test_annotators_who_do_not_differ_have_no_score() -> None:
    assert [s.score for s in annotator_speeds([0, 1, 2], [5.0, 5.0, 9.0])] == pytest.approx([0, 0, 0])


def test_nothing_judged_is_nothing_to_say_or_an_error() -> None:
    none = np.array([], dtype=np.int64)
    assert agreement_with_others(none, none, []) == ()
    assert position_preferences(none, []) == ()
    assert annotator_speeds(none, []) == ()
    with pytest.raises(NotEnoughJudgments):
        annotator_influence(none, [])


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadNumber, match="zeros and ones"):
        position_preferences([0, 1], [0.5, 1])
    with pytest.raises(BadNumber, match="seconds"):
        annotator_speeds([0, 1], [0.0, 3.0])
    with pytest.raises(BadNumber, match="annotators"):
        annotator_speeds([0.5, 1], [2.0, 3.0])
    with pytest.raises(BadNumber, match="items"):
        agreement_with_others([0, 1], [0], [1, 2])
