"""What screening flagged in judgments of any protocol: too fast, chosen by position, a copied reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from duologue.protocols import FlaggedJudgments, JudgedBatch, say_count, say_list, say_percent
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
    rule_of_flag,
)

NOBODY: Mapping[str, str] = MappingProxyType({})
"""No annotator is set aside by the analysis."""


@dataclass(slots=True)
class FlagCounter:
    """Flags of judgments, counted batch by batch; onboarding has none."""

    judgments: int = 0
    """Of all, whether or not they count."""
    flagged: dict[str, Counter[str]] = field(default_factory=dict)
    """By flag and annotator."""
    excluded: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    """Those of them that are excluded, by flag, annotator and the rule that excludes them."""

    def add(self, batch: JudgedBatch) -> None:
        """Count some more."""
        self.judgments += len(batch) - sum(batch.is_onboarding)
        for who, flags, rule in zip(batch.annotators, batch.flags, batch.excluded, strict=True):
            for flag in flags:
                if flag in JUDGMENT_FLAGS:
                    self.flagged.setdefault(flag, Counter())[who] += 1
                    if rule:
                        self.excluded.setdefault(flag, Counter())[who, rule] += 1

    def found(self, set_aside: Mapping[str, str] = NOBODY) -> tuple[FlaggedJudgments, ...]:
        """What was flagged, in the order of the rules.

        Args:
            set_aside: Annotators of whom the protocol's own screening leaves nothing, with the rule.
        """
        return tuple(self._found(flag, set_aside) for flag in JUDGMENT_FLAGS if flag in self.flagged)

    def _found(self, flag: str, set_aside: Mapping[str, str]) -> FlaggedJudgments:
        own, by, left = self.flagged[flag], Counter[str](), Counter(self.flagged[flag])
        for (who, rule), count in self.excluded.get(flag, Counter()).items():
            by[rule] += count
            left[who] -= count
        for who, rule in set_aside.items():
            by[rule] += left[who]
        by = +by
        return FlaggedJudgments(
            flag, own.total(), len(own), by.total(), self.judgments, dict(by.most_common())
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
    by = _other_rules(one)
    if one.excluded == one.judgments:
        return f"; excluded{by}."
    if one.excluded:
        are = "1 flagged judgment is" if one.excluded == 1 else f"{one.excluded:,} flagged judgments are"
        left = one.judgments - one.excluded
        return f"; {are} excluded{by}, {left:,} {'counts' if left == 1 else 'count'}."
    if one.judgments == 1:
        return "; this judgment counts, since [screening] does not exclude it."
    return "; these judgments count, since [screening] does not exclude them."


def _other_rules(one: FlaggedJudgments) -> str:
    """By which rules, where it was not the flag itself that excluded them all."""
    if one.by.keys() <= {rule_of_flag(one.rule)}:
        return ""
    if len(one.by) == 1:
        return f" by another rule ({next(iter(one.by))})"
    return f" by these rules: {say_list(f'{rule} ({count:,})' for rule, count in one.by.items())}"
