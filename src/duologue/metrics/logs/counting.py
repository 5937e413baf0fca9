"""What is counted in one dialogue, for the bot and for the human who talks to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from typing import Literal, get_args

from duologue.dialogues import Dialogue
from duologue.metrics.logs.meaning import MeaningModels, count_meaning
from duologue.metrics.logs.words import (
    characters_of,
    has_question_mark,
    is_asking,
    questions_in,
)
from duologue.metrics.words import bot_turns, words_of

Side = Literal["bot", "human"]
SIDES: tuple[Side, ...] = get_args(Side)
Run = str | tuple[str, ...]
"""One, two or three words whose repeats are counted."""
PERSONA = "your persona:"


class Count(IntEnum):
    """The places of the counts in a row: one row for each dialogue and side."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:
        return count

    REPLIES = auto()
    WORDS = auto()
    CHARACTERS = auto()
    RARE_100 = auto()
    RARE_1000 = auto()
    RUNS_1 = auto()
    RUNS_2 = auto()
    RUNS_3 = auto()
    OWN_1 = auto()
    OWN_2 = auto()
    OWN_3 = auto()
    PARTNER_1 = auto()
    PARTNER_2 = auto()
    PARTNER_3 = auto()
    QUESTION_WORD = auto()
    QUESTION_MARK = auto()
    QUESTIONS = auto()
    ASKED_AGAIN = auto()
    PERSONA_LINES = auto()
    PERSONA_COPIED = auto()
    FOLLOWING = auto()
    PARAPHRASED = auto()
    CONTRADICTING = auto()


@dataclass(frozen=True, slots=True)
class CommonWords:
    """Words seen at least 100 and at least 1,000 times in a reference corpus; all others are rare."""

    hundred: frozenset[str]
    thousand: frozenset[str]
    source: str
    words: int

    @classmethod
    def of(cls, times: Mapping[str, int], source: str) -> CommonWords:
        """From how often each word was seen."""
        hundred = frozenset(word for word, n in times.items() if n >= 100)
        thousand = frozenset(word for word in hundred if times[word] >= 1000)
        return cls(hundred, thousand, source, sum(times.values()))


@dataclass(slots=True)
class SideCounts:
    """Counts of one side of one dialogue, and its replies as they are compared with others."""

    row: list[int] = field(default_factory=lambda: [0] * len(Count))
    replies: list[str] = field(default_factory=list)


def count_dialogue(
    dialogue: Dialogue, common: CommonWords | None = None, meaning: MeaningModels | None = None
) -> dict[Side, SideCounts]:
    """The counts of a dialogue, by side; a side that says nothing is not there.

    The bot's side is every speaker who is the bot (both of a self-chat), the human's every speaker who is no
    bot at all. In a dialogue between humans the judged one stands on the bot's side.

    Repeats are runs of words that the same speaker (own) or another one (partner) said in an earlier turn.
    """
    owners = {speaker for _, speaker in bot_turns(dialogue)}
    bots = {speaker.name for speaker in dialogue.speakers if speaker.bot is not None}
    said: dict[str, tuple[set[Run], ...]] = {}
    asked: dict[str, dict[str, bool]] = {}
    sides: dict[Side, SideCounts] = {}
    judged: list[str] = []
    texts: dict[str, list[str]] = {}
    for turn in dialogue.turns:
        words = words_of(turn.text)
        after = words[1:]
        runs: tuple[Sequence[Run], ...] = (
            words,
            list(zip(words, after, strict=False)),
            list(zip(words, after, words[2:], strict=False)),
        )
        own = said.setdefault(turn.speaker, (set(), set(), set()))
        if turn.speaker in owners or turn.speaker not in bots:
            counts = sides.setdefault("bot" if turn.speaker in owners else "human", SideCounts())
            _count_reply(counts, turn.text, words, common)
            others = [seen for speaker, seen in said.items() if speaker != turn.speaker]
            _count_repeats(counts.row, runs, own, others)
            if questions := questions_in(turn.text):
                _count_questions(counts.row, questions, asked.setdefault(turn.speaker, {}))
        for speaker, before in asked.items():
            if speaker != turn.speaker:
                before.update(dict.fromkeys(before, True))
        for seen, some in zip(own, runs, strict=True):
            seen.update(some)
        if meaning is not None:
            texts.setdefault(turn.speaker, []).append(turn.text)
        if turn.speaker == dialogue.judged:
            judged.append(f" {' '.join(words)} ")
    if "bot" in sides:
        lines = persona_of(dialogue)
        sides["bot"].row[Count.PERSONA_LINES] = len(lines)
        copied = sum(any(f" {line} " in reply for reply in judged) for line in lines)
        sides["bot"].row[Count.PERSONA_COPIED] = copied
    if meaning is not None:
        for speaker, said_by_one in texts.items():
            if speaker in owners or speaker not in bots:
                _count_meaning(sides["bot" if speaker in owners else "human"].row, said_by_one, meaning)
    return sides


