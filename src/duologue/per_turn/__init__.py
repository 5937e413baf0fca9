"""Per-turn evaluation, replies judged as a chat goes on: planned and analysed here, not run yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
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
    "Candidate",
    "Continuation",
    "Mechanism",
    "PerTurnPlanner",
    "Setting",
    "TurnRow",
    "read_turns",
    "turn_of",
    "turn_record",
    "unused_fields",
    "write_turns",
]

__getattr__ = lazy_front(
    __name__,
    {
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
