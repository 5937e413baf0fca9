"""What models say about the candidates of items: one JSON object a line under a header.

Any program can write it: ``{"item": "…", "model": "…", "scores": [0.1, 2.5, …]}``, a score for each
candidate in the order of the items' file, higher is better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from duologue.dialogues.json_values import dump_json, json_name, json_objects
from duologue.dialogues.records import Json
from duologue.dialogues.sources import Source
from duologue.errors import NewerFormat
from duologue.files import replacing

SCORES_FORMAT = "duologue.scores/1"


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """How well a model thinks that each candidate of an item fits; higher is better."""

    item: str
    model: str
    scores: tuple[float, ...]

    def recall(self, truth: int, k: int) -> float:
        """Whether the true reply is among the best ``k``: 1 or 0.

        Where other candidates have the same score as the true one, the share of orders among them in which it
        is: a model that gives all the same score is right as often as chance.

        Example:
            >>> CandidateScores("i", "m", (0.5, 0.9, 0.1)).recall(0, 1)
            0.0
            >>> CandidateScores("i", "m", (1.0, 1.0, 0.0)).recall(0, 1)
            0.5
        """
        own = self.scores[truth]
        above = sum(score > own for score in self.scores)
        tied = sum(score == own for score in self.scores)
        return min(max(k - above, 0), tied) / tied


def write_scores(scores: Iterable[CandidateScores], path: Path) -> int:
    """Write scores to a file, whole or not at all; returns how many.

    Raises:
        ExportError: The file cannot be written.
        StoreFull: The disk is full.
    """
    count = 0
    with replacing(path) as file:
        file.write(dump_json({"format": SCORES_FORMAT}).encode() + b"\n")
        for one in scores:
            record = {"item": one.item, "model": one.model, "scores": one.scores}
            file.write(dump_json(record).encode() + b"\n")
            count += 1
    return count


def read_scores(path: Path) -> Iterator[CandidateScores]:
    """Read scores one by one.

    Raises:
        FormatError: A line holds no scores; says which, and which field.
        NewerFormat: A later version of Duologue wrote the file.
        UnreadableFile: The file cannot be opened.
    """
    source = Source(path)
    for number, (line, record) in enumerate(json_objects(source)):
        if number == 0 and "format" in record:
            _check_format(source, line, record)
            continue
        yield CandidateScores(
            item=_text(source, line, record, "item"),
            model=_text(source, line, record, "model"),
            scores=_numbers(source, line, record),
        )


def _check_format(source: Source, line: int, record: Mapping[str, Json]) -> None:
    found = record["format"]
    if found == SCORES_FORMAT:
        return
    if isinstance(found, str) and found.startswith("duologue.scores/"):
        raise NewerFormat(source.path, found, SCORES_FORMAT)
    raise source.error(line, "format", expected=repr(SCORES_FORMAT), got=json_name(found))


def _text(source: Source, line: int, record: Mapping[str, Json], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str) or not value:
        raise source.error(line, key, expected="a text", got=json_name(value))
    return value


def _numbers(source: Source, line: int, record: Mapping[str, Json]) -> tuple[float, ...]:
    value = record.get("scores")
    if not isinstance(value, list) or not value or not all(map(_is_score, value)):
        raise source.error(line, "scores", expected="a list of numbers", got=json_name(value))
    return tuple(map(float, value))


def _is_score(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
