"""Next utterance classification: a context, candidate replies, and which one comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.nuc.analysis.answers import ChosenReplies, items_by_id, read_chosen
    from duologue.nuc.analysis.comparing import CohortPair
    from duologue.nuc.analysis.recall import RecallResults, analyse_recall
    from duologue.nuc.analysis.results import NucResults
    from duologue.nuc.building.build import BuiltCorpus, BuiltTask, build_task
    from duologue.nuc.building.cleaning import Cleaning
    from duologue.nuc.building.lengths import LengthComparison
    from duologue.nuc.building.options import BuildOptions, Corpus
    from duologue.nuc.options import NucPlanOptions
    from duologue.nuc.planner import NucPlanner
    from duologue.nuc.protocol import NucProtocol
    from duologue.nuc.settings import NucSettings

__all__ = [
    "BuildOptions",
    "BuiltCorpus",
    "BuiltTask",
    "ChosenReplies",
    "Cleaning",
    "CohortPair",
    "Corpus",
    "LengthComparison",
    "NucPlanOptions",
    "NucPlanner",
    "NucProtocol",
    "NucResults",
    "NucSettings",
    "RecallResults",
    "analyse_recall",
    "build_task",
    "items_by_id",
    "read_chosen",
]

__getattr__ = lazy_front(__name__)
