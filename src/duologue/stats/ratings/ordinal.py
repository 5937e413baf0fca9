"""Ratings as points on a scale, not as numbers: the cumulative-logit model with annotators' leniency.

The check on `calibrate_ratings`: it makes no use of the distances between the points. Slower; differences
between bots should lead to the same conclusions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import NotConverged, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_numbers, check_share
from duologue.stats.newton import factorise
from duologue.stats.rates.intervals import Interval, normal_quantile
from duologue.stats.ratings.calibration import chances_of_being_better, check_bot_numbers

Floats = NDArray[np.float64]

LEAST_LOG_DEVIATION = -6.0
"""A standard deviation of annotators below e to this power is none."""

FARTHEST = 15.0
"""Log-odds between two bots for a middling annotator, or one standard deviation of annotators.

Three million ratings to one are as far apart. A fit that has gone further was on its way to infinity, and
where it has ended depends on how the processor rounds.
"""

METHOD = "The cumulative-logit fit"
UNBOUNDED = "Some ratings can be told apart without exception, so that a strength has no bound."
INNER_STEPS = 50
OUTER_STEPS = 1000


@dataclass(frozen=True, slots=True)
class OrdinalRatings:
    """Strengths of bots on the log-odds scale of being rated higher, with mean zero.

    ``thresholds`` are the cuts between the ``points`` of the scale for a bot of strength zero; an annotator
    adds a leniency with standard deviation ``annotator_deviation``, zero when annotators do not differ.
    """

    names: tuple[str, ...]
    strengths: Floats
    standard_errors: Floats
    covariance: Floats
    thresholds: Floats
    points: tuple[float, ...]
    annotator_deviation: float
    log_likelihood: float
    n: int
    annotators: int
    level: float

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """An interval for each strength, each at ``level`` by itself."""
        z = normal_quantile(self.level)
        return tuple(
            Interval(float(s - z * e), float(s + z * e), self.level, "cumulative logit, Laplace")
            for s, e in zip(self.strengths, self.standard_errors, strict=True)
        )

    @property
    def better(self) -> Floats:
        """In row i and column j, how surely i is better than j (flat prior); one half on the diagonal."""
        return chances_of_being_better(self.strengths, self.covariance)


def ordinal_ratings(
    bots: ArrayLike, annotators: ArrayLike, scores: ArrayLike, names: Sequence[str], *, level: float = 0.95
) -> OrdinalRatings:
    """Fit strengths of bots to points on a scale, with lenient and harsh annotators evened out.

    log-odds of a rating at most k = c_k − θ_bot − b_annotator, b ~ N(0, σ²) (McCullagh 1980, with a random
    intercept). The likelihood with b integrated out is approximated after Laplace and maximised; with very
    few ratings an annotator that understates σ a little. Assumes that annotators differ by a shift only.

    Args:
        bots: The number of the bot of each rating, from 0, in the order of the names.
        annotators: The integer code of the annotator of each rating.
        scores: The ratings; only their order matters.
        names: The bots.
        level: Of the intervals.

    Raises:
        NotEnoughJudgments: There are fewer than two bots or points, or a bot got nothing but the highest or
            nothing but the lowest rating, so that its strength has no bound.
        NotConverged: The fit did not end, or a strength has no bound.
        BadNumber: The arrays do not fit each other or the names.

    Example:
        >>> bots, people = [0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 2, 3, 0, 1, 2, 3]
        >>> fit = ordinal_ratings(bots, people, [4, 3, 4, 2, 2, 3, 1, 2], ["A", "B"])
        >>> fit.points, bool(fit.strengths[0] > fit.strengths[1])
        ((1.0, 2.0, 3.0, 4.0), True)
    """
    values = check_numbers("scores", scores)
    level = check_share("level", level)
    which = check_bot_numbers(bots, len(values), names)
    who, people = check_codes("annotators", annotators, length=len(values))
    points, point = np.unique(values, return_inverse=True)
    data = _Data(which, who, point.astype(np.intp), len(names), people, len(points))
    _refuse_unbounded(data, names)
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            parameters, height = _fit(data)
            _refuse_run_off(data, parameters)
            covariance = _covariance(data, parameters)
    except FloatingPointError:
        raise NotConverged(METHOD, steps=OUTER_STEPS, why=UNBOUNDED) from None
    strengths, thresholds, log_deviation = data.unpack(parameters)
    return OrdinalRatings(
        names=tuple(names),
        strengths=strengths - strengths.mean(),
        standard_errors=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        thresholds=thresholds - strengths.mean(),
        points=tuple(points.tolist()),
        annotator_deviation=0.0 if log_deviation <= LEAST_LOG_DEVIATION else float(np.exp(log_deviation)),
        log_likelihood=height,
        n=len(values),
        annotators=people,
        level=level,
    )


def ordinal_difference_p(
    bots: ArrayLike,
    annotators: ArrayLike,
    scores: ArrayLike,
    fit: OrdinalRatings,
    first: str,
    second: str,
) -> float:
    """How surely two bots differ: the likelihood ratio of a fit and one in which the two are one bot.

    Chi-square with one degree of freedom. Where ratings of two bots hardly overlap, a difference of
    strengths over its standard error understates how surely they differ (Hauck and Donner 1977); this
    does not. It takes a fit of its own.

    Args:
        bots: The ratings that ``fit`` was made from.
        annotators: Likewise.
        scores: Likewise.
        fit: Their cumulative-logit fit.
        first: The name of a bot.
        second: The name of another one.

    Raises:
        NotConverged: The fit did not end.

    Example:
        >>> bots, people = [0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 2, 3, 0, 1, 2, 3]
        >>> scores = [4, 3, 4, 2, 2, 3, 1, 2]
        >>> fit = ordinal_ratings(bots, people, scores, ["A", "B"])
        >>> round(ordinal_difference_p(bots, people, scores, fit, "A", "B"), 3)
        0.062
    """
    which, place = np.asarray(bots, dtype=np.intp), fit.names.index(second)
    merged = np.where(which == place, fit.names.index(first), which)
    merged = merged - (merged > place)
    who, people = check_codes("annotators", annotators, length=len(merged))
    point = np.unique(check_numbers("scores", scores), return_inverse=True)[1]
    data = _Data(merged, who, point.astype(np.intp), len(fit.names) - 1, people, len(fit.points))
    height = _fit(data)[1]
    return float(special.chdtrc(1, max(0.0, 2 * (fit.log_likelihood - height))))


@dataclass(frozen=True, slots=True)
class _Data:
    which: NDArray[np.intp]
    who: NDArray[np.intp]
    point: NDArray[np.intp]
    bots: int
    people: int
    points: int

    def unpack(self, parameters: Floats) -> tuple[Floats, Floats, float]:
        """Strengths (the first bot's is zero), thresholds in rising order, log standard deviation."""
        strengths = np.append(0.0, parameters[: self.bots - 1])
        cuts = parameters[self.bots - 1 : -1]
        thresholds = np.cumsum(np.append(cuts[0], np.exp(cuts[1:])))
        return strengths, thresholds, float(parameters[-1])

    def start(self) -> Floats:
        """Equal bots, the shares of the points as they are, annotators one unit apart."""
        shares = np.cumsum(np.bincount(self.point, minlength=self.points))[:-1] / len(self.point)
        thresholds = special.logit(shares)
        return np.concatenate(
            [np.zeros(self.bots - 1), thresholds[:1], np.log(np.diff(thresholds)), np.zeros(1)]
        )


def _refuse_unbounded(data: _Data, names: Sequence[str]) -> None:
    if data.bots < 2:
        raise NotEnoughJudgments("A cumulative-logit model", needed=2, got=data.bots, unit="bots")
    if data.points < 2:
        raise NotEnoughJudgments(
            "A cumulative-logit model", needed=2, got=data.points, unit="different ratings"
        )
    for bot, name in enumerate(names):
        own = data.point[data.which == bot]
        if len(own) == 0:
            raise NotEnoughJudgments(f"The rating of {name}", needed=1, got=0, unit="ratings")
        if own.min() == data.points - 1 or own.max() == 0:
            raise NotEnoughJudgments(f"The strength of {name}", needed=2, got=1, unit="different ratings")


def _fit(data: _Data) -> tuple[Floats, float]:
    from scipy.optimize import minimize  # heavy: it would slow the start of every command

    leniency = np.zeros(data.people)

    def depth(parameters: Floats) -> tuple[float, Floats]:
        nonlocal leniency
        height, slope, leniency = _laplace(data, parameters, leniency)
        return -height, -slope

    free: list[tuple[float | None, float | None]] = [(None, None)] * (data.bots + data.points - 2)
    found = minimize(
        depth,
        data.start(),
        jac=True,
        method="L-BFGS-B",
        bounds=[*free, (LEAST_LOG_DEVIATION, 6.0)],
        options={"maxiter": OUTER_STEPS, "ftol": 1e-13, "gtol": 1e-7},
    )
    if not found.success:
        raise NotConverged(METHOD, steps=OUTER_STEPS, why=str(found.message))
    return np.asarray(found.x), -float(found.fun)


def _refuse_run_off(data: _Data, parameters: Floats) -> None:
    strengths, _, log_deviation = data.unpack(parameters)
    deviation = np.exp(log_deviation)
    unit = np.sqrt(1 + 3 * (deviation / np.pi) ** 2)  # annotators widen the logistic distribution so much
    if deviation > FARTHEST or np.ptp(strengths) > FARTHEST * unit:
        raise NotConverged(METHOD, steps=OUTER_STEPS, why=UNBOUNDED)


def _covariance(data: _Data, parameters: Floats) -> Floats:
    """Of the strengths with their mean subtracted: from the curvature, by differences of the gradient."""
    leniency = _laplace(data, parameters, np.zeros(data.people))[2]
    is_free = np.ones(len(parameters), dtype=bool)
    is_free[-1] = parameters[-1] > LEAST_LOG_DEVIATION
    free = np.flatnonzero(is_free)
    curvature = np.empty((len(free), len(free)))
    for row, place in enumerate(free):
        step = np.zeros(len(parameters))
        step[place] = 1e-4
        up, down = (_laplace(data, parameters + sign * step, leniency)[1] for sign in (1, -1))
        curvature[row] = -(up - down)[free] / 2e-4
    factor = factorise((curvature + curvature.T) / 2, method=METHOD)
    inverse = scipy.linalg.cho_solve(factor, np.eye(len(free)))
    covariance = np.zeros((data.bots, data.bots))
    covariance[1:, 1:] = inverse[: data.bots - 1, : data.bots - 1]
    centring = np.eye(data.bots) - 1 / data.bots
    return np.asarray(centring @ covariance @ centring)


@dataclass(frozen=True, slots=True)
class _Curve:
    """For each rating: its log-likelihood, and derivatives by the sum of strength and leniency."""

    value: Floats
    above: Floats  # chance of a rating at most this point
    below: Floats  # chance of a rating below this point
    slope: Floats
    bend: Floats  # minus the second derivative

    @classmethod
    def of(cls, lean: Floats, upper: Floats, lower: Floats) -> _Curve:
        above, below = special.expit(upper - lean), special.expit(lower - lean)
        value = special.log_expit(upper - lean) + special.log_expit(lean - lower)
        value += np.log(-np.expm1(lower - upper))
        bend = above * (1 - above) + below * (1 - below)
        return cls(value, above, below, above + below - 1, bend)


@dataclass(frozen=True, slots=True)
class _State:
    """Everything at the annotators' likeliest leniencies; ``bend`` and ``spread`` are per annotator."""

    curve: _Curve
    thresholds: Floats
    leniency: Floats
    bend: Floats
    spread: Floats
    variance: float


def _laplace(data: _Data, parameters: Floats, leniency: Floats) -> tuple[float, Floats, Floats]:
    """The log-likelihood with leniencies integrated out after Laplace, its gradient, and the likeliest ones.

    The search for them begins at ``leniency``: those of parameters nearby are found in fewer steps.
    """
    strengths, thresholds, log_deviation = data.unpack(parameters)
    edges = np.concatenate([[-np.inf], thresholds, [np.inf]])
    upper, lower = edges[data.point + 1], edges[data.point]
    variance = float(np.exp(2 * log_deviation))
    leniency = _modes(data, strengths, upper, lower, variance, leniency)
    curve = _Curve.of(strengths[data.which] + leniency[data.who], upper, lower)
    bend = _per(data.who, curve.bend, data.people)
    state = _State(curve, thresholds, leniency, bend, variance / (1 + variance * bend), variance)
    value = curve.value.sum() - (leniency @ leniency) / (2 * variance) - np.log1p(variance * bend).sum() / 2
    return float(value), _gradient(data, state, parameters), leniency


def _modes(
    data: _Data, strengths: Floats, upper: Floats, lower: Floats, variance: float, leniency: Floats
) -> Floats:
    """Each annotator's likeliest leniency, all by Newton's method together, beginning at ``leniency``."""
    upper, lower = upper - strengths[data.which], lower - strengths[data.which]
    for _ in range(INNER_STEPS):
        above, below = special.expit(upper - leniency[data.who]), special.expit(lower - leniency[data.who])
        bend = above * (1 - above) + below * (1 - below)
        gradient = _per(data.who, above + below - 1, data.people) - leniency / variance
        step = gradient / (_per(data.who, bend, data.people) + 1 / variance)
        leniency = leniency + np.clip(step, -2.0, 2.0)
        if np.abs(step).max() < 1e-10:
            return leniency
    raise NotConverged("An annotator's leniency", steps=INNER_STEPS)


def _gradient(data: _Data, state: _State, parameters: Floats) -> Floats:
    """By strengths, thresholds and log deviation; leniencies follow the parameters."""
    curve, variance = state.curve, state.variance
    of_above, of_below = curve.above * (1 - curve.above), curve.below * (1 - curve.below)
    turn_above, turn_below = of_above * (1 - 2 * curve.above), of_below * (1 - 2 * curve.below)
    turn = _per(data.who, -turn_above - turn_below, data.people)
    follow = -(state.spread**2) * turn / 2  # what a unit of pull on a leniency does to the value through it
    half, pull = state.spread[data.who] / 2, follow[data.who]
    by_lean = curve.slope + half * (turn_above + turn_below) - pull * curve.bend
    squeeze = np.concatenate([[0.0], 1 / np.expm1(np.diff(state.thresholds)), [0.0]])  # of inner points only
    by_upper = 1 - curve.above + squeeze[data.point] - half * turn_above + pull * of_above
    by_lower = -curve.below - squeeze[data.point] - half * turn_below + pull * of_below
    by_edge = _per(data.point, by_upper, data.points)[:-1] + _per(data.point, by_lower, data.points)[1:]
    later = np.cumsum(by_edge[::-1])[::-1]  # a step between thresholds moves all later ones
    by_cut = np.append(later[0], later[1:] * np.exp(parameters[data.bots : -1]))
    by_deviation = state.leniency**2 / variance - state.bend * state.spread
    by_deviation += 2 * follow * state.leniency / variance
    return np.concatenate([_per(data.which, by_lean, data.bots)[1:], by_cut, [by_deviation.sum()]])


def _per(codes: NDArray[np.intp], values: Floats, size: int) -> Floats:
    return np.bincount(codes, weights=values, minlength=size).astype(np.float64)
