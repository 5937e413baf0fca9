"""What only plans of next utterance classification can be asked for."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from duologue.protocols import PlanOptions


class NucPlanOptions(PlanOptions):
    """Options of a plan of next utterance classification: one group or two."""

    of_studies: ClassVar[frozenset[str]] = frozenset({"same_items"})

    null: float | None = Field(
        default=None, description="the standard that the recall of one group is compared with."
    )
    base: float | None = Field(default=None, description="recall of one of two groups.")
    items: int | None = Field(
        default=None, ge=2, description="items that a group answers: they are a sample too."
    )
    item_icc: float | None = Field(
        default=None, ge=0, lt=1, description="how alike two answers to one item are, 0 to 1 (0.1)."
    )
    same_items: bool = False
    """Both groups answer the same items."""
