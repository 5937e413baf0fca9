"""How an automatic metric goes with human scores: correlations, intervals by cluster, exact p of few."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.rates.intervals import Interval

FEWEST = 3
FEW_CLUSTERS = 10
"""Below this there is no interval: resamples of so few are too much alike (of five in one order all are)."""
_TOO_FEW = f"fewer than {FEW_CLUSTERS} clusters"
_CONSTANT = "one of the two is the same in most samples drawn again"
_ALIKE = "nearly all samples drawn again have the same correlation"
_ROUNDING = 1e-9

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlation:
    """One coefficient, with an interval; of fewer than ten pairs with an exact p-value in its place."""

    value: float
    interval: Interval | None
    p_value: float | None = None
    """Of all orders of one side, the share in which the two are correlated as strongly, in either direction;
    None of ten pairs or more, and where a cluster has several."""
    why_no_interval: str = ""


@dataclass(frozen=True, slots=True)
class Correlations:
    """Pearson's r, Spearman's rho and Kendall's tau-b of the same pairs."""

    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    n: int
    clusters: int
    draws: int

    @property
    def by_name(self) -> dict[str, Correlation]:
        """The three by the names of their columns."""
        return {"pearson": self.pearson, "spearman": self.spearman, "kendall": self.kendall}

    @property
    def has_few_clusters(self) -> bool:
        """Whether there are too few clusters for an interval."""
        return self.clusters < FEW_CLUSTERS


def correlations(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    level: float = 0.95,
    draws: int = 1000,
    rng: np.random.Generator,
) -> Correlations:
    """Three correlations of pairs of numbers, with percentile bootstrap intervals by cluster.

    With fewer than ten clusters there is no interval. Where each pair is a cluster of its own, an exact
    permutation test says whether the two are correlated at all.

    Args:
        first: One number of each pair.
        second: The other.
        clusters: The bot or the dialogue of each pair, of which they are independent; without it every pair.
        level: Of the intervals.
        draws: Samples of the bootstrap; 0 gives the coefficients alone.
        rng: Where the randomness comes from.

    Raises:
        NotEnoughJudgments: There are fewer than three pairs.
        BadNumber: The arguments differ in length, or one side is the same everywhere.

    Example:
        >>> found = correlations([1, 2, 3, 4], [1, 3, 2, 4], rng=np.random.default_rng(1))
        >>> round(found.pearson.value, 3), round(found.spearman.value, 3), round(found.kendall.value, 3)
        (0.8, 0.8, 0.667)
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    of = np.arange(len(x)) if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    if not len(x) == len(y) == len(of):
        raise BadNumber("second", expected=f"{len(x)} numbers and clusters", got=f"{len(y)} and {len(of)}")
    if len(x) < FEWEST:
        raise NotEnoughJudgments("a correlation", needed=FEWEST, got=len(x), unit="pairs")
    for name, side in (("first", x), ("second", y)):
        if np.ptp(side) == 0:
            raise BadNumber(name, expected="numbers that differ", got=f"{side[0]:g} everywhere")
    members = [np.flatnonzero(of == one) for one in range(int(of.max()) + 1)]
    values = _three(x, y)
    if not draws:
        found = [Correlation(value, None, why_no_interval="not asked for") for value in values]
    elif len(members) < FEW_CLUSTERS:
        p_values = _exact_p(x, y) if len(members) == len(x) else (None,) * 3
        found = [Correlation(one, None, p, _TOO_FEW) for one, p in zip(values, p_values, strict=True)]
    else:
        found = _with_intervals(values, _drawn_again(x, y, members, draws, rng), draws, level)
    pearson, spearman, kendall = found
    return Correlations(pearson, spearman, kendall, len(x), len(members), draws)


def _drawn_again(
    x: Floats, y: Floats, members: list[NDArray[np.intp]], draws: int, rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    """The three coefficients of samples of whole clusters, those left out in which one side never differs."""
    drawn = []
    for _ in range(draws):
        chosen = np.concatenate([members[one] for one in rng.integers(0, len(members), len(members))])
        if np.ptp(x[chosen]) > 0 and np.ptp(y[chosen]) > 0:
            drawn.append(_three(x[chosen], y[chosen]))
    return drawn


def _with_intervals(
    values: tuple[float, ...], drawn: list[tuple[float, float, float]], draws: int, level: float
) -> list[Correlation]:
    if len(drawn) <= draws // 2:
        return [Correlation(value, None, why_no_interval=_CONSTANT) for value in values]
    limits = np.quantile(np.array(drawn), [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [
        Correlation(value, Interval(float(low), float(high), level, "percentile bootstrap by cluster"))
        if high - low > _ROUNDING
        else Correlation(value, None, why_no_interval=_ALIKE)
        for value, low, high in zip(values, *limits, strict=True)
    ]


def _exact_p(x: Floats, y: Floats) -> tuple[float, float, float]:
    """Of each coefficient the share of all orders of ``y`` in which it is at least as far from zero.

    What a coefficient is divided by is the same in every order, so that its numerator is enough.
    """
    from scipy.stats import rankdata

    orders = _orders(len(y))
    a, b = rankdata(x), rankdata(y)
    above = np.sign(y[:, None] - y[None, :])
    pairs = np.stack(np.triu_indices(len(x), 1), axis=1)
    numerators = (
        (y - y.mean())[orders] @ (x - x.mean()),
        (b - b.mean())[orders] @ (a - a.mean()),
        sum(np.sign(x[i] - x[j]) * above[orders[:, i], orders[:, j]] for i, j in pairs),
    )
    pearson, spearman, kendall = (_share_as_far(np.abs(one)) for one in numerators)
    return pearson, spearman, kendall


def _share_as_far(distances: Floats) -> float:
    """How many are at least as large as the first, which is that of the order observed."""
    return float((distances >= distances[0] - _ROUNDING * distances.max()).mean())


@lru_cache(maxsize=FEW_CLUSTERS)
def _orders(n: int) -> NDArray[np.intp]:
    """Every order of n things, the one that they are in first."""
    return np.array(list(permutations(range(n))), dtype=np.intp)


def _three(x: Floats, y: Floats) -> tuple[float, float, float]:
    from scipy.stats import kendalltau, rankdata

    tau = float(kendalltau(x, y, method="asymptotic").statistic)
    return _pearson(x, y), _pearson(rankdata(x), rankdata(y)), tau


def _pearson(x: Floats, y: Floats) -> float:
    a, b = x - x.mean(), y - y.mean()
    return float(np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1, 1))
