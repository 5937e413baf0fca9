"""Rehearsal: simulated annotators walk the real pages of a study before anybody is paid."""

from __future__ import annotations

from duologue.rehearsal.base import (
    Choices,
    Finding,
    Protocol,
    ProtocolRehearsal,
    Recovery,
    Stated,
)
from duologue.rehearsal.checks import RuleCheck
from duologue.rehearsal.describe import describe_rehearsal, rehearsal_record
from duologue.rehearsal.kinds import (
    DOUBLE_CLICKER,
    FAILS_ONBOARDING,
    HURRIED,
    LEAVES_HALF_WAY,
    NEVER_A_REASON,
    SPAMMER,
    Kind,
    SimulatedAnnotator,
)
from duologue.rehearsal.rehearsing import rehearse
from duologue.rehearsal.results import KindResult, Rehearsal
from duologue.rehearsal.walk import Walk

__all__ = [
    "DOUBLE_CLICKER",
    "FAILS_ONBOARDING",
    "HURRIED",
    "LEAVES_HALF_WAY",
    "NEVER_A_REASON",
    "SPAMMER",
    "Choices",
    "Finding",
    "Kind",
    "KindResult",
    "Protocol",
    "ProtocolRehearsal",
    "Recovery",
    "Rehearsal",
    "RuleCheck",
    "SimulatedAnnotator",
    "Stated",
    "Walk",
    "describe_rehearsal",
    "rehearsal_record",
    "rehearse",
]
