"""What screening flagged in judgments of any protocol: too fast, chosen by position, a copied reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from duologue.protocols import FlaggedJudgments, JudgedBatch, say_count, say_percent
from duologue.screening import (
    COPIED_REASON,
    FIXED_PATTERN,
    JUDGMENT_FLAGS,
    LEAST_CHOICES,
    LEAST_TIMES,
    PASTED,
    REPEATED_REASON,
    SAME_POSITION,
    SHARED_REASON,
    TOO_FAST,
    UNSCROLLED,
)


@dataclass(slots=True)
class FlagCounter:
    """Flags of judgments, counted batch by batch; onboarding has none."""

    judgments: int = 0
    """Of all, whether or not they count."""
    flagged: dict[str, Counter[str]] = field(default_factory=dict)
    """By flag and annotator."""
    excluded: dict[str, Counter[str]] = field(default_factory=dict)
    """Those of them that a rule excluded."""

    def add(self, batch: JudgedBatch) -> None:
        """Count some more."""
        self.judgments += len(batch) - sum(batch.is_onboarding)
        for who, flags, rule in zip(batch.annotators, batch.flags, batch.excluded, strict=True):
            for flag in flags:
                if flag in JUDGMENT_FLAGS:
                    self.flagged.setdefault(flag, Counter())[who] += 1
                    self.excluded.setdefault(flag, Counter())[who] += bool(rule)

    def found(self, set_aside: Collection[str] = ()) -> tuple[FlaggedJudgments, ...]:
        """What was flagged, in the order of the rules.

        Args:
            set_aside: Annotators of whom the protocol's own screening leaves nothing.
        """
        return tuple(
            FlaggedJudgments(
                flag,
                own.total(),
                len(own),
                sum(count if who in set_aside else self.excluded[flag][who] for who, count in own.items()),
                self.judgments,
            )
            for flag in JUDGMENT_FLAGS
            if (own := self.flagged.get(flag)) is not None
        )


_OF_JUDGMENTS = {
    TOO_FAST: "{were} given too fast to have read what was shown",
    REPEATED_REASON: f"{{have}} a reason that the same annotator gave {LEAST_TIMES} times or more",
    SHARED_REASON: "{have} a reason that another annotator gave word for word",
    COPIED_REASON: "{have} a reason that was copied from what was shown",
    PASTED: "{were} given with text that was pasted from elsewhere, as far as the pages could see",
    UNSCROLLED: (
        "{were} given without having scrolled to the end of a dialogue, as far as the pages could see"
    ),
}


def say_flags(found: tuple[FlaggedJudgments, ...]) -> Iterator[str]:
    """A sentence for each flag; what is flagged and counts is said to count.

    Example:
        >>> list(say_flags((FlaggedJudgments("too-fast", 30, 3, 0, 60),)))[0][:78]
        '30 of 60 judgments (50.0 %) by 3 annotators were given too fast to have read w'
    """
    for one in found:
        people = say_count(one.annotators, "annotator")
        if one.rule in _OF_JUDGMENTS:
            share = say_percent(one.judgments / one.of)
            were, have = ("was", "has") if one.judgments == 1 else ("were", "have")
            what = _OF_JUDGMENTS[one.rule].format(were=were, have=have)
            yield (
                f"{one.judgments:,} of {one.of:,} judgments ({share}) by {people} {what} "
                f"(flag {one.rule}){_counting(one)}"
            )
        else:
            how = {SAME_POSITION: "the same position", FIXED_PATTERN: "positions in a fixed pattern"}[
                one.rule
            ]
            yield (
                f"{people} chose {how} in all of at least {LEAST_CHOICES} judgments "
                f"(flag {one.rule}){_counting(one)}"
            )


def _counting(one: FlaggedJudgments) -> str:
    if one.excluded == one.judgments:
        return "; excluded."
    if one.excluded:
        return f"; {one.excluded:,} flagged judgments are excluded, {one.judgments - one.excluded:,} count."
    return "; these judgments count, since [screening] does not exclude them."
