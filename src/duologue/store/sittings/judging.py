"""What an annotator does: arrive, consent, submit. Each is one operation, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import bindparam, exists, insert, select, text, update

from duologue.errors import AnswerError, ChatError, NotFound
from duologue.protocols import TURN_BY_TURN, Answer
from duologue.screening import counts_as_right
from duologue.store.chats.chat import ChatRow, chat_numbered, settled
from duologue.store.chats.seats import Seat
from duologue.store.chats.selected import selections_of
from duologue.store.database.encoding import can_be_stored, draft_of, json_text, new_id, order_of
from duologue.store.database.engine import Transaction
from duologue.store.database.numbers import NextNumber
from duologue.store.database.operations import writes_beside
from duologue.store.database.schema import (
    annotators,
    assignments,
    chat_flags,
    items,
    judgments,
    reasons,
    slots,
)
from duologue.store.database.times import later, seconds_between
from duologue.store.records import (
    Assignment,
    Finished,
    Flag,
    NeedsConsent,
    NeedsForm,
    NoWork,
    Station,
    Working,
)
from duologue.store.researcher.exclusions import LATE, THE_RULES, ExclusionGrounds, JudgmentRow, exclude
from duologue.store.researcher.plans import HAS_DRAFT, freeze_at_first
from duologue.store.researcher.tallies import kind_of
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.blocking import (
    AT_ONCE,
    RESEARCHER,
    block_if_failed,
    grounds_of_block,
    is_softly_out,
)
from duologue.store.sittings.claiming import claim, content, with_chat
from duologue.store.sittings.filled_forms import first_unfilled
from duologue.store.sittings.joining import arms_with_room, consent, join, nothing_yet
from duologue.store.sittings.reasons import count_again, screen_annotator
from duologue.store.sittings.room import leaves_room
from duologue.store.sittings.sitting import Sitting, sitting_of
from duologue.studies import Caps

ROUNDING_SECONDS = 0.1
"""A page counts in tenths of a second."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What came in: the answer, and how long it took where the page could tell."""

    answer: Answer
    seconds: float | None
    is_correct: bool | None
    key: str
    flags: tuple[Flag, ...] = ()
    """What screening found in the live chat."""
    aside: tuple[ExclusionGrounds, ...] = ()
    """Why the judgment is set aside as soon as it is stored."""


_NOTE_VISIT = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(last_seen=bindparam("now"))
)


@writes_beside
def resume_sitting(tx: Transaction, token: str, caps: Caps) -> Station:
    """Where the annotator who has arrived stands; one without an assignment is handed the next.

    Raises:
        LinkUnknown: No annotator has this link.
        LinkRevoked: The researcher withdrew it.
    """
    _shut_others_out_of_chats(tx, caps)
    sitting = sitting_of(tx, token)
    has_room = sitting.consented_at is not None or bool(arms_with_room(tx, sitting, caps))
    tx.do(_NOTE_VISIT, number=sitting.n, now=tx.now)
    if sitting.consented_at is None:
        return NeedsConsent(sitting.annotator) if has_room else nothing_yet(tx, sitting, caps)
    return station(tx, sitting, caps, saved=False)


