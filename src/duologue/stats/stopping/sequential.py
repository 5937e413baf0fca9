"""Stopping a comparison of two bots as soon as the verdict is safe: the mixture SPRT with futility.

The evidence is an e-value: the average of two likelihood ratios, one for each bot being better by the gap
of interest, against equal bots. Between equal bots its expectation is 1 at *any* stopping time, so the
chance that it ever reaches 1/alpha is at most alpha (Ville's inequality) however often one looks. Stopping
for futility can only lower that chance, so it may be overruled ("non-binding").
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import require_open_probability
from duologue.stats.rates.binomial_distribution import Floats, Ints
from duologue.stats.stopping.rules import StoppingRule, no_rule, operating_characteristics

FUTILITY = 3.5
"""Stop when equal bots explain the judgments this many times better than a gap either way: what finds the
gap with 80 % power (docs/stopping-early.md). It may be overruled."""

Decision = Literal["first-better", "second-better", "futile", "undecided", "continue"]


@dataclass(frozen=True, slots=True)
class SequentialPlan:
    """A mixture SPRT as it should be planned beforehand: all that the decision depends on."""

    gap: float
    """The gap it looks for, either way; a smaller one may be called futile."""
    alpha: float
    futility: float | None
    """Likelihood ratio for stopping without a verdict; None goes on to the last judgment."""
    most: int
    """The study ends here in any case."""
    bet: float | None = None
    """What is staked on each outcome where outcomes are means of clusters; the gap where it is None."""

    @property
    def stake(self) -> float:
        """What is staked on each outcome."""
        return self.gap if self.bet is None else self.bet


@dataclass(frozen=True, slots=True)
class SequentialVerdict:
    """Whether to stop, what may be said, and the evidence for it."""

    decision: Decision
    judgments: int
    decided_at: int | None
    """The judgment at which the evidence first sufficed; later ones cannot take the verdict back."""
    e_value: float
    """Evidence now, against equal bots; 1/alpha is needed."""
    needed: float
    p_value: float
    """Valid at any stopping time: 1 over the largest e-value so far."""
    estimate: float
    low: float
    high: float
    """Confidence sequence for the first bot's win rate: valid at any stopping time."""
    plan: SequentialPlan

    @property
    def is_over(self) -> bool:
        """Whether to stop collecting judgments."""
        return self.decision != "continue"

    @property
    def why(self) -> str:
        """The decision and its reason in one sentence.

        Example:
            >>> sequential_test([1] * 70 + [0] * 30, SequentialPlan(0.2, 0.05, 3.5, 600)).why
            'Stop: the first bot is better (evidence reached 20 after 21 judgments).'
        """
        needed = f"{self.needed:.3g}"
        if self.decision in ("first-better", "second-better"):
            bot, at = self.decision.removesuffix("-better"), self.decided_at
            return f"Stop: the {bot} bot is better (evidence reached {needed} after {at} judgments)."
        if self.decision == "futile":
            return (
                f"Stop: after {self.judgments} judgments no gap explains them at least "
                f"{self.plan.futility:g} times better than a gap of {self.plan.gap:g} either way."
            )
        if self.decision == "undecided":
            return f"Stop: the planned maximum of {self.plan.most} judgments is reached without a verdict."
        return (
            f"Go on: the evidence is {self.e_value:.3g} and {needed} is needed "
            f"({self.judgments} of at most {self.plan.most} judgments)."
        )


def plan_sequential(
    gap: float, *, alpha: float = 0.05, power: float = 0.80, most: int | None = None
) -> SequentialPlan:
    """The mixture SPRT that finds ``gap`` with the power asked for, stopping for futility when it may.

    The futility ratio is the smallest in steps of one half at which the exact power suffices (3.5 at the
    usual 80 %); ``most`` is three times the number a fixed design would need unless it is given.

    Raises:
        DesignError: No futility ratio reaches the power within ``most`` judgments.

    Example:
        >>> plan_sequential(0.2, most=600)
        SequentialPlan(gap=0.2, alpha=0.05, futility=3.5, most=600, bet=None)
    """
    _require_gap(gap)
    require_open_probability(alpha, "alpha")
    require_open_probability(power, "power")
    spread = special.ndtri(1 - alpha / 2) + special.ndtri(power)
    limit = most if most is not None else 3 * math.ceil((spread / gap) ** 2 + 1)

    def suffices(doubled: int) -> bool:
        plan = SequentialPlan(gap=gap, alpha=alpha, futility=doubled / 2, most=limit)
        return operating_characteristics(stopping_rule(plan), [(1 + gap) / 2])[0].first_better >= power

    low, high = 2, 201  # halves; waiting longer never lowers the power
    if not suffices(high):
        raise DesignError(
            f"within {limit} judgments a sequential test does not find a gap of {gap:g} with a power of "
            f"{power:g}. Allow more judgments, or plan a larger gap."
        )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return SequentialPlan(gap=gap, alpha=alpha, futility=high / 2, most=limit)


