"""How a study was conducted, whatever its protocol: plan, looks, exclusions by hand, people, material."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from duologue.judgments import Role
from duologue.protocols.addenda import Addendum
from duologue.protocols.saying import say_count, say_percent, say_work


@dataclass(frozen=True, slots=True)
class PlannedNumber:
    """How many judgments of a group were planned, and how many count."""

    arm: str
    group: str
    planned: int
    counted: int
    name: str = ""
    """The group in words."""


@dataclass(frozen=True, slots=True)
class ReportedPlan:
    """The plan as it was frozen with the first judgment."""

    hash: str
    frozen_at: str
    test: str
    family: str
    alpha: float
    gap: float
    power: float
    icc: float
    stopping: str
    numbers: tuple[PlannedNumber, ...]
    exclusions: tuple[str, ...]
    """The rules that were declared."""


@dataclass(frozen=True, slots=True)
class ReportedLook:
    """Somebody saw results."""

    number: int
    """From 1 up."""
    at: str
    how: str
    """``analyse``, ``report``, ``grow``, ``export`` or ``dashboard``."""
    judgments: int
    """That counted then."""
    planned: int
    is_interim: bool
    """Whether the planned number was not reached yet."""


@dataclass(frozen=True, slots=True)
class ManualExclusion:
    """Judgments that a researcher excluded together, for one reason."""

    rule: str
    reason: str
    by: str
    at: str
    """When the first of them was excluded."""
    judgments: int
    annotators: int
    after_looks: int
    """How many looks had been taken before; 0 when nobody had seen results."""
    is_declared: bool
    """Whether the plan declared this rule, so that the verdicts rest on it."""


@dataclass(frozen=True, slots=True)
class VerdictBeside:
    """A verdict, and what it would be on other judgments."""

    where: str
    """The section, and the question where there are several; empty when there is nothing to tell apart."""
    first: str
    second: str
    better: str | None
    """By the declared rules: the verdict of the study."""
    n: int
    other: str | None
    """In the sensitivity analysis."""
    other_n: int
    is_changed: bool
    """Whether both are verdicts, and different ones."""
    said: str = ""
    """The verdict of the study, in a few words."""
    other_said: str = ""
    is_comparable: bool = True
    """Whether there is a verdict both times, or neither time."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The verdicts once more on other judgments; it decides nothing."""

    name: str
    """``by-hand``: without what a researcher excluded for a reason that was not declared; ``flagged``:
    without judgments that screening flagged; ``flagged: RULE``: that one rule flagged."""
    judgments: int
    """Judgments that count in the verdicts and are left out here."""
    verdicts: tuple[VerdictBeside, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class ParticipantStep:
    """How many annotators got so far, or were lost before."""

    name: str
    annotators: int
    is_loss: bool = False


@dataclass(frozen=True, slots=True)
class NumberSummary:
    """The numbers that were answered to a question of a form."""

    least: float
    median: float
    most: float


@dataclass(frozen=True, slots=True)
class QuestionCounts:
    """How a question of a form was answered by all annotators together."""

    form: str
    question: str
    label: str
    kind: str
    answered: int
    unanswered: int
    choices: dict[str, int]
    """Of questions with choices: how often each was chosen, also never, in the order of the form."""
    numbers: NumberSummary | None = None
    """Of questions for a number, where there is an answer."""


@dataclass(frozen=True, slots=True)
class CohortCounts:
    """A group of annotators whose judgments count."""

    cohort: str
    """Empty for those who belong to none."""
    annotators: int
    judgments: int


@dataclass(frozen=True, slots=True)
class CreditedGroup:
    """Live chats of a group that could not go on, and ended with credit."""

    arm: str
    group: str
    why: str
    """``bot-failed``, ``no-partner`` or ``partner-left``."""
    chats: int
    annotators: int
    sentence: str
    seconds: float = 0.0
    """That annotators spent in them, by the clock."""


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """An item that annotators skipped."""

    item: str
    arm: str
    bots: tuple[str, ...]
    role: Role
    skipped: int
    """How often."""


@dataclass(frozen=True, slots=True)
class SkippedBot:
    """How often the items of a bot were skipped."""

    bot: str
    skipped: int
    of: int
    """Items of the bot that were judged or skipped, a second time too; checks apart."""


_SKIPPED_CHECKS: Mapping[str, tuple[str, str]] = {
    "onboarding": ("onboarding item", "counted as not right"),
    "attention": ("attention check", "counted as neither right nor wrong"),
}
"""What is said of skipped items with a known answer, by their role."""


@dataclass(frozen=True, slots=True)
class Skips:
    """What annotators skipped: nothing was judged, and their time counts."""

    annotators: int
    seconds: float
    """From when each was handed out until it was skipped, by the clock."""
    bots: tuple[SkippedBot, ...]
    """All that are in an item that was judged or skipped, the one that is skipped most often first."""
    items: tuple[SkippedItem, ...]
    """Those that were skipped most often first."""

    @property
    def skipped(self) -> int:
        """How many items were skipped, each as often as it was."""
        return sum(one.skipped for one in self.items)

    @property
    def sentence(self) -> str:
        """What was skipped and how much time it took, and whose items most often.

        Example:
            >>> item = SkippedItem("a:b", "main", ("ann", "bob"), "judged", 2)
            >>> bots = SkippedBot("ann", 2, 20), SkippedBot("bob", 2, 40)
            >>> print(Skips(2, 90, bots, (item,)).sentence.replace(". ", ".\\n"))
            2 items were skipped, by 2 annotators (1.5 person-minutes).
            Nothing was judged in them.
            Of the items of ann, 10.0 % were skipped (2 of 20), more than of any other bot.
            >>> check = SkippedItem("c", "main", (), "attention", 1)
            >>> print(Skips(1, 6, (), (check,)).sentence.replace(". ", ".\\n"))
            1 item was skipped, by 1 annotator (0.1 person-minutes).
            Nothing was judged in it.
            Of these, 1 attention check counted as neither right nor wrong.
        """
        were = "1 item was" if self.skipped == 1 else f"{self.skipped:,} items were"
        people, work = say_count(self.annotators, "annotator"), say_work(self.seconds / 3600)
        them = "it" if self.skipped == 1 else "them"
        said = f"{were} skipped, by {people} ({work}). Nothing was judged in {them}."
        for role, does in _SKIPPED_CHECKS.items():
            if count := sum(one.skipped for one in self.items if one.role == role):
                said += f" Of these, {say_count(count, does[0])} {does[1]}."
        if self._has_most_skipped:
            first = self.bots[0]
            said += (
                f" Of the items of {first.bot}, {say_percent(first.skipped / first.of)} were skipped "
                f"({first.skipped:,} of {first.of:,}), more than of any other bot."
            )
        return said

    @property
    def _has_most_skipped(self) -> bool:
        if len(self.bots) < 2:
            return False
        first, second = self.bots[:2]
        return first.skipped * second.of > second.skipped * first.of


@dataclass(frozen=True, slots=True)
class FlaggedJudgments:
    """What one screening rule flagged."""

    rule: str
    judgments: int
    annotators: int
    excluded: int
    """Of the flagged judgments, for whatever reason."""
    of: int
    """Judgments there are, onboarding apart."""
    by: Mapping[str, int] = field(default_factory=dict)
    """How many of the flagged judgments each rule excluded: the flag's own, or any other."""


@dataclass(frozen=True, slots=True)
class BotMaterial:
    """The dialogues of one bot that were judged and count."""

    bot: str
    kinds: dict[str, int]
    """Dialogues of each kind: ``self-chat``, ``live-chat``, ``human-human``."""
    turns: int
    """Of all speakers, in all of them."""
    fewest_turns: int
    most_turns: int
    openers: int
    """Different first turns that were given."""
    with_opener: int
    with_persona: int
    of_unknown_start: int = 0
    """Dialogues, such as imported ones, of which it is not known whether anything was given beforehand."""

    @property
    def dialogues(self) -> int:
        """How many there are."""
        return sum(self.kinds.values())


@dataclass(frozen=True, slots=True)
class Meetings:
    """How often one annotator met the same bot, or the same two bots together, in judgments that count."""

    most_of_a_bot: int
    most_of_two_bots: int
    """In one item: a pair, or two of the three in a ranking."""
    most_judgments: int
    """Of one annotator."""


@dataclass(frozen=True, slots=True)
class AttentionChecks:
    """How attention checks were answered."""

    annotators: int
    asked: int
    right: int
    failed: int
    """Annotators with too few right answers."""
    sentence: str
    stopped: int = 0
    """Annotators who were stopped after so many that were not right as the study says."""


@dataclass(frozen=True, slots=True)
class TimeOuts:
    """What was not done in time."""

    items: int
    annotators: int
    """Who had them."""
    sittings: int
    sentence: str
    checks: int = 0
    """Onboarding items and attention checks."""


@dataclass(frozen=True, slots=True)
class SelfAgreement:
    """How often annotators gave the same answer to an item on two occasions."""

    asked: int
    same: int
    annotators: int
    low: float
    high: float
    level: float
    method: str
    sentence: str


@dataclass(frozen=True, slots=True)
class InterAnnotatorAgreement:
    """How often two annotators gave the same answer to an item, and what it means for any judge."""

    items: int
    same: int
    annotators: int
    rate: float
    low: float
    high: float
    level: float
    ceiling: float | None
    """How often the best possible judge agrees with one annotator; None where answers are not counted."""
    ceiling_low: float | None
    ceiling_high: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Growth:
    """An addendum as it is reported: in words, with the verdicts then and now."""

    addendum: Addendum
    sentence: str
    verdicts: tuple[VerdictBeside, ...]
    """What each earlier verdict is now, beside what it was then (``other``)."""


@dataclass(frozen=True, slots=True)
class BotReasons:
    """Reasons given for one bot, where it won or was rated; or for none, where there is a tie."""

    label: str
    """The bot; empty for a tie."""
    judgments: int
    """With a reason."""
    annotators: int
    drawn: int
    """Annotators whose one reason, drawn by the seed, is for this bot."""
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DistinctiveWord:
    """A word that reasons for one bot have more often than reasons for another."""

    word: str
    bot: str
    """For which it is used more often."""
    annotators: int
    """Of those whose drawn reason is for this bot: who use the word."""
    of: int
    annotators_otherwise: int
    """Of those whose drawn reason is for the other bot, or for any other."""
    of_otherwise: int
    judgments: int
    """Reasons for this bot with the word, of all annotators and not only the drawn ones."""
    judgments_otherwise: int
    p_value: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class GroupReasons:
    """The reasons of one group, by winner; or of all groups of an arm, where bots are rated."""

    arm: str
    group: str
    """Empty for all groups of the arm."""
    name: str
    """In words."""
    sides: tuple[BotReasons, ...]
    words: tuple[DistinctiveWord, ...]
    """The most distinctive first."""
    tested: int
    """How many words were tested; p-values are adjusted over all of them (Holm)."""
    left_out: int
    """Reasons that were not read because there are too many."""
    sentence: str


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a study was conducted."""

    plan: ReportedPlan | None
    plan_sentence: str
    """When the plan was frozen, or why there is none."""
    deviations: tuple[str, ...]
    looks: tuple[ReportedLook, ...]
    looks_sentence: str
    by_hand: tuple[ManualExclusion, ...]
    by_hand_sentence: str
    sensitivities: tuple[Sensitivity, ...]
    participants: tuple[ParticipantStep, ...]
    material: tuple[BotMaterial, ...]
    meetings: Meetings | None = None
    notes: tuple[str, ...] = field(default=())
    """What is wrong with plan.json."""
    cohorts: tuple[CohortCounts, ...] = ()
    forms: tuple[QuestionCounts, ...] = ()
    """What annotators answered about themselves, as counts."""
    credited: tuple[CreditedGroup, ...] = ()
    flags: tuple[FlaggedJudgments, ...] = ()
    flag_sentences: tuple[str, ...] = ()
    """What screening flagged, a sentence for each rule."""
    onboarding: int = 0
    """Onboarding items that an annotator was asked about, of those who were asked about the most."""
    attention: AttentionChecks | None = None
    time_outs: TimeOuts | None = None
    skips: Skips | None = None
    self_agreement: SelfAgreement | None = None
    judged_twice: InterAnnotatorAgreement | None = None
    growth: tuple[Growth, ...] = ()
    """What was added to the plan, the verdicts then and now."""
    reasons: tuple[GroupReasons, ...] = ()
    """What annotators wrote, by winner; in reports only."""
