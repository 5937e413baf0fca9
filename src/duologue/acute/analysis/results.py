"""What an analysis of ACUTE judgments found: every number with what it rests on, as one JSON file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

from duologue.acute.analysis.checks.robust import Robustness
from duologue.acute.phrasings.results import PhrasingStudyResults
from duologue.acute.ranking.results import Rankings
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
from duologue.stats import AnswerCorrelation, ControlVariate, Interval

DeclaredStopping = Literal["fixed", "sequential", "undeclared"]
"""What was declared before the first judgment: to stop at the planned number, or as soon as it is safe."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a matchup says, in words, and the facts the words rest on."""

    sentence: str
    better: str | None
    """The better bot, None when no difference was detected or nothing can be said."""
    why_none: str = ""
    """Why the judgments say nothing about the bots, where they do not."""
    more_for_gap: int | None = None
    """Judgments of this matchup still needed to show the planned gap, when no difference was detected; of a
    pooled verdict, its share of those that are needed over all matchups."""
    is_equivalent: bool = False
    """Whether the planned gap is excluded (equivalence test): no difference worth finding."""
    equivalence_p: float | None = None
    """Of that test, Holm-adjusted; None where it was not made."""
    is_sequential: bool = False
    """Whether it rests on the sequential test, and so holds at any look."""


@dataclass(frozen=True, slots=True)
class ClusteredWinRate:
    """The win rate of the first bot when judgments by one annotator, or of one dialogue, are correlated."""

    interval: Interval
    p_value: float
    clusters: dict[str, int]
    """How many of each kind that repeats: annotators, dialogues."""
    icc: float | None
    effective_n: float
    df: float
    """Of Student's t: the smallest effective number of clusters, less one."""
    method: str
    sign_flip_p: float | None = None
    """Of choices: by flipping the signs of whole clusters, where there are few; it decides nothing."""


@dataclass(frozen=True, slots=True)
class SequentialDecision:
    """Whether to stop collecting judgments of a matchup, valid however often one looks (mixture SPRT)."""

    decision: str
    """``stop: A is better``, ``stop: unlikely to be decided within the plan``, ``stop: the planned number is
    reached``, ``continue``, or ``no decision: dialogues repeat in this matchup``."""
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
    """Valid at any look; not adjusted, to be compared with ``alpha``."""
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
    cluster_size: int = 1
    """Judgments of one annotator that are bet on together, by their mean; 1 where nobody judges twice."""
    bets: int = 0
    """On how many of these."""
    left_out: int = 0
    """Judgments of annotators who have not given as many yet, or more than that."""

    @property
    def is_over(self) -> bool:
        """Whether to stop."""
        return self.decision.startswith("stop")


TestName = Literal["exact", "clustered", "t", "sign flips", "without order", "pooled"]
"""Which test decides: the one with the larger p-value, where there are two."""


VerdictKind = Literal["direct", "pooled"]
"""From a matchup's own judgments, or from strengths pooled over all matchups."""


@dataclass(frozen=True, slots=True)
class OtherVerdict:
    """What the kind of verdict that does not decide says of a matchup, adjusted over its own family."""

    kind: VerdictKind
    rate: float | None
    """Of the first bot."""
    interval: Interval | None
    p_value: float | None
    p_adjusted: float | None
    better: str | None


