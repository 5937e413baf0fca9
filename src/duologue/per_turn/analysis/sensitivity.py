"""How sensitive settings and mechanisms are: the turns each needs for differences as large as it saw."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from duologue.per_turn.analysis.results import (
    SHORT,
    MechanismComparison,
    PairAcross,
    SettingOfPair,
    TurnPair,
    TurnSection,
    TurnsNeeded,
)
from duologue.stats import AllThatApply


def turns_needed(section: TurnSection, pair: TurnPair, *, alpha: float, power: float) -> TurnsNeeded | None:
    """About how many turns find a difference as large as the one seen, and their time and pay.

    Connor's formula for McNemar's test with the discordance that was seen (select-one-best has one near 1),
    times what the clusters take away. It compares settings; of the bots it is no evidence.

    Args:
        section: The section of the pair: what its turns cost.
        pair: Two bots of it.
        alpha: Of one comparison.
        power: The power that was planned.
    """
    gap = abs(pair.difference)
    if not gap:
        return None
    discordance = (pair.only_first + pair.only_second) / pair.turns
    independent = AllThatApply(discordance=discordance, alpha=alpha).about(gap, power)
    worth = pair.tested.effective_turns or pair.turns
    turns = math.ceil(independent * max(1.0, pair.turns / worth))
    cost = section.cost
    seconds, pay = cost.seconds_per_dialogue, cost.pay_per_turn
    dialogues = turns * cost.dialogues / section.turns
    return TurnsNeeded(
        turns=turns,
        hours=None if seconds is None else dialogues * seconds / 3600,
        pay=None if pay is None else turns * pay,
    )


def mechanisms_compared(across: Sequence[PairAcross]) -> tuple[MechanismComparison, ...]:
    """Where several pairs were judged two bots at a time and all at once: the turns that each way needs.

    Arms of two bots are compared with one of all bots in the same setting, and those of select-one-best with
    any: of several bots only select-all-that-apply tells pairs apart.
    """
    found: defaultdict[tuple[str, str, str], dict[tuple[str, str], tuple[int, int]]] = defaultdict(dict)
    for pair in across:
        for two in _of(pair, "pairwise"):
            for all_bots in _of(pair, "multi"):
                is_alike = _setting(two) in (SHORT["soba"], _setting(all_bots))
                if is_alike and two.needed is not None and all_bots.needed is not None:
                    key = two.design, all_bots.design, all_bots.section
                    both = two.needed.turns, all_bots.needed.turns
                    found[key].setdefault((pair.first, pair.second), both)
    return tuple(
        MechanismComparison(
            pairwise=pairwise,
            multi=multi,
            pairs=tuple(needed),
            pairwise_turns=sum(one for one, _ in needed.values()),
            multi_turns=max(one for _, one in needed.values()),
        )
        for (pairwise, multi, _), needed in found.items()
        if len(needed) > 1
    )


def _of(pair: PairAcross, mechanism: str) -> list[SettingOfPair]:
    return [one for one in pair.settings if one.design.startswith(SHORT[mechanism])]


def _setting(one: SettingOfPair) -> str:
    return one.design.partition("-")[2]
