"""A finished chat as an item: its turns with what was offered at each, and what its participant selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from duologue.dialogues import Json
from duologue.protocols import TURN_BY_TURN, Item


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """One turn: what was written, what the bots offered, and how the chat went on."""

    turn: int
    """Its number in the chat, from 1."""
    message: str
    texts: tuple[str, ...]
    """The replies on offer, by the places of the bots in the item; none where nothing is asked about them."""
    selected: tuple[bool, ...]
    """By the participant, in the same order; none where they could not select among these."""
    continuation: str
    """The reply that the chat went on with; empty where it did not."""

    def record(self) -> dict[str, Json]:
        """The turn as it stands in an item."""
        return {
            "turn": self.turn,
            "message": self.message,
            "texts": list(self.texts),
            "selected": list(self.selected),
            "continuation": self.continuation,
        }


@dataclass(frozen=True, slots=True)
class FinishedChat:
    """A chat that somebody had, for others to read."""

    dialogue: str
    participant: str
    """Who had it."""
    turns: tuple[FinishedTurn, ...]

    @property
    def asked(self) -> tuple[FinishedTurn, ...]:
        """The turns about which something is asked."""
        return tuple(turn for turn in self.turns if turn.texts)

    def until(self, turn: FinishedTurn) -> tuple[tuple[bool, str], ...]:
        """What was said before the replies of a turn: whether a bot's place said it, and the text."""
        before = [one for one in self.turns if one.turn < turn.turn]
        said = [part for one in before for part in ((False, one.message), (True, one.continuation))]
        said.append((False, turn.message))
        return tuple((is_bot, text) for is_bot, text in said if text)

    def record(self) -> dict[str, Json]:
        """The chat as it stands in the extras of an item."""
        return {
            "dialogue": self.dialogue,
            "participant": self.participant,
            "turns": [turn.record() for turn in self.turns],
        }


def finished_chat(item: Item) -> FinishedChat | None:
    """The finished chat of an item; None where it is a live one.

    Example:
        >>> chat = FinishedChat("d1", "ann", (FinishedTurn(1, "Tea?", ("Yes", "No"), (True, False), "Yes"),))
        >>> item = Item("r1", "pairs", ("mint", "sage"), (), (), extras={TURN_BY_TURN: chat.record()})
        >>> finished_chat(item) == chat
        True
    """
    record = item.extras.get(TURN_BY_TURN)
    if not isinstance(record, Mapping):
        return None
    turns = record.get("turns")
    return FinishedChat(
        str(record.get("dialogue", "")),
        str(record.get("participant", "")),
        tuple(_turn(one) for one in turns if isinstance(one, Mapping)) if isinstance(turns, Sequence) else (),
    )


def _turn(record: Mapping[str, Json]) -> FinishedTurn:
    number, texts, selected = record.get("turn"), record.get("texts"), record.get("selected")
    return FinishedTurn(
        number if isinstance(number, int) else 0,
        str(record.get("message", "")),
        tuple(map(str, texts)) if isinstance(texts, list | tuple) else (),
        tuple(map(bool, selected)) if isinstance(selected, list | tuple) else (),
        str(record.get("continuation", "")),
    )
