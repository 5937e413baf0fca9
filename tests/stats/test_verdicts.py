"""Direct and pooled verdicts: how many of ACUTE's hold after adjustment, conflicts, symmetry, error."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from duologue.errors import BadNumber
from duologue.stats import benjamini_hochberg, bradley_terry, pair_verdicts, sign_test
from tests.stats.golden import acute_win_matrix
from tests.stats.strategies import Wins, bot_names, win_matrices


def acute_counts(table: int) -> tuple[Wins, list[str]]:
    """The printed percentages as counts of 110 judgments a matchup."""
    wins, names = acute_win_matrix(table)
    if table == 4:
        wins[names.index("HF"), names.index("INT")] = 19  # the paper prints 16 beside its own 81
    upper = np.triu(np.round(1.1 * wins))
    return upper + np.tril(110 * (1 - np.eye(len(wins))) - upper.T), names


@pytest.mark.parametrize(("table", "raw", "adjusted", "discovered"), [(2, 10, 6, 7), (4, 21, 14, 19)])
def test_verdicts_of_acute_that_survive_adjustment(
    table: int, raw: int, adjusted: int, discovered: int
) -> None:
    wins, names = acute_counts(table)
    verdicts = pair_verdicts(bradley_terry(wins, names), wins)
    p_values = [v.direct_p_value for v in verdicts if v.direct_p_value is not None]
    assert len(verdicts) == 28
    assert sum(p < 0.05 for p in p_values) == raw
    assert sum(v.direct != "open" for v in verdicts) == adjusted
    assert int((benjamini_hochberg(p_values) < 0.05).sum()) == discovered
    assert sum(v.pooled != "open" for v in verdicts) > adjusted


def test_a_tie_head_to_head_can_differ_in_strength_and_is_called_a_conflict() -> None:
    wins = np.array([[0.0, 50, 90], [50, 0, 60], [10, 40, 0]])
    verdict = pair_verdicts(bradley_terry(wins, "ABC"), wins)[0]
    assert (verdict.first, verdict.second) == ("A", "B")
    assert (verdict.direct, verdict.pooled) == ("open", "first")
    assert verdict.direct_rate == pytest.approx(0.5)
    assert verdict.conflict


@settings(max_examples=40)
@given(win_matrices(most=5))
def test_swapping_wins_and_losses_mirrors_every_verdict(wins: Wins) -> None:
    names = bot_names(len(wins))
    ours, theirs = (pair_verdicts(bradley_terry(w, names), w) for w in (wins, wins.T))
    mirror = {"first": "second", "second": "first", "open": "open"}
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.direct == mirror[other.direct]
        assert mine.pooled_adjusted == pytest.approx(other.pooled_adjusted, abs=1e-9)
        assert mine.pooled_rate == pytest.approx(1 - other.pooled_rate)


@settings(max_examples=40)
@given(win_matrices(most=5))
def test_direct_numbers_are_those_of_the_sign_test(wins: Wins) -> None:
    names = bot_names(len(wins))
    for verdict in pair_verdicts(bradley_terry(wins, names), wins):
        i, j = names.index(verdict.first), names.index(verdict.second)
        test = sign_test(int(wins[i, j]), int(wins[j, i]))
        assert (verdict.direct_rate, verdict.direct_p_value) == pytest.approx((test.win_rate, test.p_value))
        assert verdict.direct_adjusted is not None
        assert verdict.direct_adjusted >= test.p_value


def test_two_bots_have_the_same_rate_both_ways() -> None:
    wins = np.array([[0.0, 70], [30, 0]])
    (verdict,) = pair_verdicts(bradley_terry(wins, "AB"), wins)
    assert verdict.pooled_rate == pytest.approx(0.7)
    assert not verdict.conflict
    assert verdict.direct == "first"


def test_a_matchup_that_was_not_judged_has_a_pooled_verdict_only() -> None:
    wins = np.array([[0.0, 90, 0], [10, 0, 90], [0, 10, 0]])
    verdict = next(
        v for v in pair_verdicts(bradley_terry(wins, "ABC"), wins) if v.second == "C" and v.first == "A"
    )
    assert (verdict.direct_rate, verdict.direct_p_value, verdict.direct_adjusted) == (None, None, None)
    assert (verdict.direct, verdict.pooled) == ("open", "first")


def test_percentages_are_not_counts() -> None:
    wins = np.array([[0, 60.5], [39.5, 0]])
    with pytest.raises(BadNumber, match="whole number"):
        pair_verdicts(bradley_terry(wins, "AB"), wins)


@pytest.mark.slow
def test_among_equal_bots_any_false_verdict_is_rare_in_both_families() -> None:
    rng = np.random.default_rng(81)
    upper = np.triu_indices(5, 1)
    false_direct = false_pooled = 0
    for _ in range(1000):
        wins = np.zeros((5, 5))
        wins[upper] = rng.binomial(80, 0.5, 10)
        wins.T[upper] = 80 - wins[upper]
        verdicts = pair_verdicts(bradley_terry(wins, bot_names(5)), wins)
        false_direct += any(v.direct != "open" for v in verdicts)
        false_pooled += any(v.pooled != "open" for v in verdicts)
    assert false_direct / 1000 <= 0.065
    assert false_pooled / 1000 <= 0.065
