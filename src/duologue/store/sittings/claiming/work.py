"""What there is for an annotator to do, and how much of it they may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Executable, bindparam, func, select

from duologue.store.database.engine import Row, Transaction
from duologue.store.database.schema import arms, quotas, slots
from duologue.store.schedule.item_blocks import most_in_sitting
from duologue.store.sittings.claiming.new_items import is_new_to_annotator
from duologue.store.sittings.claiming.open_groups import first_groups, whose_groups
from duologue.store.sittings.leases import ask_expired
from duologue.store.sittings.sitting import Sitting
from duologue.studies import StudyRules


@dataclass(frozen=True, slots=True)
class WorkLeft:
    """What there is for an annotator in each arm that they see."""

    groups: Mapping[str, int]
    most: Mapping[str, int]
    """Judgments that they may give."""
    cap: int
    """Judgments that they may give in all."""
    new_items: int | None = None
    """Items that they have not had, no more than they may judge in all; None where that is not counted."""
    first_groups: Sequence[Row] | None = None
    """The groups that come first, where they were asked for beforehand."""


def arms_seen(sitting: Sitting, caps: StudyRules) -> tuple[str, ...]:
    """The arms that an annotator sees, or may see."""
    arm = sitting.annotator.arm
    return tuple(dict.fromkeys((arm, *caps.arms))) if caps.arms_per_annotator > 1 else (arm,)


def cap_over(most: Mapping[str, int], caps: StudyRules) -> int:
    """Judgments that an annotator may give in all, of those in each arm: of each factor in one arm."""
    if not caps.one_per_factor:
        return sum(most.values())
    of_factor: dict[str, int] = {}
    for arm, own in most.items():
        factor = caps.factors.get(arm, "")
        of_factor[factor] = max(own, of_factor.get(factor, 0))
    return sum(of_factor.values())


_NEW_ITEMS = (
    select(slots.c.item)
    .join(quotas, quotas.c.n == slots.c.quota)
    .where(
        quotas.c.arm == bindparam("arm"),
        quotas.c.cohort == bindparam("cohort"),
        quotas.c.free > 0,
        slots.c.state == "free",
        is_new_to_annotator(slots.c.item),
    )
    .distinct()
    .limit(bindparam("most"))
)


def _ask_new_items(sitting: Sitting, caps: StudyRules) -> tuple[tuple[Executable, Mapping[str, object]], ...]:
    """What to ask for the items that an annotator has not had, where the study limits their number."""
    if caps.max_judgments is None or caps.arms_per_annotator > 1 or sitting.item_block:
        return ()
    asked = whose_groups(sitting, caps, sitting.annotator.arm)
    return ((_NEW_ITEMS, {**asked, "most": caps.max_judgments}),)


def new_items(tx: Transaction, sitting: Sitting, caps: StudyRules) -> int | None:
    """How many items an annotator has not had, as `WorkLeft` has it."""
    counts = [len(tx.rows(asked, **values)) for asked, values in _ask_new_items(sitting, caps)]
    return counts[0] if counts else None


_GROUPS_OPEN = select(func.coalesce(func.max(arms.c.groups_open), 0)).where(arms.c.name == bindparam("arm"))


def work_left(tx: Transaction, sitting: Sitting, caps: StudyRules) -> tuple[Sequence[Row], WorkLeft]:
    """Leases that have run out, and what there is to do, asked for in one go."""
    arm, seen = sitting.annotator.arm, arms_seen(sitting, caps)
    groups = {} if sitting.groups_open is None else {arm: sitting.groups_open}
    unknown = [one for one in seen if one not in groups]
    looks_ahead = not (unknown or caps.max_per_group is not None or caps.attention.is_on)
    ahead = (first_groups(tx, sitting, caps, arm, groups[arm]),) if looks_ahead else ()
    counted = _ask_new_items(sitting, caps)
    asked = (*counted, *((_GROUPS_OPEN, {"arm": one}) for one in unknown), *ahead, *ask_expired(tx))
    found = list(tx.several(*asked)) if asked else []
    new = len(found.pop(0)) if counted else None
    groups |= {one: int(rows[0][0]) for one, rows in zip(unknown, found, strict=False)}
    expired = () if tx.has_taken_back else found.pop()
    most = {one: _cap_of(tx, sitting, groups[one], caps) for one in seen}
    work = WorkLeft(groups, most, cap_over(most, caps), new, found[-1] if ahead else None)
    return expired, work


def cap_in(tx: Transaction, sitting: Sitting, caps: StudyRules, arm: str) -> int:
    """How many judgments an annotator may give in an arm."""
    if caps.max_judgments is not None and caps.max_per_group is None and not sitting.item_block:
        return caps.max_judgments
    ((groups,),) = tx.rows(_GROUPS_OPEN, arm=arm)
    return _cap_of(tx, sitting, groups, caps)


def _cap_of(tx: Transaction, sitting: Sitting, groups: int, caps: StudyRules) -> int:
    """How many judgments an annotator may give: as many as there are groups, unless the study says.

    Where it says how many items of each group an annotator may have, that many times the groups, and never
    more; of a block of items, all of them.
    """
    if sitting.item_block:
        return most_in_sitting(tx, caps, sitting.item_block)
    if caps.max_judgments is None:
        return groups * (caps.max_per_group or 1)
    if caps.max_per_group is None:
        return caps.max_judgments
    return min(caps.max_judgments, groups * caps.max_per_group)
