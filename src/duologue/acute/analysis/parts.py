"""The judgments of an analysis taken apart: sections that are never pooled, and how they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.matchups import Pair
from duologue.judgments import NameColumn, Votes
from duologue.screening import is_never_counted

OPEN_LINK = "open"
"""The kind of annotators who were recruited via an open link: they are anonymous, so they are kept apart."""


@dataclass(frozen=True, slots=True)
class VotePart:
    """The judgments of one section, onboarding and excluded ones included."""

    arm: str
    question: str
    revision: int
    annotators: str
    votes: Votes

    counted: Votes
    """Only those that count."""

    @property
    def without_onboarding(self) -> Votes:
        """Those that count and those that were excluded."""
        apart = never_counted(self.votes)
        return self.votes.select(~apart) if apart.any() else self.votes

    @property
    def has_exclusions(self) -> bool:
        """Whether some judgment was excluded, those apart that never count."""
        return bool((~never_counted(self.votes) & ~self.votes.counts).any())

    @property
    def is_together(self) -> bool:
        """Whether the question was asked together with others."""
        return self.votes.together is not None and bool(self.votes.together.place.any())

    def counting_also(self, rule: str) -> Votes:
        """Those that count, and those that this rule excluded."""
        if rule not in rules_applied(self.votes):
            return self.counted
        return self.votes.select(
            self.votes.counts | (is_named(self.votes.excluded, rule) & ~self.votes.is_onboarding)
        )


def never_counted(votes: Votes) -> NDArray[np.bool_]:
    """Judgments that count in no case: onboarding, attention checks, and what was asked a second time."""
    found = votes.is_onboarding
    for rule in filter(is_never_counted, votes.excluded.names):
        found = found | is_named(votes.excluded, rule)
    return found


def rules_applied(votes: Votes) -> dict[str, int]:
    """How many judgments each rule excluded that would count without it."""
    codes = votes.excluded.codes[~never_counted(votes)]
    counts = np.bincount(codes[codes >= 0], minlength=len(votes.excluded.names))
    return {name: int(count) for name, count in zip(votes.excluded.names, counts, strict=True) if count}


@dataclass(frozen=True, slots=True)
class SequentialOptions:
    """What sequential stopping has to say in an analysis."""

    rules: bool
    """Whether the verdicts rest on it."""
    is_wanted: bool
    matchups: int
    """How many matchups were planned, with or without judgments so far."""
    per_annotator: int | None
    """Judgments that one annotator was planned to give in a matchup."""


def parts_of(votes: Votes) -> Iterator[VotePart]:
    """The judgments of each section: by arm, question, revision, and whether by an open link."""
    is_open = is_named(votes.annotator_kind, OPEN_LINK)
    both = bool(is_open.any() and not is_open.all())
    columns = (votes.arm.codes, votes.question.codes, votes.revision, is_open)
    if len(votes) == 0 or all((column == column[0]).all() for column in columns):
        distinct = np.stack([column[:1] for column in columns], axis=1)
        which = np.zeros(len(votes), dtype=np.intp)
    else:
        distinct, which = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    for number, (arm, question, revision, by_open_link) in enumerate(distinct.tolist()):
        own = votes.select(which == number) if len(distinct) > 1 else votes
        counts = own.counts
        yield VotePart(
            arm=votes.arm.name_of(arm),
            question=votes.question.name_of(question),
            revision=revision,
            annotators=("open-link" if by_open_link else "invited") if both else "all",
            votes=own,
            counted=own if counts.all() else own.select(counts),
        )


def plan_of(
    part: VotePart, parts: tuple[VotePart, ...], planned: Mapping[Pair, int] | None
) -> Mapping[Pair, int]:
    """The plan of an arm, unless several sections share it."""
    shares = sum(1 for other in parts if other.arm == part.arm)
    return planned if planned is not None and shares == 1 else {}


def is_named(column: NameColumn, name: str) -> NDArray[np.bool_]:
    """Which rows of a column hold a name."""
    if name not in column.names:
        return np.zeros(len(column.codes), dtype=np.bool_)
    return np.equal(column.codes, column.names.index(name))
