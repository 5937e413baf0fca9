"""Next utterance classification: planned here, not run yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.nuc.planner import NucPlanner

__all__ = ["NucPlanner"]

__getattr__ = lazy_front(__name__, {"planner": ("NucPlanner",)})
