"""What an analysis of turns found: every number with what it rests on, as one JSON file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from duologue.per_turn.rows import Mechanism, Setting
from duologue.protocols import FORMAT, Conduct, Provenance, SavedResults, say_arm
from duologue.stats import AnswerCorrelation, ClusterCorrelation, Interval, Reselection

SHORT: dict[str | None, str] = {
    "single": "SM",
    "pairwise": "PM",
    "multi": "MM",
    "soba": "SOBA",
    "sata-random": "SATA-Random",
    "sata-user": "SATA-User",
    None: "",
}
"""What the paper calls mechanisms and settings."""


@dataclass(frozen=True, slots=True)
class BotSelections:
    """How often one bot's replies were selected."""

    bot: str
    turns: int
    selected: int
    rate: float
    """The win rate of the paper: the share of turns on which it was selected."""
    interval: Interval | None
    """Clustered by dialogue and annotator; None with one cluster."""
    naive_interval: Interval
    """Wilson's, as if turns were independent."""
    position_adjusted: float | None
    """The mean of its rates at each position; None where it was not shown at all of them, or is alone."""
    icc: float | None
    """How alike its selections are within an annotator or dialogue."""


ADJUSTED = "position-adjusted rates"
"""What is tested where positions are not balanced over the bots, by the name of the test."""

TurnTest = Literal["naive", "clustered", "all bots"]
"""Which test has the larger p-value, and decides; of a pair it may be that of all bots at once."""


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """What a comparison says, in words, and the facts the words rest on."""

    sentence: str
    better: str | None = None
    """The bot selected more often; None when no difference was detected or nothing can be said."""
    is_different: bool = False
    why_none: str = ""
    """Why the turns say nothing about the bots, where they do not."""


@dataclass(frozen=True, slots=True)
class TestedTurns:
    """The tests of one comparison, and the rule that decides it: the larger p-value, Holm over a family."""

    naive: str
    """The test that takes turns as independent, by its name."""
    p_naive: float | None
    p_clustered: float | None
    """None where nothing repeats, or where there are too few clusters."""
    p_value: float | None
    p_adjusted: float | None
    decided_by: TurnTest | None
    family: int
    clusters: dict[str, int]
    """How many of each kind that repeats: dialogues, annotators."""
    effective_turns: float | None
    """How many independent turns would say as much."""


@dataclass(frozen=True, slots=True)
class TurnPair:
    """Two bots on the same turns."""

    first: str
    second: str
    turns: int
    only_first: int
    only_second: int
    tie_wins: int
    """Both selected (or the best reply was the same)."""
    tie_losses: int
    """Neither selected."""
    difference: float
    """Of the two win rates."""
    interval: Interval | None
    """Holm-compatible, at the level it names: it excludes zero exactly when the verdict is a difference."""
    interval_unadjusted: Interval | None
    chi_square: float | None
    """McNemar's without correction, as the paper prints it; None where the bots never differ."""
    p_chi_square: float | None
    tested: TestedTurns
    verdict: TurnVerdict

    @property
    def tie_win_rate(self) -> float:
        """Share of turns."""
        return self.tie_wins / self.turns

    @property
    def tie_loss_rate(self) -> float:
        """Share of turns."""
        return self.tie_losses / self.turns


@dataclass(frozen=True, slots=True)
class AllBots:
    """Whether several bots are selected equally often: all of them at once."""

    statistic: float | None
    """Cochran's Q; with one selection a turn it is Pearson's chi-square."""
    df: int
    clustered_statistic: float | None
    clustered_df: tuple[float, ...]
    tested: TestedTurns
    verdict: TurnVerdict


@dataclass(frozen=True, slots=True)
class NullComparison:
    """One bot against a stated standard."""

    bot: str
    null: float
    interval: Interval | None
    """Of the win rate, at the level at which it was decided."""
    normal_interval: Interval
    """Wald's, as the paper prints it."""
    tested: TestedTurns
    verdict: TurnVerdict


@dataclass(frozen=True, slots=True)
class CascadingEffect:
    """Whether a bot selected on one turn is selected on the next more often, or less, than chance."""

    bot: str
    """Empty for ties."""
    found: Reselection


