"""Whether there is a place for somebody who comes: before consent, and before any onboarding.

Onboarding fills no slot, nor do attention checks. So whoever is at one has a place kept for them: as many
free slots of their arm as there are such assignments in progress. Nobody else is handed those, and nobody is
let in when there are no others. One that is left has a lease like any other, and its end frees the place.

Whoever fills in the forms before has no arm yet, and often no cohort. Places are kept for them too, in any
arm: as many as there are people at the forms who were here within the time of a lease.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import and_, bindparam, case, func, literal_column, select

from duologue.protocols import HUMAN
from duologue.store.chats.seats import group_in_waiting_room
from duologue.store.database.encoding import later, seconds_between
from duologue.store.database.engine import Reading, RowSource, Transaction
from duologue.store.database.operations import reads
from duologue.store.database.schema import (
    annotators,
    assignments,
    is_at_forms,
    is_running,
    quotas,
)
from duologue.store.records import Annotator, NoPlace
from duologue.store.schedule.item_blocks import places_in_blocks
from duologue.studies import StudyRules


@dataclass(frozen=True, slots=True)
class Capacity:
    """The places of an arm: for judgments, or for whole sittings where items have blocks."""

    free: int = 0
    """That a new annotator can be given and that are kept for nobody."""
    held: int = 0
    """In somebody's hands, or kept for somebody who is being onboarded."""


_is_lonely = and_(quotas.c.group_name == HUMAN, quotas.c.free == 1)
"""One place where it takes two people."""

_PLACES = (
    select(
        quotas.c.arm,
        quotas.c.cohort,
        func.sum(quotas.c.free),
        func.sum(quotas.c.leased),
        func.sum(case((_is_lonely, 1), else_=0)),
    )
    .where(quotas.c.wanted > 0)
    .group_by(quotas.c.arm, quotas.c.cohort)
)
_is_kept = and_(
    is_running,
    assignments.c.slot.is_(None),
    assignments.c.occasion == literal_column("1"),  # who is asked again needs no place
    assignments.c.expires_at > bindparam("now"),
)
_KEPT = (
    select(assignments.c.arm, annotators.c.cohort, func.count())
    .select_from(assignments.join(annotators, annotators.c.n == assignments.c.annotator))
    .where(_is_kept)
    .group_by(assignments.c.arm, annotators.c.cohort)
)


def places_open_to(caps: StudyRules, cohort: str) -> str | None:
    """Whose places are open to a newcomer; None for all, where an answer may yet put them into a cohort."""
    return None if caps.asks_cohort and not cohort else caps.places_of(cohort)


@dataclass(frozen=True, slots=True)
class AnnotatorsAtForms:
    """Those who have agreed and are filling in the forms before."""

    people: int = 0
    first_ends_at: str | None = None
    """Until when the place of the first of them is kept."""


PEOPLE_AT_FORMS = (
    select(annotators.c.cohort, func.count(), func.min(annotators.c.last_seen))
    .where(
        is_at_forms,
        annotators.c.last_seen > bindparam("since"),
        annotators.c.block == literal_column("''"),
        annotators.c.revoked_at.is_(None),
        annotators.c.withdrawn_at.is_(None),
    )
    .group_by(annotators.c.cohort)
)
"""Those who were here since a time, by cohort, and the first of them."""


_FREE_OF = (
    select(quotas.c.cohort, func.sum(quotas.c.free)).where(quotas.c.wanted > 0).group_by(quotas.c.cohort)
)


def people_at_forms(asked: RowSource, caps: StudyRules, cohort: str | None, now: str) -> AnnotatorsAtForms:
    """Those at the forms who may fill places of a cohort: theirs, or who have none yet; None for all."""
    if not caps.forms_before:
        return AnnotatorsAtForms()
    found = asked.rows(PEOPLE_AT_FORMS, since=later(now, -caps.lease_seconds))
    if not found:
        return AnnotatorsAtForms()
    free = _free_of_cohorts(asked, caps)
    people, seen_first = 0, []
    for name, count, seen in found:
        is_open, owner = caps.asks_cohort and not name, caps.places_of(name)
        theirs = count if is_open else min(count, free.get(owner, 0))  # a full cohort takes no other's place
        if theirs and (is_open or cohort in (None, owner)):
            people += theirs
            seen_first.append(seen)
    return (
        AnnotatorsAtForms(people, later(min(seen_first), caps.lease_seconds))
        if people
        else AnnotatorsAtForms()
    )


def _free_of_cohorts(asked: RowSource, caps: StudyRules) -> Mapping[str, int]:
    """The places that each cohort has left in all arms together."""
    in_blocks: Counter[str] = Counter()
    for one in places_in_blocks(asked, caps):
        in_blocks[one.cohort] += one.free
    return in_blocks or {owner: int(places) for owner, places in asked.rows(_FREE_OF)}


