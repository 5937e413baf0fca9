"""Trying a planned design on simulated judgments: how often does the real test find the gap?

The whole design is played through: judgments are drawn (in clusters that are correlated, when the plan has
them), and the very test that the analysis will use is run on them. It checks the planner independently,
and is the only honest answer where judgments are clustered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from duologue.errors import DesignError, NotEnoughJudgments
from duologue.stats.clusters.clustered import clustered_difference, clustered_mean, clustered_rate
from duologue.stats.clusters.design_effect import DesignEffect
from duologue.stats.paired.cochran import cochran_q
from duologue.stats.paired.mcnemar import mcnemar_test
from duologue.stats.planning.agreement_design import ModalDifference
from duologue.stats.planning.binomial_power import BinomialTest
from duologue.stats.planning.crossed_design import CrossedAnswers
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
from duologue.stats.planning.graded_design import GradedChoice
from duologue.stats.planning.pooled_design import FEWEST_ANNOTATORS, FITS, PooledChoice
from duologue.stats.rates.binomial import sign_test
from duologue.stats.rates.binomial_distribution import Floats, Ints, chance_from, chance_up_to
from duologue.stats.rates.goodness_of_fit import goodness_of_fit_test
from duologue.stats.rates.intervals import Interval, clopper_pearson_interval
from duologue.stats.rates.two_rates import rate_difference
from duologue.stats.ratings.calibration import calibrate_ratings
from duologue.stats.ratings.means import welch_test
from duologue.stats.strengths.contrasts import compare_strengths
from duologue.stats.strengths.pooled import pooled_strengths


@dataclass(frozen=True, slots=True)
class SimulatedPower:
    """How often the test found the gap, and how often it found one that was not there."""

    found: float
    found_interval: Interval
    false_alarms: float
    false_alarms_interval: Interval
    studies: int
    judgments: int
    gap: float
    test: str


def simulate_power(
    design: Design,
    judgments: int,
    gap: float,
    *,
    studies: int,
    rng: np.random.Generator,
    clusters: DesignEffect | None = None,
    on_study: Callable[[], None] | None = None,
) -> SimulatedPower:
    """Play a design through many times, with the gap and without, and count the verdicts.

    Clusters are exchangeable: any two judgments of one cluster are correlated by the ICC. Then the
    cluster-robust test of the analysis is used instead of the one that takes judgments as independent.

    Args:
        design: What is judged, and the test.
        judgments: How many judgments (per bot or group, where the design counts so).
        gap: The true gap.
        studies: How many simulated studies of each kind; the intervals say how well that pins the power.
        rng: Where the randomness comes from.
        clusters: How judgments are correlated, when they are.
        on_study: Called after each simulated study, for a progress bar.

    Raises:
        DesignError: Fewer than one study or judgment is asked for, or the gap is impossible.

    Example:
        >>> result = simulate_power(ForcedChoice(), 210, 0.2, studies=200, rng=np.random.default_rng(1))
        >>> result.found_interval.low < 0.8 < result.found_interval.high
        True
    """
    if studies < 1 or judgments < 1:
        raise DesignError(f"at least one study of one judgment is simulated; got {studies} of {judgments}.")
    design.power([judgments], gap)  # refuses what cannot be
    if clusters is not None and isinstance(design, RatingDifference) and design.per_annotator > 1:
        raise DesignError(
            "dialogues that are rated several times by annotators who rate several bots are not simulated. "
            "Leave --cluster-size or --simulate out."
        )
    trial = _trial(design, judgments)
    counts = []
    for true_gap in (gap, 0.0):
        verdicts = 0
        for _ in range(studies):
            verdicts += trial.p_value(true_gap, clusters, rng) <= design.alpha
            if on_study is not None:
                on_study()
        counts.append(verdicts)
    return SimulatedPower(
        found=counts[0] / studies,
        found_interval=clopper_pearson_interval(counts[0], studies),
        false_alarms=counts[1] / studies,
        false_alarms_interval=clopper_pearson_interval(counts[1], studies),
        studies=studies,
        judgments=judgments,
        gap=gap,
        test=trial.test if clusters is None else trial.clustered_test,
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """One simulated study of a design: how a judgment falls, and the two tests it may be given to."""

    judgments: int
    draw: Callable[[int, float, np.random.Generator], Floats]
    """So many judgments (rows) when the gap is so large."""
    independent: Callable[[Floats], float]
    clustered: Callable[[Floats, Ints], float]
    test: str
    clustered_test: str
    groups: int = 1
    """How many groups of ``judgments`` there are; the second comes after the first."""

    def p_value(self, gap: float, clusters: DesignEffect | None, rng: np.random.Generator) -> float:
        size = 1 if clusters is None else max(1, round(clusters.cluster_size))
        codes = np.concatenate(
            [np.arange(self.judgments) // size + group * self.judgments for group in range(self.groups)]
        )
        outcomes = self.draw(self.judgments, gap, rng)
        if clusters is not None and size > 1 and clusters.icc > 0:
            outcomes = self._hang_together(outcomes, codes, gap, clusters.icc, rng)
        try:
            return self.independent(outcomes) if clusters is None else self.clustered(outcomes, codes)
        except NotEnoughJudgments:
            return 1.0  # the study ends without a verdict

    def _hang_together(
        self, outcomes: Floats, codes: Ints, gap: float, icc: float, rng: np.random.Generator
    ) -> Floats:
        """Let each judgment repeat its cluster's own with chance √icc: any two then correlate by icc."""
        common = self.draw(self.judgments, gap, rng)
        _, first = np.unique(codes, return_index=True)
        leader = first[np.searchsorted(codes[first], codes)]
        repeats = rng.random(len(codes)) < np.sqrt(icc)
        mask = repeats if outcomes.ndim == 1 else repeats[:, None]
        return np.where(mask, common[leader], outcomes)


