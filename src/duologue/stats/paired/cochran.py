"""Several bots selected or not on the same turns: Cochran's Q."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments


@dataclass(frozen=True, slots=True)
class CochranQ:
    """Whether several bots are selected equally often, over the turns on which they differ.

    ``rates`` are over all ``n`` turns; ``differing`` counts those on which some but not all were selected.
    ``discordance`` is the mean over pairs of bots of the share of turns that select only one of the two.
    """

    statistic: float
    df: int
    p_value: float
    rates: tuple[float, ...]
    n: int
    differing: int
    discordance: float


def cochran_q(selected: ArrayLike) -> CochranQ:
    """Test whether several bots, all judged on every turn, are selected equally often.

    Q = k(k−1) Σ_j (C_j − C̄)² / Σ_i R_i (k − R_i), chi-square on k − 1 degrees of freedom (Cochran 1950), with
    C_j the selections of bot j and R_i those on turn i. For two bots it is McNemar's chi-square. A
    large-sample test: below about 24 selections that matter (k × differing turns) take it with care. Assumes
    independent turns.

    Args:
        selected: A matrix of turns × bots, 1 where the bot was selected and 0 where it was not.

    Raises:
        NotEnoughJudgments: There are fewer than two bots, or no turn selects some but not all of them.
        BadNumber: It is not a matrix of zeros and ones.

    Example:
        >>> result = cochran_q([[1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]])
        >>> round(result.statistic, 3), result.df, round(result.p_value, 3)
        (3.5, 2, 0.174)
    """
    table = _selections(selected)
    n, bots = table.shape
    columns, rows = table.sum(axis=0), table.sum(axis=1)
    spread = float((rows * (bots - rows)).sum())
    if spread == 0:
        raise NotEnoughJudgments(
            "Cochran's Q", needed=1, got=0, unit="judgments that select some of the bots and not all"
        )
    statistic = bots * (bots - 1) * float(((columns - columns.mean()) ** 2).sum()) / spread
    return CochranQ(
        statistic=statistic,
        df=bots - 1,
        p_value=float(special.chdtrc(bots - 1, statistic)),
        rates=tuple((columns / n).tolist()),
        n=n,
        differing=int(np.count_nonzero((rows > 0) & (rows < bots))),
        discordance=spread / n / (bots * (bots - 1) / 2),
    )


def _selections(selected: ArrayLike) -> NDArray[np.int64]:
    table = np.asarray(selected)
    if table.ndim != 2:
        raise BadNumber("selected", expected="a matrix of turns × bots", got=f"shape {table.shape}")
    if not np.isin(table, (0, 1)).all():
        raise BadNumber("selected", expected="zeros and ones", got=np.setdiff1d(table, (0, 1))[0])
    if table.shape[1] < 2:
        raise NotEnoughJudgments("A comparison of selections", needed=2, got=table.shape[1], unit="bots")
    if len(table) == 0:
        raise NotEnoughJudgments("A comparison of selections", needed=1, got=0)
    return table.astype(np.int64)
