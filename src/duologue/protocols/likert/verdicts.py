"""Verdicts on ratings in words: every claim with its numbers, and never a bare star."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.protocols.likert.results import ClusteredGap, RatingVerdict
from duologue.protocols.saying import say_p, say_rating, say_rating_span
from duologue.stats import Interval, ratings_for_difference

POWER = 0.80
"""With what chance the observed difference should be found, for the number of ratings still missing."""

SMALLEST_EFFECT = 0.05
"""Nobody collects ratings for a smaller difference, in standard deviations: it takes over 6,000 a bot."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two bots on one question, before it is put in words; ``first`` has the higher mean."""

    first: str
    second: str
    n: tuple[int, int]
    means: tuple[float, float]
    sd: float
    """Of one rating: the root mean square of the two bots'."""
    interval: Interval | None
    p_value: float | None
    p_adjusted: float | None
    effect: float | None
    clustered: ClusteredGap | None

    @property
    def difference(self) -> float:
        """Mean of the first minus mean of the second."""
        return self.means[0] - self.means[1]

    def better(self, alpha: float) -> str | None:
        """The bot rated higher by Welch's test, Holm-adjusted; None when no difference is detected."""
        return self.first if self.p_adjusted is not None and self.p_adjusted <= alpha else None


def verdict_on(compared: Compared, *, alpha: float, family: int) -> RatingVerdict:
    """What a pair says.

    It rests on Welch's test, Holm-adjusted over the pairs of the question. When the clustered test comes out
    differently, the same sentence says so.

    Args:
        compared: The pair.
        alpha: The error rate that the pairs of a question share.
        family: How many pairs those are.
    """
    if compared.p_value is None or compared.p_adjusted is None or compared.interval is None:
        return RatingVerdict(_untested(compared), None)
    better = compared.better(alpha)
    agrees = _clustered_agrees(compared, alpha)
    evidence = _evidence(compared, compared.interval, compared.p_value, compared.p_adjusted, family)
    if better is not None:
        caveat = "" if agrees is not False else _caveat(compared, "this does not hold up")
        return RatingVerdict(
            f"{better} is rated higher than {compared.second} ({evidence}){caveat}.", better, agrees
        )
    more = _more_per_bot(compared, alpha / family)
    caveat = "" if agrees is not False else _caveat(compared, "there is a difference")
    return RatingVerdict(
        f"No difference detected between {compared.first} and {compared.second} ({evidence}); "
        f"{_what_more(compared, more)}{caveat}.",
        None,
        agrees,
        more,
    )


def _untested(compared: Compared) -> str:
    who = f"{compared.first} and {compared.second}"
    if min(compared.n) < 2:
        fewest = min(compared.n)
        return f"{who} cannot be compared: one of them has {fewest} rating{'s' * (fewest != 1)}."
    return (
        f"{who} cannot be tested: all ratings of each are alike "
        f"({say_rating(compared.means[0])} and {say_rating(compared.means[1])})."
    )


def _evidence(compared: Compared, interval: Interval, p: float, adjusted: float, family: int) -> str:
    holm = f", Holm-adjusted over {family} pairs {say_p(adjusted)}" if family > 1 else ""
    first, second = compared.n
    n = f"n = {first:,} each" if first == second else f"n = {first:,} and {second:,}"
    gap = f"{say_rating(compared.difference)} {say_rating_span(interval.low, interval.high)}"
    return (
        f"{say_rating(compared.means[0])} against {say_rating(compared.means[1])}, difference {gap}, "
        f"{say_p(p)}{holm}, {n}"
    )


def _clustered_agrees(compared: Compared, alpha: float) -> bool | None:
    if compared.clustered is None:
        return None
    return (compared.clustered.p_adjusted <= alpha) == (compared.better(alpha) is not None)


def _caveat(compared: Compared, claim: str) -> str:
    assert compared.clustered is not None  # noqa: S101  the caller saw that it disagrees
    found = compared.clustered
    return (
        f"; but {claim} when ratings by the same annotator are taken to hang together "
        f"(clustered {say_p(found.p_value)}, adjusted {say_p(found.p_adjusted)}, "
        f"{say_rating_span(found.interval.low, found.interval.high)})"
    )


def _more_per_bot(compared: Compared, alpha: float) -> int | None:
    """Ratings of each bot still missing for the observed difference; None when it is too small for that."""
    if compared.difference < SMALLEST_EFFECT * compared.sd:
        return None
    needed = ratings_for_difference(compared.difference, sd=compared.sd, alpha=alpha, power=POWER).judgments
    return max(1, needed - min(compared.n))


def _what_more(compared: Compared, more: int | None) -> str:
    gap = f"{say_rating(compared.difference)} points"
    if more is None:
        return f"the observed difference of {gap} is too small to plan for"
    power = f"with {POWER:.0%} power".replace("%", " %")
    return f"about {more:,} more ratings of each bot would show a difference of {gap} {power}"
