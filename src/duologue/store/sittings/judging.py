"""What an annotator does: arrive, consent, submit. Each is one operation, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, update

from duologue.errors import ChatError
from duologue.protocols import TURN_BY_TURN, Answer
from duologue.screening import ANNOTATOR_FLAGS, REASON_FLAGS
from duologue.store.chats.chat import ChatRow, chat_numbered, settled
from duologue.store.chats.seats import Seat
from duologue.store.chats.selected import selections_of
from duologue.store.database.encoding import draft_of, order_of
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes_beside
from duologue.store.database.schema import (
    annotators,
    assignments,
)
from duologue.store.records import (
    Assignment,
    ConsentStation,
    Flag,
    FormStation,
    IdleStation,
    ItemStation,
    NoPlace,
    Station,
    ThanksStation,
)
from duologue.store.researcher.exclusions import THE_RULES, ExclusionGrounds
from duologue.store.schedule.deadlines import (
    GRACE_SECONDS,
    TIMED_OUT,
    is_past,
    lease_ends_at,
    sitting_ends_at,
)
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.blocking import (
    AT_ONCE,
    RESEARCHER,
    is_softly_out,
    screen_checks,
)
from duologue.store.sittings.claiming.claim import claim
from duologue.store.sittings.claiming.handing_out import content, with_chat
from duologue.store.sittings.copied import ask_about_reason, reason_given, screen_reasons
from duologue.store.sittings.crediting import skips_left
from duologue.store.sittings.filled_forms import first_unfilled
from duologue.store.sittings.flagging import PositionOf, ScreeningFacts
from duologue.store.sittings.joining import arms_with_room, consent, join, join_another_block, nothing_yet
from duologue.store.sittings.leases import end_assignments, take_back_and_screen
from duologue.store.sittings.leaving import LEFT, STOPPED, come_back, end_sitting
from duologue.store.sittings.reasons import screen_annotator
from duologue.store.sittings.recording import Submission, count_answer, store_judgment
from duologue.store.sittings.room import leaves_room
from duologue.store.sittings.sitting import (
    AssignmentRow,
    Sitting,
    arm_before,
    held_by,
    sitting_and_assignment,
    sitting_of,
)
from duologue.studies import StudyRules

_NOTE_VISIT = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(last_seen=bindparam("now"))
)


@writes_beside
def resume_sitting(tx: Transaction, token: str, caps: StudyRules) -> Station:
    """Where the annotator who has arrived stands; one without an assignment is handed the next.

    Raises:
        LinkUnknown: No annotator has this link.
        LinkRevoked: The researcher withdrew it.
    """
    _shut_others_out(tx, caps)
    sitting = sitting_of(tx, token)
    has_room = sitting.consented_at is not None or bool(arms_with_room(tx, sitting, caps))
    tx.do(_NOTE_VISIT, number=sitting.n, now=tx.now)
    if sitting.consented_at is None:
        return ConsentStation(sitting.annotator) if has_room else nothing_yet(tx, sitting, caps)
    return station(tx, sitting, caps, saved=False)


@writes_beside
def give_consent(tx: Transaction, token: str, caps: StudyRules) -> Station:
    """The annotator agrees to take part, and is handed the first form or the first assignment.

    Where every place is taken nothing is noted: they are told so, and may agree later.
    """
    _shut_others_out(tx, caps)
    sitting = sitting_of(tx, token)
    if sitting.consented_at is None:
        open_arms = arms_with_room(tx, sitting, caps)
        if not open_arms:
            return nothing_yet(tx, sitting, caps)
        sitting = consent(tx, sitting) if caps.forms_before else join(tx, sitting, caps, open_arms)
    return station(tx, sitting, caps, saved=False)


@writes_beside
def record_answer(
    tx: Transaction,
    token: str,
    caps: StudyRules,
    *,
    assignment: str,
    answer: Answer,
    seconds: float | None,
    is_correct: bool | None,
    key: str,
    flags: Sequence[Flag] = (),
    broken_rules: Mapping[str, str] | None = None,
    words: int = 0,
    position_of: PositionOf | None = None,
) -> Station:
    """Store an answer and hand out the next item. Repeating it changes nothing: the first one stays.

    Args:
        tx: The transaction.
        token: The capability in the annotator's link.
        caps: What to hold to.
        assignment: The key of the assignment.
        answer: What was answered.
        seconds: How long the page was visible; None where it could not tell.
        is_correct: Whether an onboarding item was answered as it should be.
        key: The idempotency key of the form, kept with the judgment.
        flags: What screening found in the live chat; some set the judgment aside, as the caps say.
        broken_rules: The rules of the protocol that exclude the judgment, and why.
        words: How many were shown; an answer too fast for them is flagged.
        position_of: Which position an answer chose; whoever chooses in a pattern is flagged.

    Raises:
        LinkUnknown: No annotator has this link.
        LinkRevoked: The researcher withdrew it.
        NotFound: The assignment is not one of this annotator's.
        AnswerError: The reason holds a character that cannot be stored.
        ChatError: It is a live chat that is not over, or too short to be judged.
    """
    aside = tuple(ExclusionGrounds(rule, reason, THE_RULES) for rule, reason in (broken_rules or {}).items())
    screened = ScreeningFacts(tuple(flags), words, position_of)
    _shut_others_out(tx, caps)
    asked = ask_about_reason(answer.reason, assignment=assignment)
    sitting, held, found = sitting_and_assignment(tx, token, assignment, *asked)
    reason = reason_given(answer.reason, found)
    given = Submission(answer, seconds, is_correct, key, reason, screened, aside)
    is_late = held.state == TIMED_OUT or is_past(held.deadline_at, tx.now, grace=GRACE_SECONDS)
    if held.is_done or is_late or not _is_theirs(tx, sitting, held):
        return station(tx, sitting, caps, saved=held.is_judged)
    if held.chat is not None:
        tx.shut_others_out()
        if not chat_numbered(tx, held.chat).is_usable:
            raise ChatError(
                "The conversation is not over yet. Nothing was saved; please load the page again."
            )
    sitting = _come_back(tx, sitting, caps)
    return station(tx, store_judgment(tx, sitting, caps, held, given), caps, saved=True)


def _is_theirs(tx: Transaction, sitting: Sitting, held: AssignmentRow) -> bool:
    """Whether an assignment is not one of a block that the annotator is in no longer."""
    if not sitting.item_block or held.state == "running" or held.role != "judged":
        return True
    return tx.item(held.body).block in ("", sitting.item_block)


def _shut_others_out(tx: Transaction, caps: StudyRules) -> None:
    """Live chats are begun, joined and left by one at a time; what was judged is excluded likewise."""
    excludes_all = (caps.attention.is_on and caps.attention.on_fail == "exclude") or any(
        flag in (*ANNOTATOR_FLAGS, *REASON_FLAGS) for flag in caps.excluding_flags
    )
    if caps.max_per_group is not None or excludes_all:
        tx.shut_others_out()


_FINISH = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(
        finished_at=bindparam("now"),
        last_seen=bindparam("now"),
        assignment=None,
    )
)


def station(tx: Transaction, sitting: Sitting, caps: StudyRules, *, saved: bool) -> Station:
    """Where the annotator stands, with an assignment in hand if there is one to be had."""
    if sitting.block in (AT_ONCE, RESEARCHER) or is_softly_out(tx, sitting, caps):
        return IdleStation(sitting.annotator, saved, NoPlace("blocked"))
    form = None if sitting.finished_at else first_unfilled(tx, sitting.n, caps.forms_before)
    if form is not None:
        return FormStation(sitting.annotator, form, saved)
    if sitting.onboarding_wanted is None:
        open_arms = arms_with_room(tx, sitting, caps)
        if not open_arms:
            return nothing_yet(tx, sitting, caps)
        sitting = join(tx, sitting, caps, open_arms)
    before = sitting
    sitting = _let_go(tx, sitting, caps)
    is_late = sitting is not before
    is_over = is_past(sitting_ends_at(caps, sitting.began_at), tx.now)
    if is_over:
        sitting = end_sitting(tx, sitting, caps, TIMED_OUT)
    else:
        sitting = join_another_block(tx, _come_back(tx, sitting, caps), caps)
    has_ended = is_over or sitting.ending or (sitting.finished_at and sitting.block)
    assignment = None if has_ended else _in_hand(tx, sitting, caps)
    if assignment is not None:
        annotator = sitting.annotator.in_arm(assignment.arm)
        return ItemStation(annotator, assignment, saved, timed_out=is_late)
    if not sitting.answered:
        return nothing_yet(tx, sitting, caps, saved=saved)
    form = None if sitting.finished_at else first_unfilled(tx, sitting.n, caps.forms_after)
    if form is not None:
        return FormStation(sitting.annotator, form, saved)
    if sitting.finished_at is None:
        tx.do(_FINISH, number=sitting.n, now=tx.now)
    if caps.excludes_without_reason:
        screen_annotator(tx, sitting.n)
    screen_reasons(tx, caps, sitting.n)
    return ThanksStation(
        sitting.annotator,
        sitting.code,
        sitting.answered,
        saved,
        timed_out=sitting.ending == TIMED_OUT,
        was_stopped=sitting.ending == STOPPED,
        is_empty=sitting.answered == sitting.timed_out,
        is_unanswered=sitting.answered == sitting.timed_out + sitting.credited,
    )


def _come_back(tx: Transaction, sitting: Sitting, caps: StudyRules) -> Sitting:
    """`come_back`, to a place that nobody has who has left by now."""
    if sitting.ending == LEFT and sitting.finished_at is None:
        take_back_and_screen(tx, caps, but=sitting.n)
    return come_back(tx, sitting, caps)


_TIME_OUT = (
    update(assignments).where(assignments.c.n == bindparam("number")).values(state=TIMED_OUT, draft="")
)


def _let_go(tx: Transaction, sitting: Sitting, caps: StudyRules) -> Sitting:
    """Let an assignment go that took too long: its place is free again, and there is no answer."""
    held = held_by(tx, sitting) if caps.sitting_seconds is not None or caps.item_seconds is not None else None
    if held is None or held.is_done or not is_past(held.deadline_at, tx.now):
        return sitting
    if held.state == "running":
        end_assignments(tx, [(held.n, held.slot, held.chat)])
    tx.do(_TIME_OUT, number=held.n)
    after = count_answer(tx, sitting, held, is_right=False, timed_out=True)
    if held.is_repeat or held.role == "judged":
        return after
    return screen_checks(tx, sitting, after, caps, held.role)


def _in_hand(tx: Transaction, sitting: Sitting, caps: StudyRules) -> Assignment | None:
    held = held_by(tx, sitting)
    if held is not None and (held.state == "running" or _can_be_had_again(tx, sitting, caps, held)):
        return resume(tx, sitting, caps, held)
    return claim(tx, sitting, caps)


def _can_be_had_again(tx: Transaction, sitting: Sitting, caps: StudyRules, held: AssignmentRow) -> bool:
    """Whether an assignment whose lease has ended can go on: nobody else has it or needs its place."""
    if held.slot is not None and not (
        held.slot_state == "free" and slot_changes.is_still_free(tx, slot=held.slot)
    ):
        return False
    keeps = (sitting.onboarding_wanted or caps.forms_before) and not sitting.item_block
    return not keeps or leaves_room(tx, caps, sitting.annotator, tx.now)


_RENEW = (
    update(assignments)
    .where(assignments.c.n == bindparam("number"))
    .values(state="running", leased_at=bindparam("new_leased_at"), expires_at=bindparam("new_expiry"))
)


def resume(
    tx: Transaction, sitting: Sitting, caps: StudyRules, held: AssignmentRow, *, chat: ChatRow | None = None
) -> Assignment:
    """Go on with an assignment, on a fresh lease; one that had expired but is still free starts anew.

    Args:
        tx: The transaction.
        sitting: The annotator's.
        caps: What to hold to.
        held: The assignment.
        chat: Its live chat, when that is known already.
    """
    leased_at = held.leased_at if held.state == "running" else tx.now
    expiry = lease_ends_at(
        caps,
        now=tx.now,
        deadline_at=held.deadline_at,
        began_at=sitting.began_at,
        is_in_block=bool(sitting.item_block),
    )
    tx.do(_RENEW, number=held.n, new_leased_at=leased_at, new_expiry=expiry)
    if held.state != "running" and held.slot is not None and held.quota is not None:
        slot_changes.lease(tx, slot=held.slot, quota=held.quota, assignment=held.n)
    item, shown_dialogues, _numbers = content(tx, held.item)
    assignment = Assignment(
        key=held.key,
        item=item,
        dialogues=shown_dialogues,
        order=order_of(held.shown),
        arm=held.arm,
        number=held.number,
        total=held.total,
        leased_at=leased_at,
        draft=draft_of(held.draft),
        selections=selections_of(tx, held.key) if TURN_BY_TURN in item.extras else (),
        deadline_at=held.deadline_at,
        skips_left=min(skips_left(tx, sitting, caps), held.total - held.number + 1),
        arm_before=arm_before(tx, sitting.n, held.n, caps),
        annotator=sitting.n,
    )
    if held.chat is None:
        return assignment
    tx.shut_others_out()
    seat = Seat(chat or settled(tx, chat_numbered(tx, held.chat)), held.seat)
    return with_chat(tx, assignment, seat)
