"""Fisher's exact test of two rates, for many events of the same two groups at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber
from duologue.stats.counts import check_count, check_numbers

_ALIKE = 1 + 1e-7
"""Probabilities that differ by rounding are equal, as in R and scipy."""


def fisher_p_values(first: ArrayLike, n: int, second: ArrayLike, m: int) -> NDArray[np.float64]:
    """Two-sided p-values of Fisher's exact test, one for each event, such as the use of a word.

    Given how many of all used it, the probability of all divisions between the two groups that are no more
    likely than the one that was seen. Assumes independent people, each in one group. Exact, and cautious.

    Args:
        first: How many of the first group, for each event.
        n: How many there are in the first group.
        second: How many of the second group, for each event.
        m: How many there are in the second group.

    Raises:
        BadNumber: More did so than there are, or a count cannot be.

    Example:
        >>> [round(p, 4) for p in fisher_p_values([8, 3], 10, [1, 3], 10).tolist()]
        [0.0055, 1.0]
    """
    n, m = check_count("n", n), check_count("m", m)
    one, two = check_numbers("first", first), check_numbers("second", second)
    if len(one) != len(two):
        raise BadNumber("second", expected=f"as many counts as in first, {len(one)}", got=len(two))
    for name, counts, most in (("first", one, n), ("second", two, m)):
        if len(counts) and (counts.min() < 0 or counts.max() > most or (counts != np.floor(counts)).any()):
            raise BadNumber(name, expected=f"whole numbers from 0 to {most}", got="another")
    totals = (one + two).astype(np.intp)
    found = np.ones(len(one))
    for total in np.unique(totals).tolist():
        at = totals == total
        possible = np.arange(max(0, total - m), min(n, total) + 1)
        log = _log_choose(n, possible) + _log_choose(m, total - possible) - _log_choose(n + m, total)
        chances = np.exp(log)
        seen = chances[one[at].astype(np.intp) - possible[0]]
        found[at] = np.minimum(1.0, (chances * (chances <= seen[:, None] * _ALIKE)).sum(axis=1))
    return found


def _log_choose(n: int, k: NDArray[np.intp] | int) -> NDArray[np.float64]:
    chosen = np.asarray(k, dtype=np.float64)
    return np.asarray(
        special.gammaln(n + 1) - special.gammaln(chosen + 1) - special.gammaln(n - chosen + 1),
        dtype=np.float64,
    )
