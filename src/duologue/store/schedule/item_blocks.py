"""Blocks of items, such as the versions of a questionnaire: an annotator stays in one of them.

A place in a block is a whole sitting. A block has as many as its items have judgments to give; whoever is in
it takes one, until they leave. So everybody who is let in finds all of its items, and nobody is let in for
the rest of somebody else's. As many annotators come into each block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import (
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from duologue.store.database.engine import Reading, RowSource, Transaction
from duologue.store.database.operations import reads
from duologue.store.database.schema import annotators, assignments, blocks, items, quotas, slots
from duologue.store.sittings.orders import random_number
from duologue.studies import StudyRules


def sittings_in(copies: int, *, items: int, most: int) -> int:
    """How many whole sittings a block has places for.

    Args:
        copies: Judgments that are wanted of each of its items.
        items: How many items it has.
        most: How many items somebody judges in a sitting at most.

    Example:
        >>> sittings_in(5, items=20, most=20), sittings_in(5, items=20, most=8)
        (5, 12)
    """
    return copies * items // most if most < items else copies


def places_left(sittings: int, *, there: int) -> int:
    """The places of a block: its sittings minus those of the people in it who have not left.

    Example:
        >>> places_left(5, there=3), places_left(5, there=6)
        (2, 0)
    """
    return max(0, sittings - there)


def too_many(sittings: int, *, there: int, left: int) -> int:
    """How many of those who left a block early, and whose answers still count, must now make room.

    Example:
        >>> too_many(5, there=3, left=2), too_many(5, there=4, left=2), too_many(5, there=5, left=2)
        (0, 1, 2)
    """
    return min(left, max(0, there + left - sittings))


@dataclass(frozen=True, slots=True)
class BlockPlaces:
    """A block in an arm, for the annotators of one cohort or for all that have no places of their own."""

    name: str
    arm: str
    cohort: str
    sittings: int
    there: int = 0
    """People who are in it, or have done all of it."""
    working: int = 0
    """Those among them who have something in hand."""

    @property
    def free(self) -> int:
        """Places for somebody who comes."""
        return places_left(self.sittings, there=self.there)


_counts = annotators.c.judged > annotators.c.excluded
_is_working = and_(
    annotators.c.finished_at.is_(None),
    annotators.c.assignment.is_not(None),
    annotators.c.withdrawn_at.is_(None),
    annotators.c.block != literal_column("'at-once'"),
    annotators.c.block != literal_column("'researcher'"),
)
_is_in_block, _has_not_left = (
    annotators.c.item_block != literal_column("''"),
    annotators.c.ending == literal_column("''"),
)
has_place = and_(_is_in_block, _has_not_left, or_(_counts, _is_working))
"""Whether an annotator takes a place in their block: they are at it, or what they judged there counts."""
left_answers = and_(_is_in_block, ~_has_not_left, _counts)
"""Whether an annotator left before the end, and what they judged counts as long as nobody needs the place."""

_BLOCKS = select(blocks.c.name, blocks.c.annotators, blocks.c.item_count)
_ITEMS_OF_BLOCKS = (
    select(items.c.block, quotas.c.arm, quotas.c.cohort, func.count())
    .select_from(items.join(quotas, quotas.c.group_name == items.c.group_name))
    .where(
        items.c.block != literal_column("''"),
        items.c.role == literal_column("'judged'"),
        exists().where(  # looked up item by item: slots are as many as judgments
            slots.c.item == items.c.n,
            slots.c.quota == quotas.c.n,
            slots.c.copy == literal_column("0"),
            slots.c.is_wanted.is_(True),
        ),
    )
    .group_by(items.c.block, quotas.c.arm, quotas.c.cohort)
)
_PEOPLE = (
    select(
        annotators.c.item_block,
        annotators.c.arm,
        annotators.c.cohort,
        func.count(),
        func.sum(case((_is_working, 1), else_=0)),
    )
    .where(has_place)
    .group_by(annotators.c.item_block, annotators.c.arm, annotators.c.cohort)
)


def places_in_blocks(asked: RowSource, caps: StudyRules) -> tuple[BlockPlaces, ...]:
    """The places of every block in every arm; none where items have no blocks.

    Where an annotator goes through several arms, they take a place in all of them.
    """
    if asked.row(_BLOCKS) is None:
        return ()
    several = caps.arms_per_annotator > 1
    there: Counter[tuple[str, str, str]] = Counter()
    working: Counter[tuple[str, str, str]] = Counter()
    for block, arm, cohort, people, at_work in asked.rows(_PEOPLE):
        key = block, "" if several else arm, caps.places_of(cohort)
        there[key] += int(people)
        working[key] += int(at_work)
    found = []
    for block, arm, cohort, count in asked.rows(_ITEMS_OF_BLOCKS):
        copies = caps.copies_wanted.get(cohort, 0) * _arms_of_a_factor(caps)
        sittings = sittings_in(copies, items=count, most=caps.max_judgments or count)
        key = block, "" if several else arm, cohort
        found.append(BlockPlaces(block, arm, cohort, sittings, there[key], working[key]))
    return tuple(found)


@reads
def blocks_are_filled(reading: Reading, caps: StudyRules) -> bool:
    """Whether items have blocks, and each of their places has been gone through: gaps there stay gaps."""
    places = places_in_blocks(reading, caps)
    return bool(places) and not any(one.free or one.working for one in places)


def _arms_of_a_factor(caps: StudyRules) -> int:
    """How many arms share the annotators of a block: those of the factor with the fewest."""
    return min(Counter(caps.factors.values()).values()) if caps.one_per_factor else 1


_COUNT = (
    update(blocks)
    .where(blocks.c.name == bindparam("by_name"))
    .values(annotators=blocks.c.annotators + bindparam("more"))
)
_STAY = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(item_block=bindparam("new_block"))
)


def join_block(
    tx: Transaction, caps: StudyRules, *, number: int, arm: str, cohort: str, before: str = ""
) -> BlockPlaces | None:
    """Choose the block that an annotator stays in from now on, as it was before; None where there is none.

    Of those with a place for their cohort in the arm, the one with the fewest people; ties are broken at
    random.
    ``before`` is the block that they were in.
    """
    joined: dict[str, int] = {name: count for name, count, _items in tx.rows(_BLOCKS)}
    if not joined:
        return None
    tx.shut_others_out()
    owner = caps.places_of(cohort)
    there = [one for one in places_in_blocks(tx, caps) if (one.arm, one.cohort) == (arm, owner) and one.free]
    if not there:
        return None
    fewest = min(one.there for one in there)
    equals = sorted((one for one in there if one.there == fewest), key=lambda one: one.name)
    block = equals[random_number(caps.seed, "block", str(sum(joined.values()))) % len(equals)]
    tx.do(_COUNT, by_name=block.name, more=1)
    if before:
        tx.do(_COUNT, by_name=before, more=-1)
    tx.do(_STAY, number=number, new_block=block.name)
    return block


_SLOT = (
    select(items.c.block, slots.c.item, slots.c.quota, quotas.c.arm, quotas.c.cohort)
    .select_from(slots.join(items, items.c.n == slots.c.item).join(quotas, quotas.c.n == slots.c.quota))
    .where(slots.c.n == bindparam("slot"))
)
_FREE = select(func.count()).where(
    slots.c.item == bindparam("item"), slots.c.quota == bindparam("quota"), slots.c.state == "free"
)
_TO_COME = select(func.count()).where(
    _is_in_block,
    _has_not_left,
    _is_working,
    annotators.c.item_block == bindparam("by_name"),
    annotators.c.arm == bindparam("arm"),
    or_(
        annotators.c.cohort == bindparam("cohort"),
        and_(bindparam("is_shared"), annotators.c.cohort.not_in(select(quotas.c.cohort))),
    ),
    ~exists().where(assignments.c.annotator == annotators.c.n, assignments.c.item == bindparam("item")),
)


def is_promised(tx: Transaction, slot: int) -> bool:
    """Whether a free slot of a block's item is needed by those who are in the block and come to it yet."""
    row = tx.row(_SLOT, slot=slot)
    if row is None or not row[0]:
        return False
    tx.shut_others_out()
    block, item, quota, arm, cohort = row
    ((free,),) = tx.rows(_FREE, item=item, quota=quota)
    ((people,),) = tx.rows(_TO_COME, by_name=block, item=item, arm=arm, cohort=cohort, is_shared=not cohort)
    return bool(free <= people)


