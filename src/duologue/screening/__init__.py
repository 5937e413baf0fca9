"""Screening: which annotators a rule excludes, and which chats it flags. Nothing is stored here."""

from __future__ import annotations

from duologue.screening.chats import FLAG_RULES, ScreenFlag, flag_chat, read_words
from duologue.screening.onboarding import ONBOARDING, counts_as_right, passes_onboarding
from duologue.screening.reasons import NO_REASON
from duologue.screening.words import count_words

__all__ = [
    "FLAG_RULES",
    "NO_REASON",
    "ONBOARDING",
    "ScreenFlag",
    "count_words",
    "counts_as_right",
    "flag_chat",
    "passes_onboarding",
    "read_words",
]
