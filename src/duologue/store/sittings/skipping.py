"""Skipping an item: nothing is judged, somebody else may have it, and it counts as one of the annotator's."""

from __future__ import annotations

from duologue.store.chats import chat as live
from duologue.store.chats.chat import SKIPPED, chat_numbered
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.records import Station
from duologue.store.schedule.deadlines import GRACE_SECONDS, is_past
from duologue.store.sittings.blocking import screen_checks
from duologue.store.sittings.crediting import credit, mark_as_credited, skips_left
from duologue.store.sittings.judging import station
from duologue.store.sittings.recording import count_answer
from duologue.store.sittings.sitting import AssignmentRow, Sitting, assignment_of, sitting_of
from duologue.studies import StudyRules


@writes
def skip_item(tx: Transaction, token: str, caps: StudyRules, *, assignment: str) -> Station:
    """Skip the item in hand and hand out the next one. Repeating it changes nothing.

    An onboarding item that is skipped was asked and is not right. An attention check that is skipped was
    asked, and was not answered: it is neither right nor wrong. No page tells them from any other item. A live
    chat that could not go on anyway uses up none of the skips.

    Raises:
        LinkUnknown: No annotator has this link.
        LinkRevoked: The researcher withdrew it.
        NotFound: The assignment is not one of this annotator's.
    """
    sitting = sitting_of(tx, token)
    held = assignment_of(tx, sitting, assignment)
    is_late = is_past(held.deadline_at, tx.now, grace=GRACE_SECONDS)
    if held.state != "running" or is_late or not skips_left(tx, sitting, caps):
        return station(tx, sitting, caps, saved=held.state == "credited")
    why = SKIPPED if held.chat is None else live.skip(tx, live.settled(tx, chat_numbered(tx, held.chat)))
    return station(tx, _let_go(tx, sitting, caps, held, why), caps, saved=True)


def _let_go(tx: Transaction, sitting: Sitting, caps: StudyRules, held: AssignmentRow, why: str) -> Sitting:
    """The sitting after an assignment of it ended without a judgment; a check counts as any other does."""
    if held.role == "judged" and not held.is_repeat:
        return credit(tx, sitting, held, why)
    mark_as_credited(tx, held, why)
    after = count_answer(tx, sitting, held, is_right=False)
    is_unscreened = held.is_repeat or held.role == "attention"
    return after if is_unscreened else screen_checks(tx, sitting, after, caps, held.role)
