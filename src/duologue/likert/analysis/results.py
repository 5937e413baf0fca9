"""What an analysis of ratings found: every number with what it rests on, as one JSON file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from duologue.protocols import (
    FORMAT,
    AnnotatorCount,
    Conduct,
    Moment,
    Provenance,
    RuleCount,
    SavedResults,
    TimeSpent,
    say_claim,
    time_with_credit,
)
from duologue.stats import AnswerCorrelation, Interval

_HIGHER = "rated higher"
BOT_FAILED = "bot-failed"
"""Why a live chat ended in which the bot did not answer."""


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
    """The mean by the average annotator, cut at the ends of the scale; None where it cannot be worked out."""
    calibrated_interval: Interval | None

    @property
    def is_by_one_annotator(self) -> bool:
        """Whether it has one rating, or those of one annotator: its mean holds for this annotator only."""
        return self.n == 1 or self.annotators == 1


@dataclass(frozen=True, slots=True)
class Leniency:
    """How far above the average one annotator rates, in points, with its posterior standard deviation."""

    annotator: str
    n: int
    bias: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The annotators' leniency removed: the model behind the calibrated means."""

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


Accord = Literal["same", "difference only here", "no difference here", "opposite"]
"""How a second conclusion compares with a verdict: both say the same, one of them nothing, or they differ."""


@dataclass(frozen=True, slots=True)
class OrdinalConclusion:
    """What the check says of two bots, at the level at which their verdict was decided."""

    first: str
    second: str
    better: str | None
    """The bot rated higher; None when no difference was detected."""
    p_value: float
    accord: Accord
    """With the verdict."""


@dataclass(frozen=True, slots=True)
class OrdinalCheck:
    """The check that does not treat points as numbers: a cumulative-logit model with annotators' leniency.

    It decides nothing, and knows nothing of dialogues that were rated several times.
    """

    bots: tuple[OrdinalStrength, ...]
    """Best first."""
    conclusions: tuple[OrdinalConclusion, ...]
    """Of every pair with a verdict."""
    agrees: bool
    """Whether it comes to the conclusion of every verdict."""
    method: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ClusteredGap:
    """The difference of two plain means when ratings by one annotator, or of one dialogue, are correlated."""

    difference: float
    interval: Interval
    p_value: float
    clusters: dict[str, int]
    """How many of each kind that repeats: annotators, dialogues."""
    df: float
    method: str
    is_required: bool
    """Whether the verdict must pass this test too."""


@dataclass(frozen=True, slots=True)
class CalibratedGap:
    """The difference of two calibrated means, and how likely the first bot is better."""

    difference: float
    interval: Interval
    """Not adjusted for the number of pairs."""
    standard_error: float
    p_value: float
    df: float
    """Of Student's t: the annotators who rated either bot, less one where all rated both, else less two."""
    annotators: int
    first_is_better: float
    """The probability, by Student's t as in the test, if every difference is as likely beforehand."""


@dataclass(frozen=True, slots=True)
class RatingVerdict:
    """What a pair of bots says, in words, and the facts the words rest on."""

    sentence: str
    better: str | None
    """The bot rated higher; None when no difference was detected or nothing can be said."""
    why_none: str = ""
    """Why the ratings say nothing about the bots, where they do not."""
    more_per_bot: int | None = None
    """Ratings of each bot still needed to show the planned difference, when none was detected."""
    is_equivalent: bool = False
    """Whether the planned difference is excluded (equivalence test): no difference worth finding."""
    equivalence_p: float | None = None
    """Of that test, Holm-adjusted; None where it was not made."""


RatingTest = Literal["calibrated", "clustered", "welch", "opposed"]
"""Which test decides: the one with the larger p-value, where there are two. ``opposed``: their estimates have
different signs, so that no difference is detected."""


@dataclass(frozen=True, slots=True)
class RatingPair:
    """Two bots compared on one question, by one rule and one interval."""

    first: str
    """The one with the higher mean (calibrated, where it can be)."""
    second: str
    n: tuple[int, int]
    means: tuple[float, float]
    """Plain ones."""
    calibrated_means: tuple[float, float] | None
    difference: float
    """What the verdict is about: between the means that the deciding test is of. Plain ones where that is the
    clustered test, or where nobody rated twice; calibrated ones otherwise."""
    interval: Interval | None
    """Holm-compatible, at the level it names: it excludes zero exactly when the verdict is a difference."""
    interval_unadjusted: Interval | None
    """The same for this pair alone, not adjusted for the number of pairs."""
    p_value: float | None
    """The larger of those of the tests that the verdict must pass."""
    p_adjusted: float | None
    decided_by: RatingTest | None
    family: int
    """How many pairs share the error rate (Holm)."""
    p_welch: float | None
    """Of Welch's test, as if all ratings were independent."""
    effect: float | None
    """Hedges' g: the difference of the plain means in standard deviations."""
    clustered: ClusteredGap | None
    calibrated: CalibratedGap | None
    verdict: RatingVerdict

    @property
    def name(self) -> str:
        """The pair by its name in files: ``A__vs__B``."""
        return f"{self.first}__vs__{self.second}"


