"""How far annotators lean the same way on one matchup."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.stats.rates.binomial import sign_test
from duologue.stats.rates.binomial_distribution import chance_of
from duologue.stats.rates.intervals import wilson_interval


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
