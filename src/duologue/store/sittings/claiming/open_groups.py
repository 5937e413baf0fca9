"""Groups with free slots, in the order in which an annotator is given of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Executable, and_, bindparam, exists, func, literal_column, select

from duologue.store.database.engine import Row, Transaction
from duologue.store.database.schema import judged_quotas, quotas
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.sitting import Sitting
from duologue.studies import StudyRules

NEW_GROUPS_TRIED = 4
"""Groups that are looked up by an index; in a large study, putting all groups in order costs more."""

_was_judged = exists().where(
    judged_quotas.c.annotator == bindparam("annotator"), judged_quotas.c.quota == quotas.c.n
)
_is_open = and_(quotas.c.arm == bindparam("arm"), quotas.c.cohort == bindparam("cohort"), quotas.c.free > 0)
NEW_QUOTAS = (
    select(quotas.c.n, quotas.c.free, literal_column("0"))
    .where(_is_open, ~_was_judged)
    .order_by(quotas.c.free.desc(), quotas.c.n)
    .limit(bindparam("most"))
)
_times_judged = func.coalesce(judged_quotas.c.judged, 0)
QUOTAS_TO_FILL = (
    select(quotas.c.n, quotas.c.free, _times_judged)
    .select_from(
        quotas.outerjoin(
            judged_quotas,
            and_(judged_quotas.c.quota == quotas.c.n, judged_quotas.c.annotator == bindparam("annotator")),
        )
    )
    .where(_is_open)
    .order_by(_times_judged, quotas.c.free.desc(), quotas.c.n)
)


def first_groups(
    tx: Transaction, sitting: Sitting, caps: StudyRules, arm: str, groups: int
) -> tuple[Executable, Mapping[str, object]]:
    """What to ask for the groups that come first: a few new ones, or all where the annotator had as many."""
    asked = whose_groups(sitting, caps, arm)
    if sitting.judged < groups:
        return NEW_QUOTAS, {**asked, "most": NEW_GROUPS_TRIED + tx.in_flight}
    return QUOTAS_TO_FILL, asked


def whose_groups(sitting: Sitting, caps: StudyRules, arm: str) -> Mapping[str, object]:
    """What says to the statements here for whom groups are wanted."""
    return {"annotator": sitting.n, "arm": arm, "cohort": caps.places_of(sitting.annotator.cohort)}


def in_order(tx: Transaction, rows: Sequence[Row]) -> Iterator[int]:
    """Groups as the database put them in order, or as they are after what this transaction did so far."""
    if not tx.in_flight:
        return (quota for quota, _free, _judged in rows)
    now = [(judged, -slot_changes.free_now(tx, quota=n, read=free), n) for n, free, judged in rows]
    return (quota for _judged, free, quota in sorted(now) if free)
