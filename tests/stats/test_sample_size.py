"""Sample sizes: enumerated and published goldens, a brute-force twin, and properties."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.power import GofChisquarePower, TTestIndPower

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import BinomialTest, binomial_power_curve
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
from duologue.stats.planning.sample_size import (
    detectable_gap,
    first_and_stable,
    judgments_for_forced_choice,
    ratings_for_difference,
    sample_size,
)
from tests.strategies import thorough

GOLDEN = Path(__file__).parent.parent / "golden" / "stats"


def golden_rows(name: str) -> list[dict[str, str]]:
    lines = (GOLDEN / name).read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@pytest.mark.parametrize("row", golden_rows("forced_choice_sizes.csv"), ids=lambda row: row["rate"])
def test_forced_choice_needs_the_enumerated_number_of_judgments(row: dict[str, str]) -> None:
    size = judgments_for_forced_choice(round(2 * float(row["rate"]) - 1, 2))
    assert (size.first, size.judgments) == (int(row["first"]), int(row["stable"]))


@pytest.mark.parametrize("row", golden_rows("mcnemar_sizes.csv"), ids=lambda row: row["discordance"])
def test_all_that_apply_needs_the_enumerated_number_of_turns(row: dict[str, str]) -> None:
    discordance = float(row["discordance"])
    exact = sample_size(AllThatApply(discordance=discordance, test="exact"), 0.1)
    mid_p = sample_size(AllThatApply(discordance=discordance), 0.1)
    assert sample_size(AllThatApply(), 0.1).judgments == 665
    assert (exact.judgments, mid_p.judgments) == (int(row["exact"]), int(row["mid_p"]))


@pytest.mark.parametrize(("test", "turns"), [("chi-square", 664), ("corrected", 685)])
def test_chi_square_forms_of_mcnemar_need_the_enumerated_number(test: str, turns: int) -> None:
    assert sample_size(AllThatApply(test=test), 0.1).judgments == turns  # type: ignore[arg-type]


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
    def sizes(test: BinomialTest) -> tuple[int, int]:
        return first_and_stable(
            lambda n: binomial_power_curve(n, p, null=null, test=test), power=0.8, guess=100.0
        )

    assert [sizes("exact"), sizes("mid-p"), sizes("equal-tail")] == [exact, mid_p, equal_tail]


def test_many_bots_need_the_golden_numbers() -> None:
    assert sample_size(BestOfMany(bots=4), 0.1).judgments == 546
    worst = sample_size(AllThatApplyOfMany(bots=4), 0.1)
    assert worst.judgments == 727
    assert worst.assumptions["discordance"] == pytest.approx(2 / 3)
    stated = [
        sample_size(AllThatApplyOfMany(bots=4, discordance=discordance), 0.1).judgments
        for discordance in (0.40, 0.472, 0.497)
    ]
    assert stated == [437, 515, 542]


def test_a_standard_is_sized_for_the_worse_direction() -> None:
    assert sample_size(RateAgainstStandard(null=0.8), 0.1).judgments == 151


def test_ratings_and_shares_need_what_other_software_says() -> None:
    theirs = TTestIndPower().solve_power(0.3, power=0.9, alpha=0.05)
    assert ratings_for_difference(0.3, power=0.9).judgments == np.ceil(theirs)
    assert ratings_for_difference(0.6, sd=2.0, power=0.9).judgments == np.ceil(theirs)
    effect = (4 * 0.2**2 / 2) ** 0.5
    gof = GofChisquarePower().solve_power(effect, alpha=0.05, power=0.8, n_bins=4)
    assert sample_size(BestOfMany(bots=4), 0.2).judgments == np.ceil(gof)
    assert sample_size(TwoGroups(base=0.5), 0.1).judgments == 392


@thorough(10)
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


DESIGNS: tuple[Design, ...] = (
    ForcedChoice(),
    AllThatApply(),
    BestOfMany(bots=4),
    AllThatApplyOfMany(bots=4),
    RateAgainstStandard(null=0.8),
    RatingDifference(),
    TwoGroups(base=0.5),
)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.method)
@thorough(10)
@given(gaps=st.tuples(st.floats(0.1, 0.45), st.floats(0.1, 0.45)))
def test_a_larger_gap_never_needs_more_judgments(design: Design, gaps: tuple[float, float]) -> None:
    small, large = sorted(gaps)
    assert sample_size(design, large).judgments <= sample_size(design, small).judgments


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.method)
def test_more_power_or_a_stricter_level_never_needs_fewer_judgments(design: Design) -> None:
    numbers = [sample_size(design, 0.2, power=power).judgments for power in (0.5, 0.8, 0.95)]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.method)
@thorough(8)
@given(n=st.integers(60, 1500), power=st.sampled_from([0.5, 0.8, 0.95]))
def test_the_detectable_gap_is_detected_and_a_smaller_one_is_not(
    design: Design, n: int, power: float
) -> None:
    gap = detectable_gap(n, power=power, design=design).gap
    assert design.power([n], gap)[0] >= power
    assert design.power([n], gap * 0.99)[0] < power


def test_the_size_of_a_study_can_show_its_own_gap() -> None:
    assert detectable_gap(210).gap < 0.2 < detectable_gap(198).gap


@pytest.mark.parametrize("guess", [1.0, 210.0, 3000.0, 20_000.0])
def test_a_poor_guess_only_costs_time(guess: float) -> None:
    def power_at(n: NDArray[np.int64]) -> NDArray[np.float64]:
        return binomial_power_curve(n, 0.6)

    assert first_and_stable(power_at, power=0.8, guess=guess) == (199, 210)


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


@pytest.mark.parametrize(
    ("design", "match"),
    [
        (AllThatApply(discordance=1.5), "discordance"),
        (AllThatApply(discordance=0.1), "between 0 and 0.1"),
        (BestOfMany(bots=1), "two bots"),
        (AllThatApplyOfMany(bots=1), "two bots"),
        (AllThatApplyOfMany(bots=4, discordance=0.0), "discordance"),
        (RateAgainstStandard(null=1.0), "null rate"),
        (RatingDifference(sd=-1.0), "standard deviation"),
        (TwoGroups(base=1.2), "null rate|first share"),
    ],
    ids=lambda value: getattr(value, "method", "says"),
)
def test_a_design_that_cannot_be_is_refused(design: Design, match: str) -> None:
    with pytest.raises(DesignError, match=match):
        sample_size(design, 0.2)


def test_five_judgments_can_show_nothing() -> None:
    with pytest.raises(DesignError, match=r"5 judgments do not reach a power of 0\.8 at alpha = 0\.05"):
        detectable_gap(5)