def stopping_rule(plan: SequentialPlan) -> StoppingRule:
    """The numbers of wins at which a mixture SPRT stops, for every number of judgments.

    Example:
        >>> rule = stopping_rule(SequentialPlan(gap=0.2, alpha=0.05, futility=None, most=200))
        >>> rule.first_from[[50, 100, 200]].tolist()
        [37, 65, 120]
    """
    _require(plan)
    rule = no_rule(plan.most)
    n = np.arange(plan.most + 1)
    win, lose = math.log1p(plan.gap), _log(1 - plan.gap)
    if math.isinf(lose):
        wins = np.where(n >= math.log(2 / plan.alpha) / win, n, n + 1)
    else:
        # The other half of the mixture adds a little: start at one half alone, and walk down.
        wins = np.ceil((math.log(2 / plan.alpha) - n * lose) / (win - lose)).astype(np.int64)
        wins = np.minimum(wins, n + 1)
        while (more := (2 * (wins - 1) > n) & (_log_e(wins - 1, n, plan.gap) >= -math.log(plan.alpha))).any():
            wins = wins - more
    rule.first_from[:], rule.second_upto[:] = wins, n - wins
    if plan.futility is not None:
        # With a gap of 1 a single win of each bot rules a gap out.
        upto = n - 1 if math.isinf(lose) else np.floor((-math.log(plan.futility) - n * lose) / (win - lose))
        rule.futile_from[:], rule.futile_upto[:] = n - upto, upto
    return rule


def sequential_power(
    judgments: int, gap: float, *, alpha: float = 0.05, futility: float | None = FUTILITY
) -> float:
    """How often the mixture SPRT finds a gap within so many independent judgments (exact).

    Less often than the test for a fixed number finds it in as many: that is what looking at any time costs.
    Judgments in clusters are worth at least as many independent ones as their design effect says, where every
    cluster is bet on as `cluster_bet` says: the power is then a lower bound.

    Args:
        judgments: Where the study ends in any case.
        gap: That is there, and that the test was made for.
        alpha: Chance of a false verdict.
        futility: The ratio at which it stops for futility; None where nobody does.

    Raises:
        DesignError: Gap, alpha or futility are impossible.

    Example:
        >>> round(sequential_power(210, 0.2), 2), round(sequential_power(630, 0.2), 2)
        (0.67, 0.82)
    """
    if judgments < 1:
        return 0.0
    plan = SequentialPlan(gap=gap, alpha=alpha, futility=futility, most=judgments)
    return operating_characteristics(stopping_rule(plan), [(1 + gap) / 2])[0].first_better


def e_value(wins: float, losses: float, *, gap: float) -> float:
    """Evidence against equal bots: the average likelihood ratio of a gap either way.

    Example:
        >>> round(e_value(70, 30, gap=0.2), 5)
        215.95182
    """
    _require_gap(gap)
    return float(np.exp(_log_e(np.array(wins), np.array(wins + losses), gap)))


LARGEST_BET = 0.9
"""A bet of 1 would lose everything at the first cluster that is all for the other bot."""


