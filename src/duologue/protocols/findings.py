"""What analyses of every protocol find alike: who judged, when, for how long, and what was set aside."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Seconds a judgment took, and the person-hours all of them cost, onboarding and excluded ones too."""

    median_seconds: float
    person_hours: float
    timed: int
    untimed: int


@dataclass(frozen=True, slots=True)
class RuleCount:
    """What one exclusion rule set aside."""

    rule: str
    judgments: int
    annotators: int


@dataclass(frozen=True, slots=True)
class AnnotatorCount:
    """How many of the judgments that count are one annotator's."""

    annotator: str
    judgments: int
    share: float


@dataclass(frozen=True, slots=True)
class Moment:
    """How many judgments counted by a time."""

    at: str
    judgments: int
