"""The numbers of the per-turn paper's Table 1, reproduced to the turn."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import DesignError
from duologue.stats.planning.paper import (
    paper_against_standard,
    paper_all_that_apply,
    paper_all_that_apply_of_many,
    paper_best_of_many,
    paper_forced_choice,
)
from duologue.stats.planning.sample_size import judgments_for_forced_choice
from tests.strategies import thorough

GOLDEN = Path(__file__).parent.parent / "golden" / "stats"


def test_every_row_of_table_1_comes_out() -> None:
    lines = (GOLDEN / "per_turn_table_1.csv").read_text().splitlines()
    printed = [
        int(row["turns"]) for row in csv.DictReader(line for line in lines if not line.startswith("#"))
    ]
    assert printed == [
        paper_forced_choice(0.2).judgments,
        paper_all_that_apply(0.1).judgments,
        paper_best_of_many(0.15923, bots=4, gap=0.1).judgments,
        paper_all_that_apply_of_many(0.1, bots=4).judgments,
        paper_against_standard(0.1, null=0.8).judgments,
    ]


def test_exact_quantiles_rounded_to_the_nearest_turn_also_fit_the_table() -> None:
    """The other convention that fits; rounding up with exact quantiles would print 197 and 668."""
    squared = (stats.norm.isf(0.025) + stats.norm.isf(0.2)) ** 2
    raw = [squared * 0.25 / 0.01, squared * 0.85 / 0.01, squared * 0.85 * 2 / 3 / 0.01, squared * 0.16 / 0.01]
    assert [round(value) for value in raw] == [196, 667, 445, 126]
    assert raw == pytest.approx([196.22, 667.15, 444.77, 125.58], abs=0.005)


def test_the_paper_sizes_one_best_and_all_that_apply_for_different_gaps() -> None:
    """Its 196 is for a gap of 0.2; for the gap of 0.1 of its 667 one-best needs more, not less."""
    assert paper_forced_choice(0.1).judgments == 784
    assert judgments_for_forced_choice(0.1).judgments == 820


def test_many_bots_without_a_pilot_are_refused_with_advice() -> None:
    with pytest.raises(DesignError, match=r"--pilot-w \(0\.15923 gives the paper's 430 turns\)"):
        paper_best_of_many(None, bots=4, gap=0.1)


@thorough(10)
@given(gap=st.floats(0.01, 1.0), discordance=st.floats(0.05, 1.0))
def test_two_bots_of_many_are_a_pair(gap: float, discordance: float) -> None:
    pair = paper_all_that_apply(gap, discordance=discordance)
    many = paper_all_that_apply_of_many(gap, bots=2, discordance=discordance)
    assert pair.judgments == many.judgments


@pytest.mark.parametrize("gap", [0.0, -0.1, 3.0, float("nan")])
def test_a_gap_that_cannot_be_one_is_refused(gap: float) -> None:
    with pytest.raises(DesignError, match="gap"):
        paper_forced_choice(gap)


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(DesignError, match="null rate"):
        paper_against_standard(0.1, null=1.0)
    with pytest.raises(DesignError, match="alpha"):
        paper_forced_choice(0.2, alpha=0.0)
    with pytest.raises(DesignError, match="power"):
        paper_forced_choice(0.2, power=1.0)
    with pytest.raises(DesignError, match="two bots"):
        paper_best_of_many(0.1, bots=1, gap=0.1)
