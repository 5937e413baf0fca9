"""Design effects: Kish's factor, its golden numbers, and clusters simulated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.stats.clusters.design_effect import DesignEffect


@pytest.mark.parametrize(("icc", "turns"), [(0.05, 284), (0.1, 372), (0.2, 549)])
def test_196_turns_at_ten_a_dialogue_grow_to_the_golden_numbers(icc: float, turns: int) -> None:
    """Golden numbers are rounded to the nearest; a plan rounds up."""
    effect = DesignEffect(icc=icc, cluster_size=10)
    assert round(196 * effect.factor) == turns
    assert effect.inflate(196) in (turns, turns + 1)


@given(icc=st.floats(0, 1), size=st.floats(1, 100), n=st.integers(1, 10**6))
def test_inflated_judgments_are_worth_what_was_asked_for(icc: float, size: float, n: int) -> None:
    effect = DesignEffect(icc=icc, cluster_size=size)
    assert effect.inflate(n) >= n
    assert effect.effective(effect.inflate(n)) >= n


def test_independent_judgments_cost_nothing_more() -> None:
    assert DesignEffect(icc=0.0, cluster_size=50).inflate(210) == 210
    assert DesignEffect(icc=0.5, cluster_size=1).inflate(210) == 210


def test_the_factor_is_how_much_the_variance_of_a_mean_grows() -> None:
    """Clusters of ten with beta-distributed rates whose intraclass correlation is 0.2."""
    rng = np.random.default_rng(5)
    icc, size, clusters = 0.2, 10, 50
    strength = (1 - icc) / icc
    rates = rng.beta(0.5 * strength, 0.5 * strength, size=(20_000, clusters))
    means = rng.binomial(size, rates).sum(axis=1) / (size * clusters)
    growth = means.var() / (0.25 / (size * clusters))
    assert growth == pytest.approx(DesignEffect(icc=icc, cluster_size=size).factor, rel=0.05)


@pytest.mark.parametrize(
    ("icc", "size"), [(-0.1, 10), (1.1, 10), (float("nan"), 10), (0.1, 0), (0.1, float("nan"))]
)
def test_numbers_out_of_range_are_refused(icc: float, size: float) -> None:
    with pytest.raises(DesignError, match=r"intraclass|cluster"):
        DesignEffect(icc=icc, cluster_size=size)
