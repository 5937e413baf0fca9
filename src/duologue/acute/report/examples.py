"""Example comparisons for the report: what was read, who won, and why."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from duologue.reports import ExampleDialogue, shown_dialogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from duologue.dialogues import Dialogue
    from duologue.judgments import Row

PER_MATCHUP = 1
AT_MOST = 8


@dataclass(frozen=True, slots=True)
class Example:
    """A judgment with both dialogues and the reason given for it."""

    winner: ExampleDialogue
    loser: ExampleDialogue
    reason: str
    question: str


def compared_examples(
    rows: Iterable[Row], *, seed: int, dialogues: Callable[[Sequence[str]], Sequence[Dialogue]]
) -> tuple[Example, ...]:
    """Some judgments that count and have a reason: one a matchup, chosen by the study's seed."""
    chosen = _chosen(rows, seed)
    keys = sorted({str(row[side]) for row in chosen for side in ("winner_dialogue", "loser_dialogue")})
    found = dict(zip(keys, dialogues(keys), strict=True))
    return tuple(
        Example(
            winner=shown_dialogue(found[str(row["winner_dialogue"])]),
            loser=shown_dialogue(found[str(row["loser_dialogue"])]),
            reason=str(row["reason"]),
            question=str(row["question"]),
        )
        for row in chosen
    )


def _chosen(rows: Iterable[Row], seed: int) -> list[Row]:
    groups: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        counts = not (row["excluded"] or row["is_onboarding"] or row["outcome"] == "tie")
        if counts and str(row["reason"]).strip():
            groups[str(row["arm"]), str(row["matchup"])].append(row)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    found: list[Row] = []
    for key in sorted(groups):
        group = groups[key]
        picks = rng.choice(len(group), size=min(PER_MATCHUP, len(group)), replace=False)
        found += [group[int(pick)] for pick in picks]
    return found[:AT_MOST]
