"""Rehearsal: simulated annotators walk the real pages of a study before anybody is paid."""

from __future__ import annotations

from duologue.rehearsal.checks import RuleCheck
from duologue.rehearsal.kinds import KINDS, SUMMARIES, Kind, SimulatedAnnotator
from duologue.rehearsal.preferences import parse_preferences
from duologue.rehearsal.rehearse import rehearse
from duologue.rehearsal.results import KindResult, Rehearsal
from duologue.rehearsal.walk import Walk

__all__ = [
    "KINDS",
    "SUMMARIES",
    "Kind",
    "KindResult",
    "Rehearsal",
    "RuleCheck",
    "SimulatedAnnotator",
    "Walk",
    "parse_preferences",
    "rehearse",
]
