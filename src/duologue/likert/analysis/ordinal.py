"""The check that does not treat points as numbers, and whether it concludes what the verdicts say."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from scipy import special

from duologue.errors import NotConverged, NotEnoughJudgments
from duologue.likert.analysis.comparing import Scores
from duologue.likert.analysis.results import Accord, OrdinalCheck, OrdinalConclusion, OrdinalStrength
from duologue.likert.analysis.verdicts import RatingComparison
from duologue.protocols import say_list
from duologue.stats import OrdinalRatings, ordinal_difference_p, ordinal_ratings

MOST_POINTS = 20
"""Beyond so many different points a scale is as good as continuous, and the ordinal check is left out."""

_CHECK = "The check that does not treat points as numbers (cumulative logit; it decides nothing)"


def check_ordinal(
    scores: Scores, compared: Sequence[RatingComparison], *, level: float
) -> tuple[OrdinalCheck | None, str]:
    """The cumulative-logit check on the conclusions drawn, or why there is none."""
    if scores.annotator is None:
        return None, "It is not known who gave the ratings."
    if len(np.unique(scores.score)) > MOST_POINTS:
        return None, f"The scale has more than {MOST_POINTS} different points."
    try:
        fit = ordinal_ratings(scores.bot, scores.annotator, scores.score, scores.names, level=level)
    except (NotEnoughJudgments, NotConverged) as error:
        return None, str(error)
    conclusions = tuple(_conclusion(scores, fit, one) for one in compared if one.decision is not None)
    found = [
        OrdinalStrength(bot, float(strength), span.low, span.high)
        for bot, strength, span in zip(fit.names, fit.strengths, fit.intervals, strict=True)
    ]
    return (
        OrdinalCheck(
            bots=tuple(sorted(found, key=lambda one: (-round(one.strength, 9), one.bot))),
            conclusions=conclusions,
            agrees=all(one.accord == "same" for one in conclusions),
            method="cumulative logit with annotator intercepts, Laplace",
            sentence=_sentence(conclusions),
        ),
        "",
    )


def _conclusion(scores: Scores, fit: OrdinalRatings, compared: RatingComparison) -> OrdinalConclusion:
    """By the strengths over their standard error, which is quick; by the likelihood where that finds none."""
    assert compared.decision is not None  # noqa: S101  the caller saw it
    assert scores.annotator is not None  # noqa: S101  there is a fit
    first, second = compared.pair.first, compared.pair.second
    a, b = fit.names.index(first), fit.names.index(second)
    lead = float(fit.strengths[a] - fit.strengths[b])
    spread = fit.covariance
    error = float(np.sqrt(spread[a, a] + spread[b, b] - 2 * spread[a, b]))
    p_value = float(2 * special.ndtr(-abs(lead) / error))
    if compared.better is not None and p_value > 1 - compared.decision.interval.level:
        with suppress(NotConverged):
            p_value = ordinal_difference_p(scores.bot, scores.annotator, scores.score, fit, first, second)
    better = None
    if p_value <= 1 - compared.decision.interval.level:
        better = first if lead > 0 else second
    return OrdinalConclusion(first, second, better, p_value, _accord(compared.better, better))


def _accord(verdict: str | None, here: str | None) -> Accord:
    if verdict == here:
        return "same"
    if verdict is None:
        return "difference only here"
    return "no difference here" if here is None else "opposite"


def _sentence(conclusions: Sequence[OrdinalConclusion]) -> str:
    if not conclusions:
        return f"{_CHECK} has no verdict to be compared with."
    said = [
        f"{claim} {say_list(f'{one.first} and {one.second}' for one in concerned)}"
        for accord, claim in (
            ("opposite", "comes to the opposite of the verdict on"),
            ("no difference here", "finds no difference between"),
            ("difference only here", "finds a difference, where the verdict is none, between"),
        )
        if (concerned := [one for one in conclusions if one.accord == accord])
    ]
    return f"{_CHECK} {'; it '.join(said) if said else 'comes to the same conclusions'}."
