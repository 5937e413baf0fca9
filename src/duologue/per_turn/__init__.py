"""Per-turn evaluation, replies judged as a chat goes on: planned here, not run yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.per_turn.planner import PerTurnPlanner

__all__ = ["PerTurnPlanner"]

__getattr__ = lazy_front(__name__, {"planner": ("PerTurnPlanner",)})
