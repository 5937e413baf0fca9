"""Other ways to score ratings: standardised within each annotator, and one composite of several questions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from duologue.errors import AnalysisError
from duologue.judgments.columns import UNKNOWN, NameColumn
from duologue.judgments.ratings import Ratings

Floats = NDArray[np.float64]

COMPOSITE = "composite"
"""The question that `composite_ratings` adds."""

NO_SPREAD = "no-spread"
"""The rule for ratings that cannot be standardised: one rating, or the same one every time."""


def standardise_ratings(ratings: Ratings) -> Ratings:
    """The ratings as z-scores: how far above the annotator's own mean, in the annotator's own deviations.

    Mean and standard deviation (n - 1) are those of all ratings that the annotator gave and that no rule set
    aside (of all, where every one was), control items too: over all questions together where they have the
    same scale (Ji et al. 2022), otherwise for each question. Ratings of annotators who gave one rating, or
    the same one every time, are excluded by the rule `NO_SPREAD`.

    Raises:
        AnalysisError: The table does not say who gave the ratings.

    Example:
        >>> from duologue.judgments import ratings_from_rows
        >>> rows = [{"bot": bot, "rating": point, "annotator": "ann"} for bot, point in (("A", 5), ("B", 1))]
        >>> standardise_ratings(ratings_from_rows(rows)).points["rating"].round(3).tolist()
        [0.707, -0.707]
    """
    if not ratings.annotator.is_named:
        raise AnalysisError("standardised scores need a column that says which annotator gave each rating.")
    counted = _telling(ratings)
    names = list(ratings.points)
    groups = [names] if _share_scale(ratings) else [[name] for name in names]
    scored: dict[str, Floats] = {}
    for group in groups:
        means, deviations = _of_annotators(ratings, group, counted)
        for name in group:
            scored[name] = (ratings.points[name] - means) / deviations
    lost = np.zeros(len(ratings), dtype=np.bool_)
    for name, z in scored.items():
        lost |= np.isnan(z) & ~np.isnan(ratings.points[name])
    # What cannot be standardised is excluded; a point in its place keeps it among the rated ones.
    points = {name: np.where(lost, 0.0, z) for name, z in scored.items()}
    lost &= ratings.excluded.codes == UNKNOWN
    over = "all questions together" if len(groups) == 1 else "each question, as their scales differ"
    note = f"Ratings are standardised within each annotator (z), over {over}." + (
        f" {int(lost.sum()):,} judgments of annotators without any spread are excluded." if lost.any() else ""
    )
    return replace(
        ratings,
        points={name: np.where(np.isnan(ratings.points[name]), math.nan, points[name]) for name in names},
        scales=dict.fromkeys(names, _ends(np.concatenate([points[name][~lost] for name in names]))),
        excluded=_excluding(ratings.excluded, lost),
        notes=(*ratings.notes, note),
    )


def _telling(ratings: Ratings) -> NDArray[np.bool_]:
    """The ratings that tell how an annotator rates: those not excluded, or all of one who has no others."""
    named = ratings.annotator.codes != UNKNOWN
    kept = named & (ratings.excluded.codes == UNKNOWN)
    has_kept = np.bincount(ratings.annotator.codes[kept], minlength=len(ratings.annotator.names)) > 0
    telling: NDArray[np.bool_] = kept | (named & ~np.append(has_kept, False)[ratings.annotator.codes])
    return telling


def composite_ratings(ratings: Ratings) -> Ratings:
    """The ratings with one question more: the mean of all the others, where all of them were answered.

    Questions on different scales are first brought to 0 to 1. Nothing is turned round: a question on which
    less is better must be reversed before.

    Raises:
        AnalysisError: There is only one question, no row answers all of them, or scales that differ are not
            known.

    Example:
        >>> from duologue.judgments import ratings_from_rows
        >>> rows = [{"bot": "A", "rating_fun": 4, "rating_sense": 2}, {"bot": "A", "rating_fun": 2}]
        >>> rows += [{"bot": "B", "rating_fun": 2, "rating_sense": 4}]
        >>> composite_ratings(ratings_from_rows(rows)).points["composite"].tolist()
        [3.0, nan, 3.0]
    """
    names = [name for name in ratings.points if name != COMPOSITE]
    if len(names) < 2:
        raise AnalysisError("a composite needs at least two questions (columns rating_…), and there is one.")
    together = np.stack([ratings.points[name] for name in names])
    is_shared = _share_scale(ratings)
    if not is_shared:
        _check_told(ratings, names)
        ends = np.array([_scale_of(ratings, name) for name in names], dtype=np.float64)
        together = (together - ends[:, :1]) / (ends[:, 1:] - ends[:, :1])
    composite = together.mean(axis=0)
    answered = ~np.isnan(composite)
    if not answered.any():
        raise AnalysisError(
            "a composite needs rows that answer all questions: one row a judgment, one column a question."
        )
    partly = int((~np.isnan(together)).any(axis=0).sum() - answered.sum())
    note = f"The composite is the mean of {', '.join(names)}" + (
        "" if is_shared else ", each brought to 0 to 1 first"
    )
    note += f"; {partly:,} judgments that leave one out have none." if partly else "."
    scale = _ends(np.array([_scale_of(ratings, name) for name in names])) if is_shared else (0, 1)
    return replace(
        ratings,
        points={**ratings.points, COMPOSITE: composite},
        scales={**ratings.scales, COMPOSITE: scale},
        notes=(*ratings.notes, note),
    )


def _check_told(ratings: Ratings, names: list[str]) -> None:
    untold = [name for name in names if name not in ratings.scales]
    if untold:
        ends = {name: _scale_of(ratings, name) for name in names}
        spans = ", ".join(f"{name} {low} to {high}" for name, (low, high) in ends.items())
        raise AnalysisError(
            f"a composite of questions that span different ranges ({spans}) needs their scales. Give the "
            f'table a column scale_{untold[0]} with cells such as "1 to 5", and so for each question.'
        )


def _share_scale(ratings: Ratings) -> bool:
    """Whether all questions have the same scale: as told, or else as the ratings span it."""
    return len({_scale_of(ratings, name) for name in ratings.points}) == 1


def _scale_of(ratings: Ratings, name: str) -> tuple[int, int]:
    return ratings.scales.get(name) or _ends(ratings.points[name])


def _ends(points: Floats) -> tuple[int, int]:
    given = points[~np.isnan(points)]
    if not len(given):
        return 0, 1
    low = math.floor(given.min())
    return low, max(math.ceil(given.max()), low + 1)


def _of_annotators(ratings: Ratings, names: list[str], counted: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """For each row its annotator's mean and standard deviation; NaN where there is no spread."""
    people = len(ratings.annotator.names)
    given = np.zeros(people)
    total = np.zeros(people)
    for name in names:
        rows = counted & ~np.isnan(ratings.points[name])
        codes = ratings.annotator.codes[rows]
        given += np.bincount(codes, minlength=people)
        total += np.bincount(codes, weights=ratings.points[name][rows], minlength=people)
    means = np.divide(total, given, out=np.full(people, math.nan), where=given > 0)
    squares = np.zeros(people)
    for name in names:
        rows = counted & ~np.isnan(ratings.points[name])
        codes = ratings.annotator.codes[rows]
        squares += np.bincount(
            codes, weights=(ratings.points[name][rows] - means[codes]) ** 2, minlength=people
        )
    deviations = np.sqrt(np.divide(squares, given - 1, out=np.full(people, math.nan), where=given > 1))
    deviations[deviations < 1e-12] = math.nan
    of_row = ratings.annotator.codes
    return np.append(means, math.nan)[of_row], np.append(deviations, math.nan)[of_row]


def _excluding(excluded: NameColumn, rows: NDArray[np.bool_]) -> NameColumn:
    if not rows.any():
        return excluded
    names = (*excluded.names, NO_SPREAD)
    return NameColumn(names, np.where(rows, np.int32(len(names) - 1), excluded.codes).astype(np.int32))
