"""What only an analysis of comparisons can be asked for."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from duologue.protocols import AnalysisOptions


class AcuteAnalysisOptions(AnalysisOptions):
    """Options of an analysis of comparisons."""

    of_tables: ClassVar[frozenset[str]] = frozenset({"verdicts"})

    verdicts: Literal["direct", "pooled"] = Field(
        default="direct",
        description="Of a file: verdicts of each matchup's own judgments, or of strengths pooled over all "
        "matchups.",
    )
