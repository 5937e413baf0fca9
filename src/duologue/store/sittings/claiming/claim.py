"""Claiming: the next item of an annotator, or none when nothing is left for them."""

from __future__ import annotations

from dataclasses import replace

from duologue.store.database.engine import Transaction
from duologue.store.records import Assignment
from duologue.store.schedule.arm_order import arms_to_come, done_in, move_to
from duologue.store.schedule.attention import checks_due, checks_in_all
from duologue.store.schedule.repeats import next_repeat
from duologue.store.sittings.claiming.free_slots import free_slot
from duologue.store.sittings.claiming.gold_items import checks_there, gold_item
from duologue.store.sittings.claiming.handing_out import hand_out
from duologue.store.sittings.claiming.next_item import NextItem
from duologue.store.sittings.claiming.work import (
    WorkLeft,
    arms_seen,
    cap_in,
    cap_over,
    new_items,
    work_left,
)
from duologue.store.sittings.leases import screen_who_left
from duologue.store.sittings.room import leaves_room
from duologue.store.sittings.sitting import Sitting
from duologue.studies import StudyRules, repeats_of


def claim(tx: Transaction, sitting: Sitting, caps: StudyRules) -> Assignment | None:
    """Hand out the next item; None when nothing is left for this annotator."""
    arm = sitting.annotator.arm
    if sitting.onboarding_asked < (sitting.onboarding_wanted or 0):
        has_begun = sitting.onboarding_asked > 0 or sitting.assignment is not None
        if has_begun and not sitting.item_block and not leaves_room(tx, caps, sitting.annotator, tx.now):
            return None
        chosen = gold_item(tx, sitting, caps, "onboarding", arm)
        if chosen is not None:
            cap = cap_over({one: cap_in(tx, sitting, caps, one) for one in arms_seen(sitting, caps)}, caps)
            new = new_items(tx, sitting, caps)
            return hand_out(tx, sitting, caps, chosen, total=_total(tx, sitting, caps, cap=cap, new=new))
    expired, work = work_left(tx, sitting, caps)
    chosen = None
    if sitting.done < work.cap:
        screen_who_left(tx, caps, expired, but=sitting.n)
        if expired:
            work = replace(work, first_groups=None)  # there may be more now
        chosen = _next_to_judge(tx, sitting, caps, work)
    chosen = chosen or _check_left_over(tx, sitting, caps) or _repeated(tx, sitting, caps)
    if chosen is None:
        return None
    if chosen.arm != arm and chosen.occasion == 1:
        move_to(tx, chosen.arm, number=sitting.n)
    total = _total(tx, sitting, caps, cap=work.cap, new=work.new_items)
    return hand_out(tx, sitting, caps, chosen, total=total)


def _next_to_judge(tx: Transaction, sitting: Sitting, caps: StudyRules, work: WorkLeft) -> NextItem | None:
    """The next item of the first arm that has one, or an attention check that comes before it."""
    places = caps.places_of(sitting.annotator.cohort)
    for arm in arms_to_come(tx, caps, number=sitting.n, arm=sitting.annotator.arm, cohort=places):
        done = done_in(tx, arm, number=sitting.n) if caps.arms_per_annotator > 1 else sitting.done
        if done >= work.most[arm]:
            continue
        keeps = (sitting.onboarding_wanted or caps.forms_before) and not sitting.item_block
        if keeps and sitting.done and not leaves_room(tx, caps, sitting.annotator.in_arm(arm), tx.now):
            continue
        chosen = _attention_check(tx, sitting, caps, arm, cap=work.cap)
        chosen = chosen or free_slot(tx, sitting, caps, arm, work)
        if chosen is not None:
            return chosen
    return None


def _attention_check(
    tx: Transaction, sitting: Sitting, caps: StudyRules, arm: str, *, cap: int
) -> NextItem | None:
    """The attention check that is due, if one is."""
    if not caps.attention.is_on:
        return None
    who, done = sitting.annotator.id, sitting.done
    due = checks_due(caps.attention, seed=caps.seed, annotator=who, judged=done, cap=cap)
    return gold_item(tx, sitting, caps, "attention", arm) if sitting.attention_asked < due else None


def _check_left_over(tx: Transaction, sitting: Sitting, caps: StudyRules) -> NextItem | None:
    """An attention check of a sitting that ends sooner than was planned: there are no more items for it."""
    if sitting.finished_at is not None or not sitting.done:
        return None
    if sitting.attention_asked >= (caps.attention.per_sitting or 0):
        return None
    return gold_item(tx, sitting, caps, "attention", sitting.annotator.arm)


def _repeated(tx: Transaction, sitting: Sitting, caps: StudyRules) -> NextItem | None:
    """An item that the annotator is asked about once more."""
    if not caps.repeat:
        return None
    found = next_repeat(tx, caps, number=sitting.n, annotator=sitting.annotator.id)
    return None if found is None else NextItem(found.item, found.order, found.arm, occasion=2)


def _total(tx: Transaction, sitting: Sitting, caps: StudyRules, *, cap: int, new: int | None) -> int:
    """How many items an annotator will have had in all, as far as that is known.

    Args:
        tx: The transaction.
        sitting: The annotator's.
        caps: What to hold to.
        cap: How many they may judge.
        new: How many there are that they have not had; None where that is not known.
    """
    if new is not None:
        cap = min(cap, sitting.done + new)
    checks = 0
    if caps.attention.is_on:
        due = checks_in_all(caps.attention, seed=caps.seed, annotator=sitting.annotator.id, cap=cap)
        checks = min(due, checks_there(tx))
    return (sitting.onboarding_wanted or 0) + cap + checks + repeats_of(caps.repeat, cap)
