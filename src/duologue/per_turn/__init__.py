"""Per-turn evaluation, replies judged as a chat goes on: planned and analysed here, not run yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.per_turn.analysis.results import (
        SHORT,
        AgainstNull,
        AllBots,
        Anchoring,
        BotSelections,
        Cascading,
        NoneRates,
        PairAcross,
        PerTurnResults,
        ScreenedRule,
        SettingOfPair,
        TestedTurns,
        ThirdParty,
        TurnCost,
        TurnPair,
        TurnPower,
        TurnScreening,
        TurnSection,
        TurnVerdict,
    )
    from duologue.per_turn.analysis.screened import NULL, TurnQuestion
    from duologue.per_turn.analysis.screening import PAPER_RULES, RULES, screen_turns
    from duologue.per_turn.analysis.turns import analyse_turns
    from duologue.per_turn.planner import PerTurnPlanner
    from duologue.per_turn.rows import (
        Candidate,
        Continuation,
        Mechanism,
        Setting,
        TurnRow,
        read_turns,
        turn_of,
        turn_record,
        unused_fields,
        write_turns,
    )

__all__ = [
    "NULL",
    "PAPER_RULES",
    "RULES",
    "SHORT",
    "AgainstNull",
    "AllBots",
    "Anchoring",
    "BotSelections",
    "Candidate",
    "Cascading",
    "Continuation",
    "Mechanism",
    "NoneRates",
    "PairAcross",
    "PerTurnPlanner",
    "PerTurnResults",
    "ScreenedRule",
    "Setting",
    "SettingOfPair",
    "TestedTurns",
    "ThirdParty",
    "TurnCost",
    "TurnPair",
    "TurnPower",
    "TurnQuestion",
    "TurnRow",
    "TurnScreening",
    "TurnSection",
    "TurnVerdict",
    "analyse_turns",
    "read_turns",
    "screen_turns",
    "turn_of",
    "turn_record",
    "unused_fields",
    "write_turns",
]

__getattr__ = lazy_front(
    __name__,
    {
        "analysis.results": (
            "SHORT",
            "AgainstNull",
            "AllBots",
            "Anchoring",
            "BotSelections",
            "Cascading",
            "NoneRates",
            "PairAcross",
            "PerTurnResults",
            "ScreenedRule",
            "SettingOfPair",
            "TestedTurns",
            "ThirdParty",
            "TurnCost",
            "TurnPair",
            "TurnPower",
            "TurnScreening",
            "TurnSection",
            "TurnVerdict",
        ),
        "analysis.screened": (
            "NULL",
            "TurnQuestion",
        ),
        "analysis.screening": (
            "PAPER_RULES",
            "RULES",
            "screen_turns",
        ),
        "analysis.turns": ("analyse_turns",),
        "planner": ("PerTurnPlanner",),
        "rows": (
            "Candidate",
            "Continuation",
            "Mechanism",
            "Setting",
            "TurnRow",
            "read_turns",
            "turn_of",
            "turn_record",
            "unused_fields",
            "write_turns",
        ),
    },
)
