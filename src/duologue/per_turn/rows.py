"""Turns as rows: every candidate reply of a turn, what was selected, and how the chat went on.

The format ``duologue.turns/1`` is JSON lines, one row a turn and annotator. It is meant for publishing: all
that the analysis needs is in it, and a file of it is read back by ``duologue analyse`` and ``duologue
dialogues import``. docs/per-turn.md describes every field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from duologue.dialogues import Json, Source, dump_json, json_name, json_objects
from duologue.errors import FormatError, NewerFormat
from duologue.expected import expected
from duologue.files import replacing

FORMAT = "duologue.turns/1"

Mechanism = Literal["single", "pairwise", "multi"]
"""How many bots answer each message: one, two, or three and more."""

Setting = Literal["soba", "sata-random", "sata-user"]
"""Select one best; select all that apply, with a random reply or a written one when none is selected."""

Text = Annotated[str, Field(min_length=1)]
Positive = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]

BOTS_OF: Mapping[Mechanism, str] = {"single": "one", "pairwise": "two", "multi": "three or more"}


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Candidate(_Row):
    """One bot's reply to a message. Bots with the same reply share one card, and so its position."""

    bot: Text
    text: str = ""
    """As it was shown; empty where the bot failed."""
    position: Positive | None = None
    """The place of its card, from 1; null where the bot failed."""
    selected: bool = False
    seconds: Seconds | None = None
    """How long the bot took."""
    failed: bool = False
    """It gave no reply: the turn is incomplete, and no test uses it."""
    dimensions: Mapping[str, bool] = {}
    """Whether the card was selected by further questions on the same cards, by their names."""


class Continuation(_Row):
    """How the chat went on after a turn."""

    text: Text
    by: Literal["selected", "random", "annotator"]
    """The one selected reply (of a single bot, its reply); a random one; written by the annotator."""
    bot: Text | None = None
    """Whose reply it is; null where the annotator wrote it."""


class WholeAnswer(_Row):
    """What was answered to a question about the whole conversation: a point of a scale that begins at 1."""

    point: Positive
    of: Annotated[int, Field(ge=2)]
    """The highest point of the scale."""

    @model_validator(mode="after")
    def _is_on_the_scale(self) -> Self:
        if self.point > self.of:
            raise ValueError("\0".join(("whole", f"a point from 1 to {self.of}", str(self.point))))
        return self


