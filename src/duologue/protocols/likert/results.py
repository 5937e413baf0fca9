"""What an analysis of ratings found: every number with what it rests on, as one JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from duologue.protocols.findings import AnnotatorCount, Moment, RuleCount, TimeSpent
from duologue.protocols.provenance import Provenance
from duologue.protocols.results_file import FORMAT, read_results_file
from duologue.stats import Interval


@dataclass(frozen=True, slots=True)
class BotRating:
    """What one bot was rated on one question."""

    bot: str
    n: int
    annotators: int | None
    """How many rated it; None when they are not known."""
    mean: float
    sd: float | None
    """Standard deviation of one rating; None of a single one."""
    interval: Interval | None
    """Of the mean, clustered by annotator (and dialogue, where several rated one); None with one cluster."""
    naive_interval: Interval | None
    """The same as if all ratings were independent (Student's t)."""
    icc: float | None
    """How alike ratings of one annotator are; None where nobody rated the bot twice."""
    counts: tuple[int, ...]
    """How often each point was chosen, the lowest first."""
    calibrated: float | None
    """The mean by the average annotator; None where it cannot be worked out."""
    calibrated_interval: Interval | None


@dataclass(frozen=True, slots=True)
class Leniency:
    """How far above the average one annotator rates, in points, with its posterior standard deviation."""

    annotator: str
    n: int
    bias: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The annotators' leniency taken off: the model behind the calibrated means."""

    annotator_sd: float
    """How far annotators differ in leniency, in points."""
    rating_sd: float
    """How far ratings differ besides."""
    leniency: tuple[Leniency, ...]
    """The most lenient first."""
    published_means: tuple[float, ...]
    """With the variances ConvAI2 used (all 1, bots drawn towards 2.5), by `QuestionResult.bots`; empty
    where the scale is not from 1 to 4."""
    order_before: tuple[str, ...]
    order_after: tuple[str, ...]
    method: str
    sentence: str

    @property
    def is_order_kept(self) -> bool:
        """Whether the bots come in the same order before and after."""
        return self.order_before == self.order_after


@dataclass(frozen=True, slots=True)
class OrdinalStrength:
    """One bot's strength on the log-odds scale of being rated higher; their mean is zero."""

    bot: str
    strength: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class OrdinalCheck:
    """The check that does not treat points as numbers: a cumulative-logit model with annotators' leniency."""

    bots: tuple[OrdinalStrength, ...]
    """Best first."""
    agrees: bool
    """Whether every difference found by Welch's test has the same sign here."""
    method: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ClusteredGap:
    """The difference of two means when ratings by one annotator hang together."""

    difference: float
    interval: Interval
    p_value: float
    p_adjusted: float
    clusters: tuple[int, ...]
    method: str


@dataclass(frozen=True, slots=True)
class CalibratedGap:
    """The difference of two calibrated means, and how likely the first bot is better."""

    difference: float
    interval: Interval
    first_is_better: float


@dataclass(frozen=True, slots=True)
class RatingVerdict:
    """What a pair of bots says, in words, and the facts the words rest on."""

    sentence: str
    better: str | None
    """The bot rated higher; None when no difference was detected."""
    clustered_agrees: bool | None = None
    """Whether the clustered test comes to the same verdict; None when there is none."""
    more_per_bot: int | None = None
    """Ratings still needed for each bot to show the observed difference, when none was detected."""


@dataclass(frozen=True, slots=True)
class RatingPair:
    """Two bots compared on one question: Welch's test, Holm-adjusted over the pairs of the question."""

    first: str
    """The one with the higher mean."""
    second: str
    n: tuple[int, int]
    difference: float
    """Mean of the first minus mean of the second."""
    interval: Interval | None
    p_value: float | None
    p_adjusted: float | None
    effect: float | None
    """Hedges' g: the difference in standard deviations."""
    clustered: ClusteredGap | None
    calibrated: CalibratedGap | None
    verdict: RatingVerdict

    @property
    def name(self) -> str:
        """The pair by its name in files: ``A__vs__B``."""
        return f"{self.first}__vs__{self.second}"


@dataclass(frozen=True, slots=True)
class RatingAgreement:
    """How far annotators agree on dialogues that several of them rated (Krippendorff's alpha, ordinal)."""

    dialogues: int
    ratings: int
    alpha: float
    interval: Interval | None
    sentence: str


@dataclass(frozen=True, slots=True)
class FirstParty:
    """Ratings by those who had the chats beside ratings by others who read them, over the same dialogues."""

    dialogues: int
    pearson: float | None
    """None where one of the two never varies."""
    spearman: float | None
    difference: float
    """Mean of those who had the chats minus mean of those who read them."""
    interval: Interval | None
    p_value: float | None
    by_bot: tuple[FirstPartyBot, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class FirstPartyBot:
    """The means of one bot over the dialogues that both rated."""

    bot: str
    dialogues: int
    first_party: float
    third_party: float


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """How an automatic metric goes with the mean ratings, over bots."""

    metric: str
    bots: int
    pearson: float | None
    spearman: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question: its bots, pairs and checks."""

    name: str
    text: str
    low: int
    high: int
    labels: tuple[str, ...]
    """Empty when they are not known."""
    bots: tuple[BotRating, ...]
    """The highest mean first (calibrated, where there is one)."""
    pairs: tuple[RatingPair, ...]
    calibration: Calibration | None
    why_not_calibrated: str
    ordinal: OrdinalCheck | None
    why_no_ordinal: str
    agreement: RatingAgreement | None
    first_party: FirstParty | None
    metrics: tuple[MetricCorrelation, ...]


@dataclass(frozen=True, slots=True)
class PersonaDetection:
    """How often annotators told a bot's persona from another one; one half is chance."""

    bot: str
    n: int
    right: int
    rate: float
    interval: Interval
    """Wilson's."""
    clustered_interval: Interval | None
    p_value: float
    """Against guessing (exact binomial, two-sided)."""


@dataclass(frozen=True, slots=True)
class RatingEffect:
    """A pair's numbers when nothing is excluded, beside its verdict."""

    question: str
    first: str
    second: str
    excluded: int
    difference: float
    p_adjusted: float | None
    better: str | None
    better_without_exclusions: str | None
    is_changed: bool


@dataclass(frozen=True, slots=True)
class RatingExclusions:
    """From all judgments to those that count, and whether it matters."""

    collected: int
    onboarding: int
    unrated: int
    """Chats that could not go on, so that nothing was rated."""
    rules: tuple[RuleCount, ...]
    counted: int
    effects: tuple[RatingEffect, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class FlagCount:
    """What one rule of screening found in live chats."""

    rule: str
    judgments: int
    annotators: int
    excluded: int
    """How many of these judgments do not count, for whatever reason."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One bot in the table of the paper (Dinan et al. 2019, Table 5): its ratings and persona detection."""

    bot: str
    ratings: tuple[float | None, ...]
    """By question: the calibrated mean, or the plain one where there is none."""
    persona_detection: float | None
    failed: int = 0
    """Live chats that came to nothing because the bot did not answer."""


@dataclass(frozen=True, slots=True)
class RatingSection:
    """One arm, revision, source and way of coming in: what may be pooled, and never more."""

    arm: str
    revision: int
    annotators: str
    """Who rated: ``all``; ``wild`` (volunteers by open link or Telegram), ``invited`` where both did."""
    source: str
    """``live``: by those who had the chats; ``dialogues``: by others; empty when not known."""
    n: int
    annotator_count: int | None
    bots: tuple[str, ...]
    """Best first on the first question."""
    questions: tuple[QuestionResult, ...]
    personas: tuple[PersonaDetection, ...]
    table: tuple[TableRow, ...]
    """As Table 5 of the paper, best first."""
    time: TimeSpent | None
    exclusions: RatingExclusions
    busiest: tuple[AnnotatorCount, ...]
    progress: tuple[Moment, ...]
    warnings: tuple[str, ...]
    flags: tuple[FlagCount, ...] = ()
    """What screening found in live chats, whether or not it set a judgment aside; the most frequent first."""

    @property
    def title(self) -> str:
        """A heading for the section, empty when there is nothing to tell apart."""
        parts = [f"arm {self.arm}" if self.arm not in ("", "main") else ""]
        parts.append(f"revision {self.revision}" if self.revision != 1 else "")
        parts.append(f"{self.annotators} annotators" if self.annotators != "all" else "")
        parts.append("finished dialogues" if self.source == "dialogues" else "")
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class LikertResults:
    """All that an analysis found."""

    sections: tuple[RatingSection, ...]
    alpha: float
    level: float
    seed: int
    warnings: tuple[str, ...]
    provenance: Provenance | None = None
    protocol: str = "likert"
    format: str = FORMAT

    def to_json(self) -> str:
        """The results as the text of a results.json."""
        return _adapter().dump_json(self, indent=2).decode() + "\n"

    def with_warnings(self, more: Sequence[str]) -> LikertResults:
        """The same results, with further warnings."""
        return replace(self, warnings=(*self.warnings, *more))

    def with_provenance(self, provenance: Provenance) -> LikertResults:
        """The same results, saying where they come from."""
        return replace(self, provenance=provenance)


def read_rating_results(path: Path) -> LikertResults:
    """Read a results.json of a likert study.

    Raises:
        NewerFormat: A later version of Duologue wrote it.
        FormatError: It is not such a results.json.
    """
    return read_results_file(path, _adapter(), holds="results of ratings")


@cache
def _adapter() -> TypeAdapter[LikertResults]:
    return TypeAdapter(LikertResults)