@dataclass(frozen=True, slots=True)
class PositionRate:
    """How often the card at one position was selected."""

    position: int
    selected: int
    rate: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Anchoring:
    """Whether what is shown first is selected more often."""

    turns: int
    """Turns on which every bot had a card of its own."""
    positions: tuple[PositionRate, ...]
    p_naive: float | None
    p_clustered: float | None
    p_value: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class TurnCost:
    """What dialogues and turns cost, those that do not count included."""

    dialogues: int
    turns: int
    seconds_per_turn: float | None
    """The median of those that were timed."""
    seconds_per_dialogue: float | None
    """The median, of dialogues with timed turns if there are any; else of what is known."""
    pay_per_dialogue: float | None
    pay_per_turn: float | None
    """All that was paid, over the turns that count."""


@dataclass(frozen=True, slots=True)
class TurnPower:
    """What was planned and what was reached, for the gap that was planned."""

    gap: float
    planned_power: float
    planned_turns: int | None
    """None where no plan says it."""
    turns: int
    effective_turns: int
    power: float
    """With so many independent turns; of the test that decides, at its strictest level."""


@dataclass(frozen=True, slots=True)
class ThirdParty:
    """How far others who read the chats agree with those who had them, on one bot's replies.

    Intervals are clustered by dialogue; None with one dialogue, or where nothing varies.
    """

    bot: str
    """Empty for all bots together."""
    turns: int
    """Each as often as it was read."""
    kappa: float | None
    """Cohen's, of each third party with the participant."""
    agreement: float
    alpha: float
    """Krippendorff's, of all of them."""
    dialogues: int = 0
    kappa_interval: Interval | None = None
    agreement_interval: Interval | None = None
    alpha_interval: Interval | None = None
    participant_rate: float | None = None
    """How often participants selected it on these turns."""
    reader_rate: float | None = None
    """How often the others did."""


@dataclass(frozen=True, slots=True)
class WrittenReplies:
    """How replies that annotators wrote compare with a bot's on the same turns, for those who read both.

    A written reply is better where it was selected and the bot's was not, and at least as good unless the
    bot's was selected and it was not.
    """

    bot: str
    """Empty for all bots of the turn together: better than all of them, at least as good as any."""
    replies: int
    judgments: int
    better: float
    better_interval: Interval | None
    """Clustered by dialogue and annotator; None with one cluster."""
    better_naive: Interval
    """Wilson's, as if judgments were independent."""
    at_least: float
    at_least_interval: Interval | None
    at_least_naive: Interval


@dataclass(frozen=True, slots=True)
class WholeAnswers:
    """What a section answered to one question about the whole conversation."""

    name: str
    text: str
    """The question; empty where only its name is known."""
    labels: tuple[str, ...]
    """Of its points, the lowest first; none where they are not known."""
    dialogues: int
    annotators: int
    mean: float
    interval: Interval | None
    """Clustered by annotator and dialogue; None with one of either."""
    counts: tuple[int, ...]
    """How often each point was chosen, from 1."""


@dataclass(frozen=True, slots=True)
class WholeDifference:
    """How far two sections differ in what was answered about the whole conversation."""

    name: str
    first: str
    second: str
    means: tuple[float, float]
    interval: Interval
    """Of the difference; Holm-compatible, as that of a verdict."""
    p_value: float
    p_adjusted: float
    family: int
    """Every two sections by every question."""
    higher: str | None
    """The section with the higher answers; None where no difference was detected."""
    sentence: str


