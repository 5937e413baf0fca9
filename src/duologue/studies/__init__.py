"""Studies: a folder with a study.toml, read, checked and described; its pairings and other items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front
from duologue.studies.changed_material import changed_material
from duologue.studies.check import StudyCheck, check_study
from duologue.studies.describe import describe_study
from duologue.studies.drawing import DrawnItems, draw_items
from duologue.studies.frozen_plan import (
    PLAN_FILE,
    FrozenPlan,
    changes_since,
    draft_plan,
    freeze,
    plan_hash,
    planned_numbers,
)
from duologue.studies.load import load_study
from duologue.studies.make import new_study, next_steps
from duologue.studies.model import Caps, Study, StudyFile, WordingTable
from duologue.studies.naming import name_database
from duologue.studies.pairings import (
    MadePairings,
    change_pairing,
    export_pairings,
    import_pairings,
    make_pairings,
)
from duologue.studies.removing import RemovedFromStudy, remove_from_study

if TYPE_CHECKING:
    from duologue.studies.plan import Plan, make_plan, simulate_plan
    from duologue.studies.plan_request import PlanRequest, request_from_flags, request_from_study
    from duologue.studies.plan_text import describe_peeking, describe_plan, peeking_record, plan_record

__all__ = [
    "PLAN_FILE",
    "Caps",
    "DrawnItems",
    "FrozenPlan",
    "MadePairings",
    "Plan",
    "PlanRequest",
    "RemovedFromStudy",
    "Study",
    "StudyCheck",
    "StudyFile",
    "WordingTable",
    "change_pairing",
    "changed_material",
    "changes_since",
    "check_study",
    "describe_peeking",
    "describe_plan",
    "describe_study",
    "draft_plan",
    "draw_items",
    "export_pairings",
    "freeze",
    "import_pairings",
    "load_study",
    "make_pairings",
    "make_plan",
    "name_database",
    "new_study",
    "next_steps",
    "peeking_record",
    "plan_hash",
    "plan_record",
    "planned_numbers",
    "remove_from_study",
    "request_from_flags",
    "request_from_study",
    "simulate_plan",
]

# Names that bring scipy with them: half a second that serving a study need not wait for.
__getattr__ = lazy_front(
    __name__,
    {
        "plan": ("Plan", "make_plan", "simulate_plan"),
        "plan_request": ("PlanRequest", "request_from_flags", "request_from_study"),
        "plan_text": ("describe_peeking", "describe_plan", "peeking_record", "plan_record"),
    },
)
