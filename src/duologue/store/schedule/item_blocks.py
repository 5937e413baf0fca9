"""Blocks of items, such as the versions of a questionnaire: an annotator stays in one of them.

As many annotators come into each block, as far as it has places to fill.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import bindparam, delete, insert, select, update

from duologue.store.database.engine import Transaction
from duologue.store.database.schema import annotators, blocks, items, quotas, slots
from duologue.store.sittings.orders import random_number
from duologue.studies import Caps

_BLOCKS = select(blocks.c.name, blocks.c.annotators)
_WITH_WORK = (
    select(items.c.block)
    .select_from(slots.join(quotas, quotas.c.n == slots.c.quota).join(items, items.c.n == slots.c.item))
    .where(quotas.c.arm == bindparam("arm"), quotas.c.cohort == bindparam("cohort"), slots.c.state == "free")
    .distinct()
)
_COUNT = (
    update(blocks).where(blocks.c.name == bindparam("by_name")).values(annotators=blocks.c.annotators + 1)
)
_STAY = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(item_block=bindparam("new_block"))
)
_ITEMS = select(blocks.c.item_count).where(blocks.c.name == bindparam("by_name"))


def join_block(tx: Transaction, caps: Caps, *, number: int, arm: str, cohort: str) -> str:
    """Choose the block that an annotator stays in from now on; empty where the items have none.

    The one with the fewest annotators of those with places of their cohort to fill in the arm; of equals,
    one by lot.
    """
    counts: dict[str, int] = dict(tx.rows(_BLOCKS))
    if not counts:
        return ""
    tx.take_turns("joining a block")
    counts = dict(tx.rows(_BLOCKS))
    open_ones = {block for (block,) in tx.rows(_WITH_WORK, arm=arm, cohort=caps.places_of(cohort))}
    candidates = sorted(block for block in counts if block in open_ones) or sorted(counts)
    fewest = min(counts[block] for block in candidates)
    equals = [block for block in candidates if counts[block] == fewest]
    lot = random_number(caps.seed, "block", str(sum(counts.values())))
    block = equals[lot % len(equals)]
    tx.do(_COUNT, by_name=block)
    tx.do(_STAY, number=number, new_block=block)
    return block


def items_in(tx: Transaction, block: str) -> int:
    """How many items an annotator of a block may have, those without a block included."""
    row = tx.row(_ITEMS, by_name=block)
    return 0 if row is None else int(row[0])


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
    counts: dict[str, int] = dict(tx.rows(_BLOCKS))
    everywhere = judged.get("", 0)
    for block in sorted(judged.keys() - {""} - counts.keys()):
        tx.do(_ADD, name=block)
    for block in sorted((judged.keys() | counts.keys()) - {""}):
        own = judged.get(block, 0)
        tx.do(_SET_ITEMS, by_name=block, new_count=own + everywhere if own else 0)
        if not own:
            tx.do(_REMOVE, by_name=block)
