"""Which matchups share an error rate: all of them, or those of the arm that was named as primary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duologue.protocols.saying import say_percent


@dataclass(frozen=True, slots=True)
class Family:
    """Sections whose matchups share alpha, by their numbers."""

    sections: tuple[int, ...]
    unjudged: int
    """Planned matchups of arms without any judgment yet: they share alpha too."""
    is_secondary: bool = False


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
        return (Family(tuple(range(len(arms))), matchups * len(missing)),)
    named = dict.fromkeys([*([primary] if primary in arms else []), *arms])
    return tuple(
        Family(tuple(number for number, own in enumerate(arms) if own == arm), 0, arm != primary)
        for arm in named
    )


def say_families(sizes: Sequence[int], arms: Sequence[str], *, alpha: float, primary: str | None) -> str:
    """The family, and how likely a false verdict is without it.

    Args:
        sizes: Matchups in each family.
        arms: The arm of each section.
        alpha: The error rate that a family shares.
        primary: The arm whose verdicts the study rests on.

    Example:
        >>> say_families([12], ["a", "b", "c", "d"], alpha=0.05, primary=None)[:60]
        'All 12 matchups of 4 sections are one family (Holm): between'
    """
    most, alone = say_percent(alpha), say_percent(1 - (1 - alpha) ** len(arms))
    if primary is not None:
        return (
            f"The primary arm is {primary}: Holm over its own matchups keeps the chance of a false verdict "
            f"between equal bots there at {most} or less. Verdicts in other arms are secondary: each arm has "
            f"its own Holm family, and over all {len(arms)} sections a false verdict has a chance of up to "
            f"{alone}."
        )
    size = sum(sizes)
    if len(arms) > 1:
        return (
            f"All {size:,} matchups of {len(arms)} sections are one family (Holm): between equal bots the "
            f"chance of any false verdict is {most} or less. With a family for each section it would "
            f"be up to {alone}."
        )
    if size > 1:
        return (
            f"The {size:,} matchups are one family (Holm): between equal bots the chance of any false "
            f"verdict is {most} or less. Without that it would be up to "
            f"{say_percent(1 - (1 - alpha) ** size)}."
        )
    return ""
