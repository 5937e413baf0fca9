"""Looking over the dialogues of a study that annotators will read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import median

from duologue.dialogues import Dialogue, LikenessTally, name_leaks, study_dialogues
from duologue.studies.model import Study


def odd_dialogues(study: Study) -> list[str]:
    """What is odd about the dialogues.

    Names that break the blinding, turns longer than the study allows, bots that say the same, bots whose
    dialogues are much longer than those of others.

    Raises:
        FormatError: A file of dialogues is damaged.
    """
    lengths = _LongTurns(study.file.study.max_turn_chars)
    uneven, likeness = _UnevenDialogues(), LikenessTally()
    leaks = name_leaks(likeness.watching(uneven.watching(lengths.watching(study_dialogues(study.folder)))))
    return [
        *(leak.advise(study.folder) for leak in leaks),
        *lengths.warnings(study),
        *map(str, likeness.found()),
        *uneven.warnings(),
    ]


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
            f"with `duologue dialogues remove {study.quoted} ID --reason WHY`."
        ]


UNEVEN = 2
"""How many times as many turns the dialogues of one bot have as those of another, for a warning."""


class _UnevenDialogues:
    """Bots that annotators can tell apart, or prefer, by the length of what they read."""

    def __init__(self) -> None:
        self._turns: defaultdict[str, list[int]] = defaultdict(list)

    def watching(self, dialogues: Iterable[Dialogue]) -> Iterator[Dialogue]:
        for dialogue in dialogues:
            judged = sum(turn.speaker == dialogue.judged for turn in dialogue.turns)
            self._turns[dialogue.bot].append(judged)
            yield dialogue

    def warnings(self) -> list[str]:
        medians = {bot: median(turns) for bot, turns in sorted(self._turns.items())}
        if not medians:
            return []
        short, long = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
        if medians[long] < UNEVEN * medians[short] or short == long:
            return []
        return [
            f"the dialogues of bot {long!r} are much longer than those of bot {short!r}: {medians[long]:g} "
            f"turns of the judged speaker (median) against {medians[short]:g}. Annotators may prefer or "
            "recognise a bot by that; hold self-chats of about the same length (--exchanges), or bring in "
            "logs that are."
        ]
