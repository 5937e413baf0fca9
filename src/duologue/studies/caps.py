"""What the store must hold to when it hands out work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from duologue.protocols import ChatSettings
from duologue.studies.spreading import judged_twice_of, spread_over_groups
from duologue.studies.tables import AttentionTable


@dataclass(frozen=True, slots=True)
class StudyRules:
    """What the store must hold to when it hands out work."""

    arms: tuple[str, ...]
    max_judgments: int | None
    """Per annotator; None means the number of matchups there are."""
    lease_seconds: float
    annotations_per_item: int
    onboarding_comparisons: int
    """How many come first; 0 when onboarding is off."""
    onboarding_threshold: float
    block: Literal["soft", "at-once", "off"]
    seed: int
    chat: ChatSettings = field(default_factory=ChatSettings)
    """What live chats are held to."""
    max_per_group: int | None = None
    """Items of one group that an annotator is handed at most; None means any number."""
    excluding_flags: tuple[str, ...] = ()
    """Flags that exclude a judgment."""
    words_per_second: float = 0.0
    """Judgments that took less than reading at this rate are flagged; 0 flags none."""
    is_rehearsed: bool = False
    """Whether annotators are simulated: the seconds they tell are believed, and others are not looked at."""
    excludes_without_reason: bool = False
    """Whether judgments are excluded when the sitting of an annotator ends who never gave a reason."""
    forms_before: tuple[str, ...] = ()
    """Forms that are filled in before the first item."""
    forms_after: tuple[str, ...] = ()
    """Forms that are filled in after the last."""
    copies: Mapping[str, int] = field(default_factory=dict)
    """Judgments wanted of each item by the cohorts that have places of their own; ``""`` is everybody else.
    Empty where there are no such cohorts: then all share ``annotations_per_item``."""
    items_of: Mapping[str, int] = field(default_factory=dict)
    """How many of the items the cohorts judge that do not judge all."""
    has_cohorts: bool = False
    """Whether annotators belong to cohorts, so that arms are balanced within each."""
    asks_cohort: bool = False
    """Whether an answer on a form says to which cohort somebody belongs."""
    attention: AttentionTable = field(default_factory=AttentionTable)
    """Where attention checks come, and what failing them does."""
    sees_each_arm: bool = False
    """Whether an annotator goes through all arms; every cap then holds in each of them."""
    factors: Mapping[str, str] = field(default_factory=dict)
    """What each arm is a version of, where arms are versions of several things."""
    one_per_factor: bool = False
    """Whether an annotator sees one arm of each factor; every cap then holds in each of these arms, and a
    dialogue is new in each of them."""
    sitting_seconds: float | None = None
    """How long a sitting may take; None means any time."""
    item_seconds: float | None = None
    """How long an item may take; None means any time."""
    skips: int = 0
    """How many items each annotator may skip."""
    repeat: float = 0.0
    """The share of judged items that comes a second time."""
    repeat_after: int = 1
    """How many other items come between the two times at least."""
    judged_twice: float = 0.0
    """The share of the items of each group that a second annotator judges too; no verdict counts it."""

    def places_of(self, cohort: str) -> str:
        """The cohort whose places an annotator of a cohort fills: their own, or ``""``, everybody's."""
        return cohort if cohort in self.copies else ""

    @property
    def arms_per_annotator(self) -> int:
        """How many arms an annotator sees at most."""
        if self.one_per_factor:
            return len(set(self.factors.values()))
        return len(self.arms) if self.sees_each_arm else 1

    @property
    def judgments_per_item(self) -> int:
        """Judgments wanted at most of an item in each arm, by all cohorts together."""
        return sum(self.copies_wanted.values())

    @property
    def judgments_of_every_item(self) -> int:
        """Judgments wanted of each item in each arm by the cohorts that judge all items; at least 1."""
        return max(1, sum(n for cohort, n in self.copies_wanted.items() if cohort not in self.items_of))

    def judgments_of_one_group(self, groups: int) -> int:
        """Judgments that one annotator is planned to give in a group at most, where there are so many."""
        return 1 if self.max_judgments is None else math.ceil(self.max_judgments / max(1, groups))

    def judgments_of(self, items: Mapping[str, int]) -> dict[str, int]:
        """Judgments wanted of each group in each arm, by all cohorts together.

        Args:
            items: How many items each group has.
        """
        wanted = dict.fromkeys(items, 0)
        for cohort, copies in self.copies_wanted.items():
            most = self.items_of.get(cohort)
            theirs = items if most is None else spread_over_groups(most, items)
            for group, count in theirs.items():
                wanted[group] += copies * count
        return wanted

    @property
    def copies_wanted(self) -> Mapping[str, int]:
        """Judgments wanted of each item, by whose places they fill."""
        return self.copies or {"": self.annotations_per_item}

    def second_judgments_of(self, items: Mapping[str, int]) -> int:
        """Second judgments wanted in each arm, of all groups together.

        Args:
            items: How many items each group has.
        """
        return sum(judged_twice_of(self.judged_twice, count) for count in items.values())
