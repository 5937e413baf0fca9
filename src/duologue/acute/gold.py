"""The known answer of a pairing that is not judged: the slot that should win."""

from __future__ import annotations

from duologue.protocols import Item


def gold_slot(item: Item) -> int | None:
    """The slot of a pairing that should win; None where it is not known, or is no slot of it.

    Example:
        >>> item = Item("p1", "ada__vs__bea", ("ada", "bea"), ("d1", "d2"), ("A", "B"), "onboarding", gold=1)
        >>> gold_slot(item)
        1
    """
    gold = item.gold
    if not isinstance(gold, int) or isinstance(gold, bool):
        return None
    return gold if 0 <= gold < len(item.bots) else None