def cluster_bet(gap: float, *, size: int, icc: float = 0.1) -> float:
    """What to stake on the mean of a cluster: the bet under which evidence for the gap grows fastest.

    λ = g / (g² + (1 − g²)(1 + (m − 1) ICC) / m) for clusters of m judgments, at most 0.9; the gap itself for
    single judgments. Staking the gap on means of ten judgments wastes the power: 30 % instead of 95 % at a
    win rate of .6 in 900 judgments.

    Args:
        gap: The gap that is looked for.
        size: Judgments in a cluster, fixed beforehand.
        icc: Intraclass correlation that the plan assumes. A wrong one costs power and never validity.

    Raises:
        DesignError: The gap, the size or the correlation cannot be.

    Example:
        >>> round(cluster_bet(0.2, size=1), 3), round(cluster_bet(0.2, size=5), 3)
        (0.2, 0.648)
    """
    _require_gap(gap)
    if size < 1 or not 0 <= icc <= 1:
        raise DesignError(
            f"a cluster has at least 1 judgment and a correlation from 0 to 1; got {size}, {icc:g}."
        )
    spread = (1 - gap**2) * (1 + (size - 1) * icc) / size
    return max(gap, min(LARGEST_BET, gap / (gap**2 + spread)))


GRADED_MEAN = 0.881
GRADED_SQUARE = 0.636
"""The mean of graded scores for each point of gap, and their mean square, where a latent logistic preference
is told as "clearly" by half of those who compare equal bots: 0.176 and 0.636 at a gap of 0.2."""


def graded_bet(gap: float, *, size: int = 1, icc: float = 0.1) -> float:
    """What to stake on graded scores: the bet under which evidence for the gap grows fastest.

    Scores s are from −1 to 1 (clearly better 1, slightly better ½, a tie 0), outcomes (1 + s)/2. The fastest
    bet is λ = E s / E s²: 0.277 for a gap of 0.2 between the win rates, where a choice between two sides has
    λ = 0.2. Of means of clusters as `cluster_bet`. Another use of the scale costs power and never validity.

    Args:
        gap: The gap between the win rates that is looked for.
        size: Judgments in a cluster, fixed beforehand.
        icc: Intraclass correlation that the plan assumes.

    Raises:
        DesignError: The gap, the size or the correlation cannot be.

    Example:
        >>> round(graded_bet(0.2), 3), round(graded_bet(0.2, size=5), 3)
        (0.277, 0.879)
    """
    cluster_bet(gap, size=size, icc=icc)  # refuses what cannot be
    mean = GRADED_MEAN * gap
    spread = (GRADED_SQUARE - mean**2) * (1 + (size - 1) * icc) / size
    return min(LARGEST_BET, mean / (mean**2 + spread))


def sequential_test(outcomes: ArrayLike, plan: SequentialPlan) -> SequentialVerdict:
    """Whether to stop, from the judgments in the order in which they came.

    An outcome is 1 when the first bot wins, 0 when the second does, and 0.5 for a tie, which says nothing
    either way. When judgments come in clusters (turns of one dialogue), give the mean of each cluster in
    the order in which clusters were finished, and the bet of `cluster_bet`: a mean between 0 and 1 is a fair
    bet as well, and the error stays below alpha whatever the correlation within clusters. The sizes of
    clusters must be fixed beforehand.

    Args:
        outcomes: Numbers from 0 to 1, in order.
        plan: The plan that was made beforehand.

    Raises:
        DesignError: An outcome is out of range, or the plan cannot be.

    Example:
        >>> sequential_test([1, 1, 0, 1], plan_sequential(0.2)).decision
        'continue'
    """
    _require(plan)
    values = np.atleast_1d(np.asarray(outcomes, dtype=np.float64))
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise DesignError("outcomes are numbers from 0 (the second bot wins) to 1 (the first bot wins).")
    stake = plan.stake
    with np.errstate(divide="ignore"):
        up = np.cumsum(np.log1p(stake * (2 * values - 1)))
        down = np.cumsum(np.log1p(-stake * (2 * values - 1)))
    log_e = np.logaddexp(up, down) - math.log(2)
    crossed = np.flatnonzero(log_e >= -math.log(plan.alpha))
    decision, decided_at = _decide(plan, up, down, crossed)
    low, high = confidence_sequence(values, gap=stake, alpha=plan.alpha)
    return SequentialVerdict(
        decision=decision,
        judgments=values.size,
        decided_at=decided_at,
        e_value=_exp(log_e[-1]) if values.size else 1.0,
        needed=1 / plan.alpha,
        p_value=min(1.0, _exp(-log_e.max())) if values.size else 1.0,
        estimate=float(values.mean()) if values.size else 0.5,
        low=low,
        high=high,
        plan=plan,
    )


