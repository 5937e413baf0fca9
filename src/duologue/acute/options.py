"""What only an analysis, and only plans, of comparisons can be asked for."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from duologue.protocols import AnalysisOptions, PlanOptions


class AcuteAnalysisOptions(AnalysisOptions):
    """Options of an analysis of comparisons."""

    of_tables: ClassVar[frozenset[str]] = frozenset({"verdicts", "covariates"})

    verdicts: Literal["direct", "pooled"] | None = Field(
        default=None,
        description="Of a file: verdicts of each matchup's own judgments, or of strengths pooled over all "
        "matchups. Without it pooled ones decide where most matchups have too few judgments for any verdict.",
    )
    covariates: Path | None = Field(
        default=None,
        description="Of a file: a table with the columns dialogue, bot and numbers known of every dialogue, "
        "judged or not: pooled strengths are freed of what they explain.",
    )
    shown_order: Literal["not-recorded"] | None = Field(
        default=None,
        description="Of a file: not-recorded says that its order is not that of the screen.",
    )


class AcutePlanOptions(PlanOptions):
    """Options of a plan of comparisons."""

    of_studies: ClassVar[frozenset[str]] = frozenset({"measured", "is_graded"})

    verdicts: Literal["direct", "pooled"] | None = Field(
        default=None, description="which verdicts decide, direct or pooled over all matchups."
    )
    answer: Literal["choice", "graded", "ranking"] | None = Field(
        default=None, description="choice (of two), graded (four points) or ranking (of three)."
    )
    collect: Literal["dialogues", "parallel", "phrasings"] | None = Field(
        default=None,
        description="dialogues (finished), parallel (two live chats at once) or phrasings (of questions).",
    )
    base: float | None = Field(
        default=None, description="where phrasings are compared, agreement by the clearer one."
    )
    turns_per_dialogue: int | None = Field(
        default=None,
        ge=1,
        description="turns of a chat that parallel chats are compared with (--collect parallel --compare).",
    )
    ask_together: int | None = Field(
        default=None, ge=1, le=20, description="questions that are asked about the same dialogues."
    )
    question_seconds: float | None = Field(
        default=None, ge=0, description="seconds of each further question; 10 by default."
    )
    question_correlation: float | None = Field(
        default=None,
        description="how far differences of bots by two questions correlate; 0.4 by default.",
    )
    primary: bool | None = Field(
        default=None, description="one of the questions is primary, and has all of alpha."
    )
    measured: tuple[tuple[str, float], ...] = ()
    """Median seconds of an answer that the study has measured, by what was answered."""
    is_graded: bool = False
    """Answers of the study are graded: unless an answer is stated, it is sized as a choice."""