def _trial(design: Design, n: int) -> _Trial:
    match design:
        case ForcedChoice():
            return _rate_trial(lambda gap: (1 + gap) / 2, n, null=0.5, test=design.test)
        case RateAgainstStandard():
            return _rate_trial(lambda gap: design.harder_rate(n, gap), n, null=design.null, test=design.test)
        case AllThatApply():
            return _pair_trial(design, n)
        case BestOfMany():
            return _best_trial(design, n)
        case AllThatApplyOfMany():
            return _selections_trial(design, n)
        case RatingDifference():
            return _rating_trial(design, n)
        case TwoGroups():
            return _groups_trial(design, n)
        case CrossedAnswers():
            return _crossed_trial(design, n)
        case ModalDifference():
            return _phrasings_trial(design, n)
        case PooledChoice() if design.answer == "choice":
            return _pooled_trial(design, n)
        case PooledChoice() | GradedChoice():
            raise DesignError(
                "graded answers and rankings are not simulated here: `python -m benchmarks human_cost` plays "
                "whole studies of them. Leave --simulate out."
            )
    raise DesignError(f"there is no simulation of {type(design).__name__}.")


def _rate_trial(rate: Callable[[float], float], n: int, *, null: float, test: BinomialTest) -> _Trial:
    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        return (rng.random(count) < rate(gap)).astype(np.float64)

    def independent(won: Floats) -> float:
        wins = int(won.sum())
        if test == "equal-tail":
            tails = chance_up_to(wins, len(won), null), chance_from(wins, len(won), null)
            return min(1.0, 2 * float(min(tails)))
        return sign_test(wins, len(won) - wins, null=null, mid_p=test == "mid-p").p_value

    def clustered(won: Floats, codes: Ints) -> float:
        return clustered_rate(won, [codes], null=null).p_value

    name = f"binomial test, {test}"
    return _Trial(n, draw, independent, clustered, name, "cluster-robust (CR3) t-test of the win rate")


def _pair_trial(design: AllThatApply, n: int) -> _Trial:
    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        speaks = rng.random(count) < design.discordance
        first = rng.random(count) < (design.discordance + gap) / (2 * design.discordance)
        return np.where(speaks, np.where(first, 1.0, -1.0), 0.0)

    def independent(differences: Floats) -> float:
        first, second = int((differences > 0).sum()), int((differences < 0).sum())
        return mcnemar_test(first, second, method=design.test).p_value if first + second else 1.0

    def clustered(differences: Floats, codes: Ints) -> float:
        return clustered_mean(differences, [codes], bounds=(-1, 1)).p_value

    name = f"McNemar's test, {design.test}"
    return _Trial(n, draw, independent, clustered, name, "cluster-robust (CR3) t-test of the difference")


def _best_trial(design: BestOfMany, n: int) -> _Trial:
    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        shares = np.full(design.bots, 1 / design.bots)
        shares[:2] += gap / 2, -gap / 2
        chosen = rng.choice(design.bots, size=count, p=np.maximum(shares, 0))
        return np.eye(design.bots)[chosen]

    def independent(chosen: Floats) -> float:
        return goodness_of_fit_test([int(count) for count in chosen.sum(axis=0)]).p_value

    return _Trial(n, draw, independent, _hotelling, "Pearson's chi-square", _HOTELLING)


