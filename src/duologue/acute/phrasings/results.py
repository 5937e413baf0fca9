"""What was found about phrasings of questions: how far annotators agree by each, and which is best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from duologue.protocols import Outcome, RuleCount, TimeSpent
from duologue.stats import Interval


@dataclass(frozen=True, slots=True)
class PairCount:
    """What annotators answered about one pair by one phrasing, by the bot that their choice credits."""

    first: str
    second: str
    credits_first: int
    credits_second: int

    @property
    def modal(self) -> str:
        """The bot that most choices credit; empty for an even split."""
        if self.credits_first == self.credits_second:
            return ""
        return self.first if self.credits_first > self.credits_second else self.second


@dataclass(frozen=True, slots=True)
class JudgedPhrasing:
    """A phrasing that has judgments, and how far annotators agree by it."""

    arm: str
    n: int
    agreement: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class PhrasingResult:
    """One phrasing: the share of judgments that give the most chosen answer of their pair."""

    arm: str
    question: str
    choice: str
    """The answer for Speaker 1, as the paper prints it."""
    n: int
    """Judgments that count."""
    planned: int | None
    modal: int
    """Those that give the most chosen answer."""
    agreement: float | None
    """None without judgments."""
    interval: Interval | None
    """Wilson's; where annotators judged several pairs, joined with the clustered one."""
    chance: float | None
    """The agreement that as many coin-flippers would show on average: above one half."""
    p_value: float | None
    p_adjusted: float | None
    """Holm over all phrasings."""
    is_significant: bool
    pairs: tuple[PairCount, ...]
    annotators: int | None
    alpha: float | None = None
    """Krippendorff's, where there are several pairs."""
    alpha_interval: Interval | None = None
    n_without_exclusions: int = 0
    agreement_without_exclusions: float | None = None

    @property
    def judged(self) -> JudgedPhrasing | None:
        """How far annotators agree by it; None without judgments."""
        if self.agreement is None or self.interval is None:
            return None
        return JudgedPhrasing(self.arm, self.n, self.agreement, self.interval)


@dataclass(frozen=True, slots=True)
class AxisResult:
    """The phrasings of one axis, the clearest first."""

    axis: str
    revision: int
    annotators: str
    """Who judged: ``all``; or ``invited`` and ``open-link`` where both did."""
    phrasings: tuple[PhrasingResult, ...]
    best: str | None
    """The arm with the highest lower bound of agreement; None without judgments."""
    difference: float | None
    """Of the agreement of the first and the second."""
    difference_interval: Interval | None
    p_value: float | None
    p_adjusted: float | None
    """Holm over the axes."""
    is_distinguished: bool
    """Whether the first can be told from the second, and so from all others."""
    sentence: str
    notes: tuple[str, ...] = ()
    """What a reader must know: that phrasings point different ways, that agreement may be chance."""

    @property
    def title(self) -> str:
        """The axis, and what tells its judgments apart from others of it."""
        parts = [self.axis, f"revision {self.revision}" if self.revision != 1 else ""]
        parts.append(f"{self.annotators} annotators" if self.annotators != "all" else "")
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class PhrasingStudyResults:
    """All that a study of phrasings found."""

    axes: tuple[AxisResult, ...]
    pairs: int
    """Different pairs of dialogues that were asked about."""
    scope: str
    """What the numbers hold for."""
    family: str
    """Which tests share the error rate."""
    position: str
    """Whether the side mattered, in a sentence; empty where sides are not known."""
    time: TimeSpent | None
    collected: int
    onboarding: int
    rules: tuple[RuleCount, ...]
    counted: int


def phrasing_outcomes(found: PhrasingStudyResults) -> Iterator[Outcome]:
    """Every two phrasings of an axis, in words that all protocols share."""
    for axis in found.axes:
        judged = {one.arm: one.n for one in axis.phrasings if one.n}
        for first, second in combinations(sorted(judged), 2):
            is_told = axis.is_distinguished and axis.best in (first, second)
            yield Outcome(
                part=axis.title,
                first=first,
                second=second,
                n=judged[first] + judged[second],
                estimate=None,
                interval=None,
                better=axis.best if is_told else None,
                has_verdict=True,
            )
