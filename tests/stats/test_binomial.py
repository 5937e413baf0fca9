"""The exact binomial test: published comparisons, scipy as the oracle, symmetry, ends."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import sign_test
from tests.stats.golden import COMPUTED, as_printed

counts = st.integers(min_value=0, max_value=3000)
nulls = st.floats(min_value=0.01, max_value=0.99)


def test_known_p_values_come_out() -> None:
    for wins, n, p_value in COMPUTED["binomial_tests"]:
        assert sign_test(wins, n - wins).p_value == as_printed(p_value)


@given(wins=counts, losses=counts)
def test_swapping_the_two_bots_mirrors_the_verdict(wins: int, losses: int) -> None:
    assume(wins + losses > 0)
    for mid_p in (False, True):
        ours, theirs = sign_test(wins, losses, mid_p=mid_p), sign_test(losses, wins, mid_p=mid_p)
        assert ours.win_rate == pytest.approx(1 - theirs.win_rate)
        assert ours.p_value == pytest.approx(theirs.p_value)


@given(wins=counts, losses=counts, null=st.one_of(st.just(0.5), nulls))
def test_the_exact_test_is_scipys(wins: int, losses: int, null: float) -> None:
    assume(wins + losses > 0)
    result = sign_test(wins, losses, null=null)
    assert result.p_value == pytest.approx(stats.binomtest(wins, wins + losses, null).pvalue)
    assert (result.n, result.method) == (wins + losses, "exact")


@given(wins=counts, losses=counts, null=nulls)
def test_the_mid_p_value_halves_what_was_seen_in_each_tail(wins: int, losses: int, null: float) -> None:
    n = wins + losses
    assume(n > 0)
    seen = stats.binom.pmf(wins, n, null)
    tails = stats.binom.cdf(wins, n, null) - seen / 2, stats.binom.sf(wins - 1, n, null) - seen / 2
    result = sign_test(wins, losses, null=null, mid_p=True)
    assert result.p_value == pytest.approx(min(1.0, 2 * min(tails)), rel=1e-6, abs=1e-12)
    assert result.method == "mid-p"


@given(wins=counts, losses=counts)
def test_against_one_half_mid_p_never_exceeds_exact(wins: int, losses: int) -> None:
    assume(wins + losses > 0)
    assert sign_test(wins, losses, mid_p=True).p_value <= sign_test(wins, losses).p_value + 1e-12


@given(n=st.integers(min_value=1, max_value=400), wins=st.data())
def test_more_wins_beyond_half_are_never_less_surprising(n: int, wins: st.DataObject) -> None:
    some = wins.draw(st.integers(min_value=(n + 1) // 2, max_value=n))
    more = wins.draw(st.integers(min_value=some, max_value=n))
    assert sign_test(more, n - more).p_value <= sign_test(some, n - some).p_value + 1e-12


def test_one_judgment_says_nothing() -> None:
    assert sign_test(1, 0).p_value == pytest.approx(1)
    assert sign_test(1, 0, mid_p=True).p_value == pytest.approx(0.5)


@pytest.mark.parametrize("mid_p", [False, True])
def test_a_thousand_million_judgments_are_no_trouble(mid_p: bool) -> None:
    assert sign_test(5 * 10**8, 5 * 10**8, mid_p=mid_p).p_value == pytest.approx(1)
    assert sign_test(10**9, 0, mid_p=mid_p).p_value == pytest.approx(0)
    shifted = sign_test(5 * 10**8 + 50_000, 5 * 10**8 - 50_000, mid_p=mid_p)
    assert shifted.p_value == pytest.approx(2 * stats.norm.sf(1e5 / math.sqrt(1e9)), rel=1e-3)


def test_no_judgment_is_an_error() -> None:
    with pytest.raises(NotEnoughJudgments, match="at least 1 judgments and has 0"):
        sign_test(0, 0)


@pytest.mark.parametrize(
    ("wins", "losses", "null"), [(-1, 2, 0.5), (1.5, 2, 0.5), (1, math.nan, 0.5), (1, 2, 1.0)]
)
def test_impossible_numbers_are_refused(wins: float, losses: float, null: float) -> None:
    with pytest.raises(BadNumber):
        sign_test(wins, losses, null=null)  # type: ignore[arg-type]
