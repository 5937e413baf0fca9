"""When something is asked about an item: before its live chat, at one of its turns, or at the end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BeforeChat:
    """The live chat has not begun."""


@dataclass(frozen=True, slots=True)
class AtTurn:
    """A chat has come to this turn; its candidates are to be chosen from, where there are any."""

    turn: int
    """Its place in the chat, from 0."""
    candidates: tuple[str, ...] = ()
    """The texts on the cards, in the order they are shown; replies that read the same are one card."""
    behind: tuple[tuple[int, ...], ...] = ()
    """Whose reply is on each card: the places of bots in the item. It is never shown."""
    is_live: bool = True
    """Whether the chat goes on with what is chosen; a finished one is only annotated."""


@dataclass(frozen=True, slots=True)
class AtEnd:
    """The item is whole: finished dialogues, or a live chat that is over."""


ChatMoment = BeforeChat | AtTurn | AtEnd
"""When something is asked."""