@dataclass(frozen=True, slots=True)
class Sides:
    """On which side a bot was shown in the judgments of a matchup whose sides are known."""

    known: int
    first_on_1: int
    """How often the first bot was on side 1."""
    is_balanced: bool
    """Whether this can be chance (exact test of an even split, p ≥ 0.05; and so of all matchups together)."""
    is_confounded: bool
    """Whether each bot was always on its own side."""

    @property
    def is_uneven(self) -> bool:
        """Whether an effect of the side would favour one of the bots."""
        return self.is_confounded or not self.is_balanced


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
    """Of the first bot, ties left out; None without judgments."""
    win_rate_of_all: float | None
    """Of the first bot over all judgments, ties included."""
    interval: Interval | None
    """Holm-compatible, at the level it names: it excludes one half exactly when the verdict is a difference.
    Of the first bot's win rate; of its preference, where answers are graded."""
    interval_unadjusted: Interval | None
    """The same for this matchup alone, not adjusted for the number of matchups."""
    p_value: float | None
    """The larger of the exact and the clustered one, where something repeats; else the exact one."""
    p_adjusted: float | None
    p_exact: float | None
    """Of the exact binomial test, ties left out, as if all judgments were independent."""
    decided_by: TestName | None
    family: int
    """How many matchups share the error rate (Holm)."""
    clustered: ClusteredWinRate | None
    why_not_clustered: str
    verdict: Verdict
    preference: float | None = None
    """Of graded answers: the mean of (1 + score) / 2 for the first bot; 0.5 is even."""
    sides: Sides | None = None
    """None where the sides are not known."""
    sequential: SequentialDecision | None = None
    """Where sequential stopping was declared or asked for."""
    pooled_rate: float | None = None
    """Of the first bot by strengths pooled over all matchups, where these decide."""
    other: OtherVerdict | None = None
    """The pooled verdict beside a direct one that decides, or the other way round."""
    addendum: int = 0
    """The addendum to the plan that added it; 0 where it was planned from the beginning."""

    @property
    def estimate(self) -> float | None:
        """What the interval is about: the win rate, the preference of graded answers, or the pooled rate."""
        return self.own_rate if self.pooled_rate is None else self.pooled_rate

    @property
    def own_rate(self) -> float | None:
        """Of its own judgments: the win rate of the first bot, or its preference where answers are graded."""
        return self.win_rate if self.preference is None else self.preference

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
    """The larger of the exact and the clustered one, where annotators judged several."""
    sentence: str
    is_even: bool = True
    """Whether it can be chance: Holm over all bots that were compared with themselves."""


@dataclass(frozen=True, slots=True)
class OrderOfBots:
    """Groups of bots from best to worst, as far as verdicts separate them.

    Every bot of a group is better than every bot of the next. Bots of one group are not all separated: no
    difference was detected, or they never met.
    """

    groups: tuple[tuple[str, ...], ...]
    cycles: tuple[tuple[str, ...], ...]
    """Verdicts that go round in a circle."""
    unjudged: tuple[str, ...]
    """Bots without judgments: they are not in the order."""
    sentence: str


@dataclass(frozen=True, slots=True)
class PlacedBot:
    """A bot on the leaderboard: the ranks it may have, its strength, and its record."""

    bot: str
    best_rank: int
    worst_rank: int
    strength: float
    """Log-odds against an average bot."""
    low: float
    high: float
    wins: int
    losses: int
    ties: int

    @property
    def n(self) -> int:
        """Judgments of this bot."""
        return self.wins + self.losses + self.ties

    @property
    def ranks(self) -> str:
        """The set of ranks: one, or from the best to the worst."""
        best, worst = self.best_rank, self.worst_rank
        return f"{best}" if best == worst else f"{best}–{worst}"


@dataclass(frozen=True, slots=True)
class PooledResult:
    """Strengths pooled over all matchups, clustered by annotator and dialogue: the leaderboard."""

    leaderboard: tuple[PlacedBot, ...]
    """Strongest first."""
    model: Literal["bradley-terry", "davidson"]
    tie: float | None
    """Davidson's ν, where ties are allowed."""
    annotators: int | None
    """None where they are not known."""
    level: float
    """With which all rank sets hold together, and each interval of a strength by itself."""
    threshold: float
    """Standard errors by which two strengths must differ to be apart in rank."""
    lack_of_fit_p: float | None
    votes_to_flip: int | None
    """Judgments that, had they gone the other way, would put another bot first."""
    flipped_to: str | None
    decides: bool
    """Whether the verdicts rest on these strengths."""
    why_not: str
    """Why they do not, where pooled verdicts were declared."""
    compared: int
    """Matchups with a direct and a pooled verdict."""
    agree: int
    """Matchups on which the two say the same."""
    sentence: str
    covariates: tuple[str, ...] = ()
    """What strengths were to be freed of."""
    control: ControlVariate | None = None
    """What covariates explained and saved, or why they were not used."""


