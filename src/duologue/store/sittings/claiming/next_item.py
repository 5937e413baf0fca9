"""What is about to be handed out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duologue.judgments import Role
from duologue.store.database.engine import Row
from duologue.store.sittings.orders import Order


@dataclass(frozen=True, slots=True)
class NextItem:
    """What is about to be handed out; only what is judged fills a slot, and only the first time."""

    item: int
    order: Order
    arm: str
    role: Role = "judged"
    slot: int | None = None
    quota: int | None = None
    occasion: int = 1
    rows: Sequence[Row] = ()
    """Of `ITEM_TO_HAND_OUT`, where they came with the slot."""
