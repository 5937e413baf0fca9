"""Means of ratings compared: Welch's t test for two groups, Student's for pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_numbers, check_share
from duologue.stats.rates.intervals import Interval, student_interval, student_p_value


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """Mean of the first minus mean of the second, its uncertainty, and its size in standard deviations.

    ``effect`` is Hedges' g: the difference over the standard deviation (root mean square of the two groups';
    of the differences for pairs), corrected for small samples.
    """

    estimate: float
    interval: Interval
    standard_error: float
    df: float
    p_value: float
    effect: float
    n: tuple[int, int]
    method: Literal["welch", "paired"]

    def interval_at(self, level: float) -> Interval:
        """The interval at another level of confidence."""
        return student_interval(self.estimate, self.standard_error, self.df, level, self.method)


def welch_test(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> MeanDifference:
    """Compare the means of two independent groups of ratings that may spread differently.

    t = (x̄ − ȳ) / √(s²/n + u²/m) with Welch's (1947) degrees of freedom. Assumes independent ratings, two
    groups of different dialogues, and means that are about normal (a dozen points on a scale will do). When
    annotators rated several dialogues use `clustered_difference`, or `calibrated_ratings` for their leniency;
    when the same items were rated for both, `paired_test`.

    Args:
        first: Ratings of the first bot.
        second: Ratings of the second bot.
        level: Confidence.

    Raises:
        NotEnoughJudgments: A group has fewer than two ratings, or no rating differs from its group's others.
        BadNumber: A rating is not a finite number.

    Example:
        >>> result = welch_test([4, 3, 4, 2, 3], [2, 3, 2, 1])
        >>> round(result.estimate, 2), round(result.p_value, 3), round(result.effect, 2)
        (1.2, 0.069, 1.29)
    """
    ours, theirs = check_numbers("first", first), check_numbers("second", second)
    level = check_share("level", level)
    n, m = len(ours), len(theirs)
    if min(n, m) < 2:
        raise NotEnoughJudgments("Welch's test", needed=2, got=min(n, m), unit="ratings in each group")
    ours_spread, theirs_spread = _spread(ours), _spread(theirs)
    parts = ours_spread / n, theirs_spread / m
    variance = sum(parts)
    if variance == 0:
        raise NotEnoughJudgments("Welch's test", needed=2, got=1, unit="different ratings in a group")
    df = variance**2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (m - 1))
    estimate = float(ours.mean() - theirs.mean())
    effect = estimate / float(np.sqrt((ours_spread + theirs_spread) / 2)) * _small_sample(n + m - 2)
    return _difference(estimate, float(np.sqrt(variance)), df, effect, (n, m), level, "welch")


def paired_test(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> MeanDifference:
    """Compare the means of two bots rated on the same items, or by the same annotators, one pair each.

    Student's t on the differences, n − 1 degrees of freedom. Assumes independent pairs.

    Args:
        first: The first bot's rating in each pair.
        second: The second bot's rating in the same pairs.
        level: Confidence.

    Raises:
        NotEnoughJudgments: There are fewer than two pairs, or all differences are equal.
        BadNumber: A rating is not a finite number, or the two do not have the same length.

    Example:
        >>> result = paired_test([4, 3, 4, 2], [2, 3, 2, 1])
        >>> round(result.estimate, 2), round(result.p_value, 3)
        (1.25, 0.08)
    """
    ours, theirs = check_numbers("first", first), check_numbers("second", second)
    level = check_share("level", level)
    if len(ours) != len(theirs):
        raise BadNumber("second", expected=f"{len(ours)} ratings, as many as the first", got=len(theirs))
    n = len(ours)
    if n < 2:
        raise NotEnoughJudgments("A paired test", needed=2, got=n, unit="pairs of ratings")
    differences = ours - theirs
    spread = float(np.sqrt(_spread(differences)))
    if spread == 0:
        raise NotEnoughJudgments("A paired test", needed=2, got=1, unit="different differences")
    estimate = float(differences.mean())
    effect = estimate / spread * _small_sample(n - 1)
    return _difference(estimate, spread / float(np.sqrt(n)), n - 1, effect, (n, n), level, "paired")


def _spread(values: NDArray[np.float64]) -> float:
    """The variance; exactly zero for numbers that differ by no more than rounding."""
    is_constant = np.ptp(values) <= 1e-12 * np.abs(values).max()
    return 0.0 if is_constant else float(values.var(ddof=1))


def _difference(
    estimate: float,
    error: float,
    df: float,
    effect: float,
    n: tuple[int, int],
    level: float,
    method: Literal["welch", "paired"],
) -> MeanDifference:
    interval = student_interval(estimate, error, df, level, method)
    return MeanDifference(
        estimate, interval, error, df, student_p_value(estimate / error, df), effect, n, method
    )


def _small_sample(df: float) -> float:
    """Hedges' (1981) exact correction for the upward bias of a standardised difference."""
    if df <= 1:
        return 1.0  # the correction does not exist; one pair of differences says little anyway
    log = special.gammaln(df / 2) - special.gammaln((df - 1) / 2) - np.log(df / 2) / 2
    return float(np.exp(log))
