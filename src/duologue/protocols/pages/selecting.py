"""Reading what was chosen on the cards of a turn, as the page of live chats sends it."""

from __future__ import annotations

from duologue.errors import AnswerError
from duologue.protocols.base import AskedItem
from duologue.protocols.chat import ChatPlan, chat_plan
from duologue.protocols.pages.forms import FormValues
from duologue.protocols.pages.moments import AtTurn
from duologue.protocols.records import Selection

CHOSEN_FIELD = "chosen"
"""The cards, by their numbers from 1: one radio button or several checkboxes of this name."""
NONE_FIELD = "none"
"""Present when the annotator says that none of the replies will do."""
WRITTEN_FIELD = "written"
"""The reply that is written instead, where the plan asks for one."""


def read_selection(asked: AskedItem, form: FormValues) -> Selection:
    """What was chosen at the turn that the chat has come to; what else the form holds is for its protocol.

    That nothing is chosen must be said, not only left open.

    Raises:
        AnswerError: It is not what may be chosen here.
    """
    moment, plan = asked.moment, chat_plan(asked.item) or ChatPlan()
    if not isinstance(moment, AtTurn):
        raise AnswerError("There is nothing to choose from.", field=CHOSEN_FIELD)
    legal = {str(number): number for number in range(1, len(moment.candidates) + 1)}
    given = form.every(CHOSEN_FIELD)
    if not set(given) <= set(legal):
        raise AnswerError("Please choose among the replies that are shown.", field=CHOSEN_FIELD)
    chosen = tuple(sorted({legal[value] for value in given}))
    if plan.choose == "one" and len(chosen) != 1:
        raise AnswerError("Please choose one of the replies.", field=CHOSEN_FIELD)
    if bool(chosen) == (NONE_FIELD in form):
        raise AnswerError("Please choose the replies that fit, or say that none does.", field=CHOSEN_FIELD)
    written = form.one(WRITTEN_FIELD)
    if chosen and written.strip():
        raise AnswerError(
            "You have chosen a reply and written one. Please take one of them back.", field=WRITTEN_FIELD
        )
    return Selection(moment.turn, chosen, written)
