"""Every design: what it needs for the goldens, and what must hold for all of them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from duologue.errors import DesignError
from duologue.stats import ModalDifference
from duologue.stats.planning.designs import (
    AllThatApply,
    AllThatApplyOfMany,
    BestOfMany,
    Design,
    ForcedChoice,
    RateAgainstStandard,
    RatingDifference,
    TwoGroups,
)
from tests.strategies import thorough

DESIGNS: tuple[Design, ...] = (
    ForcedChoice(),
    ForcedChoice(test="mid-p"),
    AllThatApply(),
    AllThatApply(discordance=0.4, test="exact"),
    BestOfMany(bots=4),
    AllThatApplyOfMany(bots=4),
    AllThatApplyOfMany(bots=3, discordance=0.5),
    RateAgainstStandard(null=0.8),
    RatingDifference(icc=0.3, bots=4, per_annotator=2),
    RatingDifference(),
    TwoGroups(base=0.6),
    ModalDifference(),
)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.method)
def test_power_is_a_chance_and_goes_to_one(design: Design) -> None:
    power = design.power(np.arange(0, 2000, 7), 0.2)
    assert ((power >= 0) & (power <= 1)).all()
    most = 2000 if isinstance(design, TwoGroups | ModalDifference) else 20_000
    assert design.power([most], 0.2)[0] > 0.999


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.method)
@thorough(10)
@given(gap=st.floats(0.05, 0.3), power=st.floats(0.5, 0.95))
def test_the_starting_guess_is_near(design: Design, gap: float, power: float) -> None:
    found = float(design.power([round(design.about(gap, power)) + 1], gap)[0])
    assert found == pytest.approx(power, abs=0.2)


@thorough(10)
@given(null=st.floats(0.01, 0.99), gap=st.floats(0.001, 0.99))
def test_the_rates_of_a_standard_lie_the_gap_away_and_are_possible(null: float, gap: float) -> None:
    design = RateAgainstStandard(null=null)
    if gap > design.largest_gap + 1e-9:
        with pytest.raises(DesignError, match="no rate lies"):
            design.rates(gap)
        return
    for rate in design.rates(gap):
        assert 0 <= rate <= 1
        assert abs(rate - null) == pytest.approx(gap, abs=1e-8)


def test_the_worse_direction_decides() -> None:
    n = np.arange(50, 300)
    design = RateAgainstStandard(null=0.8)
    up, down = RateAgainstStandard(null=0.8).rates(0.1)[1], RateAgainstStandard(null=0.8).rates(0.1)[0]
    assert (up, down) == pytest.approx((0.9, 0.7))
    assert (design.power(n, 0.1) <= design.power(n, 0.15) + 1e-12).mean() > 0.99


def test_the_method_names_the_test() -> None:
    assert "mid-p" in AllThatApply().method
    assert ForcedChoice().method == "exact binomial test, two-sided, against 0.5"
    assert "3 df" in AllThatApplyOfMany(bots=4).method


@given(
    icc=st.floats(0.0, 0.9),
    bots=st.integers(2, 8),
    each=st.integers(1, 12),
    n=st.integers(4, 400),
)
def test_comparing_within_annotators_never_needs_more_than_between_them(
    icc: float, bots: int, each: int, n: int
) -> None:
    design = RatingDifference(icc=icc, bots=bots, per_annotator=min(each, bots))
    assert design.variance_factor <= 1.0 + 1e-12
    assert RatingDifference(icc=icc, bots=bots, per_annotator=1).variance_factor == pytest.approx(1.0)
    complete = RatingDifference(icc=icc, bots=bots, per_annotator=bots)
    assert complete.variance_factor == pytest.approx(1 - icc)
    again = RatingDifference(icc=icc, bots=bots, per_annotator=2 * bots)
    assert again.power([n], 0.5)[0] <= complete.power([n], 0.5)[0] + 1e-9


def test_everybody_rates_both_bots_is_the_paired_test() -> None:
    design = RatingDifference(sd=1.3, icc=0.35, per_annotator=2)
    paired = TTestPower().power(0.5 / (1.3 * np.sqrt(2 * 0.65)), nobs=40, alpha=0.05)
    assert design.power([40], 0.5)[0] == pytest.approx(paired, abs=1e-6)
    assert design.power([1], 0.5)[0] == 0.0


def weighted_within_and_between(bots: int, each: int, icc: float) -> float:
    """The variance of a difference by generalised least squares, all subsets of the bots once each."""
    blocks = list(itertools.combinations(range(bots), each))
    information = np.zeros((bots, bots))
    inverse = np.linalg.inv((1 - icc) * np.eye(each) + icc)
    for block in blocks:
        information[np.ix_(block, block)] += inverse
    spread = np.linalg.pinv(information)
    n = len(blocks) * each / bots
    return float(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]) * n / 2


@pytest.mark.parametrize(("bots", "each"), [(3, 2), (4, 2), (5, 3), (6, 5), (4, 4)])
def test_incomplete_designs_have_the_variance_of_generalised_least_squares(bots: int, each: int) -> None:
    for icc in (0.05, 0.3, 0.8):
        design = RatingDifference(icc=icc, bots=bots, per_annotator=each)
        assert design.variance_factor == pytest.approx(weighted_within_and_between(bots, each, icc))


@pytest.mark.parametrize("wrong", [{"bots": 1}, {"per_annotator": 0.5}, {"icc": 1.0}, {"icc": -0.1}])
def test_a_design_of_ratings_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(DesignError):
        RatingDifference(**wrong).power([10], 0.5)
