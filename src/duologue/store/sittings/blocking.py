"""Blocking: who fails onboarding is blocked, softly unless the study says otherwise.

Who fails attention checks goes on like anyone else: it is noted, and where the study says so what they judge
does not count, as long as too few of their checks are right. Where the study says so, their sitting ends
after so many that were not right.

A softly blocked annotator finishes the sitting like anyone else, and finds no work afterwards.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import bindparam, insert, select, update

from duologue.judgments import Role
from duologue.screening import ATTENTION, ONBOARDING, fails_attention, passes_onboarding
from duologue.store.database.encoding import later
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import annotator_events, annotators, skipped_checks
from duologue.store.researcher.exclusions import THE_RULES, ExclusionGrounds, exclude, judgments_of, restore
from duologue.store.sittings.leaving import STOPPED, end_sitting
from duologue.store.sittings.sitting import Sitting
from duologue.studies import StudyRules

AT_ONCE = "at-once"
RESEARCHER = "researcher"


def grounds_of_block(block: str) -> ExclusionGrounds:
    """ExclusionGrounds the judgments of a blocked annotator are set aside."""
    if block == RESEARCHER:
        return ExclusionGrounds("blocked", "The annotator was blocked.", THE_RULES)
    return ExclusionGrounds(ONBOARDING, "The annotator failed onboarding.", THE_RULES)


_BLOCK = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(block=bindparam("new_block"), block_reason=bindparam("new_reason"))
)
_ADD_EVENT = insert(annotator_events)


def block_if_failed(tx: Transaction, sitting: Sitting, caps: StudyRules) -> Sitting:
    """Block an annotator who has done the onboarding and did not reach the threshold."""
    wanted = sitting.onboarding_wanted or 0
    if sitting.onboarding_asked != wanted or caps.block == "off" or sitting.block:
        return sitting
    if passes_onboarding(sitting.onboarding_right, asked=wanted, threshold=caps.onboarding_threshold):
        return sitting
    block = AT_ONCE if caps.block == "at-once" else ONBOARDING
    reason = f"{sitting.onboarding_right} of {wanted} onboarding items right"
    tx.do(_BLOCK, number=sitting.n, new_block=block, new_reason=reason)
    tx.do(_ADD_EVENT, annotator=sitting.n, action="block", reason=reason, by=THE_RULES, at=tx.now)
    return replace(sitting, block=block)


INATTENTIVE = ExclusionGrounds(ATTENTION, "The annotator failed the attention checks.", THE_RULES)
_ATTENTIVE = ExclusionGrounds(ATTENTION, "Enough attention checks are right again.", THE_RULES)


def fails_checks(tx: Transaction, sitting: Sitting, caps: StudyRules) -> bool:
    """Whether too few of the annotator's attention checks are right; one that was skipped is none."""
    if sitting.attention_right == sitting.attention_asked:
        return False
    rules = caps.attention
    return fails_attention(
        sitting.attention_right,
        asked=_checks_answered(tx, sitting),
        threshold=rules.threshold,
        min_checks=rules.min_checks,
    )


_SKIPPED_CHECKS = select(skipped_checks(bindparam("annotator")))


def _checks_answered(tx: Transaction, sitting: Sitting) -> int:
    ((skipped,),) = tx.rows(_SKIPPED_CHECKS, annotator=sitting.n)
    return sitting.attention_asked - int(skipped)


def screen_checks(tx: Transaction, before: Sitting, after: Sitting, caps: StudyRules, role: Role) -> Sitting:
    """Act on the answer to an item that is not judged; the annotator as they are afterwards."""
    if role == "onboarding":
        return block_if_failed(tx, after, caps)
    fails = fails_checks(tx, after, caps)
    if fails != fails_checks(tx, before, caps):
        _note_checks(tx, after, "flag" if fails else "unflag")
        if caps.attention.on_fail == "exclude":
            theirs = judgments_of(tx, after.n)
            if fails:
                exclude(tx, theirs, INATTENTIVE)
            else:
                restore(tx, theirs, _ATTENTIVE)
    return _stop_if_failed(tx, after, caps)


def _note_checks(tx: Transaction, sitting: Sitting, action: str) -> None:
    reason = f"{sitting.attention_right} of {_checks_answered(tx, sitting)} attention checks right"
    tx.do(_ADD_EVENT, annotator=sitting.n, action=action, reason=reason, by=THE_RULES, at=tx.now)


def _stop_if_failed(tx: Transaction, sitting: Sitting, caps: StudyRules) -> Sitting:
    """End the sitting of an annotator with as many checks that were not right as the study allows nobody."""
    most = caps.attention.stop_after
    if not most or _checks_answered(tx, sitting) - sitting.attention_right < most:
        return sitting
    stopped = end_sitting(tx, sitting, caps, STOPPED)
    if stopped is not sitting:
        _note_checks(tx, stopped, "stop")
    return stopped


def is_softly_out(tx: Transaction, sitting: Sitting, caps: StudyRules) -> bool:
    """Whether a softly blocked annotator has finished, and had time to copy the completion code."""
    if sitting.block != ONBOARDING or sitting.finished_at is None:
        return False
    return tx.now > later(sitting.finished_at, caps.lease_seconds)