@writes_beside
def give_consent(tx: Transaction, token: str, caps: Caps) -> Station:
    """The annotator agrees to take part, and is handed the first form or the first assignment.

    Where every place is taken nothing is noted: they are told so, and may agree later.
    """
    _shut_others_out_of_chats(tx, caps)
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
    caps: Caps,
    *,
    assignment: str,
    answer: Answer,
    seconds: float | None,
    is_correct: bool | None,
    key: str,
    flags: Sequence[Flag] = (),
    broken_rules: Mapping[str, str] | None = None,
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

    Raises:
        LinkUnknown: No annotator has this link.
        LinkRevoked: The researcher withdrew it.
        NotFound: The assignment is not one of this annotator's.
        AnswerError: The reason holds a character that cannot be stored.
        ChatError: It is a live chat that is not over, or too short to be judged.
    """
    aside = tuple(ExclusionGrounds(rule, reason, THE_RULES) for rule, reason in (broken_rules or {}).items())
    given = Submission(answer, seconds, is_correct, key, tuple(flags), aside)
    _shut_others_out_of_chats(tx, caps)
    sitting = sitting_of(tx, token)
    held = assignment_of(tx, sitting, assignment)
    if not held.is_done:
        if held.chat is not None:
            tx.shut_others_out()
        if held.chat is not None and not chat_numbered(tx, held.chat).is_usable:
            raise ChatError(
                "The conversation is not over yet. Nothing was saved; please load the page again."
            )
        sitting = store_judgment(tx, sitting, caps, held, given)
    return station(tx, sitting, caps, saved=True)


def _shut_others_out_of_chats(tx: Transaction, caps: Caps) -> None:
    """Live chats are begun, joined and left by one at a time."""
    if caps.max_per_group is not None:
        tx.shut_others_out()


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    """An assignment's row, and its slot's."""

    n: int
    key: str
    item: int
    slot: int | None
    arm: str
    shown: str
    revision: int
    number: int
    total: int
    state: str
    leased_at: str
    expires_at: str | None
    quota: int | None
    slot_state: str | None
    is_onboarding: bool
    body: str
    """The item's."""
    chat: int | None
    seat: int
    draft: str
    has_draft_of_plan: bool = False
    """Whether the study's plan is not frozen yet."""
    judgment: int = 0
    """The number of the judgment that may come of it."""

    @property
    def is_done(self) -> bool:
        """Whether nothing more is asked of it: it is judged, or ended with credit."""
        return self.state in ("judged", "credited")


_HELD = select(
    assignments.c.n,
    assignments.c.key,
    assignments.c.item,
    assignments.c.slot,
    assignments.c.arm,
    assignments.c.shown,
    assignments.c.revision,
    assignments.c.number,
    assignments.c.total,
    assignments.c.state,
    assignments.c.leased_at,
    assignments.c.expires_at,
    slots.c.quota,
    slots.c.state,
    items.c.is_onboarding,
    items.c.body,
    assignments.c.chat,
    assignments.c.seat,
    assignments.c.draft,
).select_from(
    assignments.join(items, items.c.n == assignments.c.item).outerjoin(slots, slots.c.n == assignments.c.slot)
)
_HELD_BY_KEY = _HELD.add_columns(exists().where(HAS_DRAFT), NextNumber(judgments)).where(
    assignments.c.key == bindparam("by_key"), assignments.c.annotator == bindparam("annotator")
)
_HELD_BY_NUMBER = _HELD.where(assignments.c.n == bindparam("number"))


def assignment_of(tx: Transaction, sitting: Sitting, key: str) -> AssignmentRow:
    """An assignment of an annotator.

    Raises:
        NotFound: They have none of that key.
    """
    row = tx.row(_HELD_BY_KEY, by_key=key, annotator=sitting.n)
    if row is None:
        raise NotFound("assignment", key)
    return AssignmentRow(*row)


_ADD_JUDGMENT = insert(judgments)
_ADD_REASON = insert(reasons)
_END_AS_JUDGED = (
    update(assignments).where(assignments.c.n == bindparam("number")).values(state="judged", draft="")
)
_COUNT_JUDGMENT = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(
        judged=annotators.c.judged + bindparam("more_judged"),
        onboarding_asked=annotators.c.onboarding_asked + bindparam("more_asked"),
        onboarding_right=annotators.c.onboarding_right + bindparam("more_right"),
        assignment=bindparam("still_in_hand"),
        last_seen=bindparam("now"),
    )
)
_COUNT_IN_GROUP = text(
    "INSERT INTO judged_quotas (annotator, quota, judged) VALUES (:annotator, :quota, 1) "
    "ON CONFLICT (annotator, quota) DO UPDATE SET judged = judged_quotas.judged + 1"
)


def store_judgment(
    tx: Transaction, sitting: Sitting, caps: Caps, held: AssignmentRow, given: Submission
) -> Sitting:
    """Store a judgment; the annotator as they are afterwards."""
    judgment = _write_judgment(tx, sitting, held, given)
    tx.do(_END_AS_JUDGED, number=held.n)
    in_hand = None if sitting.assignment == held.n else sitting.assignment
    right = int(held.is_onboarding and counts_as_right(given.is_correct))
    after = replace(
        sitting,
        assignment=in_hand,
        judged=sitting.judged + int(not held.is_onboarding),
        onboarding_asked=sitting.onboarding_asked + int(held.is_onboarding),
        onboarding_right=sitting.onboarding_right + right,
    )
    tx.do(
        _COUNT_JUDGMENT,
        number=sitting.n,
        more_judged=after.judged - sitting.judged,
        more_asked=after.onboarding_asked - sitting.onboarding_asked,
        more_right=right,
        still_in_hand=in_hand,
        now=tx.now,
    )
    if caps.excludes_without_reason and sitting.excluded and given.answer.reason.strip():
        count_again(tx, sitting.n)
    if held.is_onboarding:
        return block_if_failed(tx, after, caps)
    if held.has_draft_of_plan:
        freeze_at_first(tx)
    _place(tx, sitting, caps, held, judgment, given.answer)
    _flag(tx, caps, judgment, given)
    return after


