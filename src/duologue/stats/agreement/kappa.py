"""How far two annotators agree beyond chance: Cohen's kappa."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes


@dataclass(frozen=True, slots=True)
class CohenKappa:
    """Agreement of two annotators, and what their own habits would give by chance.

    ``kappa`` is None where both always gave the same one answer: there is nothing to agree about.
    """

    kappa: float | None
    agreement: float
    by_chance: float
    items: int


def cohen_kappa(first: ArrayLike, second: ArrayLike) -> CohenKappa:
    """How far two annotators agree about the same items, chance taken off (Cohen 1960).

    κ = (p_o − p_e)/(1 − p_e), where p_e is how often they would agree if each gave answers at their own
    rates and independently. For more than two annotators, or missing judgments, use `krippendorff_alpha`.

    Args:
        first: The integer code of one annotator's answer to each item.
        second: The other's, in the same codes.

    Raises:
        NotEnoughJudgments: There is no item.
        BadNumber: They are not codes, or not as many of one as of the other.

    Example:
        >>> found = cohen_kappa([1, 1, 0, 0, 1], [1, 0, 0, 0, 1])
        >>> round(found.kappa, 3), found.agreement
        (0.615, 0.8)
    """
    ours, theirs = np.asarray(first), np.asarray(second)
    if ours.shape != theirs.shape:
        raise BadNumber("second", expected=f"as many answers as first ({ours.size})", got=theirs.size)
    n = len(ours)
    if n == 0:
        raise NotEnoughJudgments("Cohen's kappa", needed=1, got=0, unit="items")
    codes, answers = check_codes("answers", np.concatenate([ours, theirs]), length=2 * n)
    shares = [np.bincount(half, minlength=answers) / n for half in (codes[:n], codes[n:])]
    agreement, by_chance = float((codes[:n] == codes[n:]).mean()), float(shares[0] @ shares[1])
    kappa = None if answers == 1 else (agreement - by_chance) / (1 - by_chance)
    return CohenKappa(kappa, agreement, by_chance, n)