def _selections_trial(design: AllThatApplyOfMany, n: int) -> _Trial:
    bots, half = design.bots, design.bots // 2
    share_of_halves = design.mean_discordance / AllThatApplyOfMany(bots=bots).mean_discordance

    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        """Half of the bots at random (else all or none), the gap put between the first and the second."""
        order = rng.random((count, bots)).argsort(axis=1).argsort(axis=1)
        selected = order < half
        alone = selected[:, 0] != selected[:, 1]
        first = rng.random(count) < (1 + gap / design.mean_discordance) / 2
        selected[alone, 0], selected[alone, 1] = first[alone], ~first[alone]
        alike = rng.random(count) >= share_of_halves
        selected[alike] = (rng.random(count) < 0.5)[alike, None]
        return selected.astype(np.float64)

    def independent(selected: Floats) -> float:
        return cochran_q(selected.astype(np.int64)).p_value

    return _Trial(n, draw, independent, _hotelling, "Cochran's Q", _HOTELLING)


def _rating_trial(design: RatingDifference, n: int) -> _Trial:
    if design.per_annotator > 1:
        return _calibrated_trial(design, n)

    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        ratings = rng.normal(scale=design.sd, size=2 * count)
        ratings[:count] += gap
        return ratings

    def independent(ratings: Floats) -> float:
        return welch_test(ratings[:n], ratings[n:]).p_value

    return _Trial(n, draw, independent, _difference(n), "Welch's t-test", _DIFFERENCE, groups=2)


def _calibrated_trial(design: RatingDifference, n: int) -> _Trial:
    """Annotators who rate several bots, chosen at random where not all: rows of bot, annotator, score."""
    names = [f"bot {number}" for number in range(design.bots)]
    rated, times = (
        min(round(design.per_annotator), design.bots),
        max(1, round(design.per_annotator / design.bots)),
    )
    leniency, taste = design.icc, design.icc if times > 1 else 0.0

    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        people = math.ceil(count * design.bots / (rated * times))
        chosen = rng.permuted(np.tile(np.arange(design.bots), (people, 1)), axis=1)[:, :rated]
        bots, annotators = np.repeat(chosen.ravel(), times), np.repeat(np.arange(people), rated * times)
        score = rng.normal(size=len(bots)) * np.sqrt(max(0.0, 1 - leniency - taste))
        score += rng.normal(size=people)[annotators] * np.sqrt(leniency)
        score += rng.normal(size=(people, design.bots))[annotators, bots] * np.sqrt(taste)
        means = np.full(design.bots, gap / 2)  # the others lie between the two that are compared
        means[:2] = gap, 0.0
        return np.column_stack([bots, annotators, design.sd * score + means[bots]])

    def calibrated(rows: Floats) -> float:
        bots, annotators, scores = rows[:, 0].astype(int), rows[:, 1].astype(int), rows[:, 2]
        first, second = bots == 0, bots == 1
        p_value = calibrate_ratings(bots, annotators, scores, names).contrast(0, 1).p_value
        if times == 1:
            return p_value
        shared = [annotators[first]], [annotators[second]]
        return max(p_value, clustered_difference(scores[first], scores[second], *shared).p_value)

    return _Trial(n, draw, calibrated, _difference(n), "calibrated contrast of ratings", _DIFFERENCE)


def _groups_trial(design: TwoGroups, n: int) -> _Trial:
    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        rates = np.repeat([design.harder_rate(n, gap), design.base], count)
        return (rng.random(2 * count) < rates).astype(np.float64)

    def independent(right: Floats) -> float:
        first, second = int(right[:n].sum()), int(right[n:].sum())
        return rate_difference(first, n, second, n).p_value

    return _Trial(n, draw, independent, _difference(n), "two-proportion z-test", _DIFFERENCE, groups=2)


