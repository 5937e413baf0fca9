"""Ratings with the annotators' leniency removed: a Gaussian model in closed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_numbers, check_share
from duologue.stats.rates.intervals import Interval, normal_quantile, student_interval, student_p_value

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]

SHARES = (1e-6, 1 - 1e-6)
"""Between these the annotators' share of the variance is looked for."""
NEAR = 1e-3
"""How far from where the criterion looks least its slope is searched for its root."""


@dataclass(frozen=True, slots=True)
class RatingVariances:
    """Variances of the model, and the mean that bots are drawn towards.

    ``bots`` is None where bots are not drawn towards any mean. ``source`` says where they come from.
    """

    annotators: float
    ratings: float
    bots: float | None = None
    mean: float = 0.0
    source: str = "stated"


PUBLISHED_VARIANCES = RatingVariances(annotators=1.0, ratings=1.0, bots=1.0, mean=2.5, source="published")
"""Unit variances about the middle of a scale from 1 to 4, as ConvAI2 calibrated its ratings."""


@dataclass(frozen=True, slots=True)
class CalibratedContrast:
    """How far one bot's calibrated rating is above another's, tested with Student's t.

    ``annotators`` are those who rated either of the two.
    """

    estimate: float
    standard_error: float
    df: float
    annotators: int
    method: str = "calibrated"

    @property
    def p_value(self) -> float:
        """Of no difference."""
        return student_p_value(self.estimate / self.standard_error, self.df)

    def interval_at(self, level: float) -> Interval:
        """The differences that the test does not reject."""
        return student_interval(self.estimate, self.standard_error, self.df, level, self.method)


@dataclass(frozen=True, slots=True)
class CalibratedRatings:
    """What each bot's rating would be by the average annotator.

    ``means`` and ``covariance`` are the posterior of the bots; ``biases`` say how much above the average each
    annotator rates (in the order of their codes), with their posterior standard deviations. ``plain_means``
    are the uncalibrated ones. ``common`` counts the annotators who rated both of two bots; its diagonal those
    who rated one.
    """

    names: tuple[str, ...]
    means: Floats
    standard_deviations: Floats
    covariance: Floats
    biases: Floats
    bias_deviations: Floats
    plain_means: Floats
    variances: RatingVariances
    n: int
    annotators: int
    level: float
    common: NDArray[np.intp]

    def contrast(self, first: int, second: int) -> CalibratedContrast:
        """The difference between two bots, by their numbers, with what is needed to test it.

        Student's t with A − 1 degrees of freedom where all A annotators of the two bots rated both, as in a
        paired test, and A − 2 where they did not: a variance between annotators then needs two means.

        Raises:
            NotEnoughJudgments: Fewer than three annotators rated either bot.

        Example:
            >>> bots, people = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]
            >>> fit = calibrate_ratings(bots, people, [4, 3, 4, 2, 2, 3], ["A", "B"])
            >>> found = fit.contrast(0, 1)  # nobody's rating is missing: the paired test
            >>> round(found.estimate, 3), found.df, round(found.p_value, 3)
            (1.333, 2, 0.057)
        """
        both = int(self.common[first, second])
        either = int(self.common[first, first] + self.common[second, second]) - both
        if either < 3:
            raise NotEnoughJudgments("A calibrated contrast", needed=3, got=either, unit="annotators")
        spread = self.covariance
        variance = spread[first, first] + spread[second, second] - 2 * spread[first, second]
        return CalibratedContrast(
            estimate=float(self.means[first] - self.means[second]),
            standard_error=float(np.sqrt(variance)),
            df=either - 1 if both == either else either - 2,
            annotators=either,
        )

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The middle ``level`` of each bot's posterior."""
        z = normal_quantile(self.level)
        return tuple(
            Interval(float(mean - z * sd), float(mean + z * sd), self.level, "posterior")
            for mean, sd in zip(self.means, self.standard_deviations, strict=True)
        )

    @property
    def better(self) -> Floats:
        """In row i and column j, the probability that i is better than j; one half on the diagonal."""
        return chances_of_being_better(self.means, self.covariance)


