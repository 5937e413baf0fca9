"""What the page draws of each section of comparisons, and what it cannot show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from duologue.acute.report.board import BoardRow, DifferingRow, HeatMap, board_rows, differing_rows, heat_map
from duologue.acute.report.view import (
    BOTS_SHOWN,
    MATCHUPS_SHOWN,
    DriftRow,
    ForestRow,
    MatrixCell,
    drift_rows_drawn,
    exclusion_steps,
    forest_rows,
    matrix_cells,
    progress_curve,
    shown_matchups,
)
from duologue.protocols import say_why
from duologue.reports import why_no_curve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duologue.acute import AcuteResults, MatchupResult, Section
    from duologue.acute.report.examples import Example
    from duologue.reports import Curve, ExclusionStep


@dataclass(frozen=True, slots=True)
class MatchupSectionView:
    """A section with all that the page draws of it."""

    section: Section
    cells: tuple[tuple[MatrixCell, ...], ...]
    forest: tuple[ForestRow, ...]
    steps: tuple[ExclusionStep, ...]
    curve: Curve | None
    spelled: tuple[MatchupResult, ...]
    """The matchups whose verdicts are sentences: all of them, or the surest."""
    board: tuple[BoardRow, ...]
    differing: tuple[DifferingRow, ...]
    heat: HeatMap | None
    drift: tuple[DriftRow, ...]


def view_section(section: Section) -> MatchupSectionView:
    """A section with all that the page draws of it."""
    width = len(section.bots)
    cells = tuple(matrix_cells(section)) if width <= BOTS_SHOWN else ()
    return MatchupSectionView(
        section=section,
        cells=tuple(cells[start : start + width] for start in range(0, len(cells), width)) if width else (),
        forest=tuple(forest_rows(section)[:MATCHUPS_SHOWN]),
        steps=exclusion_steps(section),
        curve=progress_curve(section),
        spelled=shown_matchups(section),
        board=tuple(board_rows(section)),
        differing=tuple(differing_rows(section)),
        heat=heat_map(section) if width > BOTS_SHOWN else None,
        drift=tuple(drift_rows_drawn(section)),
    )


def not_shown(results: AcuteResults, examples: Sequence[Example]) -> tuple[str, ...]:
    """What the report does not show, and why."""
    missing: list[str] = []
    if not examples:
        why = "the judgments came without dialogues, or without reasons"
        why = why if any(section.n for section in results.sections) else NOTHING_COUNTS
        missing.append(f"Example dialogues: {why}.")
    for section in results.sections:
        of = f" ({section.title})" if section.title else ""
        if section.n:
            missing += _not_found(section, of)
        else:
            missing.append(f"Matchups, order, position effect and agreement{of}: {NOTHING_COUNTS}.")
        if section.time is None:
            missing.append(f"Time{of}: it is not known how long judgments took.")
        if progress_curve(section) is None:
            missing.append(f"Progress{of}: {why_no_curve(section.n, is_known=bool(section.progress))}.")
    return tuple(missing)


NOTHING_COUNTS = "no judgment counts"


def _not_found(section: Section, of: str) -> Iterator[str]:
    """What is missing beside the win rates."""
    shown = section.rankings is not None and section.rankings.positions
    if section.position is None and not shown:
        why = (
            "side and bot cannot be separated"
            if section.sides
            else "it is not known where the winner was shown"
        )
        yield f"Position effect{of}: {why}."
    if section.agreement is None:
        yield f"Agreement{of}: no pairing was judged by several annotators, or pairings are not known."
    if section.pooled is None and len(section.bots) > 2:
        yield say_why(f"Leaderboard{of}", section.why_not_pooled)
    if not section.same_bot:
        yield f"A/A result{of}: no bot was compared with itself."