def rooms(asked: RowSource, caps: StudyRules, cohort: str | None, now: str) -> dict[str, Capacity]:
    """The places of every arm that wants judgments.

    Args:
        asked: The database.
        caps: What to hold to.
        cohort: Whose places, as `StudyRules.places_of` says; None for those of all cohorts together.
        now: The time.
    """
    kept: Counter[tuple[str, str]] = Counter()
    for arm, theirs, count in asked.rows(_KEPT, now=now):
        kept[arm, caps.places_of(theirs)] += count
    found: dict[str, Capacity] = {}
    for arm, owner, free, leased, lonely in asked.rows(_PLACES):
        if cohort not in (None, owner):
            continue
        if lonely and group_in_waiting_room(asked, annotator=0, arm=arm, now=now) != HUMAN:
            free -= lonely
        others, before = kept[arm, owner], found.get(arm, Capacity())
        found[arm] = Capacity(before.free + max(0, int(free) - others), before.held + int(leased) + others)
    return found | _rooms_in_blocks(asked, caps, cohort)


def _rooms_in_blocks(asked: RowSource, caps: StudyRules, cohort: str | None) -> dict[str, Capacity]:
    found: dict[str, Capacity] = {}
    for one in places_in_blocks(asked, caps):
        if cohort in (None, one.cohort):
            before = found.get(one.arm, Capacity())
            found[one.arm] = Capacity(before.free + one.free, before.held + one.working)
    return found


_KEPT_IN_ARM = select(func.count()).where(_is_kept, assignments.c.arm == bindparam("arm")).scalar_subquery()
_largest = (
    select(quotas.c.free)
    .where(quotas.c.arm == bindparam("arm"), quotas.c.cohort == bindparam("cohort"))
    .order_by(quotas.c.free.desc())
    .limit(bindparam("most"))
    .subquery()
)
_FREE_IN_LARGEST = select(func.coalesce(func.sum(_largest.c.free), 0)).scalar_subquery()
_KEPT_AND_LARGEST = select(_KEPT_IN_ARM, _FREE_IN_LARGEST)


def leaves_room(tx: Transaction, caps: StudyRules, annotator: Annotator, now: str) -> bool:
    """Whether an annotator can be handed a slot without taking the place of somebody not yet at the items.

    Where others may be taking the last places at the same moment, it is found out alone.
    """
    arm, cohort = annotator.arm, caps.places_of(annotator.cohort)
    at_forms = people_at_forms(tx, caps, cohort, now).people
    ((kept, free),) = tx.rows(_KEPT_AND_LARGEST, arm=arm, cohort=cohort, now=now, most=1 + tx.in_flight)
    kept += at_forms
    if (not kept and not tx.in_flight) or free > kept + tx.in_flight:
        return True
    there = rooms(tx, caps, cohort, now)
    room = there.get(arm)
    free = 0 if room is None else min(room.free, sum(one.free for one in there.values()) - at_forms)
    if free <= tx.in_flight:
        tx.shut_others_out()
    return free > 0


_FIRST_TO_END = select(func.min(assignments.c.expires_at)).where(
    is_running, assignments.c.expires_at > bindparam("now")
)


def why_no_work(
    asked: RowSource,
    caps: StudyRules,
    cohort: str | None,
    arms: tuple[str, ...],
    now: str,
    *,
    at_forms: AnnotatorsAtForms | None = None,
) -> NoPlace:
    """Why there is nothing for somebody who may work in these arms, and when to look again.

    Args:
        asked: The database.
        caps: What to hold to.
        cohort: Whose places they may fill; None for anybody's.
        arms: The arms.
        now: The time.
        at_forms: Those whose places are kept from them.
    """
    there = [room for arm, room in rooms(asked, caps, cohort, now).items() if arm in arms]
    others = at_forms or AnnotatorsAtForms()
    free = sum(room.free for room in there)
    if not there or free > others.people:
        return NoPlace()
    if not free and not any(room.held for room in there):
        return NoPlace("done")
    row = asked.row(_FIRST_TO_END, now=now)
    ends = [end for end in (None if row is None else row[0], others.first_ends_at) if end is not None]
    return NoPlace("taken", seconds_between(now, min(ends)) if ends else 0.0)


@reads
def find_no_place(reading: Reading, caps: StudyRules, cohort: str = "") -> NoPlace | None:
    """Why there is no place for somebody who comes; None when there is one.

    Args:
        reading: The database.
        caps: What to hold to.
        cohort: That of the link by which they come.
    """
    whose = places_open_to(caps, cohort)
    there = rooms(reading, caps, whose, reading.now)
    at_forms = people_at_forms(reading, caps, whose, reading.now)
    if sum(there[arm].free for arm in caps.arms if arm in there) > at_forms.people:
        return None
    return why_no_work(reading, caps, whose, caps.arms, reading.now, at_forms=at_forms)
