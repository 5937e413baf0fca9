"""How far two annotators agree, and how far annotators lean the same way on one matchup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.binomial import sign_test
from duologue.stats.binomial_distribution import chance_of
from duologue.stats.counts import check_numbers, check_share
from duologue.stats.intervals import Interval, normal_quantile, wilson_interval

Weights = Literal["none", "linear", "quadratic"]
"""What near misses are worth: nothing, or credit by (squared) distance between the points of a scale."""


@dataclass(frozen=True, slots=True)
class CohenKappa:
    """Agreement of two annotators beyond chance, with its large-sample standard error."""

    value: float
    standard_error: float
    interval: Interval
    agreement_rate: float
    n: int
    weights: Weights


@dataclass(frozen=True, slots=True)
class ModalAgreement:
    """How many annotators give the answer that most of them give, on one matchup.

    ``chance_rate`` is what coin-flippers would show: above one half, and the more so the fewer they are.
    ``p_value`` tests against coin flips; ``lower_bound`` is what to compare questions by.
    """

    rate: float
    lower_bound: float
    chance_rate: float
    p_value: float
    n: int
    level: float


def cohen_kappa(
    first: ArrayLike, second: ArrayLike, *, weights: Weights = "none", level: float = 0.95
) -> CohenKappa:
    """Agreement of two annotators on the same items beyond chance (Cohen 1960, 1968).

    κ = (p_o − p_e) / (1 − p_e) with chance from each annotator's own frequencies, and the standard error of
    Fleiss, Cohen and Everitt (1969). With more than two annotators use `krippendorff_alpha`. It is undefined
    when both gave one and the same answer throughout.

    Args:
        first: The first annotator's answer to each item.
        second: The second annotator's answers to the same items.
        weights: For points on a scale, give near misses credit; the answers' own distances count.
        level: Confidence of the interval.

    Raises:
        NotEnoughJudgments: There are no items, or there is only one answer, so that chance explains all.
        BadNumber: An answer is not a number, or the two do not have the same length.

    Example:
        >>> kappa = cohen_kappa([1, 1, 2, 2, 1, 2], [1, 1, 2, 1, 1, 2])
        >>> round(kappa.value, 3), round(kappa.standard_error, 3)
        (0.667, 0.287)
    """
    ours, theirs = check_numbers("first", first), check_numbers("second", second)
    level = check_share("level", level)
    if len(ours) != len(theirs):
        raise BadNumber("second", expected=f"{len(ours)} answers, as many as the first", got=len(theirs))
    answers, codes = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    if len(answers) < 2:
        raise NotEnoughJudgments("Cohen's kappa", needed=2, got=len(answers), unit="different answers")
    n = len(ours)
    joint = np.zeros((len(answers), len(answers)))
    np.add.at(joint, (codes[:n], codes[n:]), 1 / n)
    credit = _credit(answers, weights)
    value, variance = _kappa(joint, credit)
    error = float(np.sqrt(max(0.0, variance) / n))
    half = normal_quantile(level) * error
    return CohenKappa(
        value=value,
        standard_error=error,
        interval=Interval(max(-1.0, value - half), min(1.0, value + half), level, "normal"),
        agreement_rate=float(np.trace(joint)),
        n=n,
        weights=weights,
    )


def modal_agreement(first: int, second: int, *, level: float = 0.95) -> ModalAgreement:
    """How strongly annotators lean to one side of a matchup, whichever it is: ACUTE's question agreement.

    The rate of the more frequent answer is biased upwards: 20 coin-flippers show 0.588 on average. The
    p-value is the folded binomial, which is the two-sided exact test; over several questions adjust it with
    `holm`. Choose by ``lower_bound``, the lower end of the Wilson interval, rather than by the rate, which is
    what Li et al. (2019, Table 1) print.

    Args:
        first: Judgments for one side.
        second: Judgments for the other.
        level: Confidence of the Wilson interval.

    Raises:
        NotEnoughJudgments: There is no judgment.
        BadNumber: A count is negative or not whole.

    Example:
        >>> agreement = modal_agreement(4, 16)
        >>> agreement.rate, round(agreement.chance_rate, 3), round(agreement.p_value, 4)
        (0.8, 0.588, 0.0118)
    """
    test = sign_test(first, second)
    modal = max(test.wins, test.losses)
    interval = wilson_interval(modal, test.n, level=level)
    above_half = test.n // 2 + 1
    spread = above_half * float(chance_of(above_half, test.n, 0.5))  # mean distance from n/2 (de Moivre)
    return ModalAgreement(
        rate=modal / test.n,
        lower_bound=interval.low,
        chance_rate=0.5 + spread / test.n,
        p_value=test.p_value,
        n=test.n,
        level=interval.level,
    )


def _credit(answers: NDArray[np.float64], weights: Weights) -> NDArray[np.float64]:
    """What each pair of answers is worth: 1 for the same, down to 0 for the farthest apart."""
    if weights == "none":
        return np.eye(len(answers))
    distance = np.abs(answers[:, None] - answers[None, :]) / np.ptp(answers)
    return np.asarray(1 - (distance if weights == "linear" else distance**2))


def _kappa(joint: NDArray[np.float64], credit: NDArray[np.float64]) -> tuple[float, float]:
    """Kappa, and n times its variance (Fleiss, Cohen and Everitt 1969, equation 12)."""
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    observed, expected = float((credit * joint).sum()), float(rows @ credit @ columns)
    value = (observed - expected) / (1 - expected)
    marginal = (credit @ columns)[:, None] + (rows @ credit)[None, :]
    spread = float((joint * (credit - marginal * (1 - value)) ** 2).sum())
    variance = (spread - (value - expected * (1 - value)) ** 2) / (1 - expected) ** 2
    return value, variance