def _crossed_trial(design: CrossedAnswers, n: int) -> _Trial:
    """Annotators answer items in turn; an answer repeats its annotator's or its item's with chance √icc."""
    of_annotator, of_item = math.sqrt(design.icc), math.sqrt(design.item_icc)
    if of_annotator + of_item > 1:
        raise DesignError("answers that are so alike are not simulated. Leave --simulate out.")
    groups = 2 if isinstance(design.design, TwoGroups) else 1
    people, items = (np.tile(np.arange(n), groups) // design.per_annotator, np.tile(np.arange(n), groups))
    group = np.repeat(np.arange(groups), n)
    annotator = (people + n * group).astype(np.int64)
    item = items % design.items + (0 if design.same_items else design.items * group)

    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        ranks, whose = rng.random(groups * count), rng.random(groups * count)
        ranks = np.where(whose < of_annotator, rng.random(groups * n)[annotator], ranks)
        ranks = np.where(whose > 1 - of_item, rng.random(groups * design.items)[item], ranks)
        rates = np.array([design.design.harder_rate(n, gap), design.rate])[:groups]
        return (ranks < rates[group]).astype(np.float64)

    def clustered(right: Floats) -> float:
        codes = [annotator, item]
        if groups == 1:
            return clustered_rate(right, codes, null=design.rate).p_value
        first, second = [one[:n] for one in codes], [one[n:] for one in codes]
        return clustered_difference(right[:n], right[n:], first, second).p_value

    name = "cluster-robust (CR3) t-test by annotator and item"
    return _Trial(n, draw, clustered, lambda right, _: clustered(right), name, name)


def _phrasings_trial(design: ModalDifference, n: int) -> _Trial:
    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        rates = np.repeat([design.base, design.base - gap], count)
        return (rng.random(2 * count) < rates).astype(np.float64)

    def independent(given: Floats) -> float:
        first, second = (int(max(half.sum(), n - half.sum())) for half in (given[:n], given[n:]))
        return rate_difference(first, n, second, n).p_value

    name = "two-proportion z-test of the most chosen answers"
    return _Trial(n, draw, independent, _difference(n), name, _DIFFERENCE, groups=2)


_HOTELLING = "Hotelling's T² on the clusters' sums"
_DIFFERENCE = "cluster-robust (CR3) t-test of the difference"


def _difference(n: int) -> Callable[[Floats, Ints], float]:
    def test(values: Floats, codes: Ints) -> float:
        return clustered_difference(values[:n], values[n:], [codes[:n]], [codes[n:]]).p_value

    return test


def _hotelling(selected: Floats, codes: Ints) -> float:
    """Are all columns selected equally often? Hotelling's T² of the clusters' contrasts, F(k−1, G−k+1)."""
    _, cluster = np.unique(codes, return_inverse=True)
    sums: NDArray[np.float64] = np.zeros((int(cluster.max()) + 1, selected.shape[1]))
    np.add.at(sums, cluster, selected)
    contrasts = sums[:, 1:] - sums[:, :1]
    groups, k = contrasts.shape
    if groups <= k + 1:
        raise NotEnoughJudgments("Hotelling's T²", needed=k + 2, got=groups, unit="clusters")
    mean = contrasts.mean(axis=0)
    try:
        t_squared = groups * float(
            mean @ np.linalg.solve(np.cov(contrasts, rowvar=False).reshape(k, k), mean)
        )
    except np.linalg.LinAlgError:
        return 1.0
    return float(special.fdtrc(k, groups - k, t_squared * (groups - k) / (k * (groups - 1))))


def _pooled_trial(design: PooledChoice, n: int) -> _Trial:
    """The first two bots differ by the gap, the others lie between them; the pair of these two is tested."""
    names = [f"bot {number}" for number in range(design.bots)]
    first, second = (np.repeat(codes, n) for codes in np.triu_indices(design.bots, 1))
    people = max(2, math.ceil(n * design.pairs / design.per_annotator))
    spread_out = np.arange(len(first)) % people

    def draw(count: int, gap: float, rng: np.random.Generator) -> Floats:
        strengths = np.zeros(design.bots)
        strengths[:2] = np.array([0.5, -0.5]) * math.log((1 + gap) / (1 - gap))
        lead = strengths[first] - strengths[second]
        return (rng.random(count * design.pairs) < special.expit(lead)).astype(np.float64)

    def p_value(won: Floats, annotators: Ints) -> float:
        fit = pooled_strengths(first, second, won, names, annotators=annotators)
        is_bad = fit.lack_of_fit is not None and fit.lack_of_fit.p_value < 1 - FITS
        if is_bad or fit.annotators < FEWEST_ANNOTATORS or fit.annotators <= design.bots:
            wins = int(won[:n].sum())
            return min(1.0, design.pairs * sign_test(wins, n - wins).p_value)
        return compare_strengths(fit, alpha=design.alpha).pairs[0].p_adjusted

    return _Trial(
        n,
        draw,
        lambda won: p_value(won, spread_out),
        lambda won, codes: p_value(won, codes % n),
        "pooled strengths, all pairs together",
        "pooled strengths clustered by annotator, all pairs together",
        groups=design.pairs,
    )
