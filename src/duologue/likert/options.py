"""What only an analysis, and only plans, of ratings can be asked for."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from duologue.protocols import AnalysisOptions, PlanOptions


class LikertAnalysisOptions(AnalysisOptions):
    """Options of an analysis of ratings."""

    of_tables: ClassVar[frozenset[str]] = frozenset({"standardise", "composite", "controls"})

    standardise: bool = Field(
        default=False, description="Of a file of ratings: score them within each annotator (z)."
    )
    composite: bool = Field(
        default=False, description="Of a file of ratings: add the mean of all questions as one."
    )
    controls: Path | None = Field(
        default=None,
        description="Of a file of ratings: a table whose control items say which annotators are excluded.",
    )
    first_party: Path | None = Field(
        default=None,
        description="Of ratings: the study, or table, in which those who had the same dialogues rated them.",
    )
    metrics: Path | None = Field(
        default=None, description="Of ratings: a table of automatic metrics, with the column bot."
    )


class LikertPlanOptions(PlanOptions):
    """Options of a plan of ratings."""

    of_studies: ClassVar[frozenset[str]] = frozenset({"widest_scale"})

    sd: float | None = Field(default=None, description="standard deviation of one rating of one bot.")
    widest_scale: float | None = None
    """Points from the lowest to the highest rating of a study's widest scale."""
