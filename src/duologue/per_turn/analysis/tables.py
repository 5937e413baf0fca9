"""Turns as matrices: for each section, which bot was selected on which turn, and where it was shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duologue.per_turn.rows import Mechanism, Setting, TurnRow
from duologue.stats import ClusteredRate, Interval, clustered_mean, clustered_rate

Codes = NDArray[np.int64]

FEWEST_CLUSTERS = 4
"""Dialogues, or annotators, of equal size that it takes for each difference that is tested at once."""


class SectionKey(NamedTuple):
    """What may be pooled: one arm of one revision with the same bots, by one question."""

    question: str
    arm: str
    revision: int
    mechanism: Mechanism
    setting: Setting | None
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TurnTable:
    """The complete turns of one section, in the order of their dialogues and numbers."""

    key: SectionKey
    rows: NDArray[np.intp]
    """Which of all rows they are."""
    selected: NDArray[np.bool_]
    """Turns × bots, these in the order of their names."""
    positions: NDArray[np.int64]
    """Turns × bots: where each bot's card was; 0 where that is not known."""
    dialogue: Codes
    annotator: Codes
    """A dialogue without a named annotator has one of its own."""
    turn: Codes

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, is_kept: NDArray[np.bool_]) -> TurnTable:
        """The same with only the rows that are kept, out of all rows."""
        own = is_kept[self.rows]
        return TurnTable(
            self.key,
            self.rows[own],
            self.selected[own],
            self.positions[own],
            self.dialogue[own],
            self.annotator[own],
            self.turn[own],
        )

    @property
    def clusters(self) -> dict[str, Codes]:
        """The kinds of clusters in which turns repeat: dialogues, and annotators who had several."""
        kinds = {"dialogue": self.dialogue, "annotator": self.annotator}
        sizes = {kind: len(np.unique(codes)) for kind, codes in kinds.items()}
        found = {kind: codes for kind, codes in kinds.items() if sizes[kind] < len(self)}
        if len(found) == 2 and sizes["annotator"] == sizes["dialogue"]:
            del found["annotator"]  # one dialogue each: the same clusters
        return found

    @property
    def only(self) -> str:
        """What all turns are of, when they are of one annotator or dialogue: nothing else can be said."""
        counts = {"dialogue": self.dialogue, "annotator": self.annotator}
        return next((kind for kind, codes in counts.items() if len(np.unique(codes)) < 2), "")

    def sizes(self) -> dict[str, int]:
        """How many clusters there are of each kind that repeats."""
        return {kind: len(np.unique(codes)) for kind, codes in self.clusters.items()}

    @property
    def own_cards(self) -> NDArray[np.bool_]:
        """Turns on which every bot had a card of its own, at a position that is known."""
        found: NDArray[np.bool_] = self.positions.max(axis=1) == len(self.key.bots)
        return found

    def too_few(self, differences: int) -> str:
        """Why so many differences cannot be tested at once: too few clusters; empty where they can."""
        needed = FEWEST_CLUSTERS * differences
        for kind, codes in self.clusters.items():
            sizes = np.unique(codes, return_counts=True)[1].astype(np.float64)
            worth = float(sizes.sum() ** 2 / (sizes @ sizes))
            if worth < needed - 1e-9:
                uneven = "" if np.ptp(sizes) == 0 else f", worth {worth:.1f} of equal size"
                return f"the turns are of {len(sizes)} {kind}s{uneven}, and at least {needed} are needed"
        return ""

    def clustered_rate(
        self, values: NDArray[np.bool_], *, level: float, null: float = 0.5
    ) -> ClusteredRate | None:
        """A share of turns; None where there is one cluster only."""
        kinds = list(self.clusters.values()) or [np.arange(len(self))]
        if self.only:
            return None
        return clustered_rate(values.astype(np.float64), kinds, level=level, null=null)

    def clustered_difference(self, values: NDArray[np.int64], *, level: float) -> ClusteredRate | None:
        """The mean of differences of selections; None where nothing repeats, or there is one cluster only."""
        kinds = list(self.clusters.values())
        if self.only or not kinds:
            return None
        return clustered_mean(values, kinds, bounds=(-1, 1), level=level)


def tables_of(rows: Sequence[TurnRow], *, read: bool = False) -> tuple[TurnTable, ...]:
    """The sections of rows: complete turns by those who had the chats, main question first.

    Args:
        rows: All rows.
        read: Take the turns by those who read the chats instead.
    """
    found: defaultdict[SectionKey, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        if row.is_complete and row.is_third_party == read:
            for question in ("", *row.dimensions):
                found[_key(row, question)].append(number)
    dialogues = _numbered(row.dialogue for row in rows)
    annotators = _numbered(row.annotator or f"\0{row.dialogue}" for row in rows)
    return tuple(
        _table(key, found[key], rows, dialogues, annotators)
        for key in sorted(found, key=lambda key: (key[0], key[1], key[2], *map(str, key[3:])))
    )


def _key(row: TurnRow, question: str) -> SectionKey:
    return SectionKey(question, row.arm, row.revision, row.mechanism, row.setting, row.bots)


def is_of(row: TurnRow, key: SectionKey) -> bool:
    """Whether a row belongs to a section, whoever judged it and whether or not it counts."""
    return _key(row, key.question) == key


def _table(
    key: SectionKey, numbers: Sequence[int], rows: Sequence[TurnRow], dialogues: Codes, annotators: Codes
) -> TurnTable:
    own = sorted(numbers, key=lambda number: (dialogues[number], rows[number].turn))
    at = np.array(own, dtype=np.intp)
    chosen = [rows[number].selected(key.question) for number in own]
    places = [{one.bot: one.position or 0 for one in rows[number].candidates} for number in own]
    return TurnTable(
        key=key,
        rows=at,
        selected=np.array([[one[bot] for bot in key.bots] for one in chosen], dtype=np.bool_),
        positions=np.array([[one[bot] for bot in key.bots] for one in places], dtype=np.int64),
        dialogue=dialogues[at],
        annotator=annotators[at],
        turn=np.array([rows[number].turn for number in own], dtype=np.int64),
    )


def _numbered(names: Iterator[str]) -> Codes:
    codes: dict[str, int] = {}
    return np.array([codes.setdefault(name, len(codes)) for name in names], dtype=np.int64)


def limits_of(rate: ClusteredRate | None) -> Interval | None:
    """The interval of a rate, where there is one."""
    return None if rate is None else rate.interval


def named_annotators(rows: Sequence[TurnRow], table: TurnTable) -> int | None:
    """How many annotators a section has; None when nobody is named."""
    names = {rows[number].annotator for number in table.rows.tolist()} - {""}
    return len(names) or None
