"""Which turn of a finished chat an annotator is asked about, and in which order its replies are shown."""

from __future__ import annotations

import hashlib

from duologue.errors import AnswerError
from duologue.per_turn.finished.chat import FinishedChat
from duologue.protocols import AskedItem, AtTurn, FormValues

TURN_FIELD = "turn"
"""The hidden field that says which turn a form is about."""


def moment_of(asked: AskedItem, chat: FinishedChat, turn: int | None = None) -> AtTurn | None:
    """The turn that is asked about: the given one, or the first without a selection; None after the last."""
    done = {selection.turn for selection in asked.selections}
    for one in chat.asked:
        if one.turn == turn or (turn is None and one.turn not in done):
            cards: dict[str, list[int]] = {}
            for slot in _order(asked, one.turn):
                cards.setdefault(one.texts[slot].strip(), []).append(slot)
            behind = tuple(tuple(slots) for slots in cards.values())
            return AtTurn(one.turn, tuple(one.texts[slots[0]] for slots in behind), behind, is_live=False)
    return None


def moment_sent(asked: AskedItem, chat: FinishedChat, form: FormValues) -> AtTurn | None:
    """The turn that a form is about; None where it is about the whole chat.

    Raises:
        AnswerError: There is no such turn, or turns are left that were not asked about yet.
    """
    numbers = {str(turn.turn): turn.turn for turn in chat.asked}
    text = form.one(TURN_FIELD)
    found = moment_of(asked, chat, numbers.get(text))
    if text not in numbers and (text or found is not None):
        raise AnswerError(
            "This turn is not the one that was asked about. Please load the page again.", field="chosen"
        )
    return found


def _order(asked: AskedItem, turn: int) -> tuple[int, ...]:
    """The places of the bots in the order of their cards: the assignment's, turned by a number of the turn.

    Orders of assignments are random and balanced, so each bot is as often at each position.
    """
    digest = hashlib.sha256(f"{asked.item.id}\0{turn}".encode()).digest()
    order = asked.order or tuple(range(len(asked.item.bots)))
    shift = digest[0] % len(order)
    return (*order[shift:], *order[:shift])
