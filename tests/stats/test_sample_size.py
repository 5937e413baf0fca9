"""Sample sizes: enumerated goldens, a brute-force twin, and properties."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.stats.power import binomial_power_curve, exact_binomial_power
from duologue.stats.sample_size import binomial_sizes, detectable_gap, judgments_for_forced_choice

GOLDEN = Path(__file__).parent.parent / "golden" / "stats"


def golden_rows(name: str) -> list[dict[str, str]]:
    lines = (GOLDEN / name).read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@pytest.mark.parametrize("row", golden_rows("forced_choice_sizes.csv"), ids=lambda row: row["rate"])
def test_forced_choice_needs_the_enumerated_number_of_judgments(row: dict[str, str]) -> None:
    size = judgments_for_forced_choice(round(2 * float(row["rate"]) - 1, 2))
    assert (size.first, size.judgments) == (int(row["first"]), int(row["stable"]))


@pytest.mark.parametrize(
    ("p", "null", "exact", "mid_p", "equal_tail"),
    [
        (0.6, 0.5, (199, 210), (187, 198), (199, 210)),
        (0.55, 0.5, (786, 820), (773, 796), (786, 820)),
        (0.9, 0.8, (100, 120), (98, 104), (107, 113)),
        (0.7, 0.8, (141, 151), (137, 148), (144, 155)),
    ],
)
def test_each_binomial_test_needs_its_own_number(
    p: float, null: float, exact: tuple[int, int], mid_p: tuple[int, int], equal_tail: tuple[int, int]
) -> None:
    sizes = [
        binomial_sizes(p, null=null, alpha=0.05, power=0.8, test="exact"),
        binomial_sizes(p, null=null, alpha=0.05, power=0.8, test="mid-p"),
        binomial_sizes(p, null=null, alpha=0.05, power=0.8, test="equal-tail"),
    ]
    assert sizes == [exact, mid_p, equal_tail]


@settings(max_examples=50, deadline=None)
@given(
    gap=st.floats(0.08, 1.0),
    alpha=st.sampled_from([0.01, 0.05, 0.1]),
    power=st.sampled_from([0.11, 0.3, 0.5, 0.8, 0.9, 0.95]),
)
def test_first_and_stable_are_what_looking_at_every_number_finds(
    gap: float, alpha: float, power: float
) -> None:
    size = judgments_for_forced_choice(gap, alpha=alpha, power=power)
    everything = np.arange(1, 3 * size.judgments + 500)
    reached = binomial_power_curve(everything, (1 + gap) / 2, alpha=alpha) >= power
    assert size.first == everything[np.argmax(reached)]
    assert size.judgments == everything[np.flatnonzero(~reached)[-1]] + 1


@settings(max_examples=50, deadline=None)
@given(gaps=st.tuples(st.floats(0.02, 1.0), st.floats(0.02, 1.0)))
def test_a_larger_gap_never_needs_more_judgments(gaps: tuple[float, float]) -> None:
    small, large = sorted(gaps)
    assert judgments_for_forced_choice(large).judgments <= judgments_for_forced_choice(small).judgments


@settings(max_examples=30, deadline=None)
@given(n=st.integers(6, 5000), power=st.sampled_from([0.5, 0.8, 0.95]))
def test_the_detectable_gap_is_detected_and_a_smaller_one_is_not(n: int, power: float) -> None:
    gap = detectable_gap(n, power=power).gap
    assert exact_binomial_power(n, min(1.0, (1 + gap) / 2 + 1e-9)) >= power
    assert exact_binomial_power(n, (1 + gap * 0.99) / 2) < power


def test_a_tiny_gap_is_still_planned_exactly() -> None:
    size = judgments_for_forced_choice(0.002)
    n = np.arange(size.judgments - 1, size.judgments + 3000)
    reached = binomial_power_curve(n, 0.501) >= 0.8
    assert not reached[0]
    assert reached[1:].all()


@pytest.mark.parametrize("gap", [0.0, -0.2, 1.01, float("nan")])
def test_a_gap_that_cannot_be_one_is_refused(gap: float) -> None:
    with pytest.raises(DesignError, match="gap must lie between 0 and 1"):
        judgments_for_forced_choice(gap)


def test_a_gap_beyond_any_study_is_refused_with_advice() -> None:
    with pytest.raises(DesignError, match="Plan a larger gap"):
        judgments_for_forced_choice(1e-6)


@pytest.mark.parametrize(("alpha", "power"), [(0.0, 0.8), (1.0, 0.8), (0.05, 1.0), (0.05, 0.0), (0.05, 0.04)])
def test_a_level_or_power_out_of_range_is_refused(alpha: float, power: float) -> None:
    with pytest.raises(DesignError, match=r"alpha|power"):
        judgments_for_forced_choice(0.2, alpha=alpha, power=power)


def test_five_judgments_can_show_nothing() -> None:
    with pytest.raises(DesignError, match=r"5 judgments cannot be significant at alpha = 0\.05"):
        detectable_gap(5)
