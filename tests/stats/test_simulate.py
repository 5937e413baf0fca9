"""Simulated studies: they confirm the planner, and say what clusters cost."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from duologue.errors import DesignError
from duologue.stats import ModalDifference
from duologue.stats.clusters.design_effect import DesignEffect
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
from duologue.stats.planning.sample_size import sample_size
from duologue.stats.planning.simulate import simulate_power

DESIGNS: tuple[tuple[Design, float], ...] = (
    (ForcedChoice(), 0.3),
    (ForcedChoice(test="mid-p"), 0.3),
    (AllThatApply(discordance=0.5), 0.2),
    (BestOfMany(bots=3), 0.25),
    (AllThatApplyOfMany(bots=4, discordance=0.5), 0.2),
    (AllThatApplyOfMany(bots=5), 0.25),
    (RateAgainstStandard(null=0.8), 0.15),
    (RateAgainstStandard(null=0.3, test="equal-tail"), 0.15),
    (RatingDifference(sd=0.9), 0.5),
    (TwoGroups(base=0.7), 0.2),
    (ModalDifference(base=0.95), 0.3),
)
CLUSTERS = DesignEffect(icc=0.15, cluster_size=6)


@pytest.mark.parametrize(("design", "gap"), DESIGNS, ids=lambda value: getattr(value, "method", ""))
def test_made_up_studies_find_the_gap_as_often_as_planned(design: Design, gap: float) -> None:
    size = sample_size(design, gap)
    result = simulate_power(design, size.judgments, gap, studies=300, rng=np.random.default_rng(1))
    planned = float(design.power([size.judgments], gap)[0])
    # Four standard errors: fails by chance once in 16,000, and at once if the planner were 12 points off.
    assert result.found == pytest.approx(planned, abs=4 * (0.16 / 300) ** 0.5)
    assert result.false_alarms <= 0.05 + 4 * (0.05 * 0.95 / 300) ** 0.5
    assert result.found_interval.low <= result.found <= result.found_interval.high


@pytest.mark.slow
@pytest.mark.parametrize(("design", "gap"), DESIGNS, ids=lambda value: getattr(value, "method", ""))
def test_many_made_up_studies_agree_closely(design: Design, gap: float) -> None:
    size = sample_size(design, gap)
    result = simulate_power(design, size.judgments, gap, studies=4000, rng=np.random.default_rng(2))
    planned = float(design.power([size.judgments], gap)[0])
    # The chi-square forms are approximations good to about a point of power.
    assert result.found == pytest.approx(planned, abs=0.01 + 4 * (0.16 / 4000) ** 0.5)
    assert result.false_alarms <= 0.05 + 0.01 + 4 * (0.05 * 0.95 / 4000) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("design", "gap"), DESIGNS, ids=lambda value: getattr(value, "method", ""))
def test_clustered_studies_of_the_inflated_size_keep_power_and_level(design: Design, gap: float) -> None:
    judgments = CLUSTERS.inflate(sample_size(design, gap).judgments)
    rng = np.random.default_rng(3)
    result = simulate_power(design, judgments, gap, studies=2000, rng=rng, clusters=CLUSTERS)
    # Few clusters cost t-tests some power beyond the design effect.
    assert result.found >= 0.8 - 0.06
    assert result.false_alarms <= 0.05 + 0.03
    assert "clusters" in result.test or "cluster-robust" in result.test


@pytest.mark.parametrize(("design", "gap"), DESIGNS, ids=lambda value: getattr(value, "method", ""))
def test_every_design_has_a_test_for_clusters(design: Design, gap: float) -> None:
    judgments = CLUSTERS.inflate(sample_size(design, gap).judgments)
    rng = np.random.default_rng(10)
    result = simulate_power(design, judgments, gap, studies=40, rng=rng, clusters=CLUSTERS)
    assert result.found > 0.5
    assert result.false_alarms < 0.25


def test_clustered_judgments_are_worth_their_effective_number() -> None:
    clusters = DesignEffect(icc=0.5, cluster_size=10)
    result = simulate_power(
        ForcedChoice(), 400, 0.3, studies=400, rng=np.random.default_rng(4), clusters=clusters
    )
    worth = float(ForcedChoice(test="mid-p").power([clusters.effective(400)], 0.3)[0])
    assert result.found == pytest.approx(worth, abs=0.1)  # as independent judgments it would be 0.9999


def test_the_same_seed_gives_the_same_answer() -> None:
    first, second = (
        simulate_power(AllThatApply(), 100, 0.2, studies=20, rng=np.random.default_rng(5)) for _ in range(2)
    )
    assert first == second


def test_every_made_up_study_is_announced() -> None:
    seen = []
    simulate_power(
        ForcedChoice(), 20, 0.5, studies=7, rng=np.random.default_rng(6), on_study=lambda: seen.append(1)
    )
    assert len(seen) == 14


def test_a_study_too_small_for_its_test_ends_without_a_verdict() -> None:
    result = simulate_power(
        BestOfMany(bots=4),
        4,
        0.1,
        studies=5,
        rng=np.random.default_rng(7),
        clusters=DesignEffect(icc=0.1, cluster_size=2),
    )
    assert (result.found, result.false_alarms) == (0.0, 0.0)


@pytest.mark.parametrize(("studies", "judgments"), [(0, 10), (10, 0)])
def test_nothing_to_simulate_is_refused(studies: int, judgments: int) -> None:
    with pytest.raises(DesignError, match="at least one study"):
        simulate_power(ForcedChoice(), judgments, 0.2, studies=studies, rng=np.random.default_rng(8))


def test_a_design_that_nobody_can_play_is_refused() -> None:
    class Unheard:
        alpha, method, largest_gap = 0.05, "none", 1.0

        def power(self, n: ArrayLike, gap: float) -> NDArray[np.float64]:
            return np.zeros(1)

        def about(self, gap: float, power: float) -> float:
            return 1.0

    with pytest.raises(DesignError, match="no simulation of Unheard"):
        simulate_power(Unheard(), 10, 0.2, studies=1, rng=np.random.default_rng(11))


def test_clusters_that_all_answer_alike_end_without_a_verdict() -> None:
    copies = DesignEffect(icc=1.0, cluster_size=2)
    result = simulate_power(
        BestOfMany(bots=6), 14, 0.3, studies=20, rng=np.random.default_rng(12), clusters=copies
    )
    assert result.false_alarms < 0.5


def test_an_impossible_gap_is_refused() -> None:
    with pytest.raises(DesignError, match="discordance"):
        simulate_power(AllThatApply(discordance=0.1), 100, 0.5, studies=10, rng=np.random.default_rng(9))


CALIBRATED = (
    RatingDifference(icc=0.3, per_annotator=2),
    RatingDifference(icc=0.5, bots=5, per_annotator=3),
    RatingDifference(icc=0.2, per_annotator=6),
)


@pytest.mark.parametrize("design", CALIBRATED, ids=lambda design: f"{design.per_annotator} of {design.bots}")
def test_made_up_annotators_who_rate_several_bots_find_the_gap_as_planned(design: RatingDifference) -> None:
    result = simulate_power(design, 45, 0.5, studies=40, rng=np.random.default_rng(1))
    planned = float(design.power([45], 0.5)[0])
    assert result.found == pytest.approx(planned, abs=4 * (0.2 / 40) ** 0.5)
    assert result.test == "calibrated contrast of ratings"


@pytest.mark.slow
@pytest.mark.parametrize("design", CALIBRATED, ids=lambda design: f"{design.per_annotator} of {design.bots}")
def test_many_made_up_annotators_who_rate_several_bots_agree_closely(design: RatingDifference) -> None:
    result = simulate_power(design, 45, 0.5, studies=2000, rng=np.random.default_rng(2))
    planned = float(design.power([45], 0.5)[0])
    assert result.found == pytest.approx(planned, abs=0.015 + 4 * (0.2 / 2000) ** 0.5)
    assert result.false_alarms <= 0.065


def test_dialogues_rated_again_by_who_rates_several_bots_are_not_simulated() -> None:
    with pytest.raises(DesignError, match="Leave --cluster-size or --simulate out"):
        simulate_power(CALIBRATED[0], 45, 0.5, studies=1, rng=np.random.default_rng(1), clusters=CLUSTERS)
