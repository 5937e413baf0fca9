"""What goes in and out of a study's database, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from duologue.dialogues import Dialogue, Json
from duologue.protocols import AskedItem, AtEnd, AtTurn, BeforeChat, ChatMoment, FormValues, Item, Selection


@dataclass(frozen=True, slots=True)
class LoadCounts:
    """How many of the given records are new to the database, and how many it had already."""

    added: int
    kept: int
    retired: int = 0
    """Items that are no longer in the file, and are handed out to nobody from now on."""

    @property
    def total(self) -> int:
        """How many were given."""
        return self.added + self.kept


@dataclass(frozen=True, slots=True)
class Revision:
    """The design of the study from one moment on."""

    number: int
    design_hash: str
    text: str
    """study.toml as it was read."""
    at: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link for one annotator: ``token`` is the capability in it."""

    annotator: str
    label: str
    token: str
    cohort: str = ""


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person who judges, as their own pages know them."""

    id: str
    label: str
    kind: str
    """How they came: ``lab`` (own link), ``open`` (open link), or a crowd platform's name."""
    arm: str
    """The arm they see; empty until they have consented and filled in what comes before the items."""
    cohort: str = ""
    """The group of annotators they belong to, by their link or by an answer; empty for none."""

    def in_arm(self, arm: str) -> Annotator:
        """The same person, who sees that arm."""
        return self if arm == self.arm else replace(self, arm=arm)


ChatState = Literal["waiting", "annotator", "partner", "choosing", "failed", "ended"]
"""Waiting for a human partner, for the annotator's turn, for the partner's, for the annotator to choose among
candidates; no reply came; or over.

As one of its annotators sees it: where two people chat, one's turn is the other's wait.
"""

ChatEnding = Literal["", "complete", "bot-failed", "no-partner", "partner-left", "skipped"]
"""Why a chat is over: it ran its course, it could not go on, or its annotator skipped it.

Empty while it runs.
"""


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One turn of a live chat."""

    place: int
    is_annotator: bool
    """Whether the annotator it is shown to said it."""
    text: str
    at: str
    seconds: float | None = None
    """How long it took to write, or the bot to answer; None when not known."""
    thread: int = 0
    """Of a partner's turn, the conversation it belongs to, by where that is shown; there is usually one."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A live chat as one of its annotators sees it; no bot is named in it."""

    state: ChatState
    turns: tuple[ChatTurn, ...]
    exchanges: int
    """How many times both have spoken."""
    change: int
    """Grows with everything that happens in the chat."""
    since: str
    """When it came into its state."""
    ending: ChatEnding = ""
    can_end: bool = False
    """Whether the annotator may end it now: after enough exchanges, or when it cannot go on."""
    is_usable: bool = False
    """Whether it is over and long enough to be judged; one that is over and not usable is only left."""
    turn: int = 0
    """The place of the next turn."""
    candidates: tuple[str, ...] = ()
    """While something is to be chosen, the texts on the cards in the order they are shown."""
    behind: tuple[tuple[int, ...], ...] = ()
    """Whose reply is on each card, by the places of bots in the item; no page has it."""
    threads: int = 1
    """Conversations held beside each other; the annotator's turns belong to all of them."""

    @property
    def moment(self) -> ChatMoment:
        """What can be asked about it now."""
        if self.state == "ended":
            return AtEnd()
        is_new = not self.turns and not self.candidates
        return BeforeChat() if is_new else AtTurn(self.turn, self.candidates, self.behind)


@dataclass(frozen=True, slots=True)
class WantedReply:
    """A reply that a bot owes a chat, leased to whoever asks the bot for it."""

    id: str
    bot: str
    item: Item
    turns: tuple[ChatTurn, ...]
    """What was said so far; ``is_annotator`` is the human."""
    seed: int
    attempt: int
    """From 1 up; more than 1 when an earlier lease ran out or the annotator tried again."""
    assignment: str = ""
    """The key of the assignment in which the human chats."""
    waited_seconds: float = 0.0
    """How long the human had waited for it when it was taken."""
    candidate: int = 0
    """The bot's place among those of the item."""


@dataclass(frozen=True, slots=True)
class GivenReply:
    """What the bot answered."""

    text: str
    seconds: float
    tokens: int | None = None
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that a screening rule found in a live chat."""

    rule: str
    detail: str


@dataclass(frozen=True, slots=True)
class CutTurns:
    """How many turns of a bot were stopped at its limit of tokens, and in how many of its dialogues."""

    turns: int
    dialogues: int
    of_dialogues: int


@dataclass(frozen=True, slots=True)
class CreditedChats:
    """Live chats that could not go on: nothing was judged, and the annotators' time counts."""

    arm: str
    group: str
    why: str
    """The ending of the chats."""
    chats: int
    annotators: int
    seconds: float = 0.0
    """From when each was handed out until it was over, by the clock."""


