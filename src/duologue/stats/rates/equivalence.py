"""When "no difference" is a finding: tests that a difference is smaller than a stated margin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_count, check_positive, check_share
from duologue.stats.rates.binomial_distribution import chance_from, chance_up_to
from duologue.stats.rates.intervals import Interval, exact_limits, normal_quantile, student_quantile


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether a quantity lies within ``margin`` of ``null``.

    ``p_value`` is the larger of the two one-sided ones; ``is_equivalent`` says that it is at most alpha,
    which is the same as ``interval`` (of confidence 1 − 2 alpha) lying inside the margin.
    """

    estimate: float
    null: float
    margin: float
    p_value: float
    is_equivalent: bool
    interval: Interval
    alpha: float
    method: str


def equivalent_rate(
    wins: int, losses: int, *, margin: float, null: float = 0.5, alpha: float = 0.05
) -> Equivalence:
    """Show that a win rate lies within ``margin`` of the null: two exact one-sided binomial tests.

    A large p-value of `sign_test` is no proof of equality; this is (Schuirmann 1987). A margin of 0.05 about
    one half means a gap of less than 0.10 between the two bots. Decide the margin before looking. Assumes
    independent judgments; with clusters use `equivalent_estimate` on a `clustered_rate`.

    Args:
        wins: Judgments for the bot.
        losses: Judgments against it.
        margin: The largest distance from the null that does not matter.
        null: The rate that means "the same".
        alpha: Chance of declaring bots equivalent whose rate is just a margin away.

    Raises:
        NotEnoughJudgments: There is no judgment.
        BadNumber: A count cannot be, or the margin reaches 0 or 1.

    Example:
        >>> result = equivalent_rate(505, 495, margin=0.05)
        >>> result.is_equivalent, round(result.p_value, 4)
        (True, 0.0024)
    """
    wins, losses = check_count("wins", wins), check_count("losses", losses)
    margin, null, alpha = check_positive("margin", margin), check_share("null", null), _alpha(alpha)
    if not 0 < null - margin < null + margin < 1:
        raise BadNumber(
            "margin", expected=f"a margin that keeps {null:g} ± margin between 0 and 1", got=margin
        )
    n = wins + losses
    if n == 0:
        raise NotEnoughJudgments("An equivalence test", needed=1, got=0)
    too_low, too_high = chance_from(wins, n, null - margin), chance_up_to(wins, n, null + margin)
    p_value = float(max(too_low, too_high))
    level = 1 - 2 * alpha
    return Equivalence(
        estimate=wins / n,
        null=null,
        margin=margin,
        p_value=p_value,
        is_equivalent=p_value <= alpha,
        interval=Interval(*exact_limits(wins, n, level), level, "clopper-pearson"),
        alpha=alpha,
        method="two exact one-sided tests",
    )


def equivalent_estimate(
    estimate: float,
    standard_error: float,
    *,
    margin: float,
    df: float = np.inf,
    null: float = 0.0,
    alpha: float = 0.05,
) -> Equivalence:
    """Show that anything estimated lies within ``margin`` of the null: two one-sided t tests.

    For a `clustered_rate` give its ``estimate``, ``standard_error``, ``df`` and the null 0.5; for a
    difference of means its own ``df``; for one of strengths leave ``df`` out.

    Args:
        estimate: The estimate.
        standard_error: Its standard error, above 0.
        margin: The largest distance from the null that does not matter.
        df: Degrees of freedom of the standard error; infinite for a normal estimate.
        null: The value that means "the same".
        alpha: Chance of declaring equivalence when the truth is just a margin away.

    Raises:
        BadNumber: A number cannot be what its name says.

    Example:
        >>> equivalent_estimate(0.01, 0.02, margin=0.05, df=30).is_equivalent
        True
    """
    margin, alpha = check_positive("margin", margin), _alpha(alpha)
    error = check_positive("standard_error", standard_error)
    if not np.isfinite(estimate) or not np.isfinite(null):
        raise BadNumber("estimate", expected="finite numbers for estimate and null", got=(estimate, null))
    if not df > 0:
        raise BadNumber("df", expected="a number above 0", got=df)
    t = (margin - abs(estimate - null)) / error
    p_value = float(special.ndtr(-t) if np.isinf(df) else special.stdtr(df, -t))
    level = 1 - 2 * alpha
    half = error * (normal_quantile(level) if np.isinf(df) else student_quantile(level, df))
    return Equivalence(
        estimate=estimate,
        null=null,
        margin=margin,
        p_value=p_value,
        is_equivalent=p_value <= alpha,
        interval=Interval(estimate - half, estimate + half, level, "t"),
        alpha=alpha,
        method="two one-sided t tests",
    )


def _alpha(alpha: float) -> float:
    if not 0 < alpha < 0.5:
        raise BadNumber("alpha", expected="a number between 0 and one half", got=alpha)
    return alpha
