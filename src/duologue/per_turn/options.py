"""What only an analysis of turns can be asked for."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from duologue.protocols import AnalysisOptions


class PerTurnAnalysisOptions(AnalysisOptions):
    """Options of an analysis of turns."""

    of_tables: ClassVar[frozenset[str]] = frozenset({"keep", "null"})

    keep: tuple[str, ...] = Field(
        default=(), description="Of turns: a rule of screening that is not applied, or all. Can be repeated."
    )
    null: float | None = Field(
        default=None,
        ge=0.01,
        le=0.99,
        description="Of turns of one bot: the standard to compare with; 0.8 by default.",
    )
