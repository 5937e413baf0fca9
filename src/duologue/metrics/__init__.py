"""Metrics: what can be counted in dialogues without asking anybody."""

from __future__ import annotations

from duologue.metrics.length import LengthTally, turn_lengths
from duologue.metrics.memorisation import Memorisation, MemorisationTally, memorisation
from duologue.metrics.repetition import (
    Degeneration,
    DegenerationTally,
    degeneration,
    find_loop,
    repetition_in,
)
from duologue.metrics.words import plain_words

__all__ = [
    "Degeneration",
    "DegenerationTally",
    "LengthTally",
    "Memorisation",
    "MemorisationTally",
    "degeneration",
    "find_loop",
    "memorisation",
    "plain_words",
    "repetition_in",
    "turn_lengths",
]
