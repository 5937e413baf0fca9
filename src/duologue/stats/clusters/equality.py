"""Are several bots selected equally often, when turns come in clusters? A T² test on clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_count

NO_VARIANCE = 1e-9
"""Below this share of the variance of independent turns, clusters do not differ in a direction."""


@dataclass(frozen=True, slots=True)
class ClusteredEquality:
    """Whether several bots are selected equally often, allowing for correlated turns.

    ``statistic`` is F on ``df`` degrees of freedom; where no variance can be seen it is a chi-square, and
    ``df`` has one number. ``clusters`` counts the clusters of each kind given; ``effective_clusters`` is how
    many of equal size would say as much, of each kind. ``deciding`` is the kind with the larger p-value.
    """

    statistic: float
    df: tuple[float, ...]
    p_value: float
    rates: tuple[float, ...]
    n: int
    clusters: tuple[int, ...]
    effective_clusters: tuple[float, ...]
    deciding: int
    method: str


T_SQUARED = "CR3, T²"
"""The method where a variance is seen in every direction in which bots differ."""

MOST_PERMUTED = 100
"""With more clusters than these the p-value is that of F: the two hardly differ, and it costs nothing."""

CHUNK = 1_000_000
"""So many permuted numbers are held at a time."""


def clustered_equality(
    selected: ArrayLike,
    clusters: Sequence[ArrayLike],
    *,
    rng: np.random.Generator | None = None,
    draws: int = 4_999,
) -> ClusteredEquality:
    """Test whether several bots, all judged on every turn, are selected equally often.

    The differences between the bots' selection rates are a vector of k − 1 contrasts with the CR3 variance V
    of `clustered_rate`: the jackknife that leaves out one cluster at a time. T² = dᵀV⁻¹d is Hotelling's, and
    T²(G* − k + 1)/((G* − 1)(k − 1)) is referred to F(k − 1, G* − k + 1), where G* = n²/Σm² is the effective
    number of clusters. With clusters of one size this is Hotelling's one-sample test of the clusters' means;
    with two bots it is the test of `clustered_mean`. Of several kinds of clusters (dialogues, annotators) the
    one with the larger p-value decides.

    With ``rng`` and up to `MOST_PERMUTED` clusters the p-value is that of a permutation test instead: bots
    change places within each cluster at random, T² is worked out anew, and the p-value is the share of draws,
    the one seen included, whose T² is at least as large (Chung and Romano 2013). Between equal bots it errs
    no more than it should with few and unequal clusters too, where F is only an approximation. Signs of
    clusters are not flipped: deviations such as ¾, −¼, −¼, −¼ have no mirror.

    Where bots differ in a way in which all clusters are alike, no variance can be seen; each effective
    cluster then counts as one turn in Cochran's Q. Assumes that clusters of a kind are independent.

    Args:
        selected: A matrix of turns × bots, 1 where the bot was selected and 0 where it was not.
        clusters: One array of integer codes for each kind of cluster.
        rng: Where permutations come from; without it there are none.
        draws: How many permutations.

    Raises:
        NotEnoughJudgments: There are fewer than two bots, or fewer clusters of a kind than bots.
        BadNumber: It is not a matrix of numbers from 0 to 1, or the codes do not fit it.

    Example:
        >>> turns = [[1, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [1, 1, 0]]
        >>> found = clustered_equality(turns, [[0, 0, 1, 1, 2, 2, 3, 3]])
        >>> found.df, round(found.statistic, 3), round(found.p_value, 3)
        ((2.0, 2.0), 1.0, 0.5)
    """
    table = np.asarray(selected, dtype=np.float64)
    if table.ndim != 2 or not ((table >= 0) & (table <= 1)).all():
        raise BadNumber("selected", expected="a matrix of numbers from 0 to 1", got=f"shape {table.shape}")
    n, bots = table.shape
    if bots < 2:
        raise NotEnoughJudgments("A comparison of selections", needed=2, got=bots, unit="bots")
    kinds = [check_codes("clusters", codes, length=n) for codes in clusters]
    fewest = min((size for _, size in kinds), default=0)
    if fewest < bots:
        raise NotEnoughJudgments("A clustered test of several bots", needed=bots, got=fewest, unit="clusters")
    tests = [_one_way(table, codes, size) for codes, size in kinds]
    if rng is not None:
        draws = check_count("draws", draws)
        tests = [
            _permuted(test, table, codes, rng, draws) if size <= MOST_PERMUTED else test
            for test, (codes, size) in zip(tests, kinds, strict=True)
        ]
    deciding = int(np.argmax([p_value for _, _, p_value, _ in tests]))
    statistic, df, p_value, method = tests[deciding]
    return ClusteredEquality(
        statistic=statistic,
        df=df,
        p_value=p_value,
        rates=tuple(table.mean(axis=0).tolist()),
        n=n,
        clusters=tuple(size for _, size in kinds),
        effective_clusters=tuple(_effective(codes) for codes, _ in kinds),
        deciding=deciding,
        method=method,
    )


Tested = tuple[float, tuple[float, ...], float, str]
"""Statistic, degrees of freedom, p-value and method."""


def _permuted(
    test: Tested, table: NDArray[np.float64], codes: NDArray[np.intp], rng: np.random.Generator, draws: int
) -> Tested:
    """The test with the p-value of permuted bots; as it is where it does not see all differences."""
    statistic, df, _, method = test
    if method != T_SQUARED or df[0] < table.shape[1] - 1 or statistic == 0.0:
        return test
    sizes = np.bincount(codes)
    sums = [np.bincount(codes, weights=one) for one in table.T]
    totals = np.stack(sums, axis=1).astype(np.float64)
    order = np.lexsort((*totals.T, sizes))  # however the clusters are numbered, the draws are the same
    totals, sizes = totals[order], sizes[order]
    seen, as_far, left = float(_t_squared(totals[None], sizes)[0]), 1, draws
    while left > 0:
        count = min(left, max(1, CHUNK // totals.size))
        drawn = rng.permuted(np.tile(totals, (count, 1, 1)), axis=-1)
        as_far += int((_t_squared(drawn, sizes) >= seen * (1 - 1e-9)).sum())
        left -= count
    return statistic, df, as_far / (draws + 1), f"{method}, bots permuted within clusters"


def _t_squared(totals: NDArray[np.float64], sizes: NDArray[np.intp]) -> NDArray[np.float64]:
    """T² of many tables at once, each the selections of every bot in every cluster."""
    n, size = sizes.sum(), len(sizes)
    contrasts = totals @ contrasts_of(totals.shape[2])
    difference = contrasts.sum(axis=1) / n
    change = (contrasts - sizes[:, None] * difference[:, None, :]) / (n - sizes)[:, None]
    variance = np.swapaxes(change, 1, 2) @ change * (size - 1) / size
    variance += NO_VARIANCE / n * np.eye(variance.shape[1])
    along = np.linalg.solve(variance, difference[:, :, None])[:, :, 0]
    found: NDArray[np.float64] = (difference * along).sum(axis=1)
    return found


def _one_way(table: NDArray[np.float64], codes: NDArray[np.intp], size: int) -> Tested:
    """By one kind of cluster."""
    n, bots = table.shape
    contrasts = table @ contrasts_of(bots)
    difference = contrasts.mean(axis=0)
    residuals = contrasts - difference
    left = n - np.bincount(codes, minlength=size)
    totals = np.stack([np.bincount(codes, weights=one, minlength=size) for one in residuals.T], axis=1)
    change = totals / left[:, None]
    variance = change.T @ change * (size - 1) / size
    effective = _effective(codes)
    if np.abs(difference).max() < 1e-12:
        return 0.0, (float(bots - 1), max(1.0, effective - bots + 1)), 1.0, T_SQUARED
    floor = NO_VARIANCE * max(float(residuals.var(axis=0).sum()), 1e-12) / n
    values, vectors = np.linalg.eigh(variance)
    is_seen = values > floor
    along = difference @ vectors
    if (np.abs(along[~is_seen]) > 1e-9).any():
        return _alike(table, effective)
    rank = int(is_seen.sum())
    t_squared = float((along[is_seen] ** 2 / values[is_seen]).sum())
    df = max(1.0, effective - rank)
    statistic = t_squared * df / ((effective - 1) * rank)
    return statistic, (float(rank), df), float(special.fdtrc(rank, df, statistic)), T_SQUARED


def _alike(table: NDArray[np.float64], effective: float) -> Tested:
    """Cochran's Q with each effective cluster as one turn."""
    bots = table.shape[1]
    rates, count = table.mean(axis=0), table.sum(axis=1)
    spread = float((count * (bots - count)).mean())
    statistic = effective * bots * (bots - 1) * float(((rates - rates.mean()) ** 2).sum()) / spread
    method = "Cochran's Q, each effective cluster as one turn"
    return statistic, (float(bots - 1),), float(special.chdtrc(bots - 1, statistic)), method


def contrasts_of(bots: int) -> NDArray[np.float64]:
    """Helmert's contrasts: orthonormal columns that add up to zero."""
    made = np.zeros((bots, bots - 1))
    for column in range(bots - 1):
        made[: column + 1, column] = 1.0
        made[column + 1, column] = -(column + 1.0)
        made[:, column] /= np.sqrt((column + 1.0) * (column + 2.0))
    return made


def _effective(codes: NDArray[np.intp]) -> float:
    sizes = np.bincount(codes).astype(np.float64)
    return float(sizes.sum() ** 2 / (sizes @ sizes))
