"""Per-turn evaluation: replies are selected as a chat goes on, of one bot, two or several at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.per_turn.analysis.readers import analyse_readers
    from duologue.per_turn.analysis.results import (
        SHORT,
        AllBots,
        Anchoring,
        BotSelections,
        CascadingEffect,
        MechanismComparison,
        NoneSelectedRates,
        NullComparison,
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
        TurnsNeeded,
        TurnVerdict,
        WholeAnswers,
        WholeDifference,
        WrittenReplies,
    )
    from duologue.per_turn.analysis.screened import NULL, TurnQuestion
    from duologue.per_turn.analysis.screening import screen_turns
    from duologue.per_turn.analysis.turns import analyse_turns
    from duologue.per_turn.design.planner import PerTurnPlanner
    from duologue.per_turn.options import PerTurnAnalysisOptions, PerTurnPlanOptions
    from duologue.per_turn.protocol import PerTurnProtocol
    from duologue.per_turn.rows import (
        Candidate,
        Continuation,
        Mechanism,
        Setting,
        TurnRow,
        WholeAnswer,
        read_turns,
        turn_of,
        turn_record,
        unused_fields,
        without_positions,
        write_turns,
    )
    from duologue.per_turn.rules import PAPER_RULES, RULES
    from duologue.per_turn.settings import PerTurnSettings, TurnArm, WholeQuestion

__all__ = [
    "NULL",
    "PAPER_RULES",
    "RULES",
    "SHORT",
    "AllBots",
    "Anchoring",
    "BotSelections",
    "Candidate",
    "CascadingEffect",
    "Continuation",
    "Mechanism",
    "MechanismComparison",
    "NoneSelectedRates",
    "NullComparison",
    "PairAcross",
    "PerTurnAnalysisOptions",
    "PerTurnPlanOptions",
    "PerTurnPlanner",
    "PerTurnProtocol",
    "PerTurnResults",
    "PerTurnSettings",
    "ScreenedRule",
    "Setting",
    "SettingOfPair",
    "TestedTurns",
    "ThirdParty",
    "TurnArm",
    "TurnCost",
    "TurnPair",
    "TurnPower",
    "TurnQuestion",
    "TurnRow",
    "TurnScreening",
    "TurnSection",
    "TurnVerdict",
    "TurnsNeeded",
    "WholeAnswer",
    "WholeAnswers",
    "WholeDifference",
    "WholeQuestion",
    "WrittenReplies",
    "analyse_readers",
    "analyse_turns",
    "read_turns",
    "screen_turns",
    "turn_of",
    "turn_record",
    "unused_fields",
    "without_positions",
    "write_turns",
]

__getattr__ = lazy_front(__name__)