class TurnRow(_Row):
    """One turn of one chat as one annotator judged it."""

    format: str = FORMAT
    dialogue: Text
    turn: Positive
    """The number of the annotator's message in the chat, from 1."""
    annotator: str = ""
    """Who selected; empty where that is not known."""
    participant: str | None = None
    """Who had the chat, where that is not the annotator: the row is then a third party's."""
    arm: str = ""
    """The condition of the study; empty where there is one only."""
    mechanism: Mechanism
    setting: Setting | None = None
    """Null for a single bot, which is selected or not."""
    message: str
    """What the annotator wrote; empty where the bots began."""
    candidates: Annotated[tuple[Candidate, ...], Field(min_length=1, strict=False)]
    continuation: Continuation | None = None
    """Null where the chat did not go on."""
    seconds: Seconds | None = None
    """How long the annotator took to select."""
    at: Annotated[AwareDatetime | None, Field(strict=False)] = None
    """When it was selected, with its offset from UTC."""
    revision: Positive = 1
    """Of the study's design."""
    excluded: str = ""
    """The rule by which the row does not count; empty where it counts."""
    pay: Annotated[float | None, Field(ge=0, allow_inf_nan=False)] = None
    """What the annotator was paid for the whole dialogue, the same in all of its rows."""
    dialogue_seconds: Seconds | None = None
    """How long the annotator took for the whole dialogue, the same in all of its rows."""
    whole: Mapping[str, WholeAnswer] = {}
    """Answers about the whole conversation, by the names of the questions; the same in all of its rows."""

    @property
    def bots(self) -> tuple[str, ...]:
        """Its bots in the order of their names."""
        return tuple(sorted(candidate.bot for candidate in self.candidates))

    @property
    def is_complete(self) -> bool:
        """Whether every bot gave a reply."""
        return not any(candidate.failed for candidate in self.candidates)

    @property
    def is_third_party(self) -> bool:
        """Whether somebody else had the chat."""
        return self.participant is not None and self.participant != self.annotator

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The further questions that were asked about its cards."""
        return tuple(self.candidates[0].dimensions)

    def selected(self, dimension: str = "") -> dict[str, bool]:
        """Whether each bot was selected, by its name; by the main question, or by another one."""
        return {
            candidate.bot: candidate.dimensions[dimension] if dimension else candidate.selected
            for candidate in self.candidates
        }

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for found in (_wrong_bots(self), _wrong_cards(self), _wrong_selection(self), _wrong_way_on(self)):
            if found is not None:
                raise ValueError("\0".join(found))
        return self


Wrong = tuple[str, str, str] | None
"""Field, what was expected, and what was found."""


def _wrong_bots(row: TurnRow) -> Wrong:
    bots = [candidate.bot for candidate in row.candidates]
    if len(set(bots)) < len(bots):
        return "candidates", "each bot once", "one twice"
    count = len(bots)
    if {"single": count == 1, "pairwise": count == 2, "multi": count >= 3}[row.mechanism] is False:
        return "candidates", f"{BOTS_OF[row.mechanism]} of them ({row.mechanism})", str(count)
    if (row.setting is None) != (row.mechanism == "single"):
        expected = "null (a single bot)" if row.mechanism == "single" else "soba, sata-random or sata-user"
        return "setting", expected, "null" if row.setting is None else row.setting
    if any(set(candidate.dimensions) != set(row.dimensions) for candidate in row.candidates):
        return "candidates", "the same dimensions for every bot", "others"
    return None


def _wrong_cards(row: TurnRow) -> Wrong:
    """Cards are numbered from 1; bots share a card when they gave the same reply, and only then."""
    cards: dict[int, list[Candidate]] = {}
    for number, candidate in enumerate(row.candidates):
        if candidate.failed != (candidate.position is None):
            expected = "null for a bot that failed" if candidate.failed else "a position"
            return f"candidates[{number}].position", expected, str(candidate.position or "null")
        if candidate.failed and (candidate.selected or any(candidate.dimensions.values())):
            return f"candidates[{number}].selected", "false for a bot that failed", "true"
        if candidate.position is not None:
            cards.setdefault(candidate.position, []).append(candidate)
    if sorted(cards) != list(range(1, len(cards) + 1)):
        return "candidates", "positions 1, 2, … without a gap", ", ".join(map(str, sorted(cards)))
    texts = [{candidate.text.strip() for candidate in card} for card in cards.values()]
    if any(len(said) > 1 for said in texts):
        return "candidates", "one reply at each position", "different ones"
    if len({next(iter(said)) for said in texts}) < len(texts):
        return "candidates", "bots with the same reply at one position", "two positions"
    for card in cards.values():
        if any(_chosen(candidate) != _chosen(card[0]) for candidate in card):
            return "candidates", "bots at one position selected alike", "one selected and one not"
    return None


def _chosen(candidate: Candidate) -> tuple[bool, Mapping[str, bool]]:
    return candidate.selected, candidate.dimensions


def _wrong_selection(row: TurnRow) -> Wrong:
    if row.setting != "soba" or not row.is_complete:
        return None
    for dimension in ("", *row.dimensions):
        selected = row.selected(dimension)
        cards = {candidate.position for candidate in row.candidates if selected[candidate.bot]}
        if len(cards) != 1:
            return "candidates", "one selected reply (soba)", str(len(cards))
    return None


def _wrong_way_on(row: TurnRow) -> Wrong:
    """Whether the chat went on as its mechanism and setting say."""
    on = row.continuation
    if on is None:
        return None
    if on.by == "annotator":
        if row.setting != "sata-user" or any(row.selected().values()):
            return "continuation.by", "annotator only where sata-user selects none", "annotator"
        return None if on.bot is None else ("continuation.bot", "null for a written reply", on.bot)
    found = next((candidate for candidate in row.candidates if candidate.bot == on.bot), None)
    if found is None or found.failed:
        return "continuation.bot", "a bot of this turn that gave a reply", on.bot or "null"
    if found.text.strip() != on.text.strip():
        return "continuation.text", f"the reply of {found.bot}", "another text"
    if row.mechanism != "single" and any(row.selected().values()) and not found.selected:
        return "continuation.bot", "a bot that was selected", found.bot
    return None


def read_turns(path: Path | str) -> tuple[TurnRow, ...]:
    """The rows of a file, every one of them checked.

    Raises:
        FormatError: A row is not what the format says; names the line and the field.
        NewerFormat: A later version of Duologue wrote it.
        UnreadableFile: It cannot be opened.
    """
    source = Source(Path(path))
    rows, lines = [], []
    for line, record in json_objects(source):
        rows.append(turn_of(record, source, line))
        lines.append(line)
    if not rows:
        raise source.error(None, expected="rows of turns", got="none")
    _check_together(rows, source, lines)
    return tuple(rows)


def turn_of(record: Mapping[str, Json], source: Source, line: int | None = None) -> TurnRow:
    """One row, checked by itself.

    Raises:
        FormatError: It is not what the format says.
        NewerFormat: A later version of Duologue wrote it.
    """
    name, _, version = str(record.get("format", FORMAT)).partition("/")
    if name == FORMAT.partition("/")[0] and version.isdecimal() and int(version) > 1:
        raise NewerFormat(source.path, str(record["format"]), FORMAT)
    if record.get("format", FORMAT) != FORMAT:
        got = json_name(record["format"])
        raise source.error(line, "format", expected=f"{FORMAT!r}", got=got)
    try:
        return TurnRow.model_validate(record)
    except ValidationError as error:
        raise _refused(error, source, line) from error


def _refused(error: ValidationError, source: Source, line: int | None) -> FormatError:
    first = error.errors()[0]
    if first["type"] == "value_error":
        field, wanted, got = str(first["ctx"]["error"]).split("\0")
        return source.error(line, field, expected=wanted, got=got)
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    if first["type"] == "missing":
        return source.error(line, place[1:], expected="a value", got="no such field")
    return source.error(line, place[1:], expected=expected(first), got=json_name(first["input"]))


def _check_together(rows: Sequence[TurnRow], source: Source, lines: Sequence[int]) -> None:
    """A turn is judged once by one annotator, and a dialogue belongs to one chat under one condition.

    Raises:
        FormatError: It is not so.
    """
    seen: dict[tuple[object, ...], int] = {}
    design_of: dict[tuple[str, str, str], object] = {}
    fields = ("arm", "mechanism", "setting", "bots", "participant", "revision", "whole")
    for row, line in zip(rows, lines, strict=True):
        key: tuple[object, ...] = (row.dialogue, row.turn, row.annotator)
        if key in seen:
            got = f"the same as line {seen[key]}"
            raise source.error(line, "turn", expected="each turn of a dialogue once an annotator", got=got)
        seen[key] = line
        whole = {name: given.point for name, given in row.whole.items()}
        own = (row.arm, row.mechanism, row.setting, row.bots, _participant(row), row.revision, whole)
        for field, mine in zip(fields, own, strict=True):
            who = row.annotator if field in _OF_ANNOTATORS else ""
            other = design_of.setdefault((row.dialogue, who, field), mine)
            if mine != other:
                expected = f"the same in all rows of dialogue {row.dialogue!r}"
                raise source.error(line, field, expected=expected, got=f"{mine!r} and {other!r}")


_OF_ANNOTATORS = frozenset({"revision", "whole"})
"""What those who read a chat have of their own."""


def _participant(row: TurnRow) -> str:
    return row.annotator if row.participant is None else row.participant


def turn_record(row: TurnRow) -> dict[str, Json]:
    """A row as it is written: candidates in full, and of the rest what is not as it is by default."""
    record: dict[str, Json] = {"format": FORMAT, **row.model_dump(mode="json", exclude_defaults=True)}
    left_out = None if row.dimensions else {"dimensions"}
    record["candidates"] = [
        candidate.model_dump(mode="json", exclude=left_out) for candidate in row.candidates
    ]
    return record


def without_positions(row: TurnRow) -> TurnRow:
    """A row for the analysis of a table that does not say where replies were shown."""
    cards = tuple(one.model_copy(update={"position": None}) for one in row.candidates)
    return row.model_copy(update={"candidates": cards})


def write_turns(rows: Iterable[TurnRow], path: Path) -> int:
    """Write rows as a file, whole or not at all, and say how many there were.

    Raises:
        ExportError: It cannot be written there.
    """
    count = 0
    with replacing(path) as file:
        for row in rows:
            file.write(f"{dump_json(turn_record(row))}\n".encode())
            count += 1
    return count


def unused_fields(path: Path | str) -> tuple[str, ...]:
    """The fields of a file's rows that the format does not have."""
    return tuple(sorted(set(_unused(json_objects(Source(Path(path)))))))


def _unused(records: Iterable[tuple[int, Mapping[str, Json]]]) -> Iterator[str]:
    for _, record in records:
        yield from record.keys() - TurnRow.model_fields.keys()
