"""Screening: which annotators a rule excludes, and which chats it flags. Nothing is stored here."""

from __future__ import annotations

from duologue.screening.attention import (
    ATTENTION,
    ATTENTION_CHECK,
    NEVER_COUNTED,
    REPEAT,
    fails_attention,
)
from duologue.screening.chats import FLAG_RULES, ScreenFlag, flag_chat, read_words
from duologue.screening.onboarding import ONBOARDING, counts_as_right, passes_onboarding
from duologue.screening.reasons import NO_REASON
from duologue.screening.words import count_words

__all__ = [
    "ATTENTION",
    "ATTENTION_CHECK",
    "FLAG_RULES",
    "NEVER_COUNTED",
    "NO_REASON",
    "ONBOARDING",
    "REPEAT",
    "ScreenFlag",
    "count_words",
    "counts_as_right",
    "fails_attention",
    "flag_chat",
    "passes_onboarding",
    "read_words",
]