@dataclass(frozen=True, slots=True)
class PositionResult:
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
class BotAgreement:
    """How often two annotators agree on pairings of one bot."""

    bot: str
    rate: float
    pairings: int


@dataclass(frozen=True, slots=True)
class PairingAgreement:
    """How far annotators agree on pairings that several of them judged."""

    pairings: int
    judgments: int
    rate: float
    alpha: float
    sentence: str
    bots: tuple[BotAgreement, ...] = ()
    """The least agreed on first."""
    strangers: tuple[str, ...] = ()
    """Annotators who agree with the others no more often than chance."""


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
    """Whether both are verdicts, and different ones."""
    why_none: str = ""
    """Why nothing can be said about the bots, where that is so."""
    why_none_without_exclusions: str = ""
    """The same if nothing had been excluded: as where a pairing was judged again in place of what was."""
    is_sequential: bool = False

    @property
    def is_comparable(self) -> bool:
        """Whether there is a verdict both times, or neither time."""
        return bool(self.why_none) == bool(self.why_none_without_exclusions)

    @property
    def said(self) -> str:
        """The verdict in a few words."""
        return say_claim(self.better, has_verdict=not self.why_none, is_open=self.is_sequential)

    @property
    def said_without_exclusions(self) -> str:
        """The same if nothing had been excluded."""
        has_verdict = not self.why_none_without_exclusions
        return say_claim(self.better_without_exclusions, has_verdict=has_verdict, is_open=self.is_sequential)


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
class ForcedReading:
    """A matchup of graded answers: how often each was given, and what the sides alone would have said."""

    first: str
    second: str
    clearly_first: int
    slightly_first: int
    ties: int
    slightly_second: int
    clearly_second: int
    preference: float | None
    """The mean of (1 + score) / 2 for the first bot."""
    p_graded: float | None
    """Of the scores, by the test for a fixed number, Holm-adjusted."""
    better: str | None
    """By that test."""
    win_rate: float | None
    """Of the first bot, read as a forced choice, ties left out."""
    interval: Interval | None
    p_adjusted: float | None
    better_forced: str | None