def calibrate_ratings(
    bots: ArrayLike,
    annotators: ArrayLike,
    scores: ArrayLike,
    names: Sequence[str],
    *,
    variances: RatingVariances | Literal["reml"] = "reml",
    level: float = 0.95,
) -> CalibratedRatings:
    """Estimate each bot's rating with lenient and harsh annotators evened out.

    score = M_bot + B_annotator + noise, with B ~ N(0, σ_B²) and noise ~ N(0, σ²). Given the variances the
    posterior is normal, and one linear system of as many equations as bots: annotators drop out by a Schur
    complement, so the cost grows with their number only linearly. ``reml`` estimates σ_B² and σ² by
    restricted maximum likelihood, and draws bots towards nothing; `PUBLISHED_VARIANCES` are those of ConvAI2
    (Dinan et al. 2019, after Kulikov et al. 2018: all variances 1), which draw bots towards 2.5.

    Treats points on a scale as numbers; `ordinal_ratings` is the check that does not. Assumes that annotators
    differ by a shift only, and that who rated what was left to chance.

    Args:
        bots: The number of the bot of each rating, from 0, in the order of the names.
        annotators: The integer code of the annotator of each rating.
        scores: The ratings.
        names: The bots.
        variances: ``reml``, or stated ones.
        level: Of the intervals.

    Raises:
        NotEnoughJudgments: A bot has no rating, or ratings do not vary enough to estimate their variance.
        BadNumber: The arrays do not fit each other or the names, or a variance is not above 0.

    Example:
        >>> bots, people = [0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 2, 3, 2, 3, 4, 5]
        >>> result = calibrate_ratings(bots, people, [4, 3, 2, 2, 2, 1, 4, 3], ["A", "B"])
        >>> [round(float(m), 2) for m in result.means], round(float(result.better[0, 1]), 2)
        ([3.09, 2.67], 0.84)
    """
    values = check_numbers("scores", scores)
    level = check_share("level", level)
    which = check_bot_numbers(bots, len(values), names)
    who, people = check_codes("annotators", annotators, length=len(values))
    table = _RatingTable.of(which, who, values, len(names), people)
    if not table.per_bot.all():
        missing = names[int(np.flatnonzero(table.per_bot == 0)[0])]
        raise NotEnoughJudgments(f"The rating of {missing}", needed=1, got=0, unit="ratings")
    stated = _reml(table) if variances == "reml" else _checked(variances)
    means, covariance = _posterior(table, stated)
    shrunk = table.per_annotator + stated.ratings / stated.annotators if stated.annotators else None
    biases, deviations = _biases(table, means, covariance, shrunk, stated.ratings)
    return CalibratedRatings(
        names=tuple(names),
        means=means,
        standard_deviations=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        biases=biases,
        bias_deviations=deviations,
        plain_means=table.bot_totals / table.per_bot,
        variances=stated,
        n=len(values),
        annotators=people,
        level=level,
        common=table.common,
    )


@dataclass(frozen=True, slots=True)
class _RatingTable:
    """All that the model needs to know of the ratings: counts, totals, and who rated which bot how often."""

    rated: sparse.csr_array
    per_bot: Floats
    per_annotator: Floats
    bot_totals: Floats
    annotator_totals: Floats
    squares: float
    n: int

    @classmethod
    def of(
        cls, which: NDArray[np.intp], who: NDArray[np.intp], scores: Floats, bots: int, people: int
    ) -> _RatingTable:
        from scipy import sparse  # heavy: it would slow the start of every command

        rated = sparse.coo_array((np.ones(len(scores)), (which, who)), shape=(bots, people)).tocsr()
        return cls(
            rated=rated,
            per_bot=np.bincount(which, minlength=bots).astype(np.float64),
            per_annotator=np.bincount(who, minlength=people).astype(np.float64),
            bot_totals=np.bincount(which, weights=scores, minlength=bots).astype(np.float64),
            annotator_totals=np.bincount(who, weights=scores, minlength=people).astype(np.float64),
            squares=float(scores @ scores),
            n=len(scores),
        )

    @property
    def common(self) -> NDArray[np.intp]:
        """How many annotators rated both of two bots."""
        once = (self.rated > 0).astype(np.intp)
        return np.asarray((once @ once.T).todense(), dtype=np.intp)

    @property
    def shows_leniency(self) -> bool:
        """Whether leniency can be told from noise: not where it adds as much as noise to every contrast.

        So it is where nobody rated twice, and where what is rated twice is needed for the bots' means. The
        contrasts are what the bots' means leave of the ratings; leniency adds to them a matrix with as many
        eigenvalues, which are all the same where their squares add up to the least that they can.
        """
        once = np.asarray((self.rated @ self.rated.T).todense()) / self.per_bot[:, None]
        total = self.n - float(np.trace(once))
        by_bot = float((1 / self.per_bot) @ (self.rated.multiply(self.rated) @ self.per_annotator))
        squares = float((self.per_annotator**2).sum()) - 2 * by_bot + float((once * once.T).sum())
        return (self.n - len(self.per_bot)) * squares > (1 + 1e-9) * total**2

    def reduced(self, weights: Floats) -> tuple[Floats, Floats]:
        """The normal equations of the bots with annotators taken out, given 1 / (n_j + σ²/σ_B²)."""
        crossed = (self.rated * weights[None, :]) @ self.rated.T
        right = self.bot_totals - self.rated @ (weights * self.annotator_totals)
        return np.diag(self.per_bot) - np.asarray(crossed.todense()), np.asarray(right)


