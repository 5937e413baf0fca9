"""What turns cost, and what so many of them could have shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from duologue.per_turn.analysis.deciding import DecidedComparison
from duologue.per_turn.analysis.results import TurnCost, TurnPower
from duologue.per_turn.analysis.tables import SectionKey, TurnTable, is_of
from duologue.per_turn.power import arm_design
from duologue.per_turn.rows import TurnRow
from duologue.stats import clustered_power

_Chat = tuple[str, str]
"""A dialogue, and who read it where that is what is counted."""


def cost_of(rows: Sequence[TurnRow], key: SectionKey, *, counted: int, read: bool = False) -> TurnCost:
    """Time and money of a section's chats, by those who had them; all of them were paid for.

    Args:
        rows: All rows.
        key: The section.
        counted: Turns that count.
        read: Take those who read the chats instead; every reading is one dialogue then.
    """
    own = [row for row in rows if row.is_third_party == read and is_of(row, key)]
    counted_by_page: dict[_Chat, float] = {}
    whole: dict[_Chat, float] = {}
    pay: dict[_Chat, float] = {}
    for row in own:
        chat = (row.dialogue, row.annotator if read else "")
        if row.seconds is not None:
            counted_by_page[chat] = counted_by_page.get(chat, 0.0) + row.seconds
        if row.dialogue_seconds is not None:
            whole[chat] = row.dialogue_seconds
        if row.pay is not None:
            pay[chat] = row.pay
    # A page that counts knows when somebody is away, a clock does not.
    seconds = {chat: whole[chat] for chat in whole if chat in counted_by_page} or whole or counted_by_page
    timed = [row.seconds for row in own if row.seconds is not None]
    return TurnCost(
        dialogues=len({row.dialogue for row in own}),
        turns=len(own),
        seconds_per_turn=float(np.median(timed)) if timed else None,
        seconds_per_dialogue=float(np.median(list(seconds.values()))) if seconds else None,
        pay_per_dialogue=float(np.mean(list(pay.values()))) if pay else None,
        pay_per_turn=sum(pay.values()) / counted if pay and counted else None,
    )


def default_gap(key: SectionKey) -> float:
    """What the planner takes unless it is told: .2 where one of two must be chosen, else .1."""
    return 0.2 if (key.mechanism, key.setting) == ("pairwise", "soba") else 0.1


def power_of(
    table: TurnTable,
    decided: Sequence[DecidedComparison],
    *,
    alpha: float,
    null: float,
    gap: float | None,
    power: float,
    planned: Mapping[str, int],
) -> TurnPower | None:
    """What so many turns, for what they are worth with their clusters, could have shown of the planned gap.

    Args:
        table: The turns that count.
        decided: The comparisons of the section.
        alpha: The error rate of a family.
        null: The standard of a single bot.
        gap: The gap that was planned; what the planner takes where nobody said.
        power: The power that was planned.
        planned: Turns planned, by arm.
    """
    tested = [one for one in decided if one.decision is not None]
    if not tested:
        return None
    family = max(one.decision.family for one in tested if one.decision is not None)
    worth = [one.weighed.effective_turns for one in tested if one.weighed.effective_turns is not None]
    effective = int(np.median(worth)) if worth else len(table)
    chosen = default_gap(table.key) if gap is None else gap
    bots, counts = len(table.key.bots), table.selected.sum(axis=1)
    discordance = float((counts * (bots - counts)).mean()) / max(1, bots * (bots - 1) // 2)
    design = arm_design(
        table.key.mechanism,
        table.key.setting,
        bots,
        alpha=alpha,
        tests=family,
        null=null,
        discordance=discordance or None,
    )
    if effective < 2 or not 0 < chosen < design.largest_gap:
        return None
    clusters = len(np.unique(table.dialogue))
    return TurnPower(
        gap=chosen,
        planned_power=power,
        planned_turns=planned.get(table.key.arm),
        turns=len(table),
        effective_turns=effective,
        power=float(clustered_power(design, [effective], chosen, clusters=[clusters])[0]),
    )
