"""What a heap of dialogues is like: counts, lengths, duplicates, and names that would break the blinding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote

from duologue.dialogues.checks import MAX_TURN_CHARS
from duologue.dialogues.debris import Debris, DebrisTally
from duologue.dialogues.likeness import LikenessTally, SimilarBots
from duologue.dialogues.masking import masked_names
from duologue.dialogues.names import uses_of_name
from duologue.dialogues.records import Dialogue, DialogueKind, Turn, bot_of_turn, is_cut, speaking_bots

FAILURE = "failure"
"""The extra field of a turn or a dialogue that says a bot did not answer, and why."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a count is spread: exact quantiles, each of them a value that occurs."""

    n: int
    mean: float
    least: int
    quarter: int
    median: int
    three_quarters: int
    most: int


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Dialogues of one bot in which the very same things are said, by their ids."""

    bot: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameLeak:
    """A bot whose name can be read in its own dialogues, so that annotators may learn who is speaking.

    ``example`` is the id of the first such dialogue, ``turn`` the number of the turn in it, counted from 1;
    0 is the context. ``dialogues_of`` is what these dialogues are called by: the bot itself, and in chats of
    several bots their arm.
    """

    bot: str
    dialogues: int
    turns: int
    example: str
    turn: int
    dialogues_of: str = ""

    def __str__(self) -> str:
        """Say it to the researcher."""
        place = f"turn {self.turn}" if self.turn else "the context"
        return (
            f"the name of bot {self.bot!r} occurs in {self.dialogues} of its dialogues "
            f"(first: {self.example!r}, {place}): annotators may learn who is speaking."
        )

    def advise(self, study: Path | str) -> str:
        """Say it with the commands that put it right in a study's folder.

        Example:
            >>> leak = NameLeak("ada", 2, 3, "d1", 1)
            >>> "`duologue dialogues mask cats --bot ada`" in leak.advise("cats")
            True
        """
        options = f"{quote(str(study))} --bot {quote(self.dialogues_of or self.bot)}"
        return (
            f"{self} Hide the name with `duologue dialogues mask {options}`, or take the dialogues out with "
            f"`duologue dialogues remove {options} --naming --reason WHY`."
        )


@dataclass(frozen=True, slots=True)
class DialoguesReport:
    """What there is, and what to look at before anybody is paid to judge it.

    Turn lengths are in characters; ``long_turns`` have more than ``max_turn_chars``. ``judged_turns`` is
    about the number of turns by the judged speaker in a dialogue.
    """

    dialogues: int
    by_bot: Mapping[str, Mapping[DialogueKind, int]]
    turn_chars: Distribution | None
    judged_turns: Mapping[str, Distribution]
    empty_turns: int
    failed_turns: int
    duplicates: tuple[Duplicates, ...]
    name_leaks: tuple[NameLeak, ...]
    debris: tuple[Debris, ...] = ()
    alike: tuple[SimilarBots, ...] = ()
    max_turn_chars: int = MAX_TURN_CHARS
    long_turns: int = 0
    masked: int = 0
    """Dialogues in which names are masked."""
    cut_turns: Mapping[str, int] = field(default_factory=dict)
    """Turns that were stopped at the bot's limit of tokens, of bots that have such."""
    cut_dialogues: Mapping[str, int] = field(default_factory=dict)
    """Dialogues with such turns."""
    cut_of: Mapping[str, int] = field(default_factory=dict)
    """All dialogues in which such a bot spoke."""


def check_dialogues(
    dialogues: Iterable[Dialogue], *, max_turn_chars: int = MAX_TURN_CHARS
) -> DialoguesReport:
    """Look through dialogues once, whatever their number, and report what they are like.

    Example:
        >>> from duologue.dialogues import Speaker
        >>> hello = Dialogue("d1", "ada", "live-chat", "A", (Speaker("A"),), (Turn("A", "I am Ada."),))
        >>> report = check_dialogues([hello])
        >>> report.by_bot, report.turn_chars.most, report.name_leaks[0].example
        ({'ada': {'live-chat': 1}}, 9, 'd1')
    """
    tally, leaks, debris, likeness = _DialogueTally(), _Leaks(), DebrisTally(), LikenessTally()
    for dialogue in dialogues:
        tally.count(dialogue)
        leaks.look(dialogue)
        debris.look(dialogue)
        likeness.look(dialogue)
    found = tally.report(leaks.found(), max_turn_chars)
    return replace(found, debris=debris.found(), alike=likeness.found())


def name_leaks(dialogues: Iterable[Dialogue]) -> tuple[NameLeak, ...]:
    """Find the bots whose names are used as names in their own dialogues, in any letter case."""
    leaks = _Leaks()
    for dialogue in dialogues:
        leaks.look(dialogue)
    return leaks.found()


