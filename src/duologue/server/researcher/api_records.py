"""What the API takes and gives, field by field."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from duologue.server.researcher.overview import ANYTIME
from duologue.server.researcher.tables import DownloadFormat
from duologue.store import ListQuery

Plain = Annotated[str, Field(max_length=2000, pattern=r"^[^\u0000]*$")]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)


class ErrorFacts(_Record):
    """What went wrong."""

    code: str = Field(description="Short and stable, for programs.")
    message: str = Field(description="One sentence, for people.")
    field: str | None = Field(None, description="The field that is wrong, when it is one.")


class ErrorBody(_Record):
    """The one shape of every error."""

    error: ErrorFacts


class ArmRecord(_Record):
    """One condition of the study."""

    name: str
    summary: str
    leading: str
    """Of several questions about the same item, the one that win rates are by; empty for one."""


class StudyRecord(_Record):
    """The study that is being served."""

    name: str
    title: str
    protocol: str
    seed: int
    arms: list[ArmRecord]
    stopping: Literal["fixed", "sequential"]
    revisions: int = Field(description="How many designs there have been since the first serve.")
    is_rehearsal: bool


class WinsRecord(_Record):
    """How often a bot won."""

    bot: str
    wins: int
    rate: float


class CohortRecord(_Record):
    """How far a cohort has come with a group of items, of which it has judgments of its own to give."""

    cohort: str
    wanted: int
    done: int = Field(description="Judgments that count.")
    excluded: int
    leased: int


class GroupRecord(_Record):
    """How far one group of items has come in one arm."""

    arm: str
    group: str
    wanted: int
    done: int = Field(description="Judgments that count.")
    excluded: int
    leased: int
    is_complete: bool
    wins: list[WinsRecord] = Field(description="Empty while `hidden` says why.")
    ties: int
    hidden: Literal["", "planned"] = Field(
        description="Why there are no win rates: they are shown when the planned number is reached."
    )
    anytime: tuple[float, float] | None = Field(
        description=f"In a sequential study, for the first bot: {ANYTIME}; `why_no_anytime` says why."
    )
    anytime_of: str = Field("win rate", description="What `anytime` is an interval of, or `mean preference`.")
    why_no_anytime: str = Field(
        "", description="Why a group with win rates has no interval here, and what gives it."
    )
    cohorts: list[CohortRecord] = Field(
        description="Cohorts with places of their own, which are among the numbers above."
    )
    second_wanted: int = Field(0, description="Second judgments of items that are judged twice, apart.")
    second_done: int = 0


class NumbersRecord(_Record):
    """Numbers that were answered."""

    least: float
    median: float
    most: float


class QuestionRecord(_Record):
    """How a question about the annotator was answered, by all of them together."""

    form: str
    question: str
    label: str
    kind: Literal["", "text", "number", "one", "several"] = Field(
        description="Empty where the study does not ask it any more."
    )
    answered: int
    unanswered: int
    choices: dict[str, int] = Field(description="How often each choice was made.")
    numbers: NumbersRecord | None


class AnnotatorRecord(_Record):
    """An annotator as the researcher sees them."""

    id: str
    label: str
    kind: str
    arm: str
    cohort: str = Field(description="Empty for none.")
    link: str = Field(description="Whoever has it can judge in this annotator's name. Empty when withdrawn.")
    judgments: int
    onboarding_right: int
    onboarding_asked: int
    attention_right: int
    attention_asked: int
    repeated: int = Field(description="Items that they were asked about a second time.")
    timed_out: int = Field(description="Items to judge that took them too long.")
    ending: str = Field(
        description="`timed-out` when the time for the sitting was over before they finished; `stopped` "
        "when they failed so many attention checks that the study ended for them; `left` when they left a "
        "version of a questionnaire before its end."
    )
    item_block: str = Field(description="The block of items that they stay in; empty for none.")
    median_seconds: float | None
    excluded: int
    flagged: int = Field(description="Judgments that screening flagged.")
    is_blocked: bool
    blocked_reason: str
    is_revoked: bool
    is_withdrawn: bool
    consented_at: str | None
    has_declined: bool = Field(description="They said that they do not agree, and have not agreed since.")
    state: str = Field(
        description="As the page says it: `active`, `finished`, `blocked`, `all excluded` and so on."
    )
    last_seen: str | None


class CodeRecord(_Record):
    """A completion code, and what was done for it."""

    code: str
    state: Literal["finished", "unfinished"] = Field(
        description="`unfinished`: it belongs to somebody who has not been shown it."
    )
    annotator: str
    label: str
    kind: str
    judgments: int = Field(description="Onboarding apart, whether or not they are excluded.")
    excluded: int
    onboarding: int = Field(description="Onboarding items that were answered.")
    onboarding_right: int
    credited: int = Field(
        description="Items that ended with credit: skipped, or a live chat that could not go on."
    )
    seconds: float = Field(description="Of work, onboarding and what ended with credit included.")
    is_blocked: bool
    finished_at: str | None


class FlagSoFarRecord(_Record):
    """What one screening rule flagged."""

    rule: str
    meaning: str
    judgments: int
    excludes: bool = Field(description="Whether the study excludes what it flags.")


class SkippedBotRecord(_Record):
    """How often the items of a bot were skipped."""

    bot: str
    skipped: int
    of: int = Field(
        description="Items of the bot that were judged or skipped, a second time too; checks apart."
    )


class SkippedItemRecord(_Record):
    """An item that annotators skipped."""

    item: str
    arm: str
    bots: list[str]
    role: Literal["judged", "onboarding", "attention"]
    skipped: int


class SkipsRecord(_Record):
    """What annotators skipped."""

    skipped: int
    annotators: int
    seconds: float = Field(description="From when each was handed out until it was skipped.")
    bots: list[SkippedBotRecord]
    items: list[SkippedItemRecord]


class InvitationRecord(_Record):
    """A link for one annotator."""

    annotator: str
    label: str
    link: str


class LinksRecord(_Record):
    """Links that are not one annotator's."""

    open_link: str | None = Field(description="For everybody; null when the study does not allow one.")
    cohorts: dict[str, str] = Field(description="The open link of each cohort, by its name.")


