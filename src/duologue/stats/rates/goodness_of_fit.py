"""One of several bots chosen on every turn: do the shares differ? Pearson's chi-square."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_count, check_numbers

FEWEST_EXPECTED = 5
"""Below this expected count the chi-square approximation is poor (Cochran 1954)."""


@dataclass(frozen=True, slots=True)
class GoodnessOfFit:
    """Shares of several bots, whether they differ from those expected, and by how much.

    ``effect`` is Cohen's w = √(χ²/n). ``is_reliable`` is False when some expected count is below five.
    """

    statistic: float
    df: int
    p_value: float
    shares: tuple[float, ...]
    expected_shares: tuple[float, ...]
    effect: float
    n: int
    is_reliable: bool


def goodness_of_fit_test(counts: Sequence[int], *, expected: ArrayLike | None = None) -> GoodnessOfFit:
    """Test whether several bots are chosen equally often, when exactly one is chosen each time.

    Pearson's χ² = Σ (O − E)²/E on k − 1 degrees of freedom. Assumes independent turns; the choice of one bot
    per turn is what makes it multinomial. When several may be selected use `cochran_q`.

    Args:
        counts: How often each bot was chosen.
        expected: The shares under the hypothesis tested; equal ones if not given.

    Raises:
        NotEnoughJudgments: There are fewer than two bots, or no judgment.
        BadNumber: A count is negative or not whole; the shares are not positive or do not add up to one.

    Example:
        >>> result = goodness_of_fit_test([122, 83, 118, 113])
        >>> round(result.statistic, 2), result.df, round(result.p_value, 4)
        (8.64, 3, 0.0344)
    """
    observed = _counts(counts)
    n, bots = int(observed.sum()), len(observed)
    shares = (
        np.full(bots, 1 / bots) if expected is None else check_numbers("expected", expected, low=0, high=1)
    )
    if len(shares) != bots or not shares.all() or abs(shares.sum() - 1) > 1e-9:
        raise BadNumber("expected", expected=f"{bots} shares above 0 that add up to 1", got=shares.tolist())
    statistic = float(((observed - n * shares) ** 2 / (n * shares)).sum())
    return GoodnessOfFit(
        statistic=statistic,
        df=bots - 1,
        p_value=float(special.chdtrc(bots - 1, statistic)),
        shares=tuple((observed / n).tolist()),
        expected_shares=tuple(shares.tolist()),
        effect=float(np.sqrt(statistic / n)),
        n=n,
        is_reliable=bool((n * shares).min() >= FEWEST_EXPECTED),
    )


def _counts(counts: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    if len(counts) < 2:
        raise NotEnoughJudgments("A comparison of shares", needed=2, got=len(counts), unit="bots")
    observed = np.array([check_count("counts", count) for count in counts], dtype=np.float64)
    if observed.sum() == 0:
        raise NotEnoughJudgments("A comparison of shares", needed=1, got=0)
    return observed
