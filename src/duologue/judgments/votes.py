"""Pairwise judgments as columns of numbers: what every analysis of comparisons starts from.

A column of names is kept as codes into a tuple of them (`NameColumn`), so a million judgments are some sixty
megabytes and every count is one pass over an array.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.arena import (
    PLAIN_VOTES,
    PREFERENCE,
    arena_as_judgments,
    bot_columns,
    is_arena,
    rows_that_differ,
    vote_column,
)
from duologue.judgments.arrow_csv import read_csv
from duologue.judgments.cells import A_TIME, NO_TIME, TRUTHS, moment, one_of, revision_number, seconds_spent
from duologue.judgments.columns import (
    UNKNOWN,
    Codes,
    Columns,
    NameColumn,
    encode_chunks,
    exclusion_rules,
    share_names,
    unused_note,
)
from duologue.judgments.controls import screen_controls
from duologue.judgments.preferences import read_preferences, say_numbers
from duologue.judgments.rankings import RankedPairs, with_rankings
from duologue.judgments.shapes import refuse_shares, unknown_table
from duologue.judgments.table import (
    NO_MAP,
    Chunk,
    ColumnMap,
    Row,
    check_columns,
    chunks_of_rows,
    read_chunks,
    table_columns,
    table_format,
)

VotesFormat = Literal["auto", "judgments", "arena"]

Flags = NDArray[np.bool_]

_ALIASES = {"worker": "annotator", "pairing_id": "pairing"}
"""Columns by their name in ParlAI's ``full.csv``."""


@dataclass(frozen=True, slots=True)
class AskedPhrasing:
    """A phrasing of a question, as a table tells it."""

    arm: str
    axis: str
    """What it is a phrasing of."""
    question: str
    choice: str
    """The answer for Speaker 1; empty where the table does not say."""


@dataclass(frozen=True, slots=True, eq=False)
class AskedTogether:
    """Which of several questions about the same dialogues each row answers."""

    place: NDArray[np.int8]
    """Which one it was in the order asked, from 1; 0 where the question was asked alone."""
    seconds: NDArray[np.float64]
    """For how long the question was before the annotator; NaN when not known."""

    def select(self, rows: Flags | NDArray[np.intp]) -> AskedTogether:
        """Only these rows."""
        return AskedTogether(self.place[rows], self.seconds[rows])


