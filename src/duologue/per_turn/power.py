"""The planned test of each mechanism and setting, for its power."""

from __future__ import annotations

from duologue.per_turn.rows import Mechanism, Setting
from duologue.stats import (
    OBSERVED_DISCORDANCE,
    AllThatApply,
    AllThatApplyOfMany,
    BestOfMany,
    Design,
    ForcedChoice,
    RateAgainstStandard,
)


def arm_design(
    mechanism: Mechanism,
    setting: Setting | None,
    bots: int,
    *,
    alpha: float,
    tests: int,
    null: float,
    discordance: float | None = None,
) -> Design:
    """The test of an arm at its strictest level; that of all bots before pairs shares alpha with nobody.

    Args:
        mechanism: How many bots answer at once.
        setting: What is selected.
        bots: How many there are.
        alpha: The error rate of the family.
        tests: How many comparisons share it.
        null: The standard of a single bot.
        discordance: How often exactly one of two bots is selected; what the planner takes if not known.
    """
    each = alpha / tests
    match mechanism, setting:
        case "single", _:
            return RateAgainstStandard(null=null, alpha=each)
        case "pairwise", "soba":
            return ForcedChoice(alpha=each)
        case "multi", "soba":
            return BestOfMany(bots=bots, alpha=each)
        case "multi", _:
            return AllThatApplyOfMany(bots=bots, discordance=discordance, alpha=alpha)
    return AllThatApply(discordance=discordance or OBSERVED_DISCORDANCE, alpha=each)
