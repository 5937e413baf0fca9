"""What only plans of next utterance classification can be asked for."""

from __future__ import annotations

from pydantic import Field

from duologue.protocols import PlanOptions


class NucPlanOptions(PlanOptions):
    """Options of a plan of next utterance classification: one group or two."""

    null: float | None = Field(
        default=None, description="the standard that the recall of one group is compared with."
    )
    base: float | None = Field(default=None, description="recall of one of two groups.")
