"""Example dialogues with the ratings they got, for the report."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from duologue.judgments import Row, is_rating_column
from duologue.reports import ExampleDialogue, shown_dialogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from duologue.dialogues import Dialogue

PER_BOT = 1
AT_MOST = 8


@dataclass(frozen=True, slots=True)
class RatedExample:
    """A dialogue with its ratings, and the words that were given with them."""

    dialogue: ExampleDialogue
    ratings: tuple[tuple[str, str], ...]
    """The name of each question, and the point chosen."""
    persona_right: bool | None
    """Whether the annotator told the bot's persona from another one; None when nobody asked."""
    reason: str


def rated_examples(
    rows: Iterable[Row], *, seed: int, dialogues: Callable[[Sequence[str]], Sequence[Dialogue]]
) -> tuple[RatedExample, ...]:
    """One rated dialogue a bot that counts, one with a reason where there is any, chosen by the seed."""
    chosen = _chosen(rows, seed)
    keys = sorted({str(row["dialogue"]) for row in chosen})
    found = dict(zip(keys, dialogues(keys), strict=True))
    return tuple(_example(row, found[str(row["dialogue"])]) for row in chosen)


def _chosen(rows: Iterable[Row], seed: int) -> list[Row]:
    groups: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if _ratings(row) and row["dialogue"] and not (row["excluded"] or row["is_onboarding"]):
            groups[str(row["arm"]), str(row["bot"])].append(row)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    found: list[Row] = []
    for key in sorted(groups):
        group = [row for row in groups[key] if str(row["reason"]).strip()] or groups[key]
        picks = rng.choice(len(group), size=min(PER_BOT, len(group)), replace=False)
        found += [group[int(pick)] for pick in picks]
    return found[:AT_MOST]


def _example(row: Row, dialogue: Dialogue) -> RatedExample:
    right = row.get("persona_right")
    return RatedExample(
        dialogue=shown_dialogue(dialogue),
        ratings=_ratings(row),
        persona_right=right if isinstance(right, bool) else None,
        reason=str(row["reason"]).strip(),
    )


def _ratings(row: Row) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.removeprefix("rating_"), str(point))
        for name, point in row.items()
        if is_rating_column(name) and point not in (None, "")
    )