_ADD_FLAG = insert(chat_flags)


def _flag(tx: Transaction, caps: Caps, judgment: JudgmentRow, given: Submission) -> None:
    """Keep what screening found, and set the judgment aside where the study says so."""
    for grounds in given.aside:
        exclude(tx, [judgment], grounds)
    for rule, detail in {flag.rule: flag.detail for flag in given.flags}.items():
        tx.do(_ADD_FLAG, judgment=judgment.n, rule=rule, detail=detail)
        if rule in caps.excluding_flags:
            grounds = ExclusionGrounds(f"chat:{rule}", "Screening flagged the live chat.", THE_RULES)
            exclude(tx, [judgment], grounds)  # words of the chat stay in the flag, where they can be erased


def _write_judgment(tx: Transaction, sitting: Sitting, held: AssignmentRow, given: Submission) -> JudgmentRow:
    _refuse_what_no_database_holds(given.answer.reason)
    seconds, seconds_kind = _time_taken(tx, held, given)
    tx.do(
        _ADD_JUDGMENT,
        n=held.judgment,
        id=new_id(),
        assignment=held.n,
        annotator=sitting.n,
        item=held.item,
        slot=held.slot,
        quota=held.quota,
        arm=held.arm,
        revision=held.revision,
        answer=_answer_text(given.answer),
        shown=held.shown,
        seconds=seconds,
        seconds_kind=seconds_kind,
        key=given.key,
        at=tx.now,
        is_onboarding=bool(held.is_onboarding),
        is_correct=given.is_correct,
    )
    if given.answer.reason:
        tx.do(_ADD_REASON, judgment=held.judgment, text=given.answer.reason)
    return JudgmentRow(held.judgment, sitting.n, held.slot, held.quota)


def _answer_text(answer: Answer) -> str:
    return json_text(dict(answer.values))


def _time_taken(tx: Transaction, held: AssignmentRow, given: Submission) -> tuple[float, str]:
    """How long a judgment took, and how that is known; never longer than the assignment was in hand.

    Of a live chat the whole conversation counts, by the clock, and then the questions as the page counted.
    """
    wall = seconds_between(held.leased_at, tx.now)
    if given.seconds is None:
        return wall, "wall"
    if held.chat is not None:
        talk = seconds_between(held.leased_at, chat_numbered(tx, held.chat).since)  # since it is over
        return min(wall, talk + given.seconds), "wall"
    kind = "visible" if given.seconds <= wall + ROUNDING_SECONDS else "wall"
    return min(given.seconds, wall), kind


def _refuse_what_no_database_holds(reason: str) -> None:
    """Nothing is altered silently."""
    if not can_be_stored(reason):
        raise AnswerError(
            "The reason has a character that cannot be stored. Please retype it.", field="reason"
        )


def _place(
    tx: Transaction, sitting: Sitting, caps: Caps, held: AssignmentRow, judgment: JudgmentRow, answer: Answer
) -> None:
    """Let a judgment fill its slot, or set it aside where it may not."""
    tx.do(_COUNT_IN_GROUP, annotator=sitting.n, quota=held.quota)
    assert held.slot is not None  # noqa: S101  only onboarding has none
    assert held.quota is not None  # noqa: S101  nor a quota
    is_late = False
    if held.state == "running":
        kind = kind_of(revision=held.revision, body=held.body, shown=held.shown, answer=_answer_text(answer))
        slot_changes.fill(tx, slot=held.slot, quota=held.quota, judgment=judgment.n, kind=kind)
    else:
        is_late = not (
            _has_room_for_late(sitting, caps, held)
            and slot_changes.fill_if_free(tx, slot=held.slot, judgment=judgment.n)
        )
    if is_late:
        _exclude_late(tx, judgment)
    if sitting.block:
        exclude(tx, [judgment], grounds_of_block(sitting.block))