def _decide(plan: SequentialPlan, up: Floats, down: Floats, crossed: Ints) -> tuple[Decision, int | None]:
    if crossed.size:
        at = int(crossed[0])
        return ("first-better" if up[at] > down[at] else "second-better"), at + 1
    if plan.futility is not None and up.size and max(up[-1], down[-1]) <= -math.log(plan.futility):
        return "futile", None
    return ("undecided" if up.size >= plan.most else "continue"), None


def confidence_sequence(
    outcomes: ArrayLike, *, gap: float, alpha: float = 0.05, counts: ArrayLike | None = None
) -> tuple[float, float]:
    """The win rates that the mixture SPRT does not reject: they hold the true one at all times at once.

    Each rate is tested against the two rates whose odds are (1 + gap)/(1 − gap) times larger and smaller;
    for one half these are (1 ± gap)/2, so the interval excludes one half exactly when the test rejects.
    The evidence falls and then rises in the rate, so what is left is an interval. It never gets narrower
    than about half the gap on either side: after thousands of judgments a fixed-n interval says more.

    Args:
        outcomes: Numbers from 0 to 1, in any order.
        gap: The gap the test looks for.
        alpha: Chance that the true rate is ever outside.
        counts: How often each of them occurred; once where it is not given.

    Example:
        >>> low, high = confidence_sequence([1] * 70 + [0] * 30, gap=0.2)
        >>> round(low, 3), round(high, 3)
        (0.56, 0.823)
        >>> (low, high) == confidence_sequence([1, 0], gap=0.2, counts=[70, 30])
        True
    """
    _require_gap(gap)
    require_open_probability(alpha, "alpha")
    values, which = np.unique(np.asarray(outcomes, dtype=np.float64), return_inverse=True)
    often = np.bincount(which, weights=counts if counts is None else np.asarray(counts, dtype=np.float64))
    seen = list(zip(values.tolist(), often.tolist(), strict=True))
    ratio = (1 + gap) / (1 - gap) if gap < 1 else math.inf
    if not seen or math.isinf(ratio):
        return 0.0, 1.0

    def evidence(rate: float) -> tuple[float, float]:
        """Log likelihood ratios of the larger and the smaller odds."""
        up, down = math.log(1 - rate + ratio * rate), math.log(1 - rate + rate / ratio)
        larger = sum(count * (math.log(value * ratio + 1 - value) - up) for value, count in seen)
        smaller = sum(count * (math.log(value / ratio + 1 - value) - down) for value, count in seen)
        return larger, smaller

    def is_rejected(rate: float) -> bool:
        larger, smaller = evidence(rate)
        both = max(larger, smaller) + math.log1p(math.exp(-abs(larger - smaller)))
        return both - math.log(2) >= -math.log(alpha)

    middle = _crossing(lambda rate: evidence(rate)[0] <= evidence(rate)[1], 0.0, 1.0)
    low = _crossing(lambda rate: not is_rejected(rate), 0.0, middle) if is_rejected(0.0) else 0.0
    high = _crossing(is_rejected, middle, 1.0) if is_rejected(1.0) else 1.0
    return low, high


def _crossing(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where a claim that is false at ``low`` and true at ``high`` turns true."""
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _log_e(wins: Floats | Ints, n: Floats | Ints, gap: float) -> Floats:
    up = wins * math.log1p(gap) + special.xlog1py(n - wins, -gap)
    down = (n - wins) * math.log1p(gap) + special.xlog1py(wins, -gap)
    return np.asarray(np.logaddexp(up, down) - math.log(2), dtype=np.float64)


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def _exp(value: float) -> float:
    return math.exp(min(float(value), 700.0))  # evidence beyond 10^304 is told as that


def _require(plan: SequentialPlan) -> None:
    _require_gap(plan.gap)
    if plan.bet is not None:
        _require_gap(plan.bet)
    require_open_probability(plan.alpha, "alpha")
    if plan.most < 1:
        raise DesignError(f"a sequential test needs at least one judgment; got {plan.most}.")
    if plan.futility is not None and not 1 < plan.futility < math.inf:
        raise DesignError(f"the futility ratio must be larger than 1; got {plan.futility:g}.")


def _require_gap(gap: float) -> None:
    if not 0 < gap <= 1:
        raise DesignError(f"the gap must lie between 0 and 1 (0.20 is 60 % against 40 %); got {gap:g}.")