@dataclass(slots=True)
class _DialogueTally:
    """Counts that grow with every dialogue; memory grows by 16 bytes of content and an id."""

    kinds: dict[str, Counter[DialogueKind]] = field(default_factory=dict)
    lengths: Counter[int] = field(default_factory=Counter)
    judged: dict[str, Counter[int]] = field(default_factory=dict)
    ids: dict[bytes, tuple[str, ...] | str] = field(default_factory=dict)
    repeated: dict[bytes, str] = field(default_factory=dict)
    empty: int = 0
    failed: int = 0
    masked: int = 0
    cut: Counter[str] = field(default_factory=Counter)
    with_cut: Counter[str] = field(default_factory=Counter)
    spoken_in: Counter[str] = field(default_factory=Counter)

    def count(self, dialogue: Dialogue) -> None:
        self.kinds.setdefault(dialogue.bot, Counter())[dialogue.kind] += 1
        self.lengths.update([len(turn.text) for turn in dialogue.turns])
        judged = sum(turn.speaker == dialogue.judged for turn in dialogue.turns)
        self.judged.setdefault(dialogue.bot, Counter())[judged] += 1
        self.empty += sum(_is_empty(turn) for turn in dialogue.turns)
        self.failed += (FAILURE in dialogue.extras) + sum(FAILURE in turn.extras for turn in dialogue.turns)
        self.masked += bool(masked_names(dialogue))
        cut = Counter(bot_of_turn(turn, dialogue) for turn in dialogue.turns if is_cut(turn))
        self.cut += cut
        self.with_cut.update(cut.keys())
        self.spoken_in.update({bot_of_turn(turn, dialogue) for turn in dialogue.turns})
        self._remember(dialogue)

    def report(self, leaks: tuple[NameLeak, ...], max_turn_chars: int) -> DialoguesReport:
        groups = [Duplicates(bot, _several(self.ids[content])) for content, bot in self.repeated.items()]
        return DialoguesReport(
            dialogues=sum(kinds.total() for kinds in self.kinds.values()),
            by_bot={bot: dict(kinds) for bot, kinds in sorted(self.kinds.items())},
            turn_chars=distribution_of(self.lengths) if self.lengths else None,
            judged_turns={bot: distribution_of(counts) for bot, counts in sorted(self.judged.items())},
            empty_turns=self.empty,
            failed_turns=self.failed,
            duplicates=tuple(groups),
            name_leaks=leaks,
            max_turn_chars=max_turn_chars,
            masked=self.masked,
            long_turns=sum(times for chars, times in self.lengths.items() if chars > max_turn_chars),
            cut_turns=dict(sorted(self.cut.items())),
            cut_dialogues=dict(sorted(self.with_cut.items())),
            cut_of={bot: self.spoken_in[bot] for bot in sorted(self.cut)},
        )

    def _remember(self, dialogue: Dialogue) -> None:
        content = bytes.fromhex(dialogue.content_hash[:32])
        before = self.ids.get(content)
        if before is None:
            self.ids[content] = dialogue.id
        else:
            self.ids[content] = (*_several(before), dialogue.id)
            self.repeated.setdefault(content, dialogue.bot)


def _several(ids: tuple[str, ...] | str) -> tuple[str, ...]:
    return (ids,) if isinstance(ids, str) else ids


def _is_empty(turn: Turn) -> bool:
    return turn.image is None and not turn.text.strip()


def distribution_of(counts: Counter[int]) -> Distribution:
    """How counted values are spread; there is at least one."""
    n, spread = counts.total(), sorted(counts.items())
    return Distribution(
        n=n,
        mean=sum(value * times for value, times in spread) / n,
        least=spread[0][0],
        quarter=_quantile(spread, n, 0.25),
        median=_quantile(spread, n, 0.5),
        three_quarters=_quantile(spread, n, 0.75),
        most=spread[-1][0],
    )


def _quantile(spread: list[tuple[int, int]], n: int, share: float) -> int:
    """Return the least value that at least this share of all values does not exceed."""
    seen = 0
    for value, times in spread:
        seen += times
        if seen >= share * n:
            return value
    return spread[-1][0]


class _Leaks:
    """Names found so far, by whose dialogues they are in."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], NameLeak] = {}

    def look(self, dialogue: Dialogue) -> None:
        texts = ["\n".join(dialogue.context), *(turn.text for turn in dialogue.turns)]
        for bot in speaking_bots(dialogue):
            places = [number for number, text in enumerate(texts) if any(uses_of_name(text, bot))]
            if places:
                key = dialogue.bot, bot
                before = self._found.get(key) or NameLeak(bot, 0, 0, dialogue.id, places[0], dialogue.bot)
                self._found[key] = replace(
                    before, dialogues=before.dialogues + 1, turns=before.turns + len(places)
                )

    def found(self) -> tuple[NameLeak, ...]:
        return tuple(leak for _, leak in sorted(self._found.items()))
