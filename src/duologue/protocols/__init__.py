"""Protocols: how judgments are asked for. Each is all in its own package; the rest treats them alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.protocols.base import Asked, Material, StudyProtocol, VerdictRules, View
    from duologue.protocols.chat import CHAT, HUMAN, ChatPlan, ChatSettings, First, chat_plan
    from duologue.protocols.conduct import (
        BotMaterial,
        CohortCounts,
        Conduct,
        ExcludedByHand,
        LookTaken,
        Meetings,
        NumbersGiven,
        ParticipantStep,
        PlannedNumber,
        PlanPrinted,
        QuestionCounts,
        Sensitivity,
        VerdictBeside,
    )
    from duologue.protocols.families import Family, FamilyWords, families_of, say_families
    from duologue.protocols.findings import (
        AnnotatorCount,
        Moment,
        RuleCount,
        TimeSpent,
        say_interim,
        say_shared_interim,
        time_spent_on,
    )
    from duologue.protocols.forms import FieldValue, FormValues
    from duologue.protocols.items import (
        drafting_items,
        item_of,
        item_text,
        items_drawn_from,
        read_items,
        write_items,
    )
    from duologue.protocols.judged import JudgedBatch, shared_columns
    from duologue.protocols.provenance import Provenance
    from duologue.protocols.records import ONLY_ARM, Answer, Arm, Draft, Item, Role, Win
    from duologue.protocols.registry import DEFAULT_PROTOCOL, protocol_named, protocol_names
    from duologue.protocols.replication import Half, Outcome, Replication, replicate
    from duologue.protocols.results_file import FORMAT, SavedResults
    from duologue.protocols.saying import (
        TOPPING_UP,
        say_level,
        say_list,
        say_p,
        say_percent,
        say_rating,
        say_rating_span,
        say_span,
    )
    from duologue.protocols.views import DialogueView, Option, Screen, TurnView, dialogue_view

__all__ = [
    "CHAT",
    "DEFAULT_PROTOCOL",
    "FORMAT",
    "HUMAN",
    "ONLY_ARM",
    "TOPPING_UP",
    "AnnotatorCount",
    "Answer",
    "Arm",
    "Asked",
    "BotMaterial",
    "ChatPlan",
    "ChatSettings",
    "CohortCounts",
    "Conduct",
    "DialogueView",
    "Draft",
    "ExcludedByHand",
    "Family",
    "FamilyWords",
    "FieldValue",
    "First",
    "FormValues",
    "Half",
    "Item",
    "JudgedBatch",
    "LookTaken",
    "Material",
    "Meetings",
    "Moment",
    "NumbersGiven",
    "Option",
    "Outcome",
    "ParticipantStep",
    "PlanPrinted",
    "PlannedNumber",
    "Provenance",
    "QuestionCounts",
    "Replication",
    "Role",
    "RuleCount",
    "SavedResults",
    "Screen",
    "Sensitivity",
    "StudyProtocol",
    "TimeSpent",
    "TurnView",
    "VerdictBeside",
    "VerdictRules",
    "View",
    "Win",
    "chat_plan",
    "dialogue_view",
    "drafting_items",
    "families_of",
    "item_of",
    "item_text",
    "items_drawn_from",
    "protocol_named",
    "protocol_names",
    "read_items",
    "replicate",
    "say_families",
    "say_interim",
    "say_level",
    "say_list",
    "say_p",
    "say_percent",
    "say_rating",
    "say_rating_span",
    "say_shared_interim",
    "say_span",
    "shared_columns",
    "time_spent_on",
    "write_items",
]

__getattr__ = lazy_front(
    __name__,
    {
        "base": (
            "Asked",
            "Material",
            "StudyProtocol",
            "VerdictRules",
            "View",
        ),
        "chat": (
            "CHAT",
            "HUMAN",
            "ChatPlan",
            "ChatSettings",
            "First",
            "chat_plan",
        ),
        "conduct": (
            "BotMaterial",
            "CohortCounts",
            "Conduct",
            "ExcludedByHand",
            "LookTaken",
            "Meetings",
            "NumbersGiven",
            "ParticipantStep",
            "PlanPrinted",
            "PlannedNumber",
            "QuestionCounts",
            "Sensitivity",
            "VerdictBeside",
        ),
        "families": (
            "Family",
            "FamilyWords",
            "families_of",
            "say_families",
        ),
        "findings": (
            "AnnotatorCount",
            "Moment",
            "RuleCount",
            "TimeSpent",
            "say_interim",
            "say_shared_interim",
            "time_spent_on",
        ),
        "forms": (
            "FieldValue",
            "FormValues",
        ),
        "items": (
            "drafting_items",
            "item_of",
            "item_text",
            "items_drawn_from",
            "read_items",
            "write_items",
        ),
        "judged": (
            "JudgedBatch",
            "shared_columns",
        ),
        "provenance": ("Provenance",),
        "records": (
            "ONLY_ARM",
            "Answer",
            "Arm",
            "Draft",
            "Item",
            "Role",
            "Win",
        ),
        "registry": (
            "DEFAULT_PROTOCOL",
            "protocol_named",
            "protocol_names",
        ),
        "replication": (
            "Half",
            "Outcome",
            "Replication",
            "replicate",
        ),
        "results_file": (
            "FORMAT",
            "SavedResults",
        ),
        "saying": (
            "TOPPING_UP",
            "say_level",
            "say_list",
            "say_p",
            "say_percent",
            "say_rating",
            "say_rating_span",
            "say_span",
        ),
        "views": (
            "DialogueView",
            "Option",
            "Screen",
            "TurnView",
            "dialogue_view",
        ),
    },
)
