"""In which order an annotator goes through the arms, where everybody sees several.

The arms (or factors) follow each other in a circle from the study's seed, and annotators begin where the
fewest have begun: so every arm comes first, second and so on equally often. Of a factor it is the arm with
most left to do.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import bindparam, func, or_, select, update

from duologue.store.database.engine import Transaction
from duologue.store.database.schema import annotators, assignments, quotas
from duologue.store.schedule.deadlines import TIMED_OUT
from duologue.store.sittings.orders import random_number
from duologue.studies import StudyRules

_FIRST = (
    select(assignments.c.arm)
    .where(assignments.c.annotator == bindparam("annotator"), assignments.c.slot.is_not(None))
    .order_by(assignments.c.n)
    .limit(1)
)
_DONE = select(func.count()).where(
    assignments.c.annotator == bindparam("annotator"),
    assignments.c.arm == bindparam("arm"),
    assignments.c.slot.is_not(None),
    or_(*(assignments.c.state == state for state in ("judged", "credited", TIMED_OUT))),
)
_BESIDE = select(func.count()).where(
    assignments.c.annotator == bindparam("annotator"),
    assignments.c.arm == bindparam("arm"),
    assignments.c.slot.is_not(None),
    assignments.c.n != bindparam("assignment"),
    assignments.c.state != "ended",
)
_FREE = (
    select(quotas.c.arm, func.sum(quotas.c.free))
    .where(quotas.c.cohort == bindparam("cohort"))
    .group_by(quotas.c.arm)
)
_MOVE = update(annotators).where(annotators.c.n == bindparam("number")).values(arm=bindparam("new_arm"))


def circle_of_arms(arms: tuple[str, ...], seed: int) -> tuple[str, ...]:
    """The arms of a study in the order of its seed.

    Example:
        >>> sorted(circle_of_arms(("a", "b", "c"), seed=3))
        ['a', 'b', 'c']
    """
    return tuple(sorted(arms, key=lambda arm: random_number(seed, "arm order", arm)))


def arms_to_come(
    tx: Transaction, caps: StudyRules, *, number: int, arm: str, cohort: str = ""
) -> tuple[str, ...]:
    """The arm that an annotator is in, and where they see several, those that are still before them.

    Where they see one of each factor, the arms of a factor that is to come are all there: the one with most
    free places first.

    Args:
        tx: The transaction.
        caps: What to hold to.
        number: The annotator's row.
        arm: The arm that they are in.
        cohort: Whose places they fill, as `StudyRules.places_of` says.
    """
    if caps.arms_per_annotator == 1 or arm not in caps.arms:
        return (arm,)
    row = tx.row(_FIRST, annotator=number)
    first = arm if row is None or row[0] not in caps.arms else row[0]
    if not caps.one_per_factor:
        return _from_here(circle_of_arms(caps.arms, caps.seed), began=first, here=arm)
    factor_of = caps.factors
    circle = circle_of_arms(tuple(dict.fromkeys(factor_of.values())), caps.seed)
    _, *later = _from_here(circle, began=factor_of[first], here=factor_of[arm])
    arms = by_places_left(tx, caps, lot=str(number), cohort=cohort)
    return (arm, *(one for factor in later for one in arms if factor_of[one] == factor))


def by_places_left(
    tx: Transaction, caps: StudyRules, *, lot: str, cohort: str, joined: Mapping[str, int] | None = None
) -> tuple[str, ...]:
    """The arms: most free places first, then fewest who joined; ties are broken at random."""
    free: dict[str, int] = dict(tx.rows(_FREE, cohort=cohort))
    joined = joined or {}

    def order(arm: str) -> tuple[int, int, int]:
        drawn = random_number(caps.seed, "arm of a factor", f"{lot}\0{arm}")
        return -int(free.get(arm, 0)), joined.get(arm, 0), drawn

    return tuple(sorted(caps.arms, key=order))


def first_factor(caps: StudyRules, joined: int) -> str:
    """The factor that comes first for whoever joins after so many: each as often as any other."""
    factors = tuple(dict.fromkeys(caps.factors.values()))
    block, place = divmod(joined, len(factors))
    return sorted(factors, key=lambda one: random_number(caps.seed, "first factor", f"{block}\0{one}"))[place]


def _from_here(circle: tuple[str, ...], *, began: str, here: str) -> tuple[str, ...]:
    """What is still to come of a circle that was begun somewhere, beginning with where one is."""
    start = circle.index(began)
    order = circle[start:] + circle[:start]
    return order[order.index(here) :]


def done_in(tx: Transaction, arm: str, *, number: int) -> int:
    """How many items of an arm an annotator has judged, left with credit, or let go by."""
    row = tx.row(_DONE, annotator=number, arm=arm)
    return 0 if row is None else int(row[0])


def taken_beside(tx: Transaction, arm: str, *, number: int, assignment: int) -> int:
    """How many other items of an arm an annotator has in hand, or is done with."""
    row = tx.row(_BESIDE, annotator=number, arm=arm, assignment=assignment)
    return 0 if row is None else int(row[0])


def move_to(tx: Transaction, arm: str, *, number: int) -> None:
    """The annotator is in another arm from now on."""
    tx.do(_MOVE, number=number, new_arm=arm)
