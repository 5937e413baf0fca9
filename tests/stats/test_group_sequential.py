"""Group-sequential boundaries: exact errors, the textbook's constants nearby, and properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import binomial_region
from duologue.stats.stopping.group_sequential import (
    OBRIEN_FLEMING,
    POCOCK,
    WANG_TSIATIS,
    _verdicts,
    group_sequential,
    plan_group_sequential,
)
from duologue.stats.stopping.rules import operating_characteristics
from tests.strategies import thorough


@pytest.mark.parametrize(
    ("looks", "shape", "most", "constant"),
    [(5, OBRIEN_FLEMING, 202, 2.042), (10, WANG_TSIATIS, 210, 2.196), (10, POCOCK, 256, 2.574)],
)
def test_the_smallest_design_for_a_gap_of_a_fifth(
    looks: int, shape: float, most: int, constant: float
) -> None:
    plan = plan_group_sequential(0.2, looks=looks, shape=shape)
    assert plan.most == most
    assert plan.constant == pytest.approx(constant, abs=0.0005)


@pytest.mark.parametrize(
    ("looks", "shape", "published"),
    [(5, OBRIEN_FLEMING, 2.040), (5, POCOCK, 2.413), (10, POCOCK, 2.555), (2, POCOCK, 2.178)],
)
def test_with_many_judgments_the_constant_is_the_published_one(
    looks: int, shape: float, published: float
) -> None:
    """Jennison and Turnbull (2000), Tables 2.1 and 2.3, two-sided 5 %."""
    assert group_sequential(5_000, looks=looks, shape=shape).constant == pytest.approx(published, abs=0.01)


@thorough(10)
@given(
    most=st.integers(10, 300),
    looks=st.integers(1, 8),
    shape=st.sampled_from([0.0, 0.1, 0.25, 0.5]),
    alpha=st.sampled_from([0.01, 0.05, 0.1]),
)
def test_the_exact_error_is_that_of_dynamic_programming_and_at_most_alpha(
    most: int, looks: int, shape: float, alpha: float
) -> None:
    plan = group_sequential(most, looks=looks, shape=shape, alpha=alpha)
    (equal,) = operating_characteristics(plan.rule(), [0.5])
    assert plan.error == pytest.approx(equal.verdict, abs=1e-12)
    assert plan.error <= alpha
    assert plan.looks[-1] == most
    assert list(plan.looks) == sorted(set(plan.looks))


@thorough(10)
@given(most=st.integers(1, 500), alpha=st.sampled_from([0.01, 0.05, 0.1]))
def test_a_single_look_is_the_exact_binomial_test(most: int, alpha: float) -> None:
    plan = group_sequential(most, looks=1, alpha=alpha)
    region = binomial_region([most], alpha=alpha)
    assert (plan.first_from[0], plan.second_upto[0]) == (region.high[0], region.low[0])


def test_a_slightly_smaller_constant_would_break_the_error() -> None:
    plan = group_sequential(202)
    wider = np.array(plan.looks) / 5 * 0 + [
        np.ceil((n + 0.9999 * plan.constant * (k / 5) ** -0.5 * n**0.5) / 2)
        for k, n in enumerate(plan.looks, 1)
    ]
    rule = plan.rule()
    rule.first_from[list(plan.looks)] = wider
    rule.second_upto[list(plan.looks)] = np.array(plan.looks) - wider
    (equal,) = operating_characteristics(rule, [0.5])
    assert equal.verdict > 0.05


def test_a_large_design_reaches_its_power() -> None:
    plan = plan_group_sequential(0.1, looks=4)
    (result,) = operating_characteristics(plan.rule(), [0.55])
    assert result.verdict >= 0.8


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"most": 3, "looks": 5}, "looks lie between 1"),
        ({"most": 100, "looks": 0}, "looks lie between 1"),
        ({"most": 100, "shape": 0.9}, "shape"),
        ({"most": 100, "alpha": 0.0}, "alpha"),
    ],
)
def test_numbers_out_of_range_are_refused(arguments: dict[str, float], match: str) -> None:
    with pytest.raises(DesignError, match=match):
        group_sequential(**arguments)  # type: ignore[arg-type]


def test_a_gap_out_of_range_is_refused() -> None:
    with pytest.raises(DesignError, match="gap"):
        plan_group_sequential(0.0)


def test_the_walk_over_looks_ends_when_a_verdict_is_certain() -> None:
    looks, first_from = np.array([1000, 2000]), np.array([550, 1080])
    assert _verdicts(looks, first_from, 0.99) == pytest.approx(1.0)
