"""Sample sizes as the per-turn paper prints them, for readers who look for its numbers.

Its appendix could not be found, so the formulas are inferred from its Table 1: normal approximations with
quantiles rounded to two decimals (1.96 and 0.84), rounded up. They are not what `sample_size` recommends;
docs/what-the-papers-print.md says where the two differ, and why.
"""

from __future__ import annotations

import math

from scipy import special

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import require_open_probability
from duologue.stats.planning.chi_square_power import noncentrality_for, require_bots, worst_discordance
from duologue.stats.planning.designs import OBSERVED_DISCORDANCE
from duologue.stats.planning.sample_size import SampleSize

_METHOD = "per-turn paper, Table 1 (inferred): normal approximation, quantiles to two decimals"


def paper_forced_choice(gap: float, *, alpha: float = 0.05, power: float = 0.80) -> SampleSize:
    """Turns for pairwise select-one-best (PM-SOBA): Table 1 prints 196 for .60 against .50.

    The paper calls that a difference of 0.1: one bot's distance from even. As everywhere here, ``gap`` is
    the difference between the two bots: 0.2.

    Example:
        >>> paper_forced_choice(0.2).judgments
        196
    """
    turns = _round_up(_quantiles(alpha, power) ** 2 * 0.25 / _positive(gap / 2) ** 2)
    return SampleSize(turns, gap, alpha, power, _METHOD)


def paper_against_standard(
    gap: float, *, null: float, alpha: float = 0.05, power: float = 0.80
) -> SampleSize:
    """Turns for one bot against a rate (SM): Table 1 prints 126 for .8, the null's variance on both sides.

    Example:
        >>> paper_against_standard(0.1, null=0.8).judgments
        126
    """
    require_open_probability(null, "the null rate")
    turns = _round_up(_quantiles(alpha, power) ** 2 * null * (1 - null) / _positive(gap) ** 2)
    return SampleSize(turns, gap, alpha, power, _METHOD, assumptions={"null": null})


def paper_all_that_apply(
    gap: float, *, discordance: float = OBSERVED_DISCORDANCE, alpha: float = 0.05, power: float = 0.80
) -> SampleSize:
    """Turns for pairwise select-all-that-apply (PM-SATA): Table 1 prints 667.

    Example:
        >>> paper_all_that_apply(0.1).judgments
        667
    """
    turns = _round_up(_quantiles(alpha, power) ** 2 * discordance / _positive(gap) ** 2)
    return SampleSize(turns, gap, alpha, power, _METHOD, assumptions={"discordance": discordance})


def paper_all_that_apply_of_many(
    gap: float,
    *,
    bots: int,
    discordance: float = OBSERVED_DISCORDANCE,
    alpha: float = 0.05,
    power: float = 0.80,
) -> SampleSize:
    """Turns for select-all-that-apply among several bots (MM-SATA): Table 1 prints 445 for four.

    The pairwise number times the largest possible mean discordance of so many bots (2/3 for four). It
    keeps the non-centrality of one degree of freedom, and so falls short of the power it names.

    Example:
        >>> paper_all_that_apply_of_many(0.1, bots=4).judgments
        445
    """
    scale = discordance * worst_discordance(bots)
    turns = _round_up(_quantiles(alpha, power) ** 2 * scale / _positive(gap) ** 2)
    return SampleSize(
        turns, gap, alpha, power, _METHOD, assumptions={"bots": bots, "discordance": discordance}
    )


def paper_best_of_many(
    pilot_w: float | None, *, bots: int, gap: float, alpha: float = 0.05, power: float = 0.80
) -> SampleSize:
    """Turns for select-one-best among several bots (MM-SOBA): Table 1 prints 430 from an unpublished pilot.

    Args:
        pilot_w: Cohen's w of a pilot, taken as if it were the truth; 0.15923 gives the paper's number.
        bots: How many bots.
        gap: The gap the study is about; the paper's number does not depend on it.
        alpha: Level of the test.
        power: Chance of seeing a difference.

    Raises:
        DesignError: No ``pilot_w`` is given; the paper has no number without one.

    Example:
        >>> paper_best_of_many(0.15923, bots=4, gap=0.1).judgments
        430
    """
    require_bots(bots)
    if pilot_w is None:
        raise DesignError(
            "the paper sizes this design from a pilot it does not publish. Give a pilot of your own with "
            "--pilot, or its effect with --pilot-w (0.15923 gives the paper's 430 turns), or leave --paper "
            "out: no pilot is needed."
        )
    if not pilot_w > 0 or math.isinf(pilot_w):
        raise DesignError(f"a pilot's effect w must be more than 0; got {pilot_w:g}. Leave --paper out.")
    turns = round(noncentrality_for(power, df=bots - 1, alpha=alpha) / pilot_w**2)
    method = "per-turn paper, Table 1 (inferred): non-central chi-square at a pilot's w, to the nearest turn"
    return SampleSize(turns, gap, alpha, power, method, assumptions={"bots": bots, "pilot_w": pilot_w})


def _quantiles(alpha: float, power: float) -> float:
    require_open_probability(alpha, "alpha")
    require_open_probability(power, "power")
    return round(float(special.ndtri(1 - alpha / 2)), 2) + round(float(special.ndtri(power)), 2)


def _round_up(turns: float) -> int:
    return math.ceil(round(turns, 6))  # 196.00000000000003 is 196


def _positive(difference: float) -> float:
    if not 0 < difference <= 1:
        raise DesignError(f"the gap must lie between 0 and 1; got {difference:g}.")
    return difference
