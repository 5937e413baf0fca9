"""Two verdicts on every pair of bots: by their own matchup, and by all matchups together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.stats.binomial import sign_test
from duologue.stats.counts import check_share, check_win_matrix
from duologue.stats.multiplicity import holm
from duologue.stats.ranks import FittedStrengths, pair_errors

Winner = Literal["first", "second", "open"]
"""Whether one of two bots was shown to be better."""


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Two bots compared by their own matchup (direct) and by all matchups together (pooled).

    Direct numbers are None for a matchup that was not judged. ``conflict`` says that direct and pooled
    verdicts name different winners, or that only one of them names one.
    """

    first: str
    second: str
    direct_rate: float | None
    direct_p_value: float | None
    direct_adjusted: float | None
    direct: Winner
    pooled_rate: float
    pooled_p_value: float
    pooled_adjusted: float
    pooled: Winner

    @property
    def conflict(self) -> bool:
        """Whether the two verdicts differ."""
        return self.direct != self.pooled


def pair_verdicts(fit: FittedStrengths, wins: ArrayLike, *, alpha: float = 0.05) -> tuple[PairVerdict, ...]:
    """Verdicts on every pair, direct and pooled, each adjusted by Holm over its own family.

    Direct is the exact binomial test on the pair's own judgments; pooled is the difference of strengths over
    its standard error, which uses all judgments and is much surer, if the model holds. Show both: when they
    conflict, the pair's own judgments say something that the ranking does not.

    Args:
        fit: Strengths with their covariance.
        wins: The win matrix that was judged, whole counts, in the order of the fit's names.
        alpha: Chance of any false verdict within each of the two families.

    Raises:
        BadNumber: The matrix is not one of whole counts, or does not fit the names.

    Example:
        >>> from duologue.stats import bradley_terry
        >>> wins = [[0, 60, 70], [40, 0, 58], [30, 42, 0]]
        >>> verdicts = pair_verdicts(bradley_terry(wins, "ABC"), wins)
        >>> [(v.first + v.second, v.direct, v.pooled) for v in verdicts]
        [('AB', 'open', 'first'), ('AC', 'first', 'first'), ('BC', 'open', 'first')]
    """
    counts, alpha = check_win_matrix(wins, fit.names), check_share("alpha", alpha)
    first, second = np.triu_indices(len(fit.names), 1)
    tests = [
        sign_test(counts[i, j], counts[j, i]) if counts[i, j] + counts[j, i] else None
        for i, j in zip(first, second, strict=True)
    ]
    judged = [test for test in tests if test is not None]
    direct_adjusted = iter(holm([test.p_value for test in judged]).tolist())
    lead = (fit.strengths[first] - fit.strengths[second]).astype(np.float64)
    pooled_p = 2 * special.ndtr(-np.abs(lead) / pair_errors(fit.covariance)[first, second])
    verdicts = []
    for i, j, test, ahead, p, adjusted in zip(
        first, second, tests, lead, pooled_p, holm(pooled_p), strict=True
    ):
        direct_p = None if test is None else next(direct_adjusted)
        verdicts.append(
            PairVerdict(
                first=fit.names[i],
                second=fit.names[j],
                direct_rate=None if test is None else test.win_rate,
                direct_p_value=None if test is None else test.p_value,
                direct_adjusted=direct_p,
                direct="open" if test is None else _winner(test.win_rate - 0.5, direct_p, alpha),
                pooled_rate=float(special.expit(ahead)),
                pooled_p_value=float(p),
                pooled_adjusted=float(adjusted),
                pooled=_winner(float(ahead), float(adjusted), alpha),
            )
        )
    return tuple(verdicts)


def _winner(lead: float, p_value: float | None, alpha: float) -> Winner:
    if p_value is None or p_value > alpha:
        return "open"
    return "first" if lead > 0 else "second"
