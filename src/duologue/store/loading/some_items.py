"""Cohorts that judge some of the items: which ones, and no places of theirs in the others."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import bindparam, case, func, or_, select, update

from duologue.seeds import first_numbers
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import items, quotas, slots
from duologue.studies import StudyRules, spread_over_groups

_is_of_cohort = slots.c.quota.in_(
    select(quotas.c.n).where(quotas.c.cohort == bindparam("cohort"), quotas.c.is_wanted.is_(True))
)
_ITEMS = (
    select(
        items.c.group_name,
        items.c.n,
        items.c.id,
        func.max(case((or_(slots.c.state == "leased", slots.c.state == "done"), 1), else_=0)),
    )
    .select_from(slots.join(items, items.c.n == slots.c.item))
    .where(_is_of_cohort, slots.c.is_wanted.is_(True))
    .group_by(items.c.group_name, items.c.n, items.c.id)
    .order_by(items.c.n)
)
_GIVE_UP = (
    update(slots)
    .where(_is_of_cohort, slots.c.is_wanted.is_(True))
    .values(is_wanted=False, state=case((slots.c.state == "free", "retired"), else_=slots.c.state))
)
_TAKE_BACK = (
    update(slots)
    .where(_is_of_cohort, slots.c.item == bindparam("number"), slots.c.copy < bindparam("copies"))
    .values(is_wanted=True, state=case((slots.c.state == "retired", "free"), else_=slots.c.state))
)


def keep_some_items(tx: Transaction, caps: StudyRules, cohort: str, most: int) -> None:
    """Retire the places of a cohort in all but so many items, the same ones in every arm.

    Of every group as many as of any other. Those that somebody of the cohort has judged or is judging stay;
    the others are drawn by the study's seed.

    Args:
        tx: The transaction.
        caps: What the study says.
        cohort: Whose places.
        most: How many items they judge.
    """
    found = tx.rows(_ITEMS, cohort=cohort)
    lots = first_numbers(caps.seed, "items of a cohort", [f"{cohort}\0{key}" for _group, _n, key, _ in found])
    left = spread_over_groups(most, Counter(group for group, *_rest in found))
    ordered = sorted(
        (not is_taken, lot, n, group) for (group, n, _key, is_taken), lot in zip(found, lots, strict=True)
    )
    chosen = []
    for *_rest, n, group in ordered:
        if left[group]:
            left[group] -= 1
            chosen.append(n)
    tx.do(_GIVE_UP, cohort=cohort)
    tx.do_many(
        _TAKE_BACK, [{"cohort": cohort, "number": n, "copies": caps.copies[cohort]} for n in sorted(chosen)]
    )
