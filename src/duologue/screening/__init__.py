"""Screening: which annotators a rule excludes, and what it flags. Nothing is stored here."""

from __future__ import annotations

from duologue.screening.attention import (
    ASKED_AGAIN,
    ATTENTION,
    ATTENTION_CHECK,
    NEVER_COUNTED,
    REPEAT,
    SECOND_JUDGMENT,
    UNFINISHED,
    fails_attention,
    is_never_counted,
)
from duologue.screening.chats import CHAT_FLAGS, ScreenFlag, flag_chat, read_words
from duologue.screening.copying import (
    COPIED_REASON,
    LEAST_COPIED_WORDS,
    LEAST_TIMES,
    REPEATED_REASON,
    SHARED_REASON,
    fingerprint,
    may_be_shared,
    stands_in,
)
from duologue.screening.flags import (
    ANNOTATOR_FLAGS,
    FLAG_RULES,
    JUDGMENT_FLAGS,
    REASON_FLAGS,
    rule_of_flag,
)
from duologue.screening.onboarding import ONBOARDING, counts_as_right, passes_onboarding
from duologue.screening.patterns import FIXED_PATTERN, LEAST_CHOICES, SAME_POSITION, find_pattern
from duologue.screening.reading import PAGE_FLAGS, PASTED, UNSCROLLED
from duologue.screening.reasons import NO_REASON
from duologue.screening.speed import TOO_FAST, WORDS_PER_SECOND, least_seconds
from duologue.screening.words import count_words, words_apart, words_said

__all__ = [
    "ANNOTATOR_FLAGS",
    "ASKED_AGAIN",
    "ATTENTION",
    "ATTENTION_CHECK",
    "CHAT_FLAGS",
    "COPIED_REASON",
    "FIXED_PATTERN",
    "FLAG_RULES",
    "JUDGMENT_FLAGS",
    "LEAST_CHOICES",
    "LEAST_COPIED_WORDS",
    "LEAST_TIMES",
    "NEVER_COUNTED",
    "NO_REASON",
    "ONBOARDING",
    "PAGE_FLAGS",
    "PASTED",
    "REASON_FLAGS",
    "REPEAT",
    "REPEATED_REASON",
    "SAME_POSITION",
    "SECOND_JUDGMENT",
    "SHARED_REASON",
    "TOO_FAST",
    "UNFINISHED",
    "UNSCROLLED",
    "WORDS_PER_SECOND",
    "ScreenFlag",
    "count_words",
    "counts_as_right",
    "fails_attention",
    "find_pattern",
    "fingerprint",
    "flag_chat",
    "is_never_counted",
    "least_seconds",
    "may_be_shared",
    "passes_onboarding",
    "read_words",
    "rule_of_flag",
    "stands_in",
    "words_apart",
    "words_said",
]
