"""How long a judgment took."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from duologue.store.chats.chat import chat_numbered
from duologue.store.database.encoding import seconds_between
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import assignments, chat_turns, selections

ROUNDING_SECONDS = 0.1
"""A page counts in tenths of a second."""

_SAID_FOR = select(func.sum(chat_turns.c.seconds)).where(chat_turns.c.chat == bindparam("chat"))
_CHOSEN_FOR = (
    select(func.sum(selections.c.seconds))
    .join(assignments, assignments.c.n == selections.c.assignment)
    .where(assignments.c.chat == bindparam("chat"), selections.c.written == "")  # else it is a turn's time
)


def time_taken(
    tx: Transaction, leased_at: str, chat: int | None, seconds: float | None, *, is_believed: bool
) -> tuple[float, str]:
    """The seconds, and how they are known; never more than the assignment was in hand.

    Of a live chat the whole conversation counts, by the clock, and then the questions as the page counted.

    Args:
        tx: The transaction.
        leased_at: Since when the assignment was in hand.
        chat: Its live chat, if it is one.
        seconds: What the page counted; None where it could not.
        is_believed: Whether that holds whatever the clock says: simulated annotators need not wait.
    """
    if is_believed and seconds is not None:
        talked = 0.0 if chat is None else _simulated_talk(tx, chat)
        return round(seconds + talked, 6), "visible"
    wall = seconds_between(leased_at, tx.now)
    if seconds is None:
        return wall, "wall"
    if chat is not None:
        talk = seconds_between(leased_at, chat_numbered(tx, chat).since)  # since it is over
        return min(wall, talk + seconds), "wall"
    kind = "visible" if seconds <= wall + ROUNDING_SECONDS else "wall"
    return min(seconds, wall), kind


def _simulated_talk(tx: Transaction, chat: int) -> float:
    """How long a live chat would have taken: all that was written, waited for and chosen in it."""
    found = [tx.rows(asked, chat=chat)[0][0] for asked in (_SAID_FOR, _CHOSEN_FOR)]
    return sum((float(seconds) for seconds in found if seconds is not None), start=0.0)
