"""What an analysis of ACUTE judgments found: every number with what it rests on, as one JSON file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from duologue.protocols.findings import AnnotatorCount, Moment, RuleCount, TimeSpent
from duologue.protocols.provenance import Provenance
from duologue.protocols.results_file import FORMAT, read_results_file
from duologue.stats import Interval

DeclaredStopping = Literal["fixed", "sequential", "undeclared"]
"""What was declared before the first judgment: to stop at the planned number, or as soon as it is safe."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a matchup says, in words, and the facts the words rest on."""

    sentence: str
    better: str | None
    """The better bot, None when no difference was detected."""
    more_for_gap: int | None = None
    """Judgments still needed to show the planned gap, when no difference was detected."""
    more_for_observed: int | None = None
    """The same for the gap that was observed; None when that is too small to plan for."""
    clustered_agrees: bool | None = None
    """Whether the clustered test comes to the same verdict; None when there is none."""
    is_sequential: bool = False
    """Whether it rests on the sequential test, and so holds at any look."""


@dataclass(frozen=True, slots=True)
class ClusteredWinRate:
    """The win rate of the first bot when judgments by one annotator, or of one dialogue, hang together."""

    win_rate: float
    interval: Interval
    p_value: float
    p_adjusted: float
    clusters: dict[str, int]
    """How many of each kind: annotators, dialogues."""
    icc: float | None
    effective_n: float
    method: str


@dataclass(frozen=True, slots=True)
class Sequential:
    """Whether to stop collecting judgments of a matchup, valid however often one looks (mixture SPRT)."""

    decision: str
    """``stop: A is better``, ``stop: no difference worth finding``, ``stop: the planned number is reached``
    or ``continue``."""
    better: str | None
    """The better bot, None without such a verdict."""
    n: int
    """Judgments with a winner; ties say nothing either way."""
    decided_at: int | None
    """The judgment with a winner at which the evidence first sufficed."""
    e_value: float
    """Evidence against equal bots now."""
    needed: float
    """The evidence that suffices: ``1 / alpha``."""
    p_value: float
    """Valid at any look; not adjusted, to be held against ``alpha``."""
    interval: Interval
    """For the first bot's win rate, ties left out; of all matchups together valid at any look."""
    gap: float
    """The gap that is looked for, either way."""
    futility: float
    """How many times better than the gap equal bots must explain the judgments to stop without a verdict."""
    alpha: float
    """This matchup's part of the error rate."""
    family: int
    """How many matchups share the error rate (Bonferroni)."""
    why: str

    @property
    def is_over(self) -> bool:
        """Whether to stop."""
        return self.decision != "continue"


@dataclass(frozen=True, slots=True)
class MatchupResult:
    """Two bots compared: the judgments that count, their test and verdict. The test leaves ties out."""

    first: str
    second: str
    n: int
    """Judgments for one or the other; ties come on top."""
    wins_first: int
    wins_second: int
    ties: int
    planned: int | None
    win_rate: float | None
    """Of the first bot, None without judgments."""
    interval: Interval | None
    p_value: float | None
    p_adjusted: float | None
    clustered: ClusteredWinRate | None
    why_not_clustered: str
    verdict: Verdict
    sequential: Sequential | None = None
    """Where sequential stopping was declared or asked for."""

    @property
    def name(self) -> str:
        """The matchup by its name in files: ``A__vs__B``."""
        return f"{self.first}__vs__{self.second}"


@dataclass(frozen=True, slots=True)
class SameBotResult:
    """A bot compared with itself (A/A): nothing but chance and the position on the page can decide."""

    bot: str
    n: int
    ties: int
    side_1: int | None
    """Judgments for the dialogue on side 1; None when sides are not known."""
    interval: Interval | None
    p_value: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class OrderOfBots:
    """Bots from best to worst by pairwise majority; tied bots share a tier."""

    tiers: tuple[tuple[str, ...], ...]
    cycles: tuple[tuple[str, ...], ...]
    is_transitive: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Strength:
    """One bot's Bradley–Terry strength (log-odds against an average bot)."""

    bot: str
    strength: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Strengths:
    """Bradley–Terry strengths from all matchups together, strongest first."""

    bots: tuple[Strength, ...]
    lack_of_fit_p: float | None
    is_separated: bool
    method: str
    sentence: str


@dataclass(frozen=True, slots=True)
class PositionEffect:
    """How often the dialogue on side 1 won, over all matchups."""

    n: int
    side_1: int
    share: float
    interval: Interval
    p_value: float
    clustered_interval: Interval | None
    clustered_p: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class AgreementFound:
    """How far annotators agree on pairings that several of them judged."""

    pairings: int
    judgments: int
    rate: float
    alpha: float
    sentence: str


@dataclass(frozen=True, slots=True)
class ExclusionEffect:
    """A matchup's numbers when nothing is excluded, beside its verdict."""

    first: str
    second: str
    excluded: int
    wins_first: int
    wins_second: int
    p_adjusted: float | None
    better: str | None
    better_without_exclusions: str | None
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Exclusions:
    """From all judgments to those that count, and whether it matters."""

    collected: int
    onboarding: int
    rules: tuple[RuleCount, ...]
    counted: int
    effects: tuple[ExclusionEffect, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Section:
    """One arm, revision and way of coming in: what may be pooled, and never more."""

    arm: str
    question: str
    revision: int
    annotators: str
    """Who judged: ``all``; or ``invited`` and ``open-link`` where both did."""
    n: int
    ties: int
    annotator_count: int | None
    bots: tuple[str, ...]
    """Best first."""
    wins: tuple[tuple[int, ...], ...]
    """``wins[i][j]``: how often bot i beat bot j."""
    matchups: tuple[MatchupResult, ...]
    same_bot: tuple[SameBotResult, ...]
    order: OrderOfBots
    strengths: Strengths | None
    why_no_strengths: str
    position: PositionEffect | None
    agreement: AgreementFound | None
    time: TimeSpent | None
    exclusions: Exclusions
    busiest: tuple[AnnotatorCount, ...]
    progress: tuple[Moment, ...]
    warnings: tuple[str, ...]
    stopping: str = ""
    """What the sequential decisions rest on, and how many say stop; empty when there are none."""

    @property
    def title(self) -> str:
        """A heading for the section, empty when there is nothing to tell apart."""
        parts = [f"arm {self.arm}" if self.arm not in ("", "main") else ""]
        parts.append(f"revision {self.revision}" if self.revision != 1 else "")
        parts.append(f"{self.annotators} annotators" if self.annotators != "all" else "")
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class AcuteResults:
    """All that an analysis found."""

    sections: tuple[Section, ...]
    alpha: float
    level: float
    gap: float
    power: float
    seed: int
    warnings: tuple[str, ...]
    provenance: Provenance | None = None
    stopping: DeclaredStopping = "undeclared"
    """``sequential``: the verdicts rest on the sequential test; otherwise on the one for a fixed number."""
    protocol: str = "acute"
    format: str = FORMAT

    def to_json(self) -> str:
        """The results as the text of a results.json."""
        return _adapter().dump_json(self, indent=2).decode() + "\n"

    def with_provenance(self, provenance: Provenance) -> AcuteResults:
        """The same results, saying where they come from."""
        return replace(self, provenance=provenance)


def read_results(path: Path) -> AcuteResults:
    """Read a results.json.

    Raises:
        NewerFormat: A later version of Duologue wrote it.
        FormatError: It is not a results.json.
    """
    return read_results_file(path, _adapter(), holds="results")


@cache
def _adapter() -> TypeAdapter[AcuteResults]:
    return TypeAdapter(AcuteResults)
