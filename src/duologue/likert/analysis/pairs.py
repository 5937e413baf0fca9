"""Pairs of bots on one question, and what each of them offers as evidence: calibrated, clustered, Welch."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.likert.analysis.comparing import Codes, Scores
from duologue.likert.analysis.results import RatingTest
from duologue.protocols import say_list, say_rating
from duologue.stats import (
    CalibratedContrast,
    CalibratedRatings,
    ClusteredDifference,
    Evidence,
    MeanDifference,
    OpposedTests,
    clustered_difference,
    welch_test,
)

Rows = NDArray[np.bool_]

FEWEST_ANNOTATORS = 3
"""Fewer cannot show how far annotators differ."""


@dataclass(frozen=True, slots=True)
class WeighedPair:
    """Two bots with the tests that their verdict must pass, before any is compared with alpha."""

    first: str
    """The one with the higher mean (calibrated, where it can be)."""
    second: str
    n: tuple[int, int]
    means: tuple[float, float]
    calibrated_means: tuple[float, float] | None
    welch: MeanDifference | None
    calibrated: CalibratedContrast | None
    clustered: ClusteredDifference | None
    clusters: dict[str, int]
    """How many of each kind of which some one occurs twice."""
    tests: tuple[tuple[RatingTest, Evidence], ...]
    """Empty where the ratings can say nothing about the bots."""
    why_none: str = ""
    """Why they cannot."""

    @property
    def difference(self) -> float:
        """Between the means that the verdict is about."""
        first, second = self.calibrated_means or self.means
        return first - second

    @property
    def is_clustered_required(self) -> bool:
        """Whether the verdict must pass the clustered test."""
        return any(name in ("clustered", "opposed") for name, _ in self.tests)


def weigh_pairs(scores: Scores, fit: CalibratedRatings | None) -> tuple[WeighedPair, ...]:
    """What every two bots offer as evidence, the highest means first.

    The calibrated contrast, or Welch's test where nobody rated twice (or nobody is known). The clustered
    difference must be passed too where ratings are correlated in a way that the calibration knows nothing of:
    a dialogue was rated several times; or an annotator rated a bot several times, and the other one too, so
    that a taste for one of them repeats.

    Args:
        scores: The ratings of one question.
        fit: The calibration of all of them, where there is one.
    """
    is_calibrated = fit is not None and scores.someone_rated_twice
    used = fit if is_calibrated else None
    pairs = [_weighed(scores, a, b, used) for a, b in itertools.combinations(range(len(scores.names)), 2)]
    pairs.sort(key=_highest_first)
    return tuple(pairs)


def _highest_first(pair: WeighedPair) -> tuple[float, float, str, str]:
    first, second = pair.calibrated_means or pair.means
    return -round(first, 9), -round(second, 9), pair.first, pair.second


def _weighed(scores: Scores, a: int, b: int, fit: CalibratedRatings | None) -> WeighedPair:
    plain = {bot: float(scores.score[scores.of(bot)].mean()) for bot in (a, b)}
    means = plain if fit is None else {bot: float(fit.means[bot]) for bot in (a, b)}
    if round(means[a], 9) < round(means[b], 9):  # what differs by rounding only stays in the order of names
        a, b = b, a
    ours, theirs = scores.of(a), scores.of(b)
    kinds = _repeated_kinds(scores, ours | theirs)
    why_none = _why_none(scores, a, b)
    welch = _welch(scores, ours, theirs)
    contrast = fit.contrast(a, b) if fit is not None and not why_none else None
    clustered = _clustered(scores, ours, theirs, kinds) if kinds and not why_none else None
    needed = clustered if "dialogue" in kinds or _tastes_repeat(scores, ours, theirs) else None
    return WeighedPair(
        first=scores.names[a],
        second=scores.names[b],
        n=(int(ours.sum()), int(theirs.sum())),
        means=(plain[a], plain[b]),
        calibrated_means=None if fit is None else (means[a], means[b]),
        welch=welch,
        calibrated=contrast,
        clustered=clustered,
        clusters={kind: len(np.unique(codes[ours | theirs])) for kind, codes in kinds.items()},
        tests=() if why_none else _tests(contrast, welch, needed),
        why_none=why_none,
    )


def _tests(
    contrast: CalibratedContrast | None, welch: MeanDifference | None, needed: ClusteredDifference | None
) -> tuple[tuple[RatingTest, Evidence], ...]:
    first: CalibratedContrast | MeanDifference | None = contrast or welch
    assert first is not None  # noqa: S101  a pair that can be tested has two ratings of each bot
    name: RatingTest = "welch" if contrast is None else "calibrated"
    if needed is None:
        return ((name, first),)
    if first.estimate * needed.estimate < 0:
        return (("opposed", OpposedTests((first, needed))),)
    return (name, first), ("clustered", needed)


def _repeated_kinds(scores: Scores, rows: Rows) -> dict[str, Codes]:
    """What ratings of these rows may be correlated by: annotators and dialogues that occur twice in them."""
    known = {"annotator": scores.annotator, "dialogue": scores.dialogue}
    n = int(rows.sum())
    return {
        kind: codes for kind, codes in known.items() if codes is not None and len(np.unique(codes[rows])) < n
    }


def _tastes_repeat(scores: Scores, ours: Rows, theirs: Rows) -> bool:
    """Whether somebody who rated both bots rated one of them several times."""
    if scores.annotator is None:
        return False
    people = int(scores.annotator.max()) + 1
    of_first = np.bincount(scores.annotator[ours], minlength=people)
    of_second = np.bincount(scores.annotator[theirs], minlength=people)
    return bool(((of_first > 0) & (of_second > 0) & (of_first + of_second > 2)).any())


def _welch(scores: Scores, ours: Rows, theirs: Rows) -> MeanDifference | None:
    try:
        return welch_test(scores.score[ours], scores.score[theirs])
    except NotEnoughJudgments:
        return None


def _clustered(scores: Scores, ours: Rows, theirs: Rows, kinds: dict[str, Codes]) -> ClusteredDifference:
    return clustered_difference(
        scores.score[ours],
        scores.score[theirs],
        [codes[ours] for codes in kinds.values()],
        [codes[theirs] for codes in kinds.values()],
    )


def _why_none(scores: Scores, a: int, b: int) -> str:
    """Why the ratings of two bots can say nothing about them; empty where they can."""
    reason = next(_reasons(scores, a, b), "")
    return f"No verdict on {scores.names[a]} and {scores.names[b]}: {reason}." if reason else ""


def _reasons(scores: Scores, a: int, b: int) -> Iterator[str]:
    names, rows = (scores.names[a], scores.names[b]), (scores.of(a), scores.of(b))
    counts = [int(own.sum()) for own in rows]
    for name, count in zip(names, counts, strict=True):
        if count < 2:
            yield f"{name} has one rating only"
    people = 0 if scores.annotator is None else len(np.unique(scores.annotator[rows[0] | rows[1]]))
    if people == 1:
        yield f"all {sum(counts):,} ratings are by one annotator, and hold for this annotator only"
    for kind, by, codes in (
        ("annotator", "by", scores.annotator),
        ("dialogue", "of", scores.dialogue),
    ):
        for name, own, count in zip(names, rows, counts, strict=True):
            if codes is not None and len(np.unique(codes[own])) == 1:
                yield f"all {count:,} ratings of {name} are {by} one {kind}, and hold for this {kind} only"
    if 0 < people < FEWEST_ANNOTATORS:
        yield f"{people} annotators rated them, and at least {FEWEST_ANNOTATORS} are needed"
    if all(np.ptp(scores.score[own]) == 0 for own in rows):
        means = say_list(say_rating(float(scores.score[own].mean())) for own in rows)
        yield f"all ratings of each are alike ({means}), so their spread cannot be estimated"