@dataclass(frozen=True, slots=True)
class ChatSummary:
    """A live chat as the researcher sees it."""

    id: str
    """Also the id of its dialogue, once it is over."""
    annotator: str
    annotator_kind: str
    bots: tuple[str, ...]
    """Those of the item."""
    arm: str
    state: str
    ending: ChatEnding
    exchanges: int
    failures: tuple[str, ...]
    """Why replies failed, in the order they did."""
    flags: tuple[Flag, ...]
    began_at: str
    ended_at: str | None
    judgment: str
    """The id of the judgment that came of it; empty when there is none yet."""
    group: str = ""
    """Of the item: what is counted together."""
    credit: str = ""
    """Why it ended with credit and without a judgment; empty where it did not."""
    dialogues: tuple[str, ...] = ()
    """The ids of its dialogues, once it is over: one, or one for every bot with a history of its own."""

    @property
    def bot(self) -> str:
        """The bot, or all of them, in words."""
        return ", ".join(self.bots)


@dataclass(frozen=True, slots=True)
class Assignment:
    """One item handed to one annotator."""

    key: str
    """Random, and made for this assignment only: the only id the browser sees."""
    item: Item
    dialogues: tuple[Dialogue, ...]
    """By the item's slots; `order` says how they are shown."""
    order: tuple[int, ...]
    """The item's slots in the order they are shown."""
    arm: str
    number: int
    """Which comparison of theirs this is, counting from 1."""
    total: int
    leased_at: str
    chat: Chat | None = None
    """The live chat, when the item is one."""
    draft: FormValues = field(default_factory=FormValues)
    """What was answered on earlier screens."""
    selections: tuple[Selection, ...] = ()
    """What was chosen at the turns so far, where the item is asked about turn by turn."""
    deadline_at: str | None = None
    """When it is too late for an answer; None where the study sets no deadline."""
    skips_left: int = 0
    """How many items the annotator may still skip, this one included."""
    arm_before: str = ""
    """The arm of the item before, where annotators see several arms."""
    annotator: int = 0
    """The annotator's number in the study."""

    @property
    def asked(self) -> AskedItem:
        """What a protocol needs to know of it."""
        return AskedItem(
            self.arm,
            self.item,
            self.order,
            self.dialogues,
            self.draft,
            AtEnd() if self.chat is None else self.chat.moment,
            self.selections,
            self.annotator,
        )


@dataclass(frozen=True, slots=True)
class NoPlace:
    """Why there is no place for somebody."""

    why: Literal["", "taken", "done", "blocked"] = ""
    """Others hold every place that is left, every judgment has been given, or the annotator was blocked;
    empty for any other reason."""
    again_in_seconds: float = 0.0
    """When the first of the places that others hold may become free; 0 when none is held."""


@dataclass(frozen=True, slots=True)
class ConsentStation:
    """The annotator has not agreed to take part yet."""

    annotator: Annotator
    saved: bool = False


@dataclass(frozen=True, slots=True)
class FormStation:
    """The annotator has a form to fill in."""

    annotator: Annotator
    form: str
    """Its name in the study."""
    saved: bool = False


@dataclass(frozen=True, slots=True)
class ItemStation:
    """The annotator has an assignment in hand."""

    annotator: Annotator
    assignment: Assignment
    saved: bool = False
    """What was sent on the way here is stored: now, or when it was sent before."""
    timed_out: bool = False
    """The time for another assignment was over on the way here."""


@dataclass(frozen=True, slots=True)
class ThanksStation:
    """The annotator has judged all there was for them."""

    annotator: Annotator
    code: str
    judged: int
    saved: bool = False
    timed_out: bool = False
    """The time for the sitting was over before."""
    was_stopped: bool = False
    """Too many attention checks were not right, and the study stops there."""
    is_empty: bool = False
    """Every item took too long: no answer was recorded."""
    is_unanswered: bool = False
    """No item was answered: each took too long or ended with credit."""


@dataclass(frozen=True, slots=True)
class IdleStation:
    """There is nothing for the annotator at the moment."""

    annotator: Annotator
    saved: bool = False
    no_place: NoPlace = field(default_factory=NoPlace)


