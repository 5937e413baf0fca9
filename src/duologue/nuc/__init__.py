"""Next utterance classification: planned here, not run yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.nuc.building.build import BuiltCorpus, BuiltTask, build_task
    from duologue.nuc.building.cleaning import Cleaning
    from duologue.nuc.building.lengths import LengthComparison
    from duologue.nuc.building.options import BuildOptions, Corpus
    from duologue.nuc.planner import NucPlanner

__all__ = [
    "BuildOptions",
    "BuiltCorpus",
    "BuiltTask",
    "Cleaning",
    "Corpus",
    "LengthComparison",
    "NucPlanner",
    "build_task",
]

__getattr__ = lazy_front(
    __name__,
    {
        "building.build": (
            "BuiltCorpus",
            "BuiltTask",
            "build_task",
        ),
        "building.cleaning": ("Cleaning",),
        "building.lengths": ("LengthComparison",),
        "building.options": (
            "BuildOptions",
            "Corpus",
        ),
        "planner": ("NucPlanner",),
    },
)
