"""What only an analysis, and only plans, of turns can be asked for."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from duologue.errors import DesignError
from duologue.per_turn.rules import TABLE_RULES
from duologue.protocols import AnalysisOptions, PlanOptions


class PerTurnAnalysisOptions(AnalysisOptions):
    """Options of an analysis of turns."""

    of_tables: ClassVar[frozenset[str]] = frozenset({"rules", "null", "shown_order"})

    rules: tuple[str, ...] = Field(
        default=TABLE_RULES,
        description="Of turns: a rule of screening that is applied, or a set of them: study, paper, all or "
        "none. Can be repeated. Unless you say so, that of a study without first-turn.",
    )
    shown_order: Literal["not-recorded"] | None = Field(
        default=None,
        description="Of a file: not-recorded says that its order is not that of the screen.",
    )
    null: float | None = Field(
        default=None,
        ge=0.01,
        le=0.99,
        description="Of turns of one bot: the standard to compare with; 0.8 by default.",
    )


def _row_of_counts(given: object) -> object:
    """A pilot may be text, ``"56,38,54,52"``."""
    if not isinstance(given, str):
        return given
    try:
        return tuple(int(part) for part in given.split(","))
    except ValueError:
        raise DesignError(f"a pilot is a row of counts such as 56,38,54,52; got {given!r}.") from None


Counts = Annotated[tuple[int, ...], BeforeValidator(_row_of_counts)]


class PerTurnPlanOptions(PlanOptions):
    """Options of a plan of turns: how many bots are judged at a time, and what is selected."""

    of_studies: ClassVar[frozenset[str]] = frozenset({"bots_in_all", "first_counts", "study_gap"})

    mechanism: Literal["pairwise", "multi", "single"] | None = Field(
        default=None, description="judge two bots at a time (pairwise), all (multi) or one (single)."
    )
    setting: Literal["soba", "sata"] | None = Field(
        default=None, description="soba (select one best) or sata (all that apply)."
    )
    null: float | None = Field(default=None, description="the standard that a single bot is compared with.")
    discordance: float | None = Field(
        default=None, description="share of turns on which exactly one of two bots is selected (sata)."
    )
    pilot: Counts | None = Field(
        default=None,
        description="how often a pilot chose each bot (soba: 56,38,54,52), or on how many turns it selected "
        "0, 1, 2 … bots (sata: 5,85,10).",
    )
    pilot_w: float | None = Field(
        default=None, description="effect w (Cohen) of a pilot, for --paper with multi soba."
    )
    turns_per_dialogue: int | None = Field(default=None, ge=1, description="turns that count in a dialogue.")
    first_counts: bool = False
    """Whether the first turn of a dialogue counts; unless a study says so it is asked, and screened."""
    study_gap: float | None = None
    """The gap that a study's file states; a pilot on the command line goes before it."""
    bots_in_all: int | None = None
    """Bots of all arms of a study: how many designs are compared for, where no arm has them all."""
