"""Adding bots to a study that has been judged: only their matchups are planned and paired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.acute.growing.adding import GrownStudy, grow_study, preview_growth
    from duologue.acute.growing.planning import GrowthPlan, plan_growth
    from duologue.acute.growing.saying import growth_record, say_growth

__all__ = [
    "GrownStudy",
    "GrowthPlan",
    "grow_study",
    "growth_record",
    "plan_growth",
    "preview_growth",
    "say_growth",
]

__getattr__ = lazy_front(__name__)
