"""Verdicts on ratings, each in one sentence: every claim with its p-value, interval and n."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from duologue.errors import DesignError
from duologue.likert.analysis.pairs import WeighedPair
from duologue.likert.analysis.results import (
    CalibratedGap,
    ClusteredGap,
    RatingPair,
    RatingTest,
    RatingVerdict,
)
from duologue.protocols import (
    TOPPING_UP,
    say_level,
    say_list,
    say_p,
    say_percent,
    say_rating,
    say_rating_span,
)
from duologue.stats import (
    CalibratedContrast,
    ClusteredDifference,
    Decision,
    Evidence,
    MeanDifference,
    decide_together,
    equivalent_estimate,
    holm,
    ratings_for_difference,
)


@dataclass(frozen=True, slots=True)
class RatingRule:
    """How a verdict is reached: decided before the ratings are looked at."""

    alpha: float
    gap: float | None
    """The difference between two mean ratings that the study is planned to show, in points; None when no
    plan is known."""
    power: float


@dataclass(frozen=True, slots=True)
class RatingComparison:
    """A pair after the rule was applied to it, before it is put in words."""

    pair: WeighedPair
    decision: Decision | None
    """None where the ratings can say nothing about the bots."""
    family: int
    equivalence_p: float | None
    """That the difference is smaller than the planned one, Holm-adjusted."""

    @property
    def better(self) -> str | None:
        """The bot rated higher; None when no difference is detected."""
        if self.decision is None or not self.decision.is_different:
            return None
        return self.pair.first if self.decision.interval.low > 0 else self.pair.second

    @property
    def decided_by(self) -> RatingTest | None:
        """The test with the larger p-value."""
        return None if self.decision is None else _deciding(self.pair)[0]

    @property
    def is_about_plain_means(self) -> bool:
        """Whether the test that decides is one of the plain means, leniency of annotators included."""
        return self.pair.calibrated_means is None or self.decided_by == "clustered"

    @property
    def means(self) -> tuple[float, float]:
        """The means whose difference the verdict is about."""
        return self.pair.means if self.is_about_plain_means else self.pair.calibrated_means or self.pair.means

    @property
    def difference(self) -> float:
        """Between them: p-value, estimate and interval are of one and the same difference."""
        return self.means[0] - self.means[1]


def compare_ratings(
    questions: Sequence[Sequence[WeighedPair]], rule: RatingRule, *, unrated: int = 0
) -> tuple[tuple[RatingComparison, ...], ...]:
    """Decide the pairs of all questions of one family by one rule.

    The p-value of a pair is the largest of the tests that it must pass (see `weigh_pairs`), and the estimate
    and interval are those of that test; Holm over all pairs of the family, those without ratings included:
    they were planned.

    Args:
        questions: The pairs of each question.
        rule: What was decided beforehand.
        unrated: Planned pairs of which a bot has no ratings yet.
    """
    pairs = [pair for question in questions for pair in question]
    family = len(pairs) + unrated
    decisions = decide_together(
        [[_deciding(pair)[1]] if pair.tests else [] for pair in pairs],
        alpha=rule.alpha,
        family=family,
        null=0.0,
    )
    equivalences = _equivalences(pairs, rule)
    found = iter(
        RatingComparison(pair, decision, family, p if decision is not None else None)
        for pair, decision, p in zip(pairs, decisions, equivalences, strict=True)
    )
    return tuple(tuple(next(found) for _ in question) for question in questions)


def _deciding(pair: WeighedPair) -> tuple[RatingTest, Evidence]:
    """The test with the largest p-value."""
    return max(pair.tests, key=lambda one: one[1].p_value)


def _equivalences(pairs: Sequence[WeighedPair], rule: RatingRule) -> list[float | None]:
    """That each difference is smaller than the planned one: the same standard errors, Holm-adjusted."""
    if rule.gap is None:
        return [None] * len(pairs)
    alone = [
        max(
            (
                equivalent_estimate(one.estimate, one.standard_error, margin=rule.gap, df=one.df).p_value
                for one in _estimates(pair)
            ),
            default=1.0,
        )
        for pair in pairs
    ]
    return [float(p) for p in holm(alone)] if alone else []


def _estimates(pair: WeighedPair) -> list[CalibratedContrast | ClusteredDifference | MeanDifference]:
    """The estimates that the verdict rests on, each with its standard error."""
    if not pair.tests:
        return []
    first = pair.calibrated or pair.welch
    found: list[CalibratedContrast | ClusteredDifference | MeanDifference] = [first] if first else []
    if pair.is_clustered_required and pair.clustered is not None:
        found.append(pair.clustered)
    return found


def pair_result(compared: RatingComparison, rule: RatingRule) -> RatingPair:
    """A pair with all its numbers and its verdict."""
    pair, decision = compared.pair, compared.decision
    return RatingPair(
        first=pair.first,
        second=pair.second,
        n=pair.n,
        means=pair.means,
        calibrated_means=pair.calibrated_means,
        difference=compared.difference,
        interval=decision.interval if decision else None,
        interval_unadjusted=decision.unadjusted if decision else None,
        p_value=decision.p_value if decision else None,
        p_adjusted=decision.p_adjusted if decision else None,
        decided_by=compared.decided_by,
        family=compared.family,
        p_welch=pair.welch.p_value if pair.welch else None,
        effect=pair.welch.effect if pair.welch else None,
        clustered=_clustered_gap(pair, rule),
        calibrated=_calibrated_gap(pair, rule),
        verdict=verdict_on(compared, rule),
    )


def _clustered_gap(pair: WeighedPair, rule: RatingRule) -> ClusteredGap | None:
    found = pair.clustered
    if found is None:
        return None
    return ClusteredGap(
        difference=found.estimate,
        interval=found.interval_at(1 - rule.alpha),
        p_value=found.p_value,
        clusters=pair.clusters,
        df=found.df,
        method=found.method,
        is_required=pair.is_clustered_required,
    )


def _calibrated_gap(pair: WeighedPair, rule: RatingRule) -> CalibratedGap | None:
    found = pair.calibrated
    if found is None:
        return None
    return CalibratedGap(
        difference=found.estimate,
        interval=found.interval_at(1 - rule.alpha),
        standard_error=found.standard_error,
        p_value=found.p_value,
        df=found.df,
        annotators=found.annotators,
        first_is_better=1 - found.p_value / 2 if found.estimate > 0 else found.p_value / 2,
    )


def verdict_on(compared: RatingComparison, rule: RatingRule) -> RatingVerdict:
    """What a pair says, in one sentence."""
    pair = compared.pair
    if compared.decision is None:
        return RatingVerdict(pair.why_none, None, why_none=pair.why_none)
    evidence = _evidence(compared, compared.decision)
    better = compared.better
    if better is not None:
        other = pair.second if better == pair.first else pair.first
        return RatingVerdict(
            f"{better} is rated higher than {other} ({evidence}).",
            better,
            equivalence_p=compared.equivalence_p,
        )
    who = f"{pair.first} and {pair.second}"
    if rule.gap is not None and compared.equivalence_p is not None and compared.equivalence_p <= rule.alpha:
        return RatingVerdict(
            f"No difference worth finding between {who}: one of {say_rating(rule.gap)} points or more is "
            f"excluded (equivalence test, {say_p(compared.equivalence_p)}; {evidence}).",
            None,
            is_equivalent=True,
            equivalence_p=compared.equivalence_p,
        )
    more = ratings_missing(compared, rule)
    return RatingVerdict(
        f"No difference detected between {who} ({evidence}){_what_more(rule, more)}.",
        None,
        more_per_bot=more,
        equivalence_p=compared.equivalence_p,
    )


def _evidence(compared: RatingComparison, decision: Decision) -> str:
    pair = compared.pair
    adjusted = f", Holm-adjusted {say_p(decision.p_adjusted)}" if compared.family > 1 else ""
    first, second = compared.means
    what = "means" if pair.calibrated_means is None else "calibrated means"
    if pair.calibrated_means is not None and compared.is_about_plain_means:
        what = "plain means"
    span = say_rating_span(decision.interval.low, decision.interval.high)
    n = f"n = {pair.n[0]:,} each" if pair.n[0] == pair.n[1] else f"n = {pair.n[0]:,} and {pair.n[1]:,}"
    return (
        f"{say_p(decision.p_value)}{_by(compared)}{adjusted}, {what} {say_rating(first)} and "
        f"{say_rating(second)}, difference {say_rating(compared.difference)}, "
        f"{say_level(decision.interval.level)} interval {span}, {n}"
    )


def _by(compared: RatingComparison) -> str:
    match compared.decided_by:
        case "clustered":
            return f" clustered by {say_list(compared.pair.clusters)}"
        case "opposed":
            return ", as the calibrated and the plain difference point in opposite directions"
        case "welch":
            return " by Welch's test"
    return " by the calibrated contrast" if compared.pair.is_clustered_required else ""


def ratings_missing(compared: RatingComparison, rule: RatingRule) -> int | None:
    """Ratings of each bot still to collect to show the planned difference; None without a plan.

    The standard error of the deciding estimate is taken to fall with the square root of the number of
    ratings, so that pairing, leniency and clusters stay as they are: further ratings come from annotators,
    and on dialogues, as those so far. Sized for the strictest step of Holm's procedure.
    """
    if rule.gap is None:
        return None
    errors = [one.standard_error for one in _estimates(compared.pair)]
    first, second = compared.pair.n
    each = 2 / (1 / first + 1 / second)
    spread = max(errors) * math.sqrt(each / 2)
    needed = _needed(rule.gap, float(f"{spread:.3g}"), rule.alpha / compared.family, rule.power)
    return None if needed is None else max(0, math.ceil(needed - each))


@lru_cache(maxsize=4096)
def _needed(gap: float, sd: float, alpha: float, power: float) -> int | None:
    try:
        return ratings_for_difference(gap, sd=sd, alpha=alpha, power=power).judgments
    except DesignError:  # more than anybody collects
        return None


def _what_more(rule: RatingRule, more: int | None) -> str:
    if rule.gap is None or not more:
        return ""
    power = f"with {say_percent(rule.power, 0)} power"
    return (
        f"; about {more:,} more ratings of each bot are needed for a difference of {say_rating(rule.gap)} "
        f"points {power}, by annotators and on dialogues as so far, and {TOPPING_UP}"
    )
