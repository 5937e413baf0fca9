"""Degeneration: a bot that says the same things again and again.

Self-chats show it soonest (Li et al. 2019, Figure 2: two sides that tell each other the same two sentences
in turn), and judging them says more about the loop than about the bot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from duologue.dialogues import Dialogue
from duologue.metrics.words import bot_turns, plain_words

NEAR = 0.7
"""Two turns are nearly the same when they share this part of all their pairs of neighbouring words."""
FEWEST_WORDS = 4
"""Shorter turns ("how are you") are alike by chance, and are only compared exactly."""
LONGEST_BLOCK = 4
"""Turns in the longest block that is looked for as a loop."""
EXAMPLES = 5
RUN = 4
"""Words in the runs by which repetition inside a turn is measured."""
SELF_REPEATING = 0.3
"""A turn repeats itself when at least this share of its runs of words was said before in it."""


@dataclass(frozen=True, slots=True)
class Degeneration:
    """How much a bot repeats itself.

    A turn is ``repeated`` when the same speaker said the same words before in the dialogue,
    ``nearly_repeated`` when it is not, but shares most pairs of neighbouring words with an earlier turn of
    the same speaker, and ``echoed`` when it has the very words of the other speaker's turn just before it.
    It is ``self_repeating`` when three in ten of its runs of four words are said before in the same turn.
    ``examples`` are ids of dialogues with loops, the first few.
    """

    bot: str
    dialogues: int
    turns: int
    repeated: int
    nearly_repeated: int
    echoed: int
    looping: int
    examples: tuple[str, ...]
    self_repeating: int = 0


def degeneration(dialogues: Iterable[Dialogue]) -> Mapping[str, Degeneration]:
    """How much each bot repeats itself, over all of its turns (both sides of a self-chat).

    Example:
        >>> from duologue.dialogues import Speaker, Turn
        >>> sides = (Speaker("a_1", "a"), Speaker("a_2", "a"))
        >>> said = ("Hi.", "I ski, and you?", "I sing, and you?", "I ski, and you?", "I sing, and you?")
        >>> turns = tuple(Turn(f"a_{1 + n % 2}", text) for n, text in enumerate(said))
        >>> found = degeneration([Dialogue("d", "a", "self-chat", "a_2", sides, turns)])["a"]
        >>> found.repeated, found.looping
        (2, 1)
    """
    tally = DegenerationTally()
    for dialogue in dialogues:
        tally.look(dialogue)
    return tally.report()


@dataclass(slots=True)
class _Counts:
    dialogues: int = 0
    turns: int = 0
    repeated: int = 0
    nearly_repeated: int = 0
    echoed: int = 0
    looping: int = 0
    examples: list[str] = field(default_factory=list)
    self_repeating: int = 0


class DegenerationTally:
    """Counts that grow with every dialogue that is looked at."""

    def __init__(self) -> None:
        self._counts: dict[str, _Counts] = {}

    def look(self, dialogue: Dialogue) -> None:
        """Count one dialogue."""
        counts = self._counts.setdefault(dialogue.bot, _Counts())
        counts.dialogues += 1
        texts = [plain_words(turn.text) for turn in dialogue.turns]
        said: dict[str, list[str]] = {}
        for number, speaker in bot_turns(dialogue):
            earlier = said.setdefault(speaker, [])
            counts.turns += 1
            counts.self_repeating += repetition_in(texts[number]) >= SELF_REPEATING
            if texts[number] in earlier:
                counts.repeated += 1
            elif any(_is_near(texts[number], one) for one in earlier):
                counts.nearly_repeated += 1
            if number and texts[number] == texts[number - 1]:
                counts.echoed += dialogue.turns[number - 1].speaker != speaker
            earlier.append(texts[number])
        if find_loop(texts) or any(find_loop(own, blocks=(1,)) for own in said.values()):
            counts.looping += 1
            if len(counts.examples) < EXAMPLES:
                counts.examples.append(dialogue.id)

    def report(self) -> Mapping[str, Degeneration]:
        """What was counted, by bot."""
        return {
            bot: Degeneration(
                bot,
                counts.dialogues,
                counts.turns,
                counts.repeated,
                counts.nearly_repeated,
                counts.echoed,
                counts.looping,
                tuple(counts.examples),
                counts.self_repeating,
            )
            for bot, counts in sorted(self._counts.items())
        }


def repetition_in(text: str) -> float:
    """The share of a turn's runs of four words that are repetitions of earlier ones in the same turn.

    One minus the different runs over all runs: seq-rep-4 of Welleck et al. 2020, "Neural text generation with
    unlikelihood training". A turn of fewer than eight words has too few runs to tell, and counts as none.

    Example:
        >>> repetition_in("i am so happy i am so happy i am so happy")
        0.555...
        >>> repetition_in("i baked bread yesterday and it went rather well")
        0.0
    """
    words = plain_words(text).split()
    runs = [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]
    return 1 - len(set(runs)) / len(runs) if len(words) >= 2 * RUN else 0.0


def find_loop(texts: Sequence[str], *, blocks: Iterable[int] = range(1, LONGEST_BLOCK + 1)) -> int | None:
    """The length of the shortest block of turns that is at once said again; None when there is none.

    A block of one turn must be said three times in a row: "Bye." and "Bye." is no loop.

    Example:
        >>> find_loop(["hi", "a", "b", "a", "b"]), find_loop(["a", "a", "a"]), find_loop(["bye", "bye"])
        (2, 1, None)
    """
    for length in blocks:
        times = 3 if length == 1 else 2
        for start in range(len(texts) - times * length + 1):
            block = texts[start : start + length]
            if all(
                texts[start + length * n : start + length * (n + 1)] == block for n in range(1, times)
            ) and (length == 1 or len(set(block)) > 1):
                return length
    return None


def _is_near(text: str, earlier: str) -> bool:
    words, others = text.split(), earlier.split()
    if len(words) < FEWEST_WORDS or len(others) < FEWEST_WORDS:
        return False
    pairs, known = set(pairwise(words)), set(pairwise(others))
    return len(pairs & known) >= NEAR * len(pairs | known)
