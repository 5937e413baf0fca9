"""What an analysis says of rankings besides their pairs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """How dialogues that were shown at one position were ranked."""

    position: int
    """From 1, as shown."""
    n: int
    first: int
    """How often they were put in the first place."""
    last: int
    mean_place: float
    """2 is even."""


@dataclass(frozen=True, slots=True)
class StrengthDifference:
    """A bot's strength by rankings less that by comparisons of two."""

    bot: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class KindAgreement:
    """Whether rankings and comparisons of two give the same strengths."""

    rankings: int
    comparisons: int
    compared_in: str
    """The arm that the comparisons are of, where it is another one."""
    statistic: float
    df: tuple[float, float]
    p_value: float
    differences: tuple[StrengthDifference, ...]
    level: float
    """Of each interval by itself."""
    sentence: str


@dataclass(frozen=True, slots=True)
class Rankings:
    """Rankings of three: how many, where their dialogues were shown, and whether they agree with pairs."""

    rankings: int
    comparisons: int
    """Judgments of two that stand beside them."""
    positions: tuple[ShownPosition, ...]
    position_p: float | None
    position_sentence: str
    agreement: KindAgreement | None
    sentence: str
    ranking_seconds: float | None = None
    """The median of a ranking that counts; None where not known."""
    comparison_seconds: float | None = None
    """The median of a comparison of two beside them."""
