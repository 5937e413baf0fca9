"""Going through logs: on this process, or with files spread over workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from duologue.dialogues import Dialogue, Stretch, read_dialogues, split_file
from duologue.engine import Executor
from duologue.metrics.corpus import corpus_dialogues
from duologue.metrics.logs.counting import CommonWords
from duologue.metrics.logs.meaning import MeaningModels
from duologue.metrics.logs.results import LogResults, log_results
from duologue.metrics.logs.tally import LogTally
from duologue.metrics.words import words_of

AT_ONCE = 1000
OnTurns = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file of dialogues or a stretch of one, and what it does not say itself."""

    path: Path
    bot: str | None = None
    speaker_index: int | None = None
    stretch: Stretch | None = None

    def dialogues(self) -> Iterable[Dialogue]:
        """What is in it, in a stream."""
        return read_dialogues(
            self.path,
            bot=self.bot,
            speaker_index=self.speaker_index,
            max_turn_chars=2**63,
            stretch=self.stretch,
        )

    def parts(self) -> tuple[LogFile, ...]:
        """Stretches of it that together are the whole; a small file is one."""
        return tuple(replace(self, stretch=stretch) for stretch in split_file(self.path))


def common_words(paths: Sequence[Path]) -> CommonWords:
    """How often words are used in a reference corpus: dialogues in any known format, read in a stream.

    Raises:
        InputError: A file cannot be used.
    """
    times: Counter[str] = Counter()
    for path in paths:
        for dialogue in corpus_dialogues(path):
            for turn in dialogue.turns:
                times.update(words_of(turn.text))
    return CommonWords.of(times, ", ".join(path.name for path in paths))


MakeMeaning = Callable[[], MeaningModels]
"""Opens the models of meaning where they are needed: in this process, or in every worker."""


def log_statistics(
    dialogues: Iterable[Dialogue],
    *,
    common: CommonWords | None = None,
    meaning: MeaningModels | None = None,
    level: float = 0.95,
    on_turns: OnTurns | None = None,
) -> LogResults:
    """Every statistic of some logs, by bot and for the humans talking to it, in one pass.

    Args:
        dialogues: The logs.
        common: Words that are not rare; without it rare words are not counted.
        meaning: Models of meaning; without them paraphrases and contradictions are not counted.
        level: Confidence of the intervals, which are clustered by dialogue.
        on_turns: Told now and then how many turns were counted.

    Example:
        >>> from duologue.dialogues import Speaker, Turn
        >>> turns = (Turn("h", "Hi!"), Turn("a", "I like tea."), Turn("h", "So?"), Turn("a", "I like rain."))
        >>> log = Dialogue("d", "a", "live-chat", "a", (Speaker("h"), Speaker("a", "a")), turns)
        >>> log_statistics([log]).bots[0].figure("bigram-own").value
        25.0
    """
    return log_results(_tally(dialogues, common, meaning, on_turns), level=level)


def log_statistics_of_files(
    files: Sequence[LogFile],
    executor: Executor,
    *,
    common: CommonWords | None = None,
    make_meaning: MakeMeaning | None = None,
    level: float = 0.95,
    on_turns: OnTurns | None = None,
) -> LogResults:
    """The same of files that are spread over workers: large ones in stretches. The results are identical.

    Args:
        files: The logs.
        executor: The workers.
        common: Words that are not rare.
        make_meaning: Opens the models of meaning in each worker.
        level: Confidence of the intervals.
        on_turns: Told now and then how many turns were counted.

    Raises:
        InputError: A file cannot be used.
        EngineError: A worker could not read a file, or died.
    """
    parts = [part for file in files for part in file.parts()]
    whole = LogTally(common, make_meaning() if make_meaning else None)
    waiting: dict[int, LogTally] = {}
    turns = merged = 0
    for place, tally in executor.run(partial(_LogWorker, common, make_meaning), list(enumerate(parts))):
        waiting[place] = tally
        turns += tally.turns
        while merged in waiting:  # in the order of the files, so that sums of fractions are the same too
            whole.merge(waiting.pop(merged))
            merged += 1
        if on_turns is not None:
            on_turns(turns)
    return log_results(whole, level=level)


class _LogWorker:
    """Counts a stretch of a file; picklable, as is what it gives back."""

    def __init__(self, common: CommonWords | None, make_meaning: MakeMeaning | None) -> None:
        self._common = common
        self._meaning = make_meaning() if make_meaning else None

    def __call__(self, task: tuple[int, LogFile]) -> tuple[int, LogTally]:
        place, file = task
        tally = _tally(file.dialogues(), self._common, self._meaning, None)
        tally.common = tally.meaning = None  # whoever asked has them
        return place, tally


def _tally(
    dialogues: Iterable[Dialogue],
    common: CommonWords | None,
    meaning: MeaningModels | None,
    on_turns: OnTurns | None,
) -> LogTally:
    tally = LogTally(common, meaning)
    for number, dialogue in enumerate(dialogues):
        tally.look(dialogue)
        if on_turns is not None and number % AT_ONCE == 0:
            on_turns(tally.turns)
    return tally
