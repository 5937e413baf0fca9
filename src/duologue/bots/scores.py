"""Bots that can do more than reply: score candidates, and say how likely each next word is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from duologue.bots.base import Message
from duologue.errors import BotError

HOW_TO_SCORE = "docs/bots.md says how a bot scores candidates and words."


@runtime_checkable
class ScoringBackend(Protocol):
    """A backend that scores candidates."""

    async def score(self, messages: Sequence[Message], candidates: Sequence[str], *, seed: int) -> object:
        """One number for each candidate, higher is better.

        Raises:
            BotUnavailable: Not this time.
            BotError: Not at all.
        """


@runtime_checkable
class WordPredictingBackend(Protocol):
    """A backend that gives the distribution of the next word."""

    async def next_word_probabilities(
        self, messages: Sequence[Message], words: Sequence[str], *, seed: int
    ) -> object:
        """A probability by word, after the first words of the next turn; words left out have none.

        Raises:
            BotUnavailable: Not this time.
            BotError: Not at all.
        """


def checked_scores(bot: str, given: object, candidates: int) -> list[float]:
    """The scores, if there is a finite number for each candidate.

    Raises:
        BotError: There is not.
    """
    try:
        scores = [float(one) for one in given]  # type: ignore[attr-defined]  # lists, tuples, arrays, tensors
    except (TypeError, ValueError):
        raise BotError(bot, f"its scores should be numbers, and are {type(given).__name__}.") from None
    if len(scores) != candidates or not all(map(math.isfinite, scores)):
        raise BotError(bot, f"it should give {candidates} finite scores, and gave {len(scores)}.")
    return scores


def checked_probabilities(bot: str, given: object) -> dict[str, float]:
    """The probabilities, if they are a mapping of words to numbers that are not negative.

    Raises:
        BotError: They are not.
    """
    if not isinstance(given, Mapping):
        raise BotError(bot, f"its probabilities should be by word, and are {type(given).__name__}.")
    try:
        shares = {str(word): float(share) for word, share in given.items()}
    except (TypeError, ValueError):
        raise BotError(bot, "its probabilities are not all numbers.") from None
    if not all(math.isfinite(share) and share >= 0 for share in shares.values()):
        raise BotError(bot, "its probabilities are not all finite and at least 0.")
    return shares
