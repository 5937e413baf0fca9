"""Items that are new to an annotator."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, bindparam, exists, or_

from duologue.store.database.schema import assignments, item_dialogues, seen_dialogues


def is_new_to_annotator(item: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether an annotator was handed neither the item nor any of its dialogues."""
    was_handed = exists().where(assignments.c.annotator == bindparam("annotator"), assignments.c.item == item)
    has_seen = exists().where(
        item_dialogues.c.item == item,
        seen_dialogues.c.dialogue == item_dialogues.c.dialogue,
        seen_dialogues.c.annotator == bindparam("annotator"),
    )
    return and_(~was_handed, ~has_seen)


_earlier, _earlier_dialogues = assignments.alias("earlier"), item_dialogues.alias("earlier_dialogues")


def is_new_in_arm(item: ColumnElement[int]) -> ColumnElement[bool]:
    """The same where another arm may ask about what an annotator has seen in one, but not the same arm."""
    was_handed = exists().where(_earlier.c.annotator == bindparam("annotator"), _earlier.c.item == item)
    has_seen = exists().where(
        _earlier.c.annotator == bindparam("annotator"),
        or_(_earlier.c.arm == bindparam("arm"), _earlier.c.slot.is_(None)),
        _earlier_dialogues.c.item == _earlier.c.item,
        item_dialogues.c.item == item,
        item_dialogues.c.dialogue == _earlier_dialogues.c.dialogue,
    )
    return and_(~was_handed, ~has_seen)