@dataclass(frozen=True, slots=True)
class TurnSection:
    """One arm of one revision, by one question: what may be pooled, and never more."""

    arm: str
    mechanism: Mechanism
    setting: Setting | None
    revision: int
    question: str
    """Empty for the main question."""
    dialogues: int
    turns: int
    annotators: int | None
    """None when nobody is named."""
    incomplete: int
    """Turns on which a bot failed: no test uses them."""
    excluded: int
    """Turns that a rule excludes."""
    names: tuple[str, ...]
    """The bots in the order of their names, also where no turn counts."""
    bots: tuple[BotSelections, ...]
    """The most often selected first."""
    all_bots: AllBots | None
    pairs: tuple[TurnPair, ...]
    against: tuple[NullComparison, ...]
    cascading: tuple[CascadingEffect, ...]
    anchoring: Anchoring | None
    ties: ClusterCorrelation | None
    """Whether ties are concentrated in some annotators."""
    none_rate: float | None
    """Share of turns on which nothing was selected; None where something had to be."""
    written_rate: float | None
    """Share of turns that the annotator wrote the reply of; None where nobody could."""
    cost: TurnCost
    power: TurnPower | None
    third_party: tuple[ThirdParty, ...]
    warnings: tuple[str, ...]
    is_secondary: bool = False
    """Whether its verdicts are not those the study rests on."""
    is_read: bool = False
    """Whether the selections are of others who read the chats: the bots are then not compared."""
    written: tuple[WrittenReplies, ...] = ()
    """What they say of replies that annotators wrote."""
    whole: tuple[WholeAnswers, ...] = ()
    """What was answered about the whole conversation."""
    correlations: tuple[AnswerCorrelation, ...] = ()
    """Of selections by every two questions about the same replies, within a bot; of the main question."""

    @property
    def design(self) -> str:
        """As the paper calls it: PM-SATA-User."""
        return "-".join(filter(None, (SHORT[self.mechanism], SHORT[self.setting])))

    @property
    def title(self) -> str:
        """A heading: the arm, the design and its bots."""
        parts = [say_arm(self.arm), self.design, ", ".join(self.names)]
        parts.append(f"revision {self.revision}" if self.revision != 1 else "")
        parts.append(f"question {self.question}" if self.question else "")
        return " · ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class ScreenedRule:
    """What one rule of screening found."""

    rule: str
    is_applied: bool
    dialogues: int
    turns: int
    """Turns that it excludes, or would exclude."""
    changes: tuple[str, ...]
    """Comparisons with another verdict when it is left out (or applied)."""


@dataclass(frozen=True, slots=True)
class TurnScreening:
    """From all turns to those that count."""

    collected: int
    incomplete: int
    given: dict[str, int]
    """Turns that the data themselves exclude, by rule."""
    rules: tuple[ScreenedRule, ...]
    counted: int
    changes: tuple[str, ...]
    """Comparisons with another verdict when nothing is screened."""
    sentence: str


@dataclass(frozen=True, slots=True)
class TurnsNeeded:
    """What it takes to find a difference as large as the one that was seen: how sensitive a setting is."""

    turns: int
    """About how many, at the study's alpha for one comparison and its planned power."""
    hours: float | None
    pay: float | None


@dataclass(frozen=True, slots=True)
class MechanismComparison:
    """Pairs of bots judged two at a time, and all at once: the turns that each way needs."""

    pairwise: str
    """The design of the arms of two bots: PM-SOBA."""
    multi: str
    pairs: tuple[tuple[str, str], ...]
    """Those that both compare."""
    pairwise_turns: int
    """The sum over the pairs: each needs an arm of its own."""
    multi_turns: int
    """The largest over the pairs: every turn is about all of them."""


@dataclass(frozen=True, slots=True)
class SettingOfPair:
    """Two bots as one section sees them."""

    section: str
    design: str
    turns: int
    difference: float
    better: str | None
    needed: TurnsNeeded | None = None
    """None where no difference was seen."""


@dataclass(frozen=True, slots=True)
class PairAcross:
    """Two bots that several sections compare: do settings and mechanisms agree?"""

    first: str
    second: str
    settings: tuple[SettingOfPair, ...]
    same_direction: bool
    same_verdict: bool
    contradict: bool
    """Whether two sections found opposite differences."""


@dataclass(frozen=True, slots=True)
class NoneSelectedRates:
    """How often nothing is selected when a reply must then be written, and when not.

    Who would have to write may select something instead.
    """

    mechanism: Mechanism
    bots: tuple[str, ...]
    random_rate: float
    user_rate: float
    difference: float
    """SATA-User less SATA-Random."""
    interval: Interval | None
    p_value: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class PerTurnResults(SavedResults):
    """All that an analysis found."""

    sections: tuple[TurnSection, ...]
    screening: TurnScreening
    across: tuple[PairAcross, ...]
    none_rates: tuple[NoneSelectedRates, ...]
    alpha: float
    level: float
    seed: int
    warnings: tuple[str, ...]
    family: str = ""
    """Which comparisons share the error rate; empty for one."""
    primary: str | None = None
    provenance: Provenance | None = None
    conduct: Conduct | None = None
    whole_differences: tuple[WholeDifference, ...] = ()
    mechanisms: tuple[MechanismComparison, ...] = ()
    power: float = 0.8
    """That was planned."""
    currency: str = ""
    """Of what was paid; empty where it is not known."""
    protocol: str = "per-turn"
    format: str = FORMAT