def _has_room_for_late(sitting: Sitting, caps: Caps, held: AssignmentRow) -> bool:
    """Whether a late judgment still fits under the annotator's cap beside what is in hand."""
    has_another = sitting.assignment is not None and sitting.assignment != held.n
    cap = held.total - (sitting.onboarding_wanted or 0) if caps.max_judgments is None else caps.max_judgments
    return sitting.done + int(has_another) < cap


def _exclude_late(tx: Transaction, judgment: JudgmentRow) -> None:
    grounds = ExclusionGrounds(LATE, "It came after its lease had ended and its place was gone.", THE_RULES)
    exclude(tx, [judgment], grounds)


_FINISH = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(finished_at=bindparam("now"), last_seen=bindparam("now"), assignment=None)
)


def station(tx: Transaction, sitting: Sitting, caps: Caps, *, saved: bool) -> Station:
    """Where the annotator stands, with an assignment in hand if there is one to be had."""
    if sitting.block in (AT_ONCE, RESEARCHER) or is_softly_out(tx, sitting, caps):
        return NoWork(sitting.annotator, saved)  # for those who were blocked, never more than that
    form = None if sitting.finished_at else first_unfilled(tx, sitting.n, caps.forms_before)
    if form is not None:
        return NeedsForm(sitting.annotator, form, saved)
    if sitting.onboarding_wanted is None:
        open_arms = arms_with_room(tx, sitting, caps)
        if not open_arms:
            return nothing_yet(tx, sitting, caps)
        sitting = join(tx, sitting, caps, open_arms)
    assignment = None if sitting.finished_at and sitting.block else _in_hand(tx, sitting, caps)
    if assignment is not None:
        return Working(sitting.annotator, assignment, saved)
    done = sitting.onboarding_asked + sitting.done
    if not done:
        return nothing_yet(tx, sitting, caps, saved=saved)
    form = None if sitting.finished_at else first_unfilled(tx, sitting.n, caps.forms_after)
    if form is not None:
        return NeedsForm(sitting.annotator, form, saved)
    if sitting.finished_at is None:
        tx.do(_FINISH, number=sitting.n, now=tx.now)
    if caps.excludes_without_reason:
        screen_annotator(tx, sitting.n)
    return Finished(sitting.annotator, sitting.code, done, saved)


def _in_hand(tx: Transaction, sitting: Sitting, caps: Caps) -> Assignment | None:
    if sitting.assignment is not None:
        row = tx.row(_HELD_BY_NUMBER, number=sitting.assignment)
        held = AssignmentRow(*row) if row is not None else None
        if held is not None and (held.state == "running" or _can_be_had_again(tx, sitting, caps, held)):
            return resume(tx, caps, held)
    return claim(tx, sitting, caps)


def _can_be_had_again(tx: Transaction, sitting: Sitting, caps: Caps, held: AssignmentRow) -> bool:
    """Whether an assignment whose lease has ended can go on: nobody else has it or needs its place."""
    if held.slot is not None and not (
        held.slot_state == "free" and slot_changes.is_still_free(tx, slot=held.slot)
    ):
        return False
    return not sitting.onboarding_wanted or leaves_room(tx, caps, sitting.annotator, tx.now)


_RENEW = (
    update(assignments)
    .where(assignments.c.n == bindparam("number"))
    .values(state="running", leased_at=bindparam("new_leased_at"), expires_at=bindparam("new_expiry"))
)


def resume(tx: Transaction, caps: Caps, held: AssignmentRow, *, chat: ChatRow | None = None) -> Assignment:
    """Go on with an assignment, on a fresh lease; one that had expired but is still free starts anew.

    Args:
        tx: The transaction.
        caps: What to hold to.
        held: The assignment.
        chat: Its live chat, when that is known already.
    """
    leased_at = held.leased_at if held.state == "running" else tx.now
    tx.do(_RENEW, number=held.n, new_leased_at=leased_at, new_expiry=later(tx.now, caps.lease_seconds))
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
    )
    if held.chat is None:
        return assignment
    tx.shut_others_out()
    seat = Seat(chat or settled(tx, chat_numbered(tx, held.chat)), held.seat)
    return with_chat(tx, assignment, seat)
