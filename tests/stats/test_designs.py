"""Every design: what it needs for the goldens, and what must hold for all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.stats.designs import (
    AgainstStandard,
    AllThatApply,
    AllThatApplyOfMany,
    BestOfMany,
    Design,
    ForcedChoice,
    RatingDifference,
    TwoGroups,
)

DESIGNS: tuple[Design, ...] = (
    ForcedChoice(),
    ForcedChoice(test="mid-p"),
    AllThatApply(),
    AllThatApply(discordance=0.4, test="exact"),
    BestOfMany(bots=4),
    AllThatApplyOfMany(bots=4),
    AllThatApplyOfMany(bots=3, discordance=0.5),
    AgainstStandard(null=0.8),
    RatingDifference(),
    TwoGroups(base=0.6),
)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.method)
def test_power_is_a_chance_and_goes_to_one(design: Design) -> None:
    power = design.power(np.arange(0, 2000, 7), 0.2)
    assert ((power >= 0) & (power <= 1)).all()
    assert design.power([20_000] if not isinstance(design, TwoGroups) else [2000], 0.2)[0] > 0.999


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.method)
@settings(max_examples=15, deadline=None)
@given(gap=st.floats(0.05, 0.3), power=st.floats(0.5, 0.95))
def test_the_starting_guess_is_near(design: Design, gap: float, power: float) -> None:
    found = float(design.power([round(design.about(gap, power)) + 1], gap)[0])
    assert found == pytest.approx(power, abs=0.2)


@settings(max_examples=60, deadline=None)
@given(null=st.floats(0.01, 0.99), gap=st.floats(0.001, 0.99))
def test_the_rates_of_a_standard_lie_the_gap_away_and_are_possible(null: float, gap: float) -> None:
    design = AgainstStandard(null=null)
    if gap > design.largest_gap + 1e-9:
        with pytest.raises(DesignError, match="no rate lies"):
            design.rates(gap)
        return
    for rate in design.rates(gap):
        assert 0 <= rate <= 1
        assert abs(rate - null) == pytest.approx(gap, abs=1e-8)


def test_the_worse_direction_decides() -> None:
    n = np.arange(50, 300)
    design = AgainstStandard(null=0.8)
    up, down = AgainstStandard(null=0.8).rates(0.1)[1], AgainstStandard(null=0.8).rates(0.1)[0]
    assert (up, down) == pytest.approx((0.9, 0.7))
    assert (design.power(n, 0.1) <= design.power(n, 0.15) + 1e-12).mean() > 0.99


def test_the_method_names_the_test() -> None:
    assert "mid-p" in AllThatApply().method
    assert ForcedChoice().method == "exact binomial test, two-sided, against 0.5"
    assert "3 df" in AllThatApplyOfMany(bots=4).method