@dataclass(frozen=True, slots=True)
class RatedBotAgreement:
    """How far annotators agree on what one bot said (Krippendorff's alpha, ordinal)."""

    bot: str
    dialogues: int
    ratings: int
    alpha: float


@dataclass(frozen=True, slots=True)
class RatingAgreement:
    """How far annotators agree on dialogues that several of them rated (Krippendorff's alpha, ordinal)."""

    dialogues: int
    ratings: int
    alpha: float
    interval: Interval | None
    by_bot: tuple[RatedBotAgreement, ...]
    """Of every bot of which something was rated several times."""
    is_hardly_any: bool
    """Whether it is low over so much that the crowd, or the question, may be unreliable."""
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
    """The highest mean first (calibrated, where there is one); those that one annotator alone rated last."""
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
    """Whether both are verdicts, and different ones."""
    has_verdict: bool = True
    """Whether anything can be said about the bots."""
    has_verdict_without_exclusions: bool = True

    @property
    def is_comparable(self) -> bool:
        """Whether there is a verdict both times, or neither time."""
        return self.has_verdict == self.has_verdict_without_exclusions

    @property
    def said(self) -> str:
        """The verdict in a few words."""
        return say_claim(self.better, has_verdict=self.has_verdict, word=_HIGHER)

    @property
    def said_without_exclusions(self) -> str:
        """The same if nothing had been excluded."""
        return say_claim(
            self.better_without_exclusions, has_verdict=self.has_verdict_without_exclusions, word=_HIGHER
        )


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
    """What one rule of screening found, in live chats or in any judgments."""

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
    """Live chats that could not be finished because the bot did not answer."""


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
    """What screening found in live chats, whether or not it excluded a judgment; the most frequent first."""
    correlations: tuple[AnswerCorrelation, ...] = ()
    """Of the answers to every two questions, within a bot."""

    @property
    def title(self) -> str:
        """A heading for the section, empty when there is nothing to tell apart."""
        parts = [f"arm {self.arm}" if self.arm not in ("", "main") else ""]
        parts.append(f"revision {self.revision}" if self.revision != 1 else "")
        parts.append(f"{self.annotators} annotators" if self.annotators != "all" else "")
        parts.append("finished dialogues" if self.source == "dialogues" else "")
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class LikertResults(SavedResults):
    """All that an analysis found."""

    sections: tuple[RatingSection, ...]
    alpha: float
    level: float
    seed: int
    warnings: tuple[str, ...]
    gap: float | None = None
    """The difference between two mean ratings that is worth finding, in points; None where nobody said."""
    power: float = 0.8
    """With what chance it should be found."""
    family: str = ""
    """Which pairs share the error rate, and what it would be without that; empty for one pair."""
    primary: str | None = None
    """The question whose verdicts the study rests on, where one was named."""
    provenance: Provenance | None = None
    conduct: Conduct | None = None
    """How the study was conducted; None for a file."""
    protocol: str = "likert"
    format: str = FORMAT

    def part_name(self, section: RatingSection, question: QuestionResult) -> str:
        """What a question of a section is called beside others."""
        several = any(len(one.questions) > 1 for one in self.sections)
        return ", ".join(filter(None, (section.title, question.name if several else "")))

    def with_conduct(self, conduct: Conduct) -> Self:
        """The same results, saying how the study was conducted, and which bots did not answer."""
        failed = Counter({one.group: one.chats for one in conduct.credited if one.why == BOT_FAILED})
        found = SavedResults.with_conduct(self, conduct)  # slots make it another class than `super` knows
        arms, credited = [one.arm for one in self.sections], conduct.credited
        sections = (
            replace(one, time=time_with_credit(one.time, one.arm, arms=arms, credited=credited))
            for one in self.sections
        )
        found = replace(found, sections=tuple(sections))
        if not failed or len(found.sections) != 1:
            return found
        (section,) = found.sections
        return replace(found, sections=(replace(section, table=_with_failed(section.table, failed)),))


def _with_failed(table: Sequence[TableRow], failed: Mapping[str, int]) -> tuple[TableRow, ...]:
    """The rows with how often each bot did not answer; one that never did comes last, without ratings."""
    rows = [replace(row, failed=row.failed + failed.get(row.bot, 0)) for row in table]
    columns = len(table[0].ratings) if table else 0
    silent = sorted(failed.keys() - {row.bot for row in table})
    return (*rows, *(TableRow(bot, (None,) * columns, None, failed[bot]) for bot in silent))
