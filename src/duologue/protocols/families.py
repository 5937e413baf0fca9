"""Which comparisons share an error rate: all of them, or those of the part that was named as primary.

Parts are the arms of a study of comparisons, or the questions of a study of ratings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duologue.protocols.saying import say_percent


@dataclass(frozen=True, slots=True)
class Family:
    """Parts whose comparisons share alpha, by their numbers."""

    sections: tuple[int, ...]
    unjudged: int
    """Planned matchups of arms without any judgment yet: they share alpha too."""
    is_secondary: bool = False
    missing_arms: int = 0
    """How many arms these are."""


def families_of(
    arms: Sequence[str], *, planned_arms: Sequence[str] = (), matchups: int = 0, primary: str | None = None
) -> tuple[Family, ...]:
    """Group sections into families.

    Without a primary arm all sections are one family: each of them can give a false verdict. With one, it is
    a family of its own, and so is every other arm, as a secondary one.

    Args:
        arms: The arm of each section.
        planned_arms: All arms of the study.
        matchups: How many matchups each arm was planned to have.
        primary: The arm whose verdicts the study rests on.
    """
    missing = [arm for arm in planned_arms if arm not in arms]
    if primary is None:
        everything = tuple(range(len(arms)))
        return (Family(everything, matchups * len(missing), missing_arms=len(missing)),)
    named = dict.fromkeys([*([primary] if primary in arms else []), *arms])
    return tuple(
        Family(tuple(number for number, own in enumerate(arms) if own == arm), 0, arm != primary)
        for arm in named
    )


@dataclass(frozen=True, slots=True)
class FamilyWords:
    """What a protocol calls its comparisons, the parts they come in, and the part that may be primary."""

    comparisons: str = "matchups"
    parts: str = "sections"
    part: str = "arm"
    method: str = "Holm"
    """How comparisons of a family share the error rate."""


MATCHUPS = FamilyWords()


def say_families(
    sizes: Sequence[int],
    arms: Sequence[str],
    *,
    alpha: float,
    primary: str | None,
    words: FamilyWords = MATCHUPS,
) -> str:
    """The family, and how likely a false verdict is without it; empty where nothing shares an error rate.

    Args:
        sizes: Comparisons in each family.
        arms: The arm of each section, or the question of each part of ratings.
        alpha: The error rate that a family shares.
        primary: The arm (or question) whose verdicts the study rests on.
        words: What these are called.

    Example:
        >>> say_families([12], ["a", "b", "c", "d"], alpha=0.05, primary=None)[:52]
        'All 12 matchups of 4 sections are one family (Holm):'
    """
    size = sum(sizes)
    if not size:
        return ""
    most, alone = say_percent(alpha), _bound(alpha, len(arms))
    if primary is not None:
        return (
            f"The primary {words.part} is {primary}: {words.method} over its own {words.comparisons} keeps "
            f"the chance of calling any two equal bots different there at {most} or less. Verdicts in other "
            f"{words.part}s "
            f"are secondary: each {words.part} has its own family ({words.method}), and over all {len(arms)} "
            f"{words.parts} a false verdict has a chance of up to {alone}."
        )
    if size > 1 and len(arms) > 1:
        return (
            f"All {size:,} {words.comparisons} of {len(arms)} {words.parts} are one family ({words.method}): "
            f"the chance of calling any two equal bots different is {most} or less. With a family for each "
            f"{words.parts.removesuffix('s')} it would be up to {alone}."
        )
    if size > 1:
        return (
            f"The {size:,} {words.comparisons} are one family ({words.method}): the chance of "
            f"calling any two equal bots different is {most} or less. Without that it would be up to "
            f"{_bound(alpha, size)}."
        )
    return ""


def _bound(alpha: float, tests: int) -> str:
    """The most that the chance of any false verdict can be without a shared error rate (Bonferroni).

    Nothing is assumed of the tests: those of several questions about the same dialogues are correlated.

    Example:
        >>> _bound(0.05, 3), _bound(0.05, 40)
        ('15.0 %', '100.0 %')
    """
    return say_percent(min(1.0, alpha * tests))
