"""How far annotators lean the same way: on one item, or on several of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from duologue.errors import NotEnoughJudgments
from duologue.stats.counts import check_count
from duologue.stats.rates.binomial_distribution import Floats, chance_of
from duologue.stats.rates.intervals import wilson_interval


@dataclass(frozen=True, slots=True)
class ModalAgreement:
    """How many annotators give the answer that most of them give.

    ``chance_rate`` is what coin-flippers would show: above one half, and the more so the fewer they are.
    ``p_value`` tests against coin flips; ``lower_bound`` is what to compare questions by. Both bounds are
    those of the Wilson interval.
    """

    rate: float
    lower_bound: float
    upper_bound: float
    chance_rate: float
    p_value: float
    modal: int
    """Judgments that give the most chosen answer."""
    n: int
    level: float
    items: int = 1


def modal_agreement_on_items(counts: Sequence[tuple[int, int]], *, level: float = 0.95) -> ModalAgreement:
    """How strongly annotators lean to one side of each item, whichever it is: ACUTE's question agreement.

    The share of judgments that give the most chosen answer of their item. It is biased upwards: 20
    coin-flippers show 0.588 on average. The p-value is exact: the chance that coin-flippers agree at least as
    often, from the distribution of the sum of the items' folded counts (for one item the two-sided exact
    test); over several questions adjust it with `holm`. Choose by ``lower_bound``, the lower end of the
    Wilson interval, rather than by the rate, which is what Li et al. (2019, Table 1) print. The interval
    takes all judgments as independent; where annotators judge several items, put `clustered_rate` beside it.

    Args:
        counts: Of each item, judgments for one side and for the other; items without any are left out.
        level: Confidence of the Wilson interval.

    Raises:
        NotEnoughJudgments: There is no judgment.
        BadNumber: A count is negative or not whole.

    Example:
        >>> agreement = modal_agreement_on_items([(4, 16), (18, 2)])
        >>> agreement.rate, agreement.items, round(agreement.p_value, 5)
        (0.85, 2, 2e-05)
    """
    sizes, modal, chance = [], 0, np.ones(1)
    for first, second in counts:
        one, other = check_count("first", first), check_count("second", second)
        if one + other:
            sizes.append(one + other)
            modal += max(one, other)
            chance = np.convolve(chance, _folded(one + other))
    if not sizes:
        raise NotEnoughJudgments("Agreement", needed=1, got=0)
    n = sum(sizes)
    interval = wilson_interval(modal, n, level=level)
    return ModalAgreement(
        rate=modal / n,
        lower_bound=interval.low,
        upper_bound=interval.high,
        chance_rate=sum(map(_by_chance, sizes)) / n,
        p_value=min(1.0, float(chance[modal:].sum())),
        modal=modal,
        n=n,
        level=interval.level,
        items=len(sizes),
    )


def _by_chance(n: int) -> float:
    """How many of ``n`` coin-flippers give the more frequent answer on average (de Moivre)."""
    above_half = n // 2 + 1
    return n / 2 + above_half * float(chance_of(above_half, n, 0.5))


def _folded(n: int) -> Floats:
    """The chance that 0, 1, …, ``n`` of as many coin-flippers give the more frequent answer."""
    plain = chance_of(np.arange(n + 1), n, 0.5)
    folded = plain + plain[::-1]
    if n % 2 == 0:
        folded[n // 2] = plain[n // 2]
    folded[: (n + 1) // 2] = 0.0
    return folded
