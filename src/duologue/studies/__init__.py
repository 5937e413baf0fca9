"""Studies: a folder with a study.toml, read, checked, described and planned; its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.studies.addenda import (
        AddedGroup,
        StudySoFar,
        addenda_in,
        addendum_file,
        draft_addendum,
        groups_added,
        plan_with_addenda,
        read_addenda,
    )
    from duologue.studies.caps import StudyRules
    from duologue.studies.check import check_study, odd_onboarding
    from duologue.studies.check_dialogues import odd_dialogues
    from duologue.studies.describe import describe_study, time_and_cost
    from duologue.studies.design import ProtocolDesign, StudyCheck, design_of
    from duologue.studies.drawing import DrawnItems, draw_items, material_of, planned_items, require_items
    from duologue.studies.forms.answers import FIELD, FormReading, read_answers
    from duologue.studies.forms.counts import count_answers
    from duologue.studies.forms.settings import MOST_FIELDS, CohortSettings, FormQuestion, FormSettings
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
    from duologue.studies.material import changed_material
    from duologue.studies.model import Study
    from duologue.studies.naming import name_database
    from duologue.studies.planning.asking import request_from_flags, request_from_study
    from duologue.studies.planning.besides import Besides, asked_besides
    from duologue.studies.planning.comparing import compare_plans, comparison_record, describe_comparison
    from duologue.studies.planning.designs import (
        DIALOGUE_A_JUDGMENT,
        Alternative,
        DialogueCount,
        PlannedDesign,
        forced_choice_design,
        plural,
        standard_readings,
    )
    from duologue.studies.planning.plan import Plan, hours_of, make_plan, simulate_plan
    from duologue.studies.planning.planner import (
        ProtocolPlanner,
        compared_requests,
        plan_options,
        planner_named,
        planner_names,
        read_plan_options,
    )
    from duologue.studies.planning.request import (
        PlanRequest,
        fill,
        gap_of,
        holm_note,
        level_of_each_test,
        number_of_matchups,
        refuse_meaningless,
        required,
        say_shared_alpha,
        several_bots,
    )
    from duologue.studies.planning.text import describe_peeking, describe_plan, peeking_record, plan_record
    from duologue.studies.planning.timing import QUESTION_SECONDS
    from duologue.studies.removing import StudyRemoval, remove_from_study
    from duologue.studies.served_words import human_bots, in_served_words, shows_programs
    from duologue.studies.spreading import judged_twice_of, repeats_of, spread_over_groups
    from duologue.studies.tables import AttentionTable, StudyFile
    from duologue.studies.texts import contradictions, study_facts
    from duologue.studies.wording import WordingTable

__all__ = [
    "DIALOGUE_A_JUDGMENT",
    "FIELD",
    "MOST_FIELDS",
    "PLAN_FILE",
    "QUESTION_SECONDS",
    "AddedGroup",
    "Alternative",
    "AttentionTable",
    "Besides",
    "CohortSettings",
    "DialogueCount",
    "DrawnItems",
    "FormQuestion",
    "FormReading",
    "FormSettings",
    "FrozenPlan",
    "Plan",
    "PlanRequest",
    "PlannedDesign",
    "ProtocolDesign",
    "ProtocolPlanner",
    "Study",
    "StudyCheck",
    "StudyFile",
    "StudyRemoval",
    "StudyRules",
    "StudySoFar",
    "WordingTable",
    "addenda_in",
    "addendum_file",
    "asked_besides",
    "changed_material",
    "changes_since",
    "check_study",
    "compare_plans",
    "compared_requests",
    "comparison_record",
    "contradictions",
    "count_answers",
    "describe_comparison",
    "describe_peeking",
    "describe_plan",
    "describe_study",
    "design_of",
    "draft_addendum",
    "draft_plan",
    "draw_items",
    "fill",
    "forced_choice_design",
    "freeze",
    "gap_of",
    "groups_added",
    "holm_note",
    "hours_of",
    "human_bots",
    "in_served_words",
    "judged_twice_of",
    "level_of_each_test",
    "load_study",
    "make_plan",
    "material_of",
    "name_database",
    "new_study",
    "next_steps",
    "number_of_matchups",
    "odd_dialogues",
    "odd_onboarding",
    "peeking_record",
    "plan_hash",
    "plan_options",
    "plan_record",
    "plan_with_addenda",
    "planned_items",
    "planned_numbers",
    "planner_named",
    "planner_names",
    "plural",
    "read_addenda",
    "read_answers",
    "read_plan_options",
    "refuse_meaningless",
    "remove_from_study",
    "repeats_of",
    "request_from_flags",
    "request_from_study",
    "require_items",
    "required",
    "say_shared_alpha",
    "several_bots",
    "shows_programs",
    "simulate_plan",
    "spread_over_groups",
    "standard_readings",
    "study_facts",
    "time_and_cost",
]

__getattr__ = lazy_front(__name__)
