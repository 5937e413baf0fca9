"""Live chats as items: what is asked of one, and what is planned for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Literal, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from duologue.dialogues import Json
from duologue.protocols.records import Item

HUMAN = "human"
"""The name of people as a bot: the partner is another annotator."""

CHAT = "chat"
"""The extra of an item that makes it a live chat."""

First = Literal["annotator", "partner"]
"""Who says the first turn."""

Choose = Literal["", "one", "any"]
"""Which of the candidates of a turn the annotator chooses: nothing is chosen, exactly one, any number."""

GoesOn = Literal["chosen", "random", "annotator"]
"""How the chat goes on: with what was chosen (one of several at random), and where nothing was chosen: that
may not be, with one at random, or with what the annotator writes."""

Histories = Literal["shared", "own"]
"""Whether all bots see what was chosen as their own turns, or each talks in a thread of its own."""

AfterFailure = Literal["retry", "go-on", "end"]
"""What happens when a candidate has failed: the annotator may have it asked again, the others are shown and
the turn is incomplete, or the chat ends with credit."""

MOST_CANDIDATES = 9
"""Bots in one live chat: each card has a number key."""

Positive = Annotated[int, Field(ge=1)]


class ChatSettings(BaseModel):
    """``[chat]``: how annotators chat with bots, whatever is asked of them in it or afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bots: tuple[str, ...] = ()
    """Whom annotators chat with; every ``[[bots]]`` that answers when not given."""
    human_partner: bool = False
    """Whether annotators also chat with each other, as a bot called ``human``."""
    chats_per_bot: Positive = 235
    """The planner's number for three bots: 0.3 points, standard deviation 1, power 0.8."""
    chats_per_annotator: Positive = 1
    """With each bot."""
    min_exchanges: Positive = 4
    max_exchanges: Positive = 6
    first: Literal["annotator", "partner", "balanced"] = "annotator"
    """Who says the first turn; ``balanced``: each in half of the chats of a bot."""
    personas: str = ""
    """A file of personas, topics and openers in the study's folder, one JSON object a line or PersonaChat."""
    max_message_chars: Positive = 1_000
    waiting_minutes: Annotated[float, Field(gt=0)] = 5.0
    """How long an annotator waits for a human partner before being let go with credit."""
    reply_seconds: Annotated[float, Field(gt=0)] = 90.0
    """How long a bot's reply is waited for in all, every try and the queue counted; then it has failed."""
    offer_end_seconds: Annotated[float, Field(ge=0)] = 20.0
    """How long a bot's reply is waited for before the annotator is offered to end with credit."""
    typing_seconds_per_char: Annotated[float, Field(ge=0)] = 0.0
    """How long a bot seems to type each character of a reply, about; 0 shows replies as soon as they come."""
    most_typing_seconds: Annotated[float, Field(gt=0)] = 12.0
    """How long it seems to type at most."""

    @model_validator(mode="after")
    def _can_end(self) -> Self:
        if self.min_exchanges > self.max_exchanges:
            raise ValueError(
                f"min_exchanges: {self.min_exchanges} is more than max_exchanges ({self.max_exchanges})"
            )
        return self

    def first_in(self, number: int) -> First:
        """Who says the first turn of the chat of this number; where it is balanced, each in turn."""
        if self.first != "balanced":
            return self.first
        return "partner" if number % 2 else "annotator"