@dataclass(frozen=True, slots=True, eq=False)
class DialogueCovariates:
    """Numbers known of every dialogue that could have been judged, whether it was or not."""

    names: tuple[str, ...]
    dialogues: tuple[str, ...]
    bots: tuple[str, ...]
    """Of each dialogue."""
    values: NDArray[np.float64]
    """Dialogues down, covariates across."""


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Pairwise judgments as columns, one row each, in the order they came.

    On a tie ``winner`` and ``loser`` are the bots on side 1 and 2, and ``is_tie`` is true. A ranking of three
    is three rows, a pair each; side 1 is then that of the two which was shown first.
    """

    bots: tuple[str, ...]
    winner: Codes
    loser: Codes
    is_tie: Flags
    winner_side: NDArray[np.int8]
    """The side the winner was shown on, 1 or 2; 0 when not known."""
    half_leads: NDArray[np.int8]
    """How clearly the winner won, in halves: 2 for a plain or clear win, 1 for a slight one, 0 for a tie."""
    annotator: NameColumn
    annotator_kind: NameColumn
    dialogues: tuple[str, ...]
    winner_dialogue: Codes
    loser_dialogue: Codes
    pairing: Codes
    """A number for each pairing, or prompt that bots answered; -1 when not known."""
    arm: NameColumn
    question: NameColumn
    excluded: NameColumn
    """The rule that excluded a judgment; a code of -1 says that it counts."""
    is_onboarding: Flags
    has_reason: Flags
    revision: Codes
    seconds: NDArray[np.float64]
    """NaN when not known."""
    at: NDArray[np.datetime64]
    """UTC to the second; NaT when not known."""
    notes: tuple[str, ...] = ()
    """What was done with the table that its reader must know: columns not used, control items."""
    on_a_scale: bool = False
    """Whether annotators were asked how clearly, whatever they answered."""
    ranked: RankedPairs | None = None
    """Which rows are the pairs of a ranking; None where there are no rankings."""
    phrasings: tuple[AskedPhrasing, ...] = ()
    """What was asked in each arm, where phrasings of questions were compared and a table says so."""
    together: AskedTogether | None = None
    """In which order several questions were asked about the same dialogues; None where each stood alone."""
    covariates: DialogueCovariates | None = None
    """What pooled strengths are freed of, where covariates were declared."""

    def __len__(self) -> int:
        return len(self.winner)

    @property
    def counts(self) -> Flags:
        """Which judgments count: neither onboarding nor excluded."""
        is_counted: Flags = ~self.is_onboarding & (self.excluded.codes == UNKNOWN)
        return is_counted

    @property
    def pairing_clusters(self) -> Codes:
        """A number for each pairing and two bots: a prompt, or a ranking, has several; -1 when not known."""
        low, high = np.minimum(self.winner, self.loser), np.maximum(self.winner, self.loser)
        size = len(self.bots)
        key = (self.pairing.astype(np.int64) * size + low) * size + high
        _, codes = np.unique(np.where(self.pairing >= 0, key, UNKNOWN), return_inverse=True)
        has_unknown = bool((self.pairing < 0).any())
        return (codes - has_unknown).astype(np.int32)

    @property
    def once_each(self) -> Votes:
        """One row of each judgment: of a ranking the first."""
        return self if self.ranked is None else self.select(self.ranked.is_first_row)

    @property
    def lead(self) -> NDArray[np.float64]:
        """How clearly the winner won: 1 for a plain or clear win, 0.5 for a slight one, 0 for a tie."""
        return self.half_leads / 2

    @property
    def is_graded(self) -> bool:
        """Whether annotators were asked how clearly, or some wins are slight ones."""
        return self.on_a_scale or bool((self.half_leads == 1).any())

    def without_sides(self) -> Votes:
        """The same judgments, without the sides on which bots were shown."""
        return replace(self, winner_side=np.zeros_like(self.winner_side))

    def select(self, rows: Flags | NDArray[np.intp]) -> Votes:
        """Only these rows, with the same names and codes."""
        return Votes(
            bots=self.bots,
            winner=self.winner[rows],
            loser=self.loser[rows],
            is_tie=self.is_tie[rows],
            winner_side=self.winner_side[rows],
            half_leads=self.half_leads[rows],
            annotator=self.annotator.select(rows),
            annotator_kind=self.annotator_kind.select(rows),
            dialogues=self.dialogues,
            winner_dialogue=self.winner_dialogue[rows],
            loser_dialogue=self.loser_dialogue[rows],
            pairing=self.pairing[rows],
            arm=self.arm.select(rows),
            question=self.question.select(rows),
            excluded=self.excluded.select(rows),
            is_onboarding=self.is_onboarding[rows],
            has_reason=self.has_reason[rows],
            revision=self.revision[rows],
            seconds=self.seconds[rows],
            at=self.at[rows],
            notes=self.notes,
            on_a_scale=self.on_a_scale,
            ranked=None if self.ranked is None else self.ranked.select(rows),
            phrasings=self.phrasings,
            together=None if self.together is None else self.together.select(rows),
            covariates=self.covariates,
        )


def read_votes(
    path: Path | str,
    *,
    layout: VotesFormat = "auto",
    columns: ColumnMap = NO_MAP,
    progress: Callable[[int], None] = lambda rows: None,
) -> Votes:
    """Read a table of pairwise judgments, or of Arena-style votes.

    Args:
        path: CSV, JSON lines, a JSON list, or Parquet. Judgments need the columns ``winner`` and ``loser``;
            all that `duologue judgments export` writes are used. Arena-style votes need ``model_a``,
            ``model_b`` and ``winner``, or ``preference`` for graded answers.
        layout: Which of the two; told by the columns when "auto".
        columns: What the table calls columns of ours.
        progress: Called with the number of rows read so far.

    Raises:
        FormatError: A cell is not what its column says; names line, column and what was expected.
        InputError: The file cannot be read.
    """
    path = Path(path)
    if layout != "arena" and table_format(path) == "csv":
        scanned = _scanned(path, columns)
        if scanned is not None:
            progress(len(scanned["winner"].codes))
            return votes_from_columns(scanned)
    notes: list[str] = []
    chunks = _counted(judgment_chunks(path, layout=layout, columns=columns, note=notes.append), progress)
    votes = votes_from_columns(encode_chunks(chunks, COLUMNS, source=path))
    return replace(votes, notes=(*votes.notes, *notes)) if notes else votes


def _scanned(path: Path, columns: ColumnMap) -> Columns | None:
    """A table of judgments read the fast way; None when it is not such a table, or in any doubt."""
    aliases = dict(_ALIASES)
    if columns:
        found = table_columns(path)
        check_columns(path, columns, found)
        if not all(columns.values()):
            return None
        aliases |= {theirs: ours for ours, theirs in columns.items()}
    return read_csv(path, COLUMNS, needed={"winner", "loser"}, aliases=aliases)


def _counted(chunks: Iterable[Chunk], progress: Callable[[int], None]) -> Iterator[Chunk]:
    for chunk in chunks:
        yield chunk
        progress(chunk.first + chunk.rows)


def judgment_chunks(
    path: Path,
    *,
    layout: VotesFormat = "auto",
    columns: ColumnMap = NO_MAP,
    note: Callable[[str], None] = lambda said: None,
) -> Iterator[Chunk]:
    """The rows of a table of judgments or Arena-style votes, under our own column names.

    Args:
        path: The table.
        layout: Which of the two; told by the columns when "auto".
        columns: What the table calls columns of ours.
        note: Told how the table was read, where another way would have been possible.

    Raises:
        FormatError: The columns that are needed are not there.
    """
    votes, differing = PLAIN_VOTES, None
    for chunk in read_chunks(path, columns):
        if layout == "arena" or (layout == "auto" and is_arena(chunk)):
            name = vote_column(chunk)
            if votes is PLAIN_VOTES and not votes.keys() >= set(chunk.column(name)):
                # What a graded answer is worth depends on all answers of the table.
                every = {cell for each in read_chunks(path, columns) for cell in each.column(name)}
                votes = {**read_preferences(every, with_numbers=name == PREFERENCE), **PLAIN_VOTES}
                if name == PREFERENCE and (said := say_numbers(every, *bot_columns(chunk))):
                    note(f"In the column {name} {said}.")
            yield arena_as_judgments(chunk, votes)
            if name == PREFERENCE and "winner" in chunk.columns:
                differing = (differing or 0) + rows_that_differ(chunk, votes)
            continue
        missing = [name for name in ("winner", "loser") if name not in chunk.columns]
        if missing:
            raise unknown_table(path, tuple(chunk.columns))
        ours = {name: _ALIASES.get(name, name) for name in chunk.columns}
        names = {name: name if ours[name] in chunk.columns else ours[name] for name in ours}
        yield replace(chunk, columns={names[name]: cells for name, cells in chunk.columns.items()})
    if differing is not None:
        rows = "1 row" if differing == 1 else f"{differing:,} rows" if differing else "no row"
        note(f"The column winner is not used: {PREFERENCE} says who won. They differ in {rows}.")


def votes_from_rows(rows: Iterable[Row]) -> Votes:
    """Votes from rows that are in memory or come from a study's database.

    Example:
        >>> votes = votes_from_rows([{"winner": "A", "loser": "B"}, {"winner": "B", "loser": "A"}])
        >>> votes.bots, votes.winner.tolist()
        (('A', 'B'), [0, 1])
    """
    return votes_from_columns(encode_chunks(chunks_of_rows(rows), COLUMNS))


def votes_from_study(columns: Columns) -> Votes:
    """Votes from the columns of a study."""
    return votes_from_columns(columns.completed(COLUMNS))


COLUMNS = (
    *("winner", "loser", "outcome", "winner_side", "lead", "annotator", "annotator_kind", "pairing"),
    *("winner_dialogue", "loser_dialogue", "arm", "question", "excluded", "is_onboarding", "reason"),
    *("revision", "seconds", "at", "gold"),
    *("ranking", "winner_position", "loser_position", "middle", "middle_dialogue", "positions"),
    *("phrasing_axis", "phrasing_choice", "asked", "asked_seconds"),
)
"""The columns of a table of judgments that an analysis uses."""

_NOT_NEEDED = (
    *("judgment", "matchup", "chosen_side", "seconds_kind", "is_correct", "exchanges", "flags"),
    *("winner_rank", "loser_rank"),
)
"""Columns of our own exports that say nothing new."""


def votes_from_columns(columns: Columns) -> Votes:
    """Votes from the columns of a table, every cell checked.

    Raises:
        FormatError: A cell is not what its column says.
    """
    for name in ("winner", "loser"):
        if not columns[name].is_known:
            columns.refuse(name, UNKNOWN, expected="the name of a bot")
    if columns.source is not None:
        refuse_shares(columns.source, columns.others)
    bots, winner, loser = share_names(columns["winner"], columns["loser"])
    dialogues, winner_dialogue, loser_dialogue = share_names(
        columns["winner_dialogue"], columns["loser_dialogue"]
    )
    is_tie, half_leads = _ties_and_leads(columns)
    votes = Votes(
        bots=bots,
        winner=winner,
        loser=loser,
        is_tie=is_tie,
        winner_side=columns.parsed(
            "winner_side", one_of(_SIDES), 0, expected=f"1, 2 or {NOT_RECORDED}"
        ).astype(np.int8, copy=False),
        half_leads=half_leads,
        annotator=columns["annotator"],
        annotator_kind=columns["annotator_kind"],
        dialogues=dialogues,
        winner_dialogue=winner_dialogue,
        loser_dialogue=loser_dialogue,
        pairing=columns.numbered("pairing"),
        arm=columns["arm"],
        question=columns["question"],
        excluded=exclusion_rules(columns["excluded"]),
        is_onboarding=columns.parsed("is_onboarding", one_of(TRUTHS), False, expected="true or false"),
        has_reason=columns["reason"].codes != UNKNOWN,
        revision=columns.parsed("revision", revision_number, 1, expected="a whole number from 1 up").astype(
            np.int32, copy=False
        ),
        seconds=columns.parsed("seconds", seconds_spent, math.nan, expected="a number from 0 up"),
        at=columns.parsed("at", moment, NO_TIME, expected=A_TIME).view("datetime64[s]"),
        notes=(*unused_note(columns, _NOT_NEEDED), *_many_questions(columns["question"])),
        phrasings=_phrasings(columns),
        together=_together(columns),
    )
    votes = _screened(votes, columns) if columns["gold"].names else votes
    return with_rankings(votes, columns)


def _phrasings(columns: Columns) -> tuple[AskedPhrasing, ...]:
    """What was asked in each arm that a row calls a phrasing, in the order they come."""
    axis, arm = columns["phrasing_axis"], columns["arm"]
    rows = np.flatnonzero(axis.codes != UNKNOWN)
    _, first = np.unique(arm.codes[rows], return_index=True)
    told = [arm, axis, columns["question"], columns["phrasing_choice"]]
    return tuple(
        AskedPhrasing(*(column.name_of(int(column.codes[row])) for column in told))
        for row in rows[np.sort(first)].tolist()
    )


_MOST_TOGETHER = 100
_PLACES = {f"{place}{rest}": place for place in range(1, _MOST_TOGETHER) for rest in ("", ".0")}


def _together(columns: Columns) -> AskedTogether | None:
    """The place of each question among those about the same dialogues, where the table tells it."""
    if not columns["asked"].names:
        return None
    return AskedTogether(
        columns.parsed("asked", one_of(_PLACES), 0, expected="a whole number from 1 up").astype(np.int8),
        columns.parsed("asked_seconds", seconds_spent, math.nan, expected="a number from 0 up"),
    )


def _screened(votes: Votes, columns: Columns) -> Votes:
    """The votes with control items marked as onboarding, and those who fail them excluded.

    ``gold`` names the bot that should have won, or says ``tie``.
    """
    gold = columns["gold"]
    is_control = gold.codes != UNKNOWN
    code_of = {name: code for code, name in enumerate(votes.bots)} | {"tie": _TIE}
    wanted = np.array([*(code_of.get(name, UNKNOWN) for name in gold.names), UNKNOWN])[gold.codes]
    strange = is_control & (wanted != _TIE) & (wanted != votes.winner) & (wanted != votes.loser)
    if strange.any():
        row = int(np.argmax(strange))
        columns.refuse("gold", int(gold.codes[row]), row=row, expected="one of the two bots, or tie")
    is_right = np.where(votes.is_tie, wanted == _TIE, wanted == votes.winner)
    found = screen_controls(votes.annotator, votes.excluded, is_control, is_right)
    return replace(
        votes,
        excluded=found.excluded,
        is_onboarding=votes.is_onboarding | is_control,
        notes=(*votes.notes, found.note),
    )


_TIE = -2
_MOST_QUESTIONS = 20
"""More are prompts that the bots answered, not questions that annotators were asked."""


def _many_questions(question: NameColumn) -> tuple[str, ...]:
    if len(question.names) <= _MOST_QUESTIONS:
        return ()
    return (
        f"The column question has {len(question.names):,} different texts, and each is analysed by itself. "
        "If they are prompts and not what annotators were asked, leave the column out: --columns question=",
    )


def _ties_and_leads(columns: Columns) -> tuple[Flags, NDArray[np.int8]]:
    """Which judgments are ties, and in halves how clearly the others were won.

    A judgment without an outcome is a win, unless its lead is 0.
    """
    is_tie: Flags = columns.parsed("outcome", one_of(_OUTCOMES), False, expected="win or tie")
    lead = columns["lead"]
    if not lead.names:
        return is_tie, np.where(is_tie, np.int8(0), np.int8(2))
    halves = columns.parsed("lead", one_of(_HALF_LEADS), UNKNOWN, expected="1, 0.5 or 0").astype(np.int8)
    is_tie |= (halves == 0) & (columns["outcome"].codes == UNKNOWN)
    wrong = (halves != UNKNOWN) & (is_tie != (halves == 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        columns.refuse("lead", int(lead.codes[row]), row=row, expected="0 on a tie, and more than 0 on a win")
    return is_tie, np.where(is_tie, np.int8(0), np.where(halves == UNKNOWN, np.int8(2), halves))


_HALF_LEADS = {"1": 2, "1.0": 2, "0.5": 1, "0": 0, "0.0": 0}
_OUTCOMES = {"win": False, "tie": True}
NOT_RECORDED = "not-recorded"
"""Of a side, or of all sides of a table: on which side of the screen a bot was shown is not known."""
_SIDES = {"1": 1, "2": 2, "1.0": 1, "2.0": 2, NOT_RECORDED: 0}