def _posterior(table: _RatingTable, variances: RatingVariances) -> tuple[Floats, Floats]:
    left, right = table.reduced(_weights(table, variances.annotators / variances.ratings))
    if variances.bots is not None:
        pull = variances.ratings / variances.bots
        left, right = left + pull * np.eye(len(left)), right + pull * variances.mean
    factor = scipy.linalg.cho_factor(left)
    means = scipy.linalg.cho_solve(factor, right)
    covariance = variances.ratings * scipy.linalg.cho_solve(factor, np.eye(len(left)))
    return means, covariance


def _weights(table: _RatingTable, ratio: float) -> Floats:
    """1 / (n_j + 1/ratio), where ratio is σ_B²/σ²; zero when annotators do not differ."""
    return np.asarray(ratio / (1 + ratio * table.per_annotator))


def _biases(
    table: _RatingTable, means: Floats, covariance: Floats, shrunk: Floats | None, noise: float
) -> tuple[Floats, Floats]:
    """How far each annotator rates above the average, and how surely."""
    if shrunk is None:
        return np.zeros_like(table.per_annotator), np.zeros_like(table.per_annotator)
    by_annotator = table.rated.T.tocsr()
    biases = (table.annotator_totals - by_annotator @ means) / shrunk
    spread = by_annotator @ covariance
    through_bots = np.asarray(by_annotator.multiply(spread).sum(axis=1)).ravel()
    return np.asarray(biases), np.sqrt(noise / shrunk + through_bots / shrunk**2)


def _reml(table: _RatingTable) -> RatingVariances:
    """The variances that make the ratings likeliest, whatever the bots' means (Patterson and Thompson 1971).

    The criterion is worked out for σ_B² as a share of σ_B² + σ²; σ² follows in closed form. Where it is least
    it is flat, so a search for its minimum finds half of the digits: it only says which root of the slope to
    look for.
    """
    from scipy.optimize import minimize_scalar  # heavy: it would slow the start of every command

    free = table.n - len(table.per_bot)
    if free < 1:
        raise NotEnoughJudgments(
            "Estimating the variance of ratings", needed=len(table.per_bot) + 1, got=table.n, unit="ratings"
        )
    groups = _Groups.of(table)

    def criterion(share: float) -> float:
        ratio = share / (1 - share)
        left, _, noise = groups.solve(table, ratio)
        volume = float(np.log1p(ratio * table.per_annotator).sum()) + float(np.linalg.slogdet(left)[1])
        return free * float(np.log(noise / free)) + volume

    alike = table.squares - float((table.bot_totals**2 / table.per_bot).sum())
    if alike <= 1e-12 * table.squares:
        raise NotEnoughJudgments(
            "Estimating the variance of ratings", needed=2, got=1, unit="different ratings of a bot"
        )
    if not table.shows_leniency:
        return RatingVariances(annotators=0.0, ratings=alike / free, source="reml")
    found = minimize_scalar(criterion, bounds=SHARES, method="bounded", options={"xatol": SHARES[0]})
    share = 0.0
    if found.fun < criterion(SHARES[0]):
        share = _root_near(lambda share: groups.slope(table, share / (1 - share), free), float(found.x))
    ratio = share / (1 - share)
    noise = groups.solve(table, ratio)[2] / free
    return RatingVariances(annotators=ratio * noise, ratings=noise, source="reml")


