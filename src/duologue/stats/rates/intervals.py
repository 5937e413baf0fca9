"""Confidence intervals for one rate: Wilson, Clopper–Pearson, normal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_count, check_share

BROWN_ET_AL_MINIMUM = 5
"""Successes and failures each must number this many before a normal interval is to be believed."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From where to where a quantity may lie, at which confidence, and by which method.

    ``is_reliable`` is False only where a rule of thumb says the method is poor for these counts. ``is_cut``
    says that it would reach over the value of no difference, and ends there because a difference was decided.
    """

    low: float
    high: float
    level: float
    method: str
    is_reliable: bool = True
    is_cut: bool = False

    @property
    def limits(self) -> tuple[float, float]:
        """Both ends."""
        return self.low, self.high

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def wilson_interval(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """The score interval of Wilson (1927) for a rate: our default.

    All rates p for which (k/n − p)² ≤ z² p(1−p)/n. Assumes independent judgments; for judgments that share
    annotators or dialogues use `clustered_rate`. Coverage is close to the level on average, and may be
    below it for single rates near 0 or 1; `clopper_pearson_interval` is never below.

    Args:
        successes: How often it came out this way.
        n: Out of how many.
        level: Confidence.

    Raises:
        NotEnoughJudgments: ``n`` is 0.
        BadNumber: The counts or the level cannot be.

    Example:
        >>> interval = wilson_interval(111, 128)
        >>> round(interval.low, 4), round(interval.high, 4)
        (0.7976, 0.9154)
    """
    successes, n, level = _check("A Wilson interval", successes, n, level)
    z = normal_quantile(level)
    rate = successes / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else float(centre - half)  # exact at the ends, where rounding would show
    high = 1.0 if successes == n else float(centre + half)
    return Interval(low, high, level, "wilson")


def clopper_pearson_interval(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """The exact interval of Clopper and Pearson (1934) for a rate: never below its level, often wider.

    The rates that two one-sided exact binomial tests at (1 − level)/2 do not reject. Assumes independent
    judgments.

    Args:
        successes: How often it came out this way.
        n: Out of how many.
        level: Confidence.

    Raises:
        NotEnoughJudgments: ``n`` is 0.
        BadNumber: The counts or the level cannot be.

    Example:
        >>> interval = clopper_pearson_interval(0, 10)
        >>> interval.low, round(interval.high, 4)
        (0.0, 0.3085)
    """
    successes, n, level = _check("A Clopper–Pearson interval", successes, n, level)
    low, high = exact_limits(successes, n, level)
    return Interval(low, high, level, "clopper-pearson")


def normal_interval(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """The normal (Wald) interval k/n ± z √(p(1−p)/n): to compare with papers that print it.

    It is not cut off at 0 and 1, because papers do not. ``is_reliable`` is False where fewer than five
    successes or failures were seen: the rule of thumb discussed by Brown, Cai and DasGupta (2001), by which
    Lowe et al. (2016, Table 2) star their results. Do not use it for your own: Wilson's is better everywhere.

    Args:
        successes: How often it came out this way.
        n: Out of how many.
        level: Confidence.

    Raises:
        NotEnoughJudgments: ``n`` is 0.
        BadNumber: The counts or the level cannot be.

    Example:
        >>> interval = normal_interval(52, 100)
        >>> round(100 * (interval.high - interval.low) / 2, 2), interval.is_reliable
        (9.79, True)
        >>> normal_interval(98, 100).is_reliable
        False
    """
    successes, n, level = _check("A normal interval", successes, n, level)
    rate = successes / n
    half = float(normal_quantile(level) * np.sqrt(rate * (1 - rate) / n))
    is_reliable = min(successes, n - successes) >= BROWN_ET_AL_MINIMUM
    return Interval(rate - half, rate + half, level, "normal", is_reliable)


def normal_quantile(level: float) -> float:
    """The z with ``level`` of the standard normal between −z and z.

    Example:
        >>> round(normal_quantile(0.95), 4)
        1.96
    """
    return float(-special.ndtri((1 - level) / 2))


def student_quantile(level: float, df: float) -> float:
    """The t with ``level`` of Student's distribution on ``df`` degrees of freedom between −t and t.

    Example:
        >>> round(student_quantile(0.95, 19), 3)
        2.093
    """
    return float(-special.stdtrit(df, (1 - level) / 2))


def student_p_value(t: float, df: float) -> float:
    """How often Student's t is at least this far from zero, on either side.

    Example:
        >>> round(student_p_value(-2.093, 19), 3)
        0.05
    """
    return float(2 * special.stdtr(df, -abs(t)))


def student_interval(
    estimate: float, standard_error: float, df: float, level: float, method: str
) -> Interval:
    """An estimate and Student's t times its standard error on either side.

    Example:
        >>> interval = student_interval(0.5, 0.2, 19, 0.95, "t")
        >>> round(interval.low, 3), round(interval.high, 3)
        (0.081, 0.919)
    """
    half = student_quantile(level, df) * standard_error
    return Interval(estimate - half, estimate + half, level, method)


def exact_limits(successes: float, n: float, level: float) -> tuple[float, float]:
    """The limits of Clopper and Pearson, from the beta distribution; fractions of a success are allowed."""
    tail = (1 - level) / 2
    low = 0.0 if successes <= 0 else float(special.betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes >= n else float(special.betainccinv(successes + 1, n - successes, tail))
    return low, high


def _check(method: str, successes: int, n: int, level: float) -> tuple[int, int, float]:
    successes, n = check_count("successes", successes), check_count("n", n)
    if n == 0:
        raise NotEnoughJudgments(method, needed=1, got=0)
    if successes > n:
        raise BadNumber("successes", expected=f"at most n = {n}", got=successes)
    return successes, n, check_share("level", level)
