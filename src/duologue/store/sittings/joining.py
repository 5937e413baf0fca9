"""Joining a study: whether there is a place, which arm it is in, and how much onboarding comes first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import bindparam, func, literal_column, select, text, update

from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads
from duologue.store.database.schema import annotators, arms, gold_items
from duologue.store.records import IdleStation
from duologue.store.schedule.arm_order import by_places_left, first_factor
from duologue.store.schedule.item_blocks import join_block
from duologue.store.sittings.claiming.gold_items import is_item_in_use
from duologue.store.sittings.leases import take_back_and_screen
from duologue.store.sittings.leaving import LEFT, make_room
from duologue.store.sittings.orders import random_number
from duologue.store.sittings.room import (
    AnnotatorsAtForms,
    people_at_forms,
    places_open_to,
    rooms,
    why_no_work,
)
from duologue.store.sittings.sitting import Sitting
from duologue.studies import StudyRules

_ARMS = select(arms.c.name, arms.c.annotators)
_JOIN_ARM = text(
    "INSERT INTO arms (name, annotators) VALUES (:arm, :more) "
    "ON CONFLICT (name) DO UPDATE SET annotators = arms.annotators + :more"
)
_ONBOARDING_ITEMS = (
    select(func.count())
    .select_from(gold_items)
    .where(gold_items.c.role == literal_column("'onboarding'"), is_item_in_use)
)
_ARMS_OF_COHORT = (
    select(annotators.c.arm, func.count())
    .where(annotators.c.cohort == bindparam("cohort"), annotators.c.arm != "")
    .group_by(annotators.c.arm)
)
_CONSENT = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(consented_at=bindparam("now"), last_seen=bindparam("now"))
)
_JOIN = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(
        consented_at=bindparam("consented"),
        last_seen=bindparam("now"),
        arm=bindparam("new_arm"),
        onboarding_wanted=bindparam("new_wanted"),
    )
)
_BEGIN_ANEW = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(ending="", assignment=None)
)


def arms_with_room(tx: Transaction, sitting: Sitting, caps: StudyRules) -> tuple[str, ...]:
    """The arms that have a place for a new annotator; the time of those who left is looked at first.

    Whoever comes gets none that is kept for those at the forms before.
    """
    take_back_and_screen(tx, caps, but=sitting.n)
    whose = _whose(sitting, caps)
    there = rooms(tx, caps, whose, tx.now)
    free = {arm: there[arm].free for arm in caps.arms if arm in there}
    kept = _kept_from(tx, sitting, caps, whose).people
    if any(places <= tx.in_flight + kept for places in free.values()):
        tx.shut_others_out()  # of the last places none may be promised twice
    if sum(free.values()) <= kept:
        return ()
    return tuple(arm for arm, places in free.items() if places)


def nothing_yet(tx: Transaction, sitting: Sitting, caps: StudyRules, *, saved: bool = False) -> IdleStation:
    """Nothing for somebody who has not begun, or not got beyond the forms, and when to look again."""
    arms = (sitting.annotator.arm,) if sitting.annotator.arm else caps.arms
    whose = _whose(sitting, caps)
    at_forms = _kept_from(tx, sitting, caps, whose)
    return IdleStation(
        sitting.annotator, saved, why_no_work(tx, caps, whose, arms, tx.now, at_forms=at_forms)
    )


def _kept_from(tx: Transaction, sitting: Sitting, caps: StudyRules, whose: str | None) -> AnnotatorsAtForms:
    """Those at the forms before, whose places are kept from who comes, or comes back; not from others."""
    is_after_them = sitting.consented_at is None or sitting.ending == LEFT
    return people_at_forms(tx, caps, whose, tx.now) if is_after_them else AnnotatorsAtForms()


def _whose(sitting: Sitting, caps: StudyRules) -> str | None:
    """Whose places are open to somebody, as far as that is known."""
    cohort = sitting.annotator.cohort
    return places_open_to(caps, cohort) if sitting.consented_at is None else caps.places_of(cohort)


def consent(tx: Transaction, sitting: Sitting) -> Sitting:
    """The annotator has agreed; an arm is joined later, when the forms before are filled in."""
    tx.do(_CONSENT, number=sitting.n, now=tx.now)
    return replace(sitting, consented_at=tx.now)


@reads
def count_onboarding_items(reading: Reading) -> int:
    """How many items there are to screen annotators with."""
    return int(reading.connection.execute(_ONBOARDING_ITEMS).scalar_one())


def join(tx: Transaction, sitting: Sitting, caps: StudyRules, open_arms: tuple[str, ...]) -> Sitting:
    """The annotator in one of the arms that have a place, as they are afterwards."""
    arm = _arm_for_next(tx, caps, open_arms, sitting.annotator.cohort)
    if len(caps.arms) == 1:
        tx.count(_JOIN_ARM, {"arm": arm}, {"more": 1})
    else:  # whoever joins next counts with it
        tx.do(_JOIN_ARM, arm=arm, more=1)
    there = tx.row(_ONBOARDING_ITEMS)
    wanted = min(caps.onboarding_comparisons, int(there[0]) if there else 0)
    consented = sitting.consented_at or tx.now
    tx.do(_JOIN, number=sitting.n, now=tx.now, consented=consented, new_arm=arm, new_wanted=wanted)
    block = join_block(tx, caps, number=sitting.n, arm=arm, cohort=sitting.annotator.cohort)
    if block is not None:
        make_room(tx, caps, block)
    annotator = sitting.annotator.in_arm(arm)
    return replace(
        sitting,
        annotator=annotator,
        consented_at=consented,
        onboarding_wanted=wanted,
        item_block="" if block is None else block.name,
        groups_open=None,
    )


def join_another_block(tx: Transaction, sitting: Sitting, caps: StudyRules) -> Sitting:
    """Somebody who left a block before they judged anything is in another, if that has a place.

    None that is kept for those at the forms before; as they are afterwards.
    """
    if sitting.ending != LEFT or sitting.finished_at is not None or sitting.done:
        return sitting
    tx.shut_others_out()
    arm, cohort = sitting.annotator.arm, sitting.annotator.cohort
    whose = caps.places_of(cohort)
    free = sum(room.free for room in rooms(tx, caps, whose, tx.now).values())
    if free <= _kept_from(tx, sitting, caps, whose).people:
        return sitting
    block = join_block(tx, caps, number=sitting.n, arm=arm, cohort=cohort, before=sitting.item_block)
    if block is None:
        return sitting
    make_room(tx, caps, block)
    tx.do(_BEGIN_ANEW, number=sitting.n)
    return replace(sitting, item_block=block.name, ending="", assignment=None)


def _arm_for_next(tx: Transaction, caps: StudyRules, open_arms: tuple[str, ...], cohort: str) -> str:
    """The arm with the fewest annotators (of the cohort) with a place; ties are broken at random."""
    if len(caps.arms) == 1:
        return caps.arms[0]
    tx.take_turns("joining an arm")
    found = tx.rows(_ARMS_OF_COHORT, cohort=cohort) if caps.has_cohorts else tx.rows(_ARMS)
    counts = dict.fromkeys(caps.arms, 0) | {arm: n for arm, n in found if arm in caps.arms}
    if caps.one_per_factor:
        return _arm_of_factor(tx, caps, open_arms, cohort, counts)
    fewest = min(counts[arm] for arm in open_arms)
    equals = [arm for arm in open_arms if counts[arm] == fewest]
    place = f"{sum(counts.values())}" + (f"\0{cohort}" if cohort else "")
    return equals[random_number(caps.seed, "arm", place) % len(equals)]


def _arm_of_factor(
    tx: Transaction, caps: StudyRules, open_arms: tuple[str, ...], cohort: str, joined: Mapping[str, int]
) -> str:
    """Factors come first equally often; in a factor it is the arm with most left to do."""
    number, places = sum(joined.values()), caps.places_of(cohort)
    arms = by_places_left(tx, caps, lot=f"first\0{number}", cohort=places, joined=joined)
    first = first_factor(caps, number)
    there = [arm for arm in arms if arm in open_arms]
    return next((arm for arm in there if caps.factors[arm] == first), there[0])
