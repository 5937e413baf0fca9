"""Many judgments at once, column by column, and the columns that a protocol makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from duologue.judgments import Column


@dataclass(frozen=True, slots=True)
class JudgedBatch:
    """Some judgments in the order they came, column by column; the texts of reasons stay in the store."""

    ids: Sequence[str]
    annotators: Sequence[str]
    annotator_kinds: Sequence[str]
    arms: Sequence[str]
    items: Sequence[str]
    item_numbers: Sequence[int]
    """A number for each item, the same wherever it is judged: a million names take too much memory."""
    groups: Sequence[str]
    bots: Sequence[tuple[str, ...]]
    dialogues: Sequence[tuple[str, ...]]
    """What was judged: the dialogues of the item, or the one that came of a live chat."""
    answers: Sequence[Mapping[str, object]]
    orders: Sequence[tuple[int, ...]]
    has_reason: Sequence[bool]
    seconds: Sequence[float]
    at: Sequence[str]
    """UTC, all of one width."""
    revisions: Sequence[int]
    is_onboarding: Sequence[bool]
    excluded: Sequence[str]
    """The rule that set a judgment aside; empty when it counts."""
    flags: Sequence[tuple[str, ...]]
    """The rules that flagged the live chat."""
    cohorts: Sequence[str] = ()
    """Of the annotators; empty for those who belong to none."""

    def __len__(self) -> int:
        return len(self.ids)

    def between(self, begin: int, end: int) -> JudgedBatch:
        """Some of them, from one place up to another."""
        return replace(self, **{field.name: getattr(self, field.name)[begin:end] for field in fields(self)})


def shared_columns(batch: JudgedBatch) -> dict[str, Column]:
    """The columns that judgments of every protocol have, under the names of an export.

    Whether a judgment counts is not among them: that may be asked in several ways.
    """
    return {
        "annotator": batch.annotators,
        "annotator_kind": batch.annotator_kinds,
        "arm": batch.arms,
        "reason": ["given" if given else "" for given in batch.has_reason],
        "flags": [";".join(flags) for flags in batch.flags],
        "seconds": np.array(batch.seconds, dtype=np.float64),
        "at": np.array([at[:19] for at in batch.at], dtype="datetime64[s]").astype(np.int64),
        "revision": np.array(batch.revisions, dtype=np.int32),
        "is_onboarding": np.array(batch.is_onboarding, dtype=np.bool_),
    }
