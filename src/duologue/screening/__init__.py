"""Screening: which annotators a rule sets aside. Pure functions over judgments; nothing is stored here."""

from __future__ import annotations

from duologue.screening.onboarding import ONBOARDING, OnboardingScore, failed_onboarding, onboarding_scores
from duologue.screening.reasons import NO_REASON, never_a_reason
from duologue.screening.records import Screened

__all__ = [
    "NO_REASON",
    "ONBOARDING",
    "OnboardingScore",
    "Screened",
    "failed_onboarding",
    "never_a_reason",
    "onboarding_scores",
]
