"""Rehearsal: simulated annotators walk the real pages of a study before anybody is paid."""

from __future__ import annotations

from duologue.rehearsal.checks import RuleCheck
from duologue.rehearsal.describe import describe_rehearsal, rehearsal_record
from duologue.rehearsal.kinds import KINDS, RATING_SUMMARIES, SUMMARIES, Kind, SimulatedAnnotator
from duologue.rehearsal.means import parse_means
from duologue.rehearsal.preferences import parse_order, parse_preferences
from duologue.rehearsal.rating_recovery import RatingRecovery
from duologue.rehearsal.recovery import Finding, Recovery
from duologue.rehearsal.rehearsing import rehearse
from duologue.rehearsal.results import KindResult, Rehearsal
from duologue.rehearsal.walk import Walk

__all__ = [
    "KINDS",
    "RATING_SUMMARIES",
    "SUMMARIES",
    "Finding",
    "Kind",
    "KindResult",
    "RatingRecovery",
    "Recovery",
    "Rehearsal",
    "RuleCheck",
    "SimulatedAnnotator",
    "Walk",
    "describe_rehearsal",
    "parse_means",
    "parse_order",
    "parse_preferences",
    "rehearsal_record",
    "rehearse",
]
