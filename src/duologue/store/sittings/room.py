"""Whether there is a place for somebody who comes: before consent, and before any onboarding.

Onboarding fills no slot. So whoever is being onboarded has a place kept for them: as many free slots of their
arm as there are onboarding assignments in progress. Nobody else is handed those, and nobody is let in when
there are no others. An onboarding assignment that is left has a lease like any other, and its end frees the
place.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import and_, bindparam, case, func, select

from duologue.protocols import HUMAN
from duologue.store.chats.seats import group_in_waiting_room
from duologue.store.database.engine import Reading, RowSource
from duologue.store.database.operations import reads
from duologue.store.database.schema import assignments, is_running, quotas
from duologue.store.database.times import seconds_between
from duologue.store.records import NoPlace
from duologue.studies import Caps


@dataclass(frozen=True, slots=True)
class Room:
    """The places of an arm."""

    free: int = 0
    """That a new annotator can be given and that are kept for nobody."""
    held: int = 0
    """In somebody's hands, or kept for somebody who is being onboarded."""


_is_lonely = and_(quotas.c.group_name == HUMAN, quotas.c.free == 1)
"""One place where it takes two people."""

_PLACES = (
    select(
        quotas.c.arm,
        func.sum(quotas.c.free),
        func.sum(quotas.c.leased),
        func.sum(case((_is_lonely, 1), else_=0)),
    )
    .where(quotas.c.wanted > 0)
    .group_by(quotas.c.arm)
)
_is_kept = and_(is_running, assignments.c.slot.is_(None), assignments.c.expires_at > bindparam("now"))
_KEPT = select(assignments.c.arm, func.count()).where(_is_kept).group_by(assignments.c.arm)


def rooms(asked: RowSource, now: str) -> dict[str, Room]:
    """The places of every arm that wants judgments."""
    kept: dict[str, int] = dict(asked.rows(_KEPT, now=now))
    found = {}
    for arm, free, leased, lonely in asked.rows(_PLACES):
        if lonely and group_in_waiting_room(asked, annotator=0, arm=arm, now=now) != HUMAN:
            free -= lonely
        others = kept.get(arm, 0)
        found[arm] = Room(max(0, int(free) - others), int(leased) + others)
    return found


_KEPT_IN_ARM = select(func.count()).where(_is_kept, assignments.c.arm == bindparam("arm")).scalar_subquery()
_LARGEST = (
    select(quotas.c.free)
    .where(quotas.c.arm == bindparam("arm"))
    .order_by(quotas.c.free.desc())
    .limit(1)
    .scalar_subquery()
)
_KEPT_AND_LARGEST = select(_KEPT_IN_ARM, _LARGEST)


def leaves_room(asked: RowSource, arm: str, now: str) -> bool:
    """Whether a slot of an arm can be handed out without taking the place of somebody being onboarded."""
    row = asked.row(_KEPT_AND_LARGEST, arm=arm, now=now)
    kept, largest = (0, 0) if row is None else (int(row[0]), int(row[1] or 0))
    if not kept or largest > kept:
        return True
    room = rooms(asked, now).get(arm)
    return room is not None and room.free > 0


_FIRST_TO_END = select(func.min(assignments.c.expires_at)).where(
    is_running, assignments.c.expires_at > bindparam("now")
)


def why_no_work(asked: RowSource, arms: tuple[str, ...], now: str) -> NoPlace:
    """Why there is nothing for somebody who may work in these arms, and when to look again."""
    there = [room for arm, room in rooms(asked, now).items() if arm in arms]
    if not there or any(room.free for room in there):
        return NoPlace()
    if not any(room.held for room in there):
        return NoPlace("done")
    row = asked.row(_FIRST_TO_END, now=now)
    ends = None if row is None else row[0]
    return NoPlace("taken", 0.0 if ends is None else seconds_between(now, ends))


@reads
def find_no_place(reading: Reading, caps: Caps) -> NoPlace | None:
    """Why there is no place for somebody who comes; None when there is one."""
    there = rooms(reading, reading.now)
    if any(arm in there and there[arm].free for arm in caps.arms):
        return None
    return why_no_work(reading, caps.arms, reading.now)
