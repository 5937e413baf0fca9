"""Live chats as items: what is asked of one, and what is planned for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from duologue.dialogues import Json
from duologue.protocols.records import Item

HUMAN = "human"
"""The name of people as a bot: the partner is another annotator."""

CHAT = "chat"
"""The extra of an item that makes it a live chat."""

First = Literal["annotator", "partner"]
"""Who says the first turn."""

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
    other_persona: tuple[str, ...] = ()
    """A persona of another chat, for persona detection."""
    topic: str = ""
    opener: str = ""
    """The first turn, when it is given and not made up."""

    def record(self) -> dict[str, Json]:
        """The plan as it stands in an item's extras; what is empty is left out."""
        whole: dict[str, Json] = {
            "first": self.first,
            "persona": list(self.persona),
            "annotator_persona": list(self.annotator_persona),
            "other_persona": list(self.other_persona),
            "topic": self.topic,
            "opener": self.opener,
        }
        return {key: value for key, value in whole.items() if value}


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
        other_persona=_lines(record, "other_persona"),
        topic=str(record.get("topic", "")),
        opener=str(record.get("opener", "")),
    )


def _lines(record: Mapping[str, Json], key: str) -> tuple[str, ...]:
    lines = record.get(key, ())
    return tuple(str(line) for line in lines) if isinstance(lines, list | tuple) else ()
