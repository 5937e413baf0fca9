"""Plans in which annotators and items are samples, held against the intervals that the analysis gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.stats import (
    CrossedAnswers,
    RateAgainstStandard,
    TwoGroups,
    clustered_rate,
    sample_size,
    simulate_power,
)
from duologue.stats.rates.intervals import student_quantile


def crossed(**more: object) -> CrossedAnswers:
    given_ = {"design": TwoGroups(base=0.66), "per_annotator": 10.0, "items": 60, "icc": 0.1, "item_icc": 0.1}
    return CrossedAnswers(**(given_ | more))  # type: ignore[arg-type]


def simulated_width(people: int, items: int, *, icc: float, item_icc: float, studies: int) -> float:
    """The mean width of the interval of recall that the analysis gives."""
    rng, found = np.random.default_rng(2703), []
    for _ in range(studies):
        item = np.concatenate([rng.permutation(items)[:10] for _ in range(people)])
        annotator = np.repeat(np.arange(people), 10)
        ranks, whose = rng.random(len(item)), rng.random(len(item))
        ranks = np.where(whose < icc**0.5, rng.random(people)[annotator], ranks)
        ranks = np.where(whose > 1 - item_icc**0.5, rng.random(items)[item], ranks)
        rate = clustered_rate((ranks < 0.66).astype(float), [annotator, item])
        found.append(2 * student_quantile(0.95, rate.df) * rate.standard_error)
    return float(np.mean(found))


def test_the_paper_has_three_times_the_width_that_it_prints() -> None:
    plan = crossed(items=30, item_icc=0.14)
    assert plan.width(1450) == pytest.approx(0.149, abs=0.0005)
    assert plan.published_width(1450) == pytest.approx(0.049, abs=0.0005)


def test_the_planned_width_is_what_the_analysis_gives() -> None:
    width = simulated_width(60, 30, icc=0.1, item_icc=0.14, studies=60)
    assert crossed(items=30, item_icc=0.14).width(600) == pytest.approx(width, rel=0.06)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "items", "icc", "item_icc"),
    [(145, 30, 0.1, 0.14), (10, 30, 0.1, 0.2), (10, 10, 0.1, 0.1), (60, 120, 0.1, 0.1), (145, 30, 0.1, 0.0)],
)
def test_planned_widths_are_what_the_analysis_gives(
    people: int, items: int, icc: float, item_icc: float
) -> None:
    width = simulated_width(people, items, icc=icc, item_icc=item_icc, studies=2000)
    plan = crossed(items=items, icc=icc, item_icc=item_icc)
    assert plan.width(10 * people) == pytest.approx(width, rel=0.04)


def test_independent_answers_to_endless_items_need_the_published_number() -> None:
    plain = TwoGroups(base=0.5)
    many = crossed(design=plain, icc=0.0, item_icc=0.0, items=1_000_000)
    assert sample_size(many, 0.1).judgments == pytest.approx(sample_size(plain, 0.1).judgments, abs=8)


def test_few_items_never_show_a_small_gap_and_the_plan_says_how_many_do() -> None:
    with pytest.raises(DesignError, match=r"30 items.*not show a gap of 0.1 .*Use at least 38 items"):
        sample_size(crossed(items=30), 0.1)
    assert sample_size(crossed(items=38), 0.1).judgments > 10_000
    with pytest.raises(DesignError, match="do not show"):
        sample_size(crossed(items=37), 0.1)


def test_what_is_hard_for_both_groups_cancels() -> None:
    own, same = sample_size(crossed(), 0.1).judgments, sample_size(crossed(same_items=True), 0.1).judgments
    assert same < 0.6 * own
    assert crossed().factor([600])[0] == pytest.approx(1 + 0.9 + 0.9)
    assert crossed(same_items=True).factor([600])[0] == pytest.approx(1 + 0.9 - 0.1)
    assert crossed().factor([30])[0] == pytest.approx(1.9)  # nobody meets an item a second time


@given(n=st.integers(100, 5000), gap=st.sampled_from([0.05, 0.1, 0.2]), icc=st.sampled_from([0.0, 0.1, 0.3]))
def test_answers_that_are_alike_show_less(n: int, gap: float, icc: float) -> None:
    few, many = (crossed(item_icc=0.1, items=items).power([n], gap)[0] for items in (30, 300))
    alike, plain = crossed(icc=icc).power([n], gap)[0], crossed(icc=0.0).power([n], gap)[0]
    assert few <= many + 1e-9
    assert alike <= plain + 1e-9


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"items": 1}, "at least two items"),
        ({"items": 5}, "each of them once at most; got 10 answers of an annotator to 5 items"),
        ({"icc": 1.0}, "--icc must be 0 or more and below 1; got 1"),
        ({"item_icc": -0.1}, "--item-icc must be 0 or more"),
    ],
)
def test_a_design_that_cannot_be_is_refused(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(DesignError, match=says):
        crossed(**wrong)


@pytest.mark.parametrize("same", [True, False])
def test_simulated_studies_find_the_gap_as_often_as_planned(same: bool) -> None:
    plan = crossed(same_items=same)
    n = sample_size(plan, 0.2).judgments
    found = simulate_power(plan, n, 0.2, studies=400, rng=np.random.default_rng(2704))
    assert found.found == pytest.approx(0.8, abs=0.07)
    assert found.false_alarms < 0.08


def test_a_recall_against_a_standard_is_simulated_too() -> None:
    plan = crossed(design=RateAgainstStandard(null=0.66))
    n = sample_size(plan, 0.2).judgments
    found = simulate_power(plan, n, 0.2, studies=400, rng=np.random.default_rng(2705))
    assert found.found > 0.73
    with pytest.raises(DesignError, match="so alike are not simulated"):
        simulate_power(crossed(icc=0.5, item_icc=0.5), 100, 0.2, studies=1, rng=np.random.default_rng(1))
