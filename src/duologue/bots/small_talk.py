"""The middling bot: polite, fluent, and about nothing in particular."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from duologue.bots.base import Message
from duologue.bots.lines import fresh_line


@dataclass(frozen=True, slots=True)
class SmallTalkLines:
    """What it can say: that it heard something, something about itself, a stock question."""

    answers: tuple[str, ...]
    asides: tuple[str, ...]
    questions: tuple[str, ...]


def speak_small_talk(messages: Sequence[Message], lines: SmallTalkLines, rng: np.random.Generator) -> str:
    """An answer that would fit anything, then an aside, a stock question, or both."""
    said = " ".join(message.text for message in messages)
    parts = [fresh_line(lines.answers, said, rng)]
    draw = rng.random()
    if draw < 0.6:
        parts.append(fresh_line(lines.asides, said, rng))
    if draw > 0.35:
        parts.append(fresh_line(lines.questions, said, rng))
    return " ".join(parts)