@dataclass(frozen=True, slots=True)
class GradedAnswers:
    """Graded answers read back as a forced choice, for comparison: it decides nothing."""

    matchups: tuple[ForcedReading, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class DriftedMatchup:
    """A matchup that was asked again: the win rate (or preference) of the first bot before and again."""

    first: str
    second: str
    then: float | None
    """Of the judgments that count."""
    then_n: int
    again: float | None
    again_n: int
    difference: float | None
    """Again minus before; None where nothing can be tested."""
    interval: Interval | None
    """Of the difference, not adjusted for the number of matchups."""
    p_value: float | None
    """The larger of Fisher's exact test and the clustered one."""
    p_adjusted: float | None
    has_drifted: bool


@dataclass(frozen=True, slots=True)
class DriftCheck:
    """What was asked again under one addendum to the plan."""

    addendum: int
    at: str
    """When the addendum was made; empty where that is not known."""
    matchups: tuple[DriftedMatchup, ...]
    sentence: str
    has_drifted: bool
    """Whether any of them has."""


@dataclass(frozen=True, slots=True)
class HaloTest:
    """A question asked first and asked after others: whether that matters for what is answered."""

    question: str
    first_n: int
    later_n: int
    annotators: int | None
    """Whose orders were dealt again; None where the order changed from item to item."""
    first_rate: float
    """How often the bot won that others favour by the other questions, where this one was asked first."""
    later_rate: float
    p_value: float
    """Two-sided, of dealing the orders again."""
    p_adjusted: float
    """By Holm's method over the questions."""


@dataclass(frozen=True, slots=True)
class TimeOfQuestions:
    """What questions about the same dialogues took, in seconds."""

    first: float
    """The median of the one that was asked first, with reading."""
    later: float
    """The median of all others."""
    share: float | None
    """Of the first, what a later one takes."""
    n: int


@dataclass(frozen=True, slots=True)
class QuestionsTogether:
    """What questions about the same dialogues say of each other."""

    questions: tuple[str, ...]
    revision: int
    annotators: str
    correlations: tuple[AnswerCorrelation, ...]
    halo: tuple[HaloTest, ...]
    why_no_halo: str
    """Why none was tested; empty where some was."""
    time: TimeOfQuestions | None
    sentences: tuple[str, ...]


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
    pooled: PooledResult | None
    why_not_pooled: str
    position: PositionResult | None
    sides: str
    """Whether sides were balanced within each matchup; empty where they are not known."""
    agreement: PairingAgreement | None
    time: TimeSpent | None
    exclusions: Exclusions
    busiest: tuple[AnnotatorCount, ...]
    progress: tuple[Moment, ...]
    warnings: tuple[str, ...]
    stopping: str = ""
    """What the sequential decisions rest on, and how many say stop; empty when there are none."""
    graded: GradedAnswers | None = None
    """Where answers are graded."""
    robustness: Robustness | None = None
    """What verdicts depend on: single rules of exclusion, single annotators."""
    rankings: Rankings | None = None
    """Where three dialogues were ranked; their pairs are among the judgments."""
    drift: tuple[DriftCheck, ...] = ()
    """Whether earlier matchups come out the same when they are asked again."""
    is_together: bool = False
    """Whether the question was asked together with others, about the same dialogues."""

    @property
    def part(self) -> str:
        """What it is one of."""
        return "Question" if self.is_together else "Arm"

    @property
    def title(self) -> str:
        """A heading for the section, empty when there is nothing to tell apart."""
        parts = [f"{self.part.lower()} {self.arm}" if self.arm not in ("", "main") else ""]
        parts.append(f"revision {self.revision}" if self.revision != 1 else "")
        parts.append(f"{self.annotators} annotators" if self.annotators != "all" else "")
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class SeparatingQuestion:
    """How far the judgments by one question separate the bots, and what that costs."""

    name: str
    """The arm, and what tells its judgments apart from others of it."""
    axis: str
    """What it is a phrasing of; empty where bots were compared."""
    arm: str
    question: str
    revision: int
    annotators: str
    n: int
    statistic: float
    """The sum over matchups of the score test's chi-square, clustered."""
    noncentrality: float
    """The same without what it is on average where bots are equal."""
    separation: float
    """The noncentrality of one judgment: 0 where nothing is separated, 1 where all judgments are alike."""
    interval: Interval
    times: float | None
    """How many times the judgments of the best question it needs; None where no number may be enough."""
    times_low: float
    times_high: float | None
    points_to: str
    """Of one matchup: the bot that most judgments are for."""


@dataclass(frozen=True, slots=True)
class QuestionRanking:
    """The questions of a study over the matchups that all of them have, the one that separates best first."""

    questions: tuple[SeparatingQuestion, ...]
    matchups: int
    level: float
    sentence: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AcuteResults(SavedResults):
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
    family: str = ""
    """Which matchups share the error rate, and what it would be without that; empty for one matchup."""
    primary: str | None = None
    """The arm whose verdicts the study rests on, where one was named."""
    verdicts: VerdictKind = "direct"
    """Which verdicts were declared to decide; where nothing was, those that the design of the table chose."""
    is_declared: bool = True
    """Whether it was declared."""
    conduct: Conduct | None = None
    """How the study was conducted; None for a file."""
    phrasings: PhrasingStudyResults | None = None
    """Where phrasings of questions were compared, and not bots: there are no sections then."""
    together: tuple[QuestionsTogether, ...] = ()
    """Where several questions were asked about the same dialogues."""
    questions: QuestionRanking | None = None
    """Where several questions were asked about the same matchups: how far each separates the bots."""
    protocol: str = "acute"
    format: str = FORMAT

    def with_conduct(self, conduct: Conduct) -> Self:
        """The same results, saying how the study was conducted, with the time of chats without a judgment."""
        found = SavedResults.with_conduct(self, conduct)  # slots make it another class than `super` knows
        arms, credited = [one.arm for one in self.sections], conduct.credited
        sections = (
            replace(one, time=time_with_credit(one.time, one.arm, arms=arms, credited=credited))
            for one in self.sections
        )
        return replace(found, sections=tuple(sections))
