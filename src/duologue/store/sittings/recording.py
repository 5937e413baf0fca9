"""Storing a judgment: in its place, or set aside; and counting what an annotator has answered."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sqlalchemy import bindparam, insert, text, update

from duologue.errors import AnswerError
from duologue.protocols import Answer
from duologue.screening import counts_as_right
from duologue.store.database.encoding import can_be_stored, json_text, new_id
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import annotators, assignments, judgments, reasons
from duologue.store.researcher.exclusions import LATE, THE_RULES, ExclusionGrounds, JudgmentRow, exclude
from duologue.store.researcher.plans import freeze_at_first
from duologue.store.researcher.tallies import kind_of
from duologue.store.schedule.arm_order import taken_beside
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.blocking import INATTENTIVE, fails_checks, grounds_of_block, screen_checks
from duologue.store.sittings.claiming.work import cap_in
from duologue.store.sittings.copied import ComparedReason, flag_reason
from duologue.store.sittings.flagging import ScreeningFacts, flag_judgment
from duologue.store.sittings.reasons import count_again
from duologue.store.sittings.sitting import AssignmentRow, Sitting
from duologue.store.sittings.timing import time_taken
from duologue.studies import StudyRules


@dataclass(frozen=True, slots=True)
class Submission:
    """What came in: the answer, and how long it took where the page could tell."""

    answer: Answer
    seconds: float | None
    is_correct: bool | None
    key: str
    reason: ComparedReason
    screened: ScreeningFacts = field(default_factory=ScreeningFacts)
    aside: tuple[ExclusionGrounds, ...] = ()
    """Why the judgment is set aside as soon as it is stored."""


_ADD_JUDGMENT = insert(judgments)
_ADD_REASON = insert(reasons)
_END_AS_JUDGED = (
    update(assignments).where(assignments.c.n == bindparam("number")).values(state="judged", draft="")
)
_COUNTED = ("judged", "onboarding_asked", "onboarding_right", "attention_asked", "attention_right")
_COUNTED_MORE = (*_COUNTED, "repeated", "timed_out")
_COUNT_ANSWER = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(
        assignment=bindparam("still_in_hand"),
        last_seen=bindparam("now"),
        **{name: annotators.c[name] + bindparam(f"more_{name}") for name in _COUNTED_MORE},
    )
)
_COUNT_IN_GROUP = text(
    "INSERT INTO judged_quotas (annotator, quota, judged) VALUES (:annotator, :quota, 1) "
    "ON CONFLICT (annotator, quota) DO UPDATE SET judged = judged_quotas.judged + 1"
)


def store_judgment(
    tx: Transaction, sitting: Sitting, caps: StudyRules, held: AssignmentRow, given: Submission
) -> Sitting:
    """Store a judgment; the annotator as they are afterwards."""
    timed = time_taken(tx, held.leased_at, held.chat, given.seconds, is_believed=caps.is_rehearsed)
    answer = json_text(dict(given.answer.values))
    judgment = _write_judgment(tx, sitting, held, given, answer, *timed)
    tx.do(_END_AS_JUDGED, number=held.n)
    after = count_answer(tx, sitting, held, is_right=counts_as_right(given.is_correct))
    if caps.excludes_without_reason and sitting.excluded and given.answer.reason.strip():
        count_again(tx, sitting.n)
    if held.is_repeat:
        return after
    if held.role != "judged":
        return screen_checks(tx, sitting, after, caps, held.role)
    if held.has_draft_of_plan:
        freeze_at_first(tx)
    _place(tx, sitting, caps, held, judgment, answer)
    for grounds in given.aside:
        exclude(tx, [judgment], grounds)
    is_untimed = caps.is_rehearsed and given.seconds is None
    screened = replace(given.screened, words=0) if is_untimed else given.screened
    flag_judgment(tx, caps, judgment, screened, seconds=timed[0], judged=after.judged)
    flag_reason(tx, caps, judgment, held, given.reason)
    return after


def count_answer(
    tx: Transaction, sitting: Sitting, held: AssignmentRow, *, is_right: bool, timed_out: bool = False
) -> Sitting:
    """Count an assignment that is over, by its role; the annotator as they are afterwards.

    A check that was not answered in time was asked, and is not right.
    """
    counts = dict.fromkeys(_COUNTED_MORE, 0)
    if held.is_repeat:
        counts["repeated"] = 1
    elif held.role == "judged":
        counts["timed_out" if timed_out else "judged"] = 1
    else:
        counts[f"{held.role}_asked"] = 1
        counts[f"{held.role}_right"] = int(is_right and not timed_out)
    in_hand = None if sitting.assignment == held.n else sitting.assignment
    more = {f"more_{name}": count for name, count in counts.items()}
    tx.do(_COUNT_ANSWER, number=sitting.n, still_in_hand=in_hand, now=tx.now, **more)
    return replace(
        sitting,
        assignment=in_hand,
        judged=sitting.judged + counts["judged"],
        onboarding_asked=sitting.onboarding_asked + counts["onboarding_asked"],
        onboarding_right=sitting.onboarding_right + counts["onboarding_right"],
        attention_asked=sitting.attention_asked + counts["attention_asked"],
        attention_right=sitting.attention_right + counts["attention_right"],
        repeated=sitting.repeated + counts["repeated"],
        timed_out=sitting.timed_out + counts["timed_out"],
    )


def _write_judgment(
    tx: Transaction,
    sitting: Sitting,
    held: AssignmentRow,
    given: Submission,
    answer: str,
    seconds: float,
    seconds_kind: str,
) -> JudgmentRow:
    _refuse_what_no_database_holds(given.answer.reason)
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
        answer=answer,
        shown=held.shown,
        seconds=seconds,
        seconds_kind=seconds_kind,
        key=given.key,
        at=tx.now,
        is_correct=given.is_correct,
        role=held.role,
        occasion=held.occasion,
    )
    if given.answer.reason:
        tx.do(_ADD_REASON, judgment=held.judgment, text=given.answer.reason)
    return JudgmentRow(held.judgment, sitting.n, held.slot, held.quota)


def _refuse_what_no_database_holds(reason: str) -> None:
    """Nothing is altered silently."""
    if not can_be_stored(reason):
        raise AnswerError(
            "The reason has a character that cannot be stored. Please retype it.", field="reason"
        )


def _place(
    tx: Transaction,
    sitting: Sitting,
    caps: StudyRules,
    held: AssignmentRow,
    judgment: JudgmentRow,
    answer: str,
) -> None:
    """Let a judgment fill its slot, or set it aside where it may not."""
    tx.do(_COUNT_IN_GROUP, annotator=sitting.n, quota=held.quota)
    assert held.slot is not None  # noqa: S101  only onboarding has none
    assert held.quota is not None  # noqa: S101  nor a quota
    is_late = False
    if held.state == "running":
        kind = ""
        if not held.is_second:
            bots = tx.item(held.body).bots
            kind = kind_of(revision=held.revision, bots=bots, shown=held.shown, answer=answer)
        slot_changes.fill(tx, slot=held.slot, quota=held.quota, judgment=judgment.n, kind=kind)
    else:
        is_late = not (
            not sitting.ending
            and _has_room_for_late(tx, sitting, caps, held)
            and slot_changes.fill_if_free(tx, slot=held.slot, judgment=judgment.n)
        )
    if is_late:
        _exclude_late(tx, judgment)
    if sitting.block:
        exclude(tx, [judgment], grounds_of_block(sitting.block))
    if caps.attention.on_fail == "exclude" and fails_checks(tx, sitting, caps):
        exclude(tx, [judgment], INATTENTIVE)


def _has_room_for_late(tx: Transaction, sitting: Sitting, caps: StudyRules, held: AssignmentRow) -> bool:
    """Whether a late judgment still fits under the annotator's cap beside what is in hand."""
    has_another = sitting.assignment is not None and sitting.assignment != held.n
    done = sitting.done + int(has_another)
    if caps.arms_per_annotator > 1:  # the cap is that of one arm
        done = taken_beside(tx, held.arm, number=sitting.n, assignment=held.n)
    return done < cap_in(tx, sitting, caps, held.arm)


def _exclude_late(tx: Transaction, judgment: JudgmentRow) -> None:
    grounds = ExclusionGrounds(LATE, "It came after its lease had ended and its place was gone.", THE_RULES)
    exclude(tx, [judgment], grounds)
