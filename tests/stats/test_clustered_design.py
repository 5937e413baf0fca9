"""Designs in clusters: the number of clusters reaches the power under the test that counts in them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from duologue.stats import (
    AllThatApply,
    AllThatApplyOfMany,
    BestOfMany,
    ClusteredDesign,
    Design,
    DesignEffect,
    ForcedChoice,
    RateAgainstStandard,
    RatingDifference,
    TwoGroups,
    calibrate_ratings,
    clustered_difference,
    clustered_power,
    sample_size,
    simulate_power,
)

EFFECT = DesignEffect(icc=0.1, cluster_size=9)
DESIGNS: list[tuple[Design, int]] = [
    (RateAgainstStandard(null=0.8), 105),
    (ForcedChoice(), 378),
    (AllThatApply(), 305),
    (BestOfMany(bots=4), 283),
    (AllThatApplyOfMany(bots=4), 364),
]


@pytest.mark.parametrize(("design", "judgments"), DESIGNS)
def test_few_clusters_need_more_than_the_design_effect(design: Design, judgments: int) -> None:
    clustered = ClusteredDesign(design=design, effect=EFFECT)
    assert sample_size(clustered, 0.2).judgments == judgments
    assert judgments >= EFFECT.inflate(sample_size(design, 0.2).judgments)
    assert (clustered.alpha, clustered.largest_gap) == (design.alpha, design.largest_gap)
    assert clustered.method.endswith("and the test by clusters of 9")


def test_the_power_of_a_share_is_that_of_the_t_test() -> None:
    """An independent computation: scipy's non-central t."""
    df, shift = 11, 0.2 / 0.24**0.5 * 60**0.5
    bar = stats.t.ppf(0.975, df)
    wanted = stats.nct.sf(bar, df, shift) + stats.nct.cdf(-bar, df, shift)
    found = clustered_power(RateAgainstStandard(null=0.8), [60], 0.2, clusters=[12])
    assert found[0] == pytest.approx(wanted, abs=1e-9)


def test_the_power_over_several_bots_is_that_of_hotellings_test() -> None:
    bar = stats.f.ppf(0.95, 3, 17)
    wanted = stats.ncf.sf(bar, 3, 17, 100 * 4 * 0.2**2 / 2)
    found = clustered_power(BestOfMany(bots=4), [100, 100], 0.2, clusters=[20, 4])
    assert found == pytest.approx([wanted, 0.0], abs=1e-9)


def test_single_judgments_and_groups_have_the_published_test_alone() -> None:
    alone = ClusteredDesign(design=ForcedChoice(), effect=DesignEffect(icc=0.1, cluster_size=1))
    assert alone.power([210], 0.2) == pytest.approx(ForcedChoice().power([210], 0.2))
    groups = TwoGroups()
    assert clustered_power(groups, [64], 0.2, clusters=[3]) == pytest.approx(groups.power([64], 0.2))


RATINGS = ClusteredDesign(
    design=RatingDifference(icc=0.1, per_annotator=2), effect=DesignEffect(icc=0.1, cluster_size=12)
)
"""Every annotator rates both bots, and twelve rate the same dialogue."""


def test_ratings_of_few_dialogues_need_more_than_the_design_effect() -> None:
    alone = sample_size(RATINGS.design, 0.8).judgments
    assert (RATINGS.effect.inflate(alone), sample_size(RATINGS, 0.8).judgments) == (53, 70)
    bar = stats.t.ppf(0.975, 9)  # five dialogues of each bot
    shift = 0.8 / (2 / (28 * 0.8 / 0.9)) ** 0.5
    wanted = stats.nct.sf(bar, 9, shift) + stats.nct.cdf(-bar, 9, shift)
    assert RATINGS.power([12, 60], 0.8) == pytest.approx([0.0, wanted], abs=1e-9)


@pytest.mark.slow
def test_simulated_ratings_of_the_planned_size_have_the_power() -> None:
    """By the larger p-value of the calibrated contrast and of the clustered difference."""
    rng, studies, found = np.random.default_rng(2), 1_000, 0
    annotator = np.arange(72)
    dialogue = annotator // 12
    for _ in range(studies):
        lenient = rng.normal(0, 0.1**0.5, 72)
        scores = [
            mean + lenient + rng.normal(0, 0.1**0.5, 6)[dialogue] + rng.normal(0, 0.8**0.5, 72)
            for mean in (3.8, 3.0)
        ]
        fit = calibrate_ratings(
            np.repeat([0, 1], 72), np.tile(annotator, 2), np.concatenate(scores), ["a", "b"]
        )
        clustered = clustered_difference(
            scores[0], scores[1], [annotator, dialogue], [annotator, dialogue + 6]
        )
        found += max(fit.contrast(0, 1).p_value, clustered.p_value) <= 0.05
    assert found / studies >= 0.8 - 2.6 * (0.16 / studies) ** 0.5


def test_one_cluster_and_no_judgment_show_nothing() -> None:
    for design, _ in DESIGNS:
        assert ClusteredDesign(design=design, effect=EFFECT).power([1, 9], 0.2).tolist() == [0.0, 0.0]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "judgments"), DESIGNS)
def test_simulated_studies_of_the_planned_size_have_the_power(design: Design, judgments: int) -> None:
    rng = np.random.default_rng(1)
    whole = -(-judgments // 9) * 9
    found = simulate_power(design, whole, 0.2, studies=1000, rng=rng, clusters=EFFECT).found
    assert found >= 0.8 - 2.6 * (0.8 * 0.2 / 1000) ** 0.5
