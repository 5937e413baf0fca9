"""What screening flagged in live chats, counted for each section, whether or not it excluded a judgment."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from duologue.judgments import UNKNOWN, NameColumn, Ratings, Row, as_text
from duologue.likert import WILD, FlagCount, LikertResults, RatingSection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FLAGS = "flags"
"""The column of flags: their rules with semicolons between them."""

_Key = tuple[str, str, str, bool]


class FlagTally:
    """Counts flags of the rows that pass through it."""

    def __init__(self) -> None:
        self._found: defaultdict[_Key, defaultdict[str, list[tuple[str, bool]]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def watching(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows, counted on the way."""
        for row in rows:
            for rule in filter(None, as_text(row.get(FLAGS)).split(";")):
                seen = as_text(row.get("annotator")), bool(row.get("excluded"))
                self._found[_key(row)][rule].append(seen)
            yield row

    @classmethod
    def of(cls, ratings: Ratings, flags: NameColumn) -> FlagTally:
        """The flags of ratings that are columns."""
        tally = cls()
        is_wild = [kind in WILD for kind in ratings.annotator_kind.names]
        for row in (flags.codes != UNKNOWN).nonzero()[0].tolist():
            arm, source = (column.name_of(column.codes[row]) for column in (ratings.arm, ratings.source))
            key = arm, str(ratings.revision[row]), source, is_wild[ratings.annotator_kind.codes[row]]
            who = ratings.annotator.name_of(ratings.annotator.codes[row])
            for rule in flags.name_of(flags.codes[row]).split(";"):
                tally._found[key][rule].append((who, bool(ratings.excluded.codes[row] != UNKNOWN)))
        return tally

    def added_to(self, results: LikertResults) -> LikertResults:
        """The results with the flags of each section, the most frequent first."""
        sections = tuple(replace(section, flags=self._of(section)) for section in results.sections)
        return replace(results, sections=sections)

    def _of(self, section: RatingSection) -> tuple[FlagCount, ...]:
        key = section.arm, str(section.revision), section.source, section.annotators == "wild"
        found = [
            FlagCount(rule, len(seen), len({who for who, _ in seen}), sum(is_out for _, is_out in seen))
            for rule, seen in self._found.get(key, {}).items()
        ]
        return tuple(sorted(found, key=lambda flag: (-flag.judgments, flag.rule)))


def _key(row: Row) -> _Key:
    revision = as_text(row.get("revision")) or "1"
    is_wild = as_text(row.get("annotator_kind")) in WILD
    return as_text(row.get("arm")), revision, as_text(row.get("source")), is_wild
