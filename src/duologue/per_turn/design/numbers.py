"""Whether as many turns as a study plans have the power that it states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from duologue.per_turn.protocol import setting_of
from duologue.per_turn.rows import Setting
from duologue.per_turn.rules import FIRST_TURN
from duologue.per_turn.settings import PerTurnSettings, mechanism_of
from duologue.protocols import Item, say_arm, say_power
from duologue.studies import Study, say_shared_alpha


def counted_turns(study: Study, settings: PerTurnSettings) -> int:
    """Turns of a chat that count at least: its exchanges, without the first where that is excluded."""
    return max(1, study.file.chat.min_exchanges - (FIRST_TURN in settings.rules))


def comparisons(bots: int, setting: Setting | None) -> int:
    """How many comparisons of an arm share the error rate."""
    return bots * (bots - 1) // 2 if bots > 2 and setting != "soba" else 1


def tests_sharing_alpha(settings: PerTurnSettings, arms: Sequence[tuple[str, int, Setting | None]]) -> int:
    """How many comparisons share alpha: those of all arms, or of the primary one.

    Args:
        settings: Of the study.
        arms: Name, number of bots and setting of each.
    """
    counts = {name: comparisons(bots, setting) for name, bots, setting in arms}
    return counts.get(settings.primary or "", sum(counts.values()))


def weak_arms(study: Study, settings: PerTurnSettings, items: Sequence[Item]) -> Iterator[str]:
    """A warning for every arm whose turns have less power than the study states."""
    from duologue.per_turn.power import arm_design  # scipy
    from duologue.stats import ClusteredDesign, DesignEffect, sample_size

    first = {item.group: item for item in reversed(items)}
    chats = Counter(item.group for item in items)
    stopping, turns = study.file.stopping, counted_turns(study, settings)
    tests = tests_sharing_alpha(
        settings, [(name, len(one.bots), setting_of(one)) for name, one in first.items()]
    )
    effect = DesignEffect(icc=stopping.icc, cluster_size=turns)
    for name, item in first.items():
        published = arm_design(
            mechanism_of(item.bots),
            setting_of(item),
            len(item.bots),
            alpha=stopping.alpha,
            tests=tests,
            null=settings.null,
        )
        shared = 1 if len(item.bots) > 2 and setting_of(item) != "soba" else tests
        design = ClusteredDesign(design=published, effect=effect)
        planned = chats[name] * turns
        power = float(design.power([planned], settings.gap)[0])
        if power < stopping.power:
            enough = sample_size(design, settings.gap, power=stopping.power).judgments
            yield (
                f"{f'{say_arm(name)}: ' if say_arm(name) else ''}{planned:,} turns find a gap of "
                f"{settings.gap:g} with a power of {say_power(power)}, and [stopping] states "
                f"{stopping.power:g}{say_shared_alpha(shared)}; "
                f"turns of one chat are assumed to correlate by {stopping.icc:g}. {enough:,} would have it: "
                f"{-(-enough // turns):,} chats, or state another gap or power."
            )
