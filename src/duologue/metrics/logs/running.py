"""Going through logs: on this process, or with files spread over workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from duologue.dialogues import Dialogue, read_dialogues
from duologue.engine import Executor
from duologue.metrics.corpus import corpus_dialogues
from duologue.metrics.logs.counting import CommonWords
from duologue.metrics.logs.results import LogResults, log_results
from duologue.metrics.logs.tally import LogTally
from duologue.metrics.logs.words import words_of

AT_ONCE = 1000
OnTurns = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file of dialogues, and what it does not say itself."""

    path: Path
    bot: str | None = None
    speaker_index: int | None = None

    def dialogues(self) -> Iterable[Dialogue]:
        """What is in it, in a stream."""
        return read_dialogues(self.path, bot=self.bot, speaker_index=self.speaker_index)


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


def log_statistics(
    dialogues: Iterable[Dialogue],
    *,
    common: CommonWords | None = None,
    level: float = 0.95,
    on_turns: OnTurns | None = None,
) -> LogResults:
    """Every statistic of some logs, by bot and for the humans talking to it, in one pass.

    Args:
        dialogues: The logs.
        common: Words that are not rare; without it rare words are not counted.
        level: Confidence of the intervals, which are clustered by dialogue.
        on_turns: Told now and then how many turns were counted.

    Example:
        >>> from duologue.dialogues import Speaker, Turn
        >>> turns = (Turn("h", "Hi!"), Turn("a", "I like tea."), Turn("h", "So?"), Turn("a", "I like rain."))
        >>> log = Dialogue("d", "a", "live-chat", "a", (Speaker("h"), Speaker("a", "a")), turns)
        >>> log_statistics([log]).bots[0].figure("bigram-own").value
        25.0
    """
    return log_results(_tally(dialogues, common, on_turns), level=level)


def log_statistics_of_files(
    files: Sequence[LogFile],
    executor: Executor,
    *,
    common: CommonWords | None = None,
    level: float = 0.95,
    on_turns: OnTurns | None = None,
) -> LogResults:
    """The same of files that are spread over workers: one file is one task, and the results are identical.

    Raises:
        EngineError: A worker could not read a file, or died.
    """
    whole = LogTally(common)
    for tally in executor.run(partial(_LogWorker, common), files):
        whole.merge(tally)
        if on_turns is not None:
            on_turns(whole.turns)
    return log_results(whole, level=level)


class _LogWorker:
    """Counts a file; picklable, as is what it gives back."""

    def __init__(self, common: CommonWords | None) -> None:
        self._common = common

    def __call__(self, file: LogFile) -> LogTally:
        tally = _tally(file.dialogues(), self._common, None)
        tally.common = None  # whoever asked has it
        return tally


def _tally(dialogues: Iterable[Dialogue], common: CommonWords | None, on_turns: OnTurns | None) -> LogTally:
    tally = LogTally(common)
    for number, dialogue in enumerate(dialogues):
        tally.look(dialogue)
        if on_turns is not None and number % AT_ONCE == 0:
            on_turns(tally.turns)
    return tally
