"""Which group comes next for an annotator who may have only so many items of each.

With live chats a group is a bot. The group the annotator was handed least comes first, of those the one with
most left to do; ties are broken at random from the study's seed: which bot an annotator meets is random, and
as many have met each. Whoever waits for a human partner is not kept waiting: their group comes before all.
Nobody is sent to wait where only one place is left, for it takes two.
"""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from duologue.protocols import HUMAN
from duologue.store.chats.seats import group_in_waiting_room
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import assignments, quotas, slots
from duologue.store.records import Annotator
from duologue.store.sittings.orders import random_number
from duologue.studies import StudyRules

_OPEN_GROUPS = select(quotas.c.n, quotas.c.group_name, quotas.c.free).where(
    quotas.c.arm == bindparam("arm"), quotas.c.cohort == bindparam("cohort"), quotas.c.free > 0
)
_HANDED = (
    select(slots.c.quota, func.count())
    .select_from(assignments.join(slots, slots.c.n == assignments.c.slot))
    .where(assignments.c.annotator == bindparam("annotator"))
    .group_by(slots.c.quota)
)


def groups_in_order(
    tx: Transaction, number: int, annotator: Annotator, caps: StudyRules, *, most: int
) -> tuple[tuple[int, bool], ...]:
    """The groups of which an annotator may have another item, the best first.

    Each is its quota, and whether somebody waits there for a partner.
    """
    places = caps.places_of(annotator.cohort)
    handed: dict[int, int] = dict(tx.rows(_HANDED, annotator=number))
    waiting = None
    if caps.chat.human_partner:
        waiting = group_in_waiting_room(tx, annotator=number, arm=annotator.arm, now=tx.now)

    def preference(row: tuple[int, str, int]) -> tuple[bool, int, int, int]:
        quota, group, free = row
        lot = random_number(caps.seed, "group", f"{annotator.id}\0{group}")
        return group != waiting, handed.get(quota, 0), -free, lot

    there: list[tuple[int, str, int]] = [
        (quota, group, free)
        for quota, group, free in tx.rows(_OPEN_GROUPS, arm=annotator.arm, cohort=places)
        if handed.get(quota, 0) < most and (group != HUMAN or free > 1 or group == waiting)
    ]
    return tuple((quota, group == waiting) for quota, group, _free in sorted(there, key=preference))