Station = ConsentStation | FormStation | ItemStation | ThanksStation | IdleStation
"""Where an annotator stands in the flow."""


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """How far a group of items has come in an arm."""

    arm: str
    group: str
    wanted: int
    done: int
    """Judgments that count."""
    excluded: int
    leased: int
    cohorts: tuple[CohortProgress, ...] = ()
    """The same for each cohort with places of its own; what is left is everybody else's."""
    second_wanted: int = 0
    """Second judgments of items that are judged twice: they are in none of the numbers above."""
    second_done: int = 0


@dataclass(frozen=True, slots=True)
class CohortProgress:
    """How far a cohort has come with a group."""

    cohort: str
    wanted: int
    done: int
    excluded: int
    leased: int


@dataclass(frozen=True, slots=True)
class CohortSize:
    """Who belongs to a cohort, and what they have done."""

    cohort: str
    annotators: int
    """Who consented and did not withdraw."""
    judgments: int
    """Stored, onboarding not counted."""
    excluded: int


@dataclass(frozen=True, slots=True)
class FilledForm:
    """A form that an annotator filled in."""

    annotator: str
    annotator_kind: str
    cohort: str
    form: str
    revision: int
    at: str
    answers: Mapping[str, Json] | None
    """By question; None where the annotator has withdrawn and they are erased."""


@dataclass(frozen=True, slots=True)
class AnnotatorSummary:
    """An annotator as the researcher sees them."""

    id: str
    label: str
    kind: str
    arm: str
    token: str
    judgments: int
    """Stored, onboarding not counted, whether or not they are excluded."""
    onboarding_right: int
    onboarding_asked: int
    median_seconds: float | None
    """Per judgment, onboarding not counted; None when there is none."""
    excluded: int
    is_blocked: bool
    is_revoked: bool
    is_withdrawn: bool
    blocked_reason: str
    consented_at: str | None
    last_seen: str | None
    code: str
    """The completion code shown when they have finished."""
    cohort: str = ""
    flagged: int = 0
    """Judgments that screening flagged."""
    has_declined: bool = False
    """Whether they said that they do not agree, and have not agreed since."""
    attention_right: int = 0
    attention_asked: int = 0
    """Attention checks that were not skipped; those that were not answered in time are not right."""
    repeated: int = 0
    """Items that they were asked about a second time."""
    timed_out: int = 0
    """Items to judge that took them too long."""
    ending: str = ""
    """``timed-out`` when the time for the sitting was over before they had finished; ``stopped`` when so many
    attention checks were not right that the study ended for them; ``left`` when they left their block of
    items before its end."""
    item_block: str = ""
    """The block of items that they stay in."""
    finished_at: str | None = None
    """When they were shown their completion code."""
    number: int | None = None
    """By which reports call them: annotators are numbered in the order of their first judgment, onboarding
    counted. None before it, and where only some annotators were asked for."""

    @property
    def state(self) -> str:
        """How they stand, in a word or two: ``all excluded`` is who judged, and none of it counts."""
        if self.is_withdrawn:
            return "withdrawn"
        if self.is_blocked:
            return "blocked"
        if self.is_revoked:
            return "link revoked"
        if self.judgments and self.excluded >= self.judgments:
            return "all excluded"
        if self.ending:
            return self.ending
        if self.finished_at:
            return "finished"
        if self.consented_at:
            return "active"
        return "declined" if self.has_declined else "invited"


@dataclass(frozen=True, slots=True)
class TimeOutCounts:
    """What was not done in time."""

    items: int
    """Items to judge that took too long."""
    annotators: int
    """Who had them."""
    sittings: int
    """That ended because the time was over."""
    in_blocks: int = 0
    """Of the items: those of a block, which nobody else is asked about as long as the sitting counts."""
    onboarding: int = 0
    """Onboarding items without an answer in time; as soon as the annotator is here again they count as asked
    and not right."""
    attention: int = 0
    """Attention checks, likewise."""


@dataclass(frozen=True, slots=True)
class Lease:
    """An assignment in somebody's hands."""

    assignment: str
    annotator: str
    group: str
    arm: str
    leased_at: str
    expires_at: str
    """Until when it is kept for them, or may be answered: whatever is sooner."""


@dataclass(frozen=True, slots=True)
class AnnotatorEvent:
    """Something a researcher (or a rule) did about an annotator."""

    annotator: str
    action: str
    """``block``, ``unblock``, ``revoke``, ``unrevoke``, ``release``, ``withdraw``, ``decline``, ``flag``,
    ``unflag`` or ``stop``."""
    reason: str
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the database can be written to, and durably."""

    is_healthy: bool
    engine: str
    schema: int
    queued: int
    """Operations waiting for the writer."""
    problem: str = ""
