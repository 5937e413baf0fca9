"""All pairs of bots compared at once: a plain twin, intervals that agree, rank sets, mirrors."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from duologue.errors import BadNumber
from duologue.stats import PooledStrengths, compare_strengths, pooled_strengths, range_threshold
from duologue.stats.strengths.closed import closed_p_values
from duologue.stats.strengths.contrasts import _interval
from tests.stats.test_pooled import made


@st.composite
def fits(draw: st.DrawFn) -> PooledStrengths:
    first, second, y, annotators, dialogues = made(
        draw(st.integers(0, 10**6)), bots=draw(st.integers(2, 6)), people=draw(st.integers(5, 30))
    )
    names = "ABCDEF"[: int(second.max()) + 1]
    return pooled_strengths(first, second, y, names, annotators=annotators, dialogues=dialogues)


@given(fit=fits(), alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_verdicts_are_those_of_closed_testing_on_students_t(fit: PooledStrengths, alpha: float) -> None:
    pairs = list(itertools.combinations(range(len(fit.names)), 2))
    own = [
        2
        * float(
            special.stdtr(
                min(fit.df[i], fit.df[j]),
                -abs(float(fit.strengths[i] - fit.strengths[j])) / float(fit.lead_errors[i, j]),
            )
        )
        for i, j in pairs
    ]
    found = compare_strengths(fit, alpha=alpha)
    adjusted = closed_p_values(own, bots=len(fit.names))
    assert [one.p_adjusted for one in found.pairs] == pytest.approx(adjusted)
    assert [one.is_different for one in found.pairs] == (adjusted <= alpha).tolist()


@given(fit=fits(), alpha=st.sampled_from([0.05, 0.2]))
def test_a_decided_pair_ends_at_one_half_where_its_simultaneous_interval_would_not(
    fit: PooledStrengths, alpha: float
) -> None:
    found = compare_strengths(fit, alpha=alpha)
    assert found.threshold == pytest.approx(range_threshold(1 - alpha, bots=len(fit.names)))
    for one in found.pairs:
        reach = -special.stdtrit(one.df, float(special.ndtr(-found.threshold))) * one.standard_error
        low, high = special.expit([one.lead - reach, one.lead + reach])
        assert one.interval.is_cut == (one.is_different and low <= 0.5 <= high)
        if one.interval.is_cut:
            low, high = (0.5, high) if one.lead > 0 else (low, 0.5)
        assert one.interval.limits == pytest.approx((low, high))
        assert one.interval.level == pytest.approx(1 - alpha)


@given(fit=fits(), alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_an_interval_excludes_one_half_exactly_when_there_is_a_difference(
    fit: PooledStrengths, alpha: float
) -> None:
    found = compare_strengths(fit, alpha=alpha)
    for one in found.pairs:
        assert one.is_different == (0.5 not in one.interval) == (one.p_adjusted <= alpha)
        assert one.interval.low <= one.unadjusted.low <= one.rate <= one.unadjusted.high <= one.interval.high
        assert one.p_adjusted >= one.p_value
        assert (one.better == one.first) == (one.is_different and one.rate > 0.5)


@given(fit=fits())
def test_ranks_are_counted_from_the_verdicts(fit: PooledStrengths) -> None:
    found = compare_strengths(fit)
    winners = [(pair.better, pair) for pair in found.pairs if pair.better]
    for one in found.ranks:
        better = sum(one.name in (pair.first, pair.second) for best, pair in winners if best != one.name)
        worse = sum(best == one.name for best, _ in winners)
        assert (one.best, one.worst) == (1 + better, len(found.ranks) - worse)
    assert found.ranks[0].name in found.top


def test_swapping_the_bots_mirrors_the_verdicts() -> None:
    first, second, y, annotators, _ = made(2, people=60)
    ours = compare_strengths(pooled_strengths(first, second, y, "ABCD", annotators=annotators))
    theirs = compare_strengths(pooled_strengths(3 - first, 3 - second, y, "DCBA", annotators=annotators))
    mirrored = {(one.second, one.first): one for one in theirs.pairs}
    for one in ours.pairs:
        other = mirrored[one.first, one.second]
        assert other.rate == pytest.approx(1 - one.rate)
        assert other.better == one.better
        assert other.interval.low == pytest.approx(1 - one.interval.high)
    assert [(one.name, one.best, one.worst) for one in ours.ranks] == [
        (one.name, one.best, one.worst) for one in theirs.ranks
    ]


def test_equal_records_have_equal_ranks() -> None:
    first, second = np.repeat([[0, 0, 1], [1, 2, 2]], 20, axis=1)
    fit = pooled_strengths(first, second, np.arange(60) % 2, "CAB", annotators=np.arange(60) % 20)
    found = compare_strengths(fit)
    assert [(one.name, one.best, one.worst) for one in found.ranks] == [("A", 1, 3), ("B", 1, 3), ("C", 1, 3)]
    assert found.top == ("A", "B", "C")


def test_an_alpha_that_is_none_is_refused() -> None:
    first, second, y, annotators, _ = made(1)
    with pytest.raises(BadNumber):
        compare_strengths(pooled_strengths(first, second, y, "ABCD", annotators=annotators), alpha=1.0)


def test_rounding_never_makes_an_interval_deny_its_verdict() -> None:
    undecided = _interval(0.2, 0.1, 0.95, False)
    assert undecided.low == 0.5
    for lead in (0.1, -0.1):
        decided = _interval(lead, abs(lead), 0.95, True)
        assert 0.5 not in decided
        assert decided.is_cut
