"""A test for few clusters: what if each cluster had leaned the other way?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import NotEnoughJudgments
from duologue.stats.counts import check_codes, check_count, check_numbers

EXACT_UP_TO = 20
"""Up to this many clusters all ways of flipping them are tried (2²⁰ of them)."""

CHUNK = 1_000_000
"""So many random signs are held at a time."""


@dataclass(frozen=True, slots=True)
class SignFlipTest:
    """The mean, and how often flipped clusters lie at least as far from the null.

    ``flips`` is how many ways of flipping were tried: all of them (exact), or drawn at random.
    """

    estimate: float
    p_value: float
    null: float
    n: int
    clusters: int
    flips: int
    method: Literal["exact", "random"]


def sign_flip_test(
    outcomes: ArrayLike,
    clusters: ArrayLike,
    *,
    rng: np.random.Generator,
    null: float = 0.5,
    draws: int = 9_999,
) -> SignFlipTest:
    """Test a rate or mean with few clusters, by flipping whole clusters about the null.

    When the null is true and a cluster is as likely to lean one way as the other, turning its total of
    (outcome − null) round makes an equally likely data set. The p-value is the share of flips, the one seen
    included, that lie at least as far out. With 20 clusters or fewer all flips are tried; otherwise ``draws``
    random ones. Two-sided p-values below 2^(1 − clusters) cannot be reached: five clusters never give 0.05.

    Assumes independent clusters and symmetric totals under the null, which holds when sides and orders are
    randomised and the null is one half; for other nulls only roughly. Use `clustered_rate` from 20 clusters.

    Args:
        outcomes: One number for each judgment.
        clusters: The integer code of the cluster (annotator or dialogue) of each judgment.
        rng: Where random flips come from.
        null: The mean under the hypothesis tested.
        draws: Random flips when there are too many to try all.

    Raises:
        NotEnoughJudgments: There is no judgment.
        BadNumber: An outcome is not a finite number, or the codes do not fit the outcomes.

    Example:
        >>> rng = np.random.default_rng(7)
        >>> sign_flip_test([1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 3, 3], rng=rng).p_value
        0.25
    """
    values = check_numbers("outcomes", outcomes)
    codes, size = check_codes("clusters", clusters, length=len(values))
    draws = check_count("draws", draws)
    if size == 0:
        raise NotEnoughJudgments("A sign-flip test", needed=1, got=0)
    totals = np.bincount(codes, weights=values - null).astype(np.float64)
    leaning = totals[np.abs(totals) > 1e-12 * len(values)]
    is_exact = len(leaning) <= EXACT_UP_TO
    return SignFlipTest(
        estimate=float(values.mean()),
        p_value=_share_of_all(leaning) if is_exact else _share_of_random(leaning, rng, draws),
        null=null,
        n=len(values),
        clusters=size,
        flips=2 ** len(leaning) if is_exact else draws,
        method="exact" if is_exact else "random",
    )


def _share_of_all(totals: NDArray[np.float64]) -> float:
    sums = np.zeros(1)
    for total in totals:
        sums = np.concatenate([sums + total, sums - total])
    return float((np.abs(sums) >= _as_far_as(totals)).mean())


def _share_of_random(totals: NDArray[np.float64], rng: np.random.Generator, draws: int) -> float:
    """The share among random flips and the one seen, which keeps the test valid."""
    as_far, threshold, left = 1, _as_far_as(totals), draws
    while left > 0:
        rows = min(left, max(1, CHUNK // len(totals)))
        signs = rng.integers(0, 2, size=(rows, len(totals)), dtype=np.int8) * 2 - 1
        as_far += int((np.abs(signs @ totals) >= threshold).sum())
        left -= rows
    return as_far / (draws + 1)


def _as_far_as(totals: NDArray[np.float64]) -> float:
    """The distance seen, less what rounding may have added."""
    return float(abs(totals.sum()) - 1e-9 * np.abs(totals).sum())