class LeaseRecord(_Record):
    """An assignment in progress."""

    assignment: str
    annotator: str
    group: str
    arm: str
    leased_at: str
    expires_at: str


class ExclusionRecord(_Record):
    """A judgment excluded, or restored."""

    id: str
    judgment: str
    annotator: str
    action: Literal["exclude", "restore"]
    rule: str
    reason: str
    by: str
    at: str
    is_by_hand: bool = Field(description="A person decided it, and not a rule of the study.")
    is_declared: bool = Field(
        description="The plan declares it; what is excluded otherwise still counts in the report's verdicts, "
        "with a sensitivity analysis beside them."
    )
    after_looks: int = Field(description="Looks at the results that had been taken before.")


class GivenReasonRecord(_Record):
    """What an annotator gave as a reason."""

    judgment: str
    annotator: str
    arm: str
    group: str
    reason: str
    winner: str = Field(description="Empty while win rates are hidden, for a tie, and where none wins.")
    is_tie: bool
    is_hidden: bool = Field(description="Whether who won is hidden until the planned number is reached.")
    excluded: str = Field(description="The rule that excludes the judgment; empty when it counts.")
    flags: list[str] = Field(description="What screening flagged in the judgment.")
    at: str


class FlagRecord(_Record):
    """Something that a screening rule found in a live chat."""

    rule: str
    detail: str


class ChatRecord(_Record):
    """A live chat."""

    id: str = Field(description="Also the id of its dialogue, once it is over.")
    annotator: str
    annotator_kind: str
    bot: str
    arm: str
    state: str
    ending: Literal["", "complete", "bot-failed", "no-partner", "partner-left", "skipped"] = Field(
        description="Why it is over; empty while it runs."
    )
    exchanges: int
    failures: list[str] = Field(description="Why replies failed, in the order they did.")
    flags: list[FlagRecord]
    began_at: str
    ended_at: str | None
    judgment: str = Field(description="The judgment that came of it; empty when there is none yet.")


class TurnRecord(_Record):
    """One turn of a live chat."""

    speaker: str
    text: str
    at: str | None
    seconds: float | None = Field(description="How long it took to write, or the bot to answer.")


class HealthRecord(_Record):
    """Whether judgments can be stored."""

    is_healthy: bool
    engine: str
    schema_number: int
    queued: int
    problem: str


def _only_numbers(value: object) -> object:
    """As the description says: neither true nor a text is a number, though Python would take both for one."""
    if isinstance(value, bool | str):
        raise ValueError("a whole number is expected")
    return value


class InviteRequest(_Record):
    """How many links to make."""

    count: Annotated[int, Field(ge=1, le=1000), BeforeValidator(_only_numbers)] = 1
    labels: Annotated[list[Plain], Field(max_length=1000)] = Field(
        default_factory=list,
        description="Names only you see, a link for each; `count` is not looked at then.",
    )
    cohort: Annotated[Plain, Field(max_length=40)] = Field(
        "", description="One of the study's cohorts, to which they will belong; empty for none."
    )


class RowsRequest(_Record):
    """Which rows of a list are wanted; all of them unless it says otherwise."""

    search: Annotated[Plain, Field(max_length=200)] = Field(
        "", description="Text that a row holds; large and small letters are the same."
    )
    offset: Annotated[int, Field(ge=0, le=10**9)] = Field(0, description="How many rows to leave out before.")
    limit: Annotated[int, Field(ge=1, le=10**6)] | None = Field(
        None, description="How many rows at most; `x-total-count` says how many there are."
    )

    def wanted(self) -> ListQuery:
        """The same for the store."""
        return ListQuery(self.search, self.offset, self.limit)


class DownloadRequest(_Record):
    """How the table is wanted."""

    format: DownloadFormat = "jsonl"


class ErasedRecord(_Record):
    """What is left to do after an annotator was erased."""

    old_copies: list[str] = Field(
        description="Copies of the database that were made before, in the study's folder: delete them."
    )


class ReasonRequest(_Record):
    """Why something is done; it is kept with the study."""

    reason: Annotated[Plain, StringConstraints(strip_whitespace=True, min_length=1)]
    """Blanks around it are cut off, and blanks alone are none."""
