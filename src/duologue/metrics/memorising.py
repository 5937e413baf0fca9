"""Memorisation: does a bot only recall its training examples?

A bot that did could shine in a self-chat. So the paper (Li et al. 2019, Self-Chat) reports the share of
call-response pairs that are training examples, word for word: less than 1 % for its best bot.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from duologue.dialogues import Dialogue
from duologue.errors import FormatError, UnreadableFile
from duologue.metrics.corpus import corpus_dialogues
from duologue.metrics.words import bot_turns, plain_words

EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Memorisation:
    """Call-response pairs of a bot, and how many of them are in the training data word for word.

    A pair is a turn of the bot and the turn before it, by somebody else. ``examples`` are ids of dialogues
    with such a pair, the first few; ``training_pairs`` says how many pairs they were looked for in.
    """

    bot: str
    pairs: int
    memorised: int
    training_pairs: int
    examples: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """The share of pairs that are training examples; None when there are no pairs."""
        return self.memorised / self.pairs if self.pairs else None


def memorisation(dialogues: Iterable[Dialogue], training: Iterable[Path | str]) -> Mapping[str, Memorisation]:
    """How many call-response pairs of each bot are in training files, compared by their plain words.

    The training files are read once, in a stream; memory grows with the dialogues, not with them. They are
    dialogues in any known format, or ``.tsv`` files with a call and a response on every line.

    Raises:
        InputError: A training file cannot be used.
    """
    tally = MemorisationTally()
    for dialogue in dialogues:
        tally.look(dialogue)
    return tally.report(training)


class MemorisationTally:
    """The call-response pairs of all dialogues looked at: 16 bytes each, and whose they are."""

    def __init__(self) -> None:
        self._pairs: dict[str, Counter[bytes]] = {}
        self._where: dict[tuple[str, bytes], str] = {}

    def look(self, dialogue: Dialogue) -> None:
        """Take up the pairs of one dialogue."""
        pairs = self._pairs.setdefault(dialogue.bot, Counter())
        turns = dialogue.turns
        for number, speaker in bot_turns(dialogue):
            if number and turns[number - 1].speaker != speaker:
                pair = _digest(turns[number - 1].text, turns[number].text)
                pairs[pair] += 1
                self._where.setdefault((dialogue.bot, pair), dialogue.id)

    def report(self, training: Iterable[Path | str]) -> Mapping[str, Memorisation]:
        """Look the pairs up in the training files.

        Raises:
            InputError: A training file cannot be used.
        """
        wanted = set().union(*self._pairs.values()) if self._pairs else set()
        found: set[bytes] = set()
        count = 0
        for path in training:
            for call, response in training_pairs(path):
                count += 1
                pair = _digest(call, response)
                if pair in wanted:
                    found.add(pair)
        return {bot: self._of(bot, pairs, found, count) for bot, pairs in sorted(self._pairs.items())}

    def _of(self, bot: str, pairs: Counter[bytes], found: set[bytes], count: int) -> Memorisation:
        known = [pair for pair in pairs if pair in found]
        examples = tuple(dict.fromkeys(self._where[bot, pair] for pair in known))[:EXAMPLES]
        return Memorisation(bot, pairs.total(), sum(pairs[pair] for pair in known), count, examples)


def training_pairs(path: Path | str) -> Iterator[tuple[str, str]]:
    """The call-response pairs of a training file: neighbouring turns by different speakers.

    Raises:
        InputError: The file cannot be used.
    """
    path = Path(path)
    if path.suffix.lower() == ".tsv":
        yield from _lines_of_pairs(path)
        return
    for dialogue in corpus_dialogues(path):
        for before, after in pairwise(dialogue.turns):
            if before.speaker != after.speaker:
                yield before.text, after.text


def _lines_of_pairs(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                call, tab, response = line.rstrip("\r\n").partition("\t")
                if tab:
                    yield call, response.partition("\t")[0]
                elif line.strip():
                    raise FormatError(path, line=number, expected="a call, a tab and a response")
    except OSError as error:
        raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
    except UnicodeDecodeError as error:
        raise FormatError(path, expected="text in UTF-8", hint="Save the file as UTF-8.") from error


def _digest(call: str, response: str) -> bytes:
    words = f"{plain_words(call)}\t{plain_words(response)}"
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).digest()