def _root_near(slope: Callable[[float], float], near: float) -> float:
    """Where the slope of the criterion is zero; ``near`` itself where it falls as far as can be looked."""
    from scipy.optimize import brentq  # heavy: it would slow the start of every command

    low, high = max(SHARES[0], near - NEAR), min(SHARES[1], near + NEAR)
    if not slope(low) < 0 < slope(high):
        return near
    return float(brentq(slope, low, high, xtol=1e-15))


@dataclass(frozen=True, slots=True)
class _Groups:
    """Annotators with the same number of ratings have the same weight: summed once, weighed many times."""

    sizes: Floats
    crossed: Floats
    shifts: Floats
    squares: Floats

    @classmethod
    def of(cls, table: _RatingTable) -> _Groups:
        sizes, group = np.unique(table.per_annotator, return_inverse=True)
        crossed, shifts = [], []
        for number in range(len(sizes)):
            members = table.rated[:, np.flatnonzero(group == number)]
            crossed.append(np.asarray((members @ members.T).todense()))
            shifts.append(np.asarray(members @ table.annotator_totals[group == number]))
        squares = np.bincount(group, weights=table.annotator_totals**2)
        return cls(sizes, np.array(crossed), np.array(shifts), squares.astype(np.float64))

    def slope(self, table: _RatingTable, ratio: float, free: int) -> float:
        """The derivative of the criterion by the ratio σ_B²/σ²."""
        left, means, noise = self.solve(table, ratio)
        falling = 1 / (1 + ratio * self.sizes) ** 2
        residuals = (
            self.squares - 2 * self.shifts @ means + np.einsum("i,gij,j->g", means, self.crossed, means)
        )
        less_volume = np.einsum("gij,ji->g", self.crossed, np.linalg.inv(left))
        growth = float((table.per_annotator / (1 + ratio * table.per_annotator)).sum())
        return growth - float(falling @ less_volume) - free * float(falling @ residuals) / noise

    def solve(self, table: _RatingTable, ratio: float) -> tuple[Floats, Floats, float]:
        """The matrix of the bots' normal equations, their means, and what the model leaves of the squares."""
        weights = ratio / (1 + ratio * self.sizes)
        left = np.diag(table.per_bot) - np.tensordot(weights, self.crossed, axes=1)
        right = table.bot_totals - weights @ self.shifts
        means = scipy.linalg.solve(left, right, assume_a="pos")
        return left, means, table.squares - float(weights @ self.squares) - float(right @ means)


def _checked(variances: RatingVariances) -> RatingVariances:
    given = [variances.annotators, variances.ratings] + ([] if variances.bots is None else [variances.bots])
    if not all(0 < variance < np.inf for variance in given) or not np.isfinite(variances.mean):
        raise BadNumber("variances", expected="finite numbers above 0", got=variances)
    return variances


def chances_of_being_better(means: Floats, covariance: Floats) -> Floats:
    """How likely each of several normal quantities is to exceed each other one.

    Example:
        >>> chances_of_being_better(np.array([1.0, 0.0]), np.eye(2)).round(3).tolist()
        [[0.5, 0.76], [0.24, 0.5]]
    """
    spread = np.diagonal(covariance)
    variance = spread[:, None] + spread[None, :] - 2 * covariance
    lead = means[:, None] - means[None, :]
    off = ~np.eye(len(means), dtype=bool)
    z = np.zeros_like(lead)
    z[off] = lead[off] / np.sqrt(np.maximum(variance[off], 1e-300))
    return np.asarray(special.ndtr(z))


def check_bot_numbers(bots: ArrayLike, length: int, names: Sequence[str]) -> NDArray[np.intp]:
    """``bots`` as numbers from 0, one for each score and none beyond the names.

    Raises:
        BadNumber: They are not.
    """
    numbers = np.asarray(bots)
    if numbers.shape != (length,) or not (np.issubdtype(numbers.dtype, np.integer) or length == 0):
        raise BadNumber(
            "bots", expected=f"{length} bot numbers, one for each score", got=f"shape {numbers.shape}"
        )
    if length and not 0 <= int(numbers.min()) <= int(numbers.max()) < len(names):
        raise BadNumber(
            "bots", expected=f"numbers from 0 to {len(names) - 1}", got=f"{numbers.min()} to {numbers.max()}"
        )
    return numbers.astype(np.intp)
