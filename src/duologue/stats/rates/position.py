"""Does it matter which dialogue is shown first? The effect within matchups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from duologue.errors import BadNumber
from duologue.stats.counts import check_numbers


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """What being shown first adds to the log-odds of a bot: 0.12 makes 53 to 47 between equal bots."""

    estimate: float
    standard_error: float


def order_effect(tables: ArrayLike) -> OrderEffect | None:
    """The effect of being shown first, from matchups in which both orders occur, whoever is better in them.

    Half of Mantel and Haenszel's common log-odds ratio, with the standard error of Robins, Breslow and
    Greenland; it holds for many matchups of few judgments as for few of many. It assumes independent
    judgments and one effect for all matchups.

    Args:
        tables: For each matchup the wins and losses of one of its bots: [[won, lost] when it was shown first,
            [won, lost] when it was shown second].

    Returns:
        None where no matchup tells: both orders, and a win and a loss that set them apart, occur in none.

    Raises:
        BadNumber: These are not tables of counts.

    Example:
        >>> found = order_effect([[[40, 20], [30, 30]], [[35, 25], [28, 32]]])
        >>> round(found.estimate, 2), round(found.standard_error, 2)
        (0.29, 0.13)
    """
    counts = np.asarray(tables, dtype=np.float64)
    if counts.ndim != 3 or counts.shape[1:] != (2, 2):
        raise BadNumber("tables", expected="two by two counts for each matchup", got=f"shape {counts.shape}")
    check_numbers("tables", counts.ravel(), low=0.0)
    counts = counts[counts.sum(axis=(1, 2)) > 0]
    (a, b), (c, d) = (counts[:, order].T for order in (0, 1))
    n = a + b + c + d
    for_first, against = a * d / n, b * c / n
    r, s = float(for_first.sum()), float(against.sum())
    if r == 0.0 or s == 0.0:
        return None
    same, other = (a + d) / n, (b + c) / n
    variance = float(
        (same * for_first).sum() / (2 * r * r)
        + (same * against + other * for_first).sum() / (2 * r * s)
        + (other * against).sum() / (2 * s * s)
    )
    return OrderEffect(float(np.log(r / s)) / 2, float(np.sqrt(variance)) / 2)
