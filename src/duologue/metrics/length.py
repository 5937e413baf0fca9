"""How long turns are: in words, by bot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from duologue.dialogues import Dialogue, Distribution
from duologue.metrics.words import bot_turns, words_of


def turn_lengths(dialogues: Iterable[Dialogue]) -> Mapping[str, Distribution]:
    """How many words each bot's turns have.

    Where a script has no blanks between words each of its letters counts as one, as in `words_of`.

    Example:
        >>> from duologue.dialogues import Speaker, Turn
        >>> turns = (Turn("h", "Hi!"), Turn("a", "Good day to you."), Turn("a", "Well?"))
        >>> dialogue = Dialogue("d", "a", "live-chat", "a", (Speaker("h"), Speaker("a", "a")), turns)
        >>> turn_lengths([dialogue])["a"].most
        4
    """
    tally = LengthTally()
    for dialogue in dialogues:
        tally.look(dialogue)
    return tally.report()


class LengthTally:
    """Counts that grow with every dialogue that is looked at; memory grows with the longest turn only."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[int]] = {}

    def look(self, dialogue: Dialogue) -> None:
        """Count one dialogue."""
        counts = self._counts.setdefault(dialogue.bot, Counter())
        counts.update(len(words_of(dialogue.turns[number].text)) for number, _ in bot_turns(dialogue))

    def report(self) -> Mapping[str, Distribution]:
        """What was counted, by bot; a bot without turns has no lengths."""
        return {bot: _distribution(counts) for bot, counts in sorted(self._counts.items()) if counts}


def _distribution(counts: Counter[int]) -> Distribution:
    values = np.array(sorted(counts))
    times = np.array([counts[int(value)] for value in values])
    reached = np.cumsum(times)
    n = int(reached[-1])
    quarter, median, three_quarters = (
        int(values[np.searchsorted(reached, q * n)]) for q in (0.25, 0.5, 0.75)
    )
    return Distribution(
        n=n,
        mean=float(values @ times) / n,
        least=int(values[0]),
        quarter=quarter,
        median=median,
        three_quarters=three_quarters,
        most=int(values[-1]),
    )
