"""Several bots selected or not on the same turns: Cochran's Q, then McNemar for each pair."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.multiplicity import holm
from duologue.stats.paired.mcnemar import McNemar, McNemarMethod, mcnemar_test


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


@dataclass(frozen=True, slots=True)
class SelectedPair:
    """Two of several bots compared; ``test`` is None where no turn selected only one of them.

    ``adjusted_p_value`` is Holm's over all pairs; a pair without a test has a p-value of 1 there.
    """

    first: str
    second: str
    difference: float
    test: McNemar | None
    adjusted_p_value: float


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


def compare_selected(
    selected: ArrayLike, names: Sequence[str], *, method: McNemarMethod = "mid-p"
) -> tuple[SelectedPair, ...]:
    """Compare every pair of bots by McNemar's test, adjusted by Holm: what follows a significant Q.

    Args:
        selected: A matrix of turns × bots, 1 where the bot was selected and 0 where it was not.
        names: The bots, in the order of the columns.
        method: How McNemar's p-value is worked out.

    Raises:
        NotEnoughJudgments: There are fewer than two bots, or no turns.
        BadNumber: It is not a matrix of zeros and ones, or does not fit the names.

    Example:
        >>> pairs = compare_selected([[1, 0], [1, 0], [1, 1], [1, 0]], ["A", "B"])
        >>> pairs[0].difference, pairs[0].adjusted_p_value
        (0.75, 0.125)
    """
    table = _selections(selected)
    if len(names) != table.shape[1]:
        raise BadNumber("names", expected=f"{table.shape[1]} names, one for each column", got=len(names))
    pairs = list(itertools.combinations(range(len(names)), 2))
    tests = [_mcnemar_of(table[:, i], table[:, j], method) for i, j in pairs]
    adjusted = holm([1.0 if test is None else test.p_value for test in tests])
    rates = table.mean(axis=0)
    return tuple(
        SelectedPair(names[i], names[j], float(rates[i] - rates[j]), test, float(p))
        for (i, j), test, p in zip(pairs, tests, adjusted, strict=True)
    )


def _mcnemar_of(first: NDArray[np.int64], second: NDArray[np.int64], method: McNemarMethod) -> McNemar | None:
    only_first, only_second = int((first > second).sum()), int((second > first).sum())
    return mcnemar_test(only_first, only_second, method=method) if only_first + only_second else None


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