def _count_meaning(row: list[int], texts: Sequence[str], meaning: MeaningModels) -> None:
    found = count_meaning(texts, meaning)
    row[Count.FOLLOWING] += found.replies
    row[Count.PARAPHRASED] += found.paraphrased
    row[Count.CONTRADICTING] += found.contradicting


def _count_reply(counts: SideCounts, text: str, words: list[str], common: CommonWords | None) -> None:
    row = counts.row
    row[Count.REPLIES] += 1
    row[Count.WORDS] += len(words)
    row[Count.CHARACTERS] += characters_of(text)
    row[Count.QUESTION_WORD] += is_asking(words)
    row[Count.QUESTION_MARK] += has_question_mark(text)
    if common is not None:
        row[Count.RARE_100] += len(words) - sum(map(common.hundred.__contains__, words))
        row[Count.RARE_1000] += len(words) - sum(map(common.thousand.__contains__, words))
    counts.replies.append(" ".join(words) or text.strip())


def _count_repeats(
    row: list[int],
    runs: Sequence[Sequence[Run]],
    own: Sequence[set[Run]],
    others: Sequence[Sequence[set[Run]]],
) -> None:
    for place, some in enumerate(runs):
        row[_RUNS + place] += len(some)
        row[_OWN + place] += sum(map(own[place].__contains__, some))
        if len(others) == 1:
            row[_PARTNER + place] += sum(map(others[0][place].__contains__, some))
        else:
            row[_PARTNER + place] += sum(any(run in seen[place] for seen in others) for run in some)


_RUNS, _OWN, _PARTNER = int(Count.RUNS_1), int(Count.OWN_1), int(Count.PARTNER_1)


def _count_questions(row: list[int], questions: Sequence[str], asked: dict[str, bool]) -> None:
    """Count questions that the speaker asked before, with the same words, and that somebody spoke after."""
    row[Count.QUESTIONS] += len(questions)
    row[Count.ASKED_AGAIN] += sum(asked.get(one, False) for one in questions)
    asked.update({one: asked.get(one, False) for one in questions})


def persona_of(dialogue: Dialogue) -> list[str]:
    """The words of each line of the judged speaker's persona, from the briefing or the context.

    Example:
        >>> from duologue.dialogues import Speaker
        >>> told = ("your persona: I like tea.", "partner's persona: i ski.")
        >>> persona_of(Dialogue("d", "a", "live-chat", "a", (Speaker("a", "a"),), (), told))
        ['i like tea']
    """
    briefing = dialogue.extras.get("briefing")
    lines = briefing.get("persona") if isinstance(briefing, Mapping) else None
    if not isinstance(lines, list | tuple):
        lines = [line.removeprefix(PERSONA) for line in dialogue.context if line.startswith(PERSONA)]
    found = (" ".join(words_of(line)) for line in lines if isinstance(line, str))
    return [line for line in found if line]
