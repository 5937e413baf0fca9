"""Is a win rate different from what chance (or a stated standard) would give? The exact binomial test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from duologue.errors import NotEnoughJudgments
from duologue.stats.counts import check_count, check_share
from duologue.stats.rates.binomial_distribution import chance_from, chance_up_to


@dataclass(frozen=True, slots=True)
class SignTest:
    """Wins and losses, the win rate, and how surprising it would be at the null."""

    wins: int
    losses: int
    n: int
    win_rate: float
    p_value: float
    null: float
    method: Literal["exact", "mid-p"]


def sign_test(wins: int, losses: int, *, null: float = 0.5, mid_p: bool = False) -> SignTest:
    """Test whether wins come at the rate ``null``: the exact binomial test, two-sided.

    The p-value is the null probability of all outcomes that are no more likely than the one seen: scipy's
    `binomtest` and R's `binom.test`. It never rejects a true null more often than it says. ``mid_p`` counts
    the outcome seen by half in each tail (twice the smaller tail, at most 1): it rejects about as often as it
    says, sometimes slightly more, and needs some 3 % fewer judgments.

    Assumes that judgments are independent: with several by one annotator, or on one dialogue, read it beside
    `clustered_rate`. Ties are left out before, and reported.

    Args:
        wins: Judgments for the bot.
        losses: Judgments against it.
        null: The win rate under the hypothesis tested; 0.5 is "no difference".
        mid_p: Use the mid-p value.

    Raises:
        NotEnoughJudgments: There is no judgment at all.
        BadNumber: A count is negative or not whole, or ``null`` is not between 0 and 1.

    Example:
        >>> result = sign_test(123, 76)
        >>> round(result.win_rate, 3), round(result.p_value, 5)
        (0.618, 0.00106)
    """
    wins, losses = check_count("wins", wins), check_count("losses", losses)
    null = check_share("null", null)
    n = wins + losses
    if n == 0:
        raise NotEnoughJudgments("A sign test", needed=1, got=0)
    if mid_p:
        return SignTest(wins, losses, n, wins / n, mid_p_value(wins, n, null), null, "mid-p")
    return SignTest(wins, losses, n, wins / n, exact_p_value(wins, n, null), null, "exact")


def exact_p_value(successes: int, n: int, null: float) -> float:
    """The two-sided exact p-value of ``successes`` out of ``n`` at the rate ``null``."""
    if null == 0.5:  # both tails are equally likely, outcome by outcome
        return min(1.0, 2 * float(chance_up_to(min(successes, n - successes), n, 0.5)))
    from scipy.stats import binomtest  # heavy: it would slow the start of every command

    return float(min(binomtest(successes, n, null).pvalue, 1.0))


def mid_p_value(successes: int, n: int, null: float) -> float:
    """Twice the smaller tail, the outcome seen counting by half; at most 1.

    Example:
        >>> mid_p_value(5, 10, 0.5)
        1.0
    """
    upper = chance_from([successes, successes + 1], n, null).sum()
    lower = chance_up_to([successes - 1, successes], n, null).sum()
    return float(min(1.0, upper, lower))
