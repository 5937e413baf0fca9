"""Looking over the dialogues of a study that annotators will read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from duologue.dialogues import Dialogue, name_leaks, study_dialogues
from duologue.studies.model import Study


def odd_dialogues(study: Study) -> list[str]:
    """What is odd about the dialogues: names that break the blinding, turns longer than the study allows.

    Raises:
        FormatError: A file of dialogues is spoilt.
    """
    lengths = _LongTurns(study.file.study.max_turn_chars)
    leaks = name_leaks(lengths.watching(study_dialogues(study.folder)))
    return [*(leak.advise(study.folder) for leak in leaks), *lengths.warnings(study)]


class _LongTurns:
    """Turns that came in before the study's limit was set, or past it by hand."""

    def __init__(self, limit: int) -> None:
        self._limit, self._turns, self._first = limit, 0, ""

    def watching(self, dialogues: Iterable[Dialogue]) -> Iterator[Dialogue]:
        for dialogue in dialogues:
            if long := sum(len(turn.text) > self._limit for turn in dialogue.turns):
                self._first = self._first or dialogue.id
                self._turns += long
            yield dialogue

    def warnings(self, study: Study) -> list[str]:
        if not self._turns:
            return []
        subject = f"{self._turns:,} turns are" if self._turns > 1 else "a turn is"
        return [
            f"{subject} longer than max_turn_chars in [study] allows ({self._limit:,} characters; first in "
            f"{self._first!r}); annotators see the whole text. Raise the limit, or take the dialogues out "
            f"with `duologue dialogues remove ID --study {study.folder} --reason WHY`."
        ]