@dataclass(frozen=True, slots=True)
class ChatPlan:
    """What is planned for one live chat. Nothing of it but ``annotator_lines`` and ``topic`` is shown.

    An item is a live chat when it has one of these in its extras; it has no dialogue until it is held.
    """

    first: First = "annotator"
    persona: tuple[str, ...] = ()
    """Of the bot."""
    annotator_persona: tuple[str, ...] = ()
    """Shown to the annotator as theirs."""
    topic: str = ""
    opener: str = ""
    """The first turn, when it is given and not made up."""
    choose: Choose = ""
    goes_on: GoesOn = "chosen"
    histories: Histories = "shared"
    after_failure: AfterFailure = "retry"
    min_written: int = 1
    """How many characters a reply has at least that the annotator writes."""
    extras: Mapping[str, Json] = field(default_factory=dict, hash=False)
    """What the protocol keeps with the chat for itself, by names other than these. It is stored and exported
    with the rest, and read by nobody else."""

    def problem(self, bots: Sequence[str]) -> str:
        """Why a chat with these bots cannot be held by this plan; empty when it can.

        Example:
            >>> ChatPlan(choose="one").problem(["ada", "bea"]), ChatPlan().problem(["ada", "bea"])
            ('', 'several bots share one history, and nothing says how to choose between their replies')
        """
        if len(bots) > MOST_CANDIDATES:
            return f"there are {len(bots)} bots, and at most {MOST_CANDIDATES} can be shown"
        if HUMAN in bots and (len(bots) > 1 or self.choose or self.histories == "own"):
            return "a human partner is alone: nothing can be chosen there, and no bot be beside them"
        if self.histories == "own" and self.choose:
            return "bots with histories of their own have no reply in common to choose from"
        if self.histories == "shared" and len(bots) > 1 and not self.choose:
            return "several bots share one history, and nothing says how to choose between their replies"
        return ""

    def record(self) -> dict[str, Json]:
        """The plan as it stands in an item's extras; what is empty is left out."""
        whole: dict[str, Json] = {
            "first": self.first,
            "persona": list(self.persona),
            "annotator_persona": list(self.annotator_persona),
            "topic": self.topic,
            "opener": self.opener,
            "choose": self.choose,
            "goes_on": "" if self.goes_on == "chosen" else self.goes_on,
            "histories": "" if self.histories == "shared" else self.histories,
            "after_failure": "" if self.after_failure == "retry" else self.after_failure,
            "min_written": 0 if self.min_written == 1 else self.min_written,
        }
        return {key: value for key, value in whole.items() if value} | dict(self.extras)


_OWN_FIELDS = frozenset(one.name for one in fields(ChatPlan))


def chat_plan(item: Item) -> ChatPlan | None:
    """The plan of a live chat; None when the item is no live chat.

    Example:
        >>> plan = ChatPlan(persona=("i like tea.",))
        >>> item = Item("c1", "ada", ("ada",), (), (), extras={CHAT: plan.record()})
        >>> chat_plan(item) == plan
        True
    """
    record = item.extras.get(CHAT)
    if not isinstance(record, Mapping):
        return None
    return ChatPlan(
        first="partner" if record.get("first") == "partner" else "annotator",
        persona=_lines(record, "persona"),
        annotator_persona=_lines(record, "annotator_persona"),
        topic=str(record.get("topic", "")),
        opener=str(record.get("opener", "")),
        choose=_one_of(record, "choose", get_args(Choose), ""),
        goes_on=_one_of(record, "goes_on", get_args(GoesOn), "chosen"),
        histories=_one_of(record, "histories", get_args(Histories), "shared"),
        after_failure=_one_of(record, "after_failure", get_args(AfterFailure), "retry"),
        min_written=least if isinstance(least := record.get("min_written"), int) else 1,
        extras={key: value for key, value in record.items() if key not in _OWN_FIELDS},
    )


Word = TypeVar("Word", bound=str)


_WORDS: Mapping[str, Sequence[str]] = {
    "choose": get_args(Choose),
    "goes_on": get_args(GoesOn),
    "histories": get_args(Histories),
    "after_failure": get_args(AfterFailure),
}


def chat_problem(item: Item) -> str:
    """Why an item cannot be held as a live chat; empty when it can, or is none.

    Example:
        >>> chat_problem(Item("c1", "ada", ("ada",), (), (), extras={CHAT: {"choose": "two"}}))
        "choose is 'two', and not one of: one, any"
    """
    record, plan = item.extras.get(CHAT), chat_plan(item)
    if plan is None or not isinstance(record, Mapping):
        return ""
    for key, known in _WORDS.items():
        if key in record and record[key] not in known:
            return f"{key} is {record[key]!r}, and not one of: {', '.join(filter(None, known))}"
    return plan.problem(item.bots)


def _one_of(record: Mapping[str, Json], key: str, known: Sequence[Word], usual: Word) -> Word:
    """One of a few words; the usual one where the record has none of them."""
    return next((word for word in known if word == record.get(key)), usual)


def _lines(record: Mapping[str, Json], key: str) -> tuple[str, ...]:
    lines = record.get(key, ())
    return tuple(str(line) for line in lines) if isinstance(lines, list | tuple) else ()
