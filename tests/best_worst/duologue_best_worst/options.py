"""What only an analysis, and only plans, of best–worst judgments can be asked for."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from duologue.protocols import AnalysisOptions, PlanOptions


class BestWorstOptions(AnalysisOptions):
    """Options of an analysis of best–worst judgments."""

    of_tables: ClassVar[frozenset[str]] = frozenset({"least"})

    least: int = Field(default=1, ge=1, description="Of best-worst: leave out who judged less often.")


class BestWorstPlanOptions(PlanOptions):
    """Options of a plan of best–worst judgments."""

    ties: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="share of annotators who place neither of two bots above the other.",
    )
