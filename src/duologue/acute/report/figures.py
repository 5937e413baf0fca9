"""Figures of pairwise judgments: win matrix, forest plot, position, exclusions, progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duologue.acute.report.board import ranked_bots
from duologue.acute.report.view import (
    MATCHUPS_SHOWN,
    ForestRow,
    drift_rows_drawn,
    exclusion_steps,
    forest_rows,
    matrix_cells,
)
from duologue.reports import GREY, INK, LOSS, WIN, draw_progress, draw_steps, note_right, plain_axes

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from duologue.acute import Section

CELLS_WITH_TEXT = 25
"""With more bots the cells of the win matrix are too small for numbers."""

_BAR: dict[str, Any] = {"linewidth": 3.2, "alpha": 0.45, "solid_capstyle": "butt"}


def win_matrix_figure(section: Section) -> Figure | None:
    """Losers down, winners across: per cent won, and the adjusted p where the winner is better.

    A heat map without numbers for more bots than can be read, the strongest first.
    """
    if not section.matchups:
        return None
    from matplotlib.patches import Rectangle

    bots = section.bots[::-1] if len(section.bots) <= CELLS_WITH_TEXT else ranked_bots(section)
    size = len(bots)
    side = min(0.62, 12 / size)
    place = {bot: number for number, bot in enumerate(bots)}
    figure, axes = plain_axes(size * side + 1, size * side + 0.6)
    for cell in matrix_cells(section):
        x, y = place[cell.winner], place[cell.loser]
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=cell.colour, edgecolor="white", linewidth=1.2))
        if cell.text and size <= CELLS_WITH_TEXT:
            up = 0.1 if cell.note else 0.0
            weight = "bold" if cell.note else "normal"
            axes.text(x + 0.5, y + 0.5 - up, cell.text, ha="center", va="center", weight=weight, fontsize=8.5)
            axes.text(x + 0.5, y + 0.76, cell.note, ha="center", va="center", fontsize=5.2)
    axes.set(xlim=(0, size), ylim=(size, 0), aspect="equal", xlabel="winner", ylabel="loser")
    axes.set_xticks([n + 0.5 for n in range(size)], bots, rotation=45 if max(map(len, bots)) > 5 else 0)
    axes.set_yticks([n + 0.5 for n in range(size)], bots)
    if max(map(len, bots)) > 5:
        for tick in axes.get_xticklabels():
            tick.set_horizontalalignment("left")
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.xaxis.labelpad = 8
    axes.yaxis.labelpad = 8
    axes.tick_params(length=0, labelsize=8 if size <= CELLS_WITH_TEXT else max(3.0, 60 * side))
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def forest_figure(section: Section) -> Figure | None:
    """Win rates with Holm-compatible (thick) and unadjusted (thin) intervals, surest first.

    Where verdicts rest on the sequential test, its interval is drawn too (dotted), and the others are said
    to be those for a fixed number of judgments.
    """
    rows = forest_rows(section)[:MATCHUPS_SHOWN]
    if not rows:
        return None
    figure, axes = plain_axes(6.3, 0.26 * len(rows) + 0.9)
    for number, row in enumerate(rows):
        _draw_row(axes, number, row)
    is_sequential = any(row.anytime_low is not None for row in rows)
    is_pooled = section.pooled is not None and section.pooled.decides
    top = (
        (len(rows) + 0.2) / (len(rows) + 1) if is_sequential else 1
    )  # below a legend that reaches the middle
    axes.axvline(50, ymax=top, color=GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    is_mean = section.graded is not None and not is_pooled
    what = "mean preference for" if is_mean else "judgments won by"
    axes.set(xlim=(0, 100), ylim=(len(rows) - 0.4, -1.4), xlabel=f"{what} the bot named first (%)")
    axes.set_yticks(range(len(rows)), [f"{row.first} v {row.second}" for row in rows])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    adjusted = "% [interval], adjusted p" if is_pooled else "% [Holm-compatible interval], Holm-adjusted p"
    note_right(axes, -1, adjusted + ", at a fixed number" * is_sequential)
    axes.annotate(
        _SEQUENTIAL_LEGEND
        if is_sequential
        else f"thick: {'simultaneous' if is_pooled else 'Holm-compatible'}   thin: unadjusted",
        (0, -1),
        xycoords=("axes fraction", "data"),
        va="center",
        fontsize=7,
    )
    return figure


_SEQUENTIAL_LEGEND = (
    "dotted: valid at any look   at a fixed number, thick: Holm-compatible   thin: unadjusted"
)


def _draw_row(axes: Axes, number: int, row: ForestRow) -> None:
    colour = WIN if row.is_better else GREY
    if row.low is not None and row.high is not None:
        axes.plot([row.low, row.high], [number, number], color=colour, **_BAR)
    if row.unadjusted_low is not None and row.unadjusted_high is not None:
        span = [row.unadjusted_low, row.unadjusted_high]
        axes.plot(span, [number + 0.24] * 2, color=colour, linewidth=0.9)
    if row.anytime_low is not None and row.anytime_high is not None:
        span = [row.anytime_low, row.anytime_high]
        axes.plot(span, [number - 0.24] * 2, color=colour, linewidth=1.2, linestyle=(0, (1, 1.2)))
    axes.plot([row.rate], [number], marker="o", markersize=4, color=colour)
    note_right(axes, number, row.numbers, weight="bold" if row.is_better else "normal")


def position_figure(section: Section) -> Figure | None:
    """How often side 1 won, with its interval."""
    if (position := section.position) is None:
        return None
    figure, axes = plain_axes(4.2, 0.9)
    low, high, rate = (
        100 * share for share in (position.interval.low, position.interval.high, position.share)
    )
    axes.plot([low, high], [0, 0], color=WIN, **_BAR)
    if (clustered := position.clustered_interval) is not None:
        axes.plot([100 * clustered.low, 100 * clustered.high], [0.3, 0.3], color=WIN, linewidth=0.9)
    axes.plot([rate], [0], marker="o", markersize=4, color=WIN)
    axes.axvline(50, color=GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    reach = max(10.0, abs(low - 50), abs(high - 50)) * 1.2
    axes.set(xlim=(50 - reach, 50 + reach), ylim=(0.8, -0.8), yticks=[], xlabel="judgments won by side 1 (%)")
    axes.spines["left"].set_visible(False)
    return figure


def exclusions_figure(section: Section) -> Figure | None:
    """From all judgments collected down to those that count."""
    return draw_steps(exclusion_steps(section))


def progress_figure(section: Section) -> Figure | None:
    """Judgments that count, over time."""
    return draw_progress([(moment.at, moment.judgments) for moment in section.progress])


def leaderboard_figure(section: Section) -> Figure | None:
    """Strengths with their intervals and rank sets, the strongest on top."""
    placed = section.pooled.leaderboard if section.pooled else ()
    if not placed:
        return None
    figure, axes = plain_axes(5.2, 0.2 * len(placed) + 0.9)
    for number, one in enumerate(placed):
        axes.plot([one.low, one.high], [number, number], color=WIN, **_BAR)
        axes.plot([one.strength], [number], marker="o", markersize=4, color=WIN)
        note_right(axes, number, one.ranks)
    note_right(axes, -1, "ranks")
    axes.axvline(0, color=GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    axes.set(ylim=(len(placed) - 0.4, -1.4), xlabel="strength (log-odds against an average bot)")
    axes.set_yticks(range(len(placed)), [one.bot for one in placed])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return figure


def drift_figure(section: Section) -> Figure | None:
    """Win rates of the first bot before and when asked again, a row for each matchup."""
    rows = drift_rows_drawn(section)
    if not rows:
        return None
    figure, axes = plain_axes(5.2, 0.3 * len(rows) + 1.1)
    for number, row in enumerate(rows):
        colour = LOSS if row.has_drifted else GREY
        axes.plot([row.then, row.again], [number, number], color=colour, **_BAR)
        axes.plot([row.then], [number], marker="o", markersize=4, color=INK)
        axes.plot([row.again], [number], marker="D", markersize=4, color=colour)
        note_right(axes, number, row.numbers, weight="bold" if row.has_drifted else "normal")
    note_right(axes, -1, "points, interval, adjusted p")
    axes.axvline(50, color=GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    axes.set(xlim=(0, 100), ylim=(len(rows) - 0.4, -1.4), xlabel="judgments won by the bot named first (%)")
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    legend = "dot: before   diamond: asked again"
    axes.annotate(legend, (0, -1), xycoords=("axes fraction", "data"), va="center", fontsize=7)
    return figure


FIGURES: dict[str, Callable[[Section], Figure | None]] = {
    "win-matrix": win_matrix_figure,
    "forest": forest_figure,
    "leaderboard": leaderboard_figure,
    "position": position_figure,
    "exclusions": exclusions_figure,
    "progress": progress_figure,
    "drift": drift_figure,
}
"""Every figure by the name of its file."""