_COUNT_OF_ITEMS = select(blocks.c.item_count).where(blocks.c.name == bindparam("by_name"))


def most_in_sitting(tx: Transaction, caps: StudyRules, block: str) -> int:
    """How many items an annotator of a block may have in an arm, those without a block included."""
    row = tx.row(_COUNT_OF_ITEMS, by_name=block)
    count = 0 if row is None else int(row[0])
    return count if caps.max_judgments is None else min(count, caps.max_judgments)


_ADD = insert(blocks)
_SET_ITEMS = (
    update(blocks).where(blocks.c.name == bindparam("by_name")).values(item_count=bindparam("new_count"))
)
_REMOVE = delete(blocks).where(blocks.c.name == bindparam("by_name"), blocks.c.annotators == 0)


def count_blocks(tx: Transaction, judged: Mapping[str, int]) -> None:
    """Note which blocks there are now.

    Args:
        tx: The transaction.
        judged: How many items to judge each block has; under an empty name, those without one.
    """
    known = {name for name, *_counts in tx.rows(_BLOCKS)}
    everywhere = judged.get("", 0)
    for block in sorted(judged.keys() - {""} - known):
        tx.do(_ADD, name=block)
    for block in sorted((judged.keys() | known) - {""}):
        own = judged.get(block, 0)
        tx.do(_SET_ITEMS, by_name=block, new_count=own + everywhere if own else 0)
        if not own:
            tx.do(_REMOVE, by_name=block)
