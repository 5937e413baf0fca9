"""The weak baseline: it takes one word the other speaker used and says things twice.

So does a sequence-to-sequence bot that decodes greedily (See et al. 2019, "What makes a good conversation?").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from duologue.bots.base import Message

AGAIN = 0.35
"""How often it says again what it said before."""
ECHO = 0.15
"""How often it only repeats the other speaker's last sentence."""


def speak_parrot(messages: Sequence[Message], patterns: Sequence[str], rng: np.random.Generator) -> str:
    """Its own last turn again, an echo, or a pattern filled with a word it has just heard."""
    said = [message.text for message in messages if message.role == "assistant"]
    heard = [message.text for message in messages if message.role == "user"]
    draw = rng.random()
    if said and draw < AGAIN:
        return said[-1]
    if heard and draw < AGAIN + ECHO:
        return _last_sentence(heard[-1]).lower()
    pattern = patterns[int(rng.integers(len(patterns)))]
    return pattern.format(word=_longest_word(heard[-1]) if heard else "music")


def _last_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s+", text.strip())[-1]


def _longest_word(text: str) -> str:
    return max(re.findall(r"[a-z]+", text.lower()), key=len, default="music")
