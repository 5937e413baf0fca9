"""The agreement of every phrasing, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.acute.phrasings.report.view import agreement_rows
from duologue.reports import GREY, WIN, note_right, plain_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duologue.acute.phrasings.results import PhrasingStudyResults


def agreement_figure(found: PhrasingStudyResults) -> Figure | None:
    """Agreement with intervals, axis by axis, the clearest first; what coin-flippers show is a tick."""
    groups = [(axis.title, agreement_rows(axis)) for axis in found.axes]
    height = sum(1 + len(rows) for _, rows in groups)
    if not any(rows for _, rows in groups):
        return None
    figure, axes = plain_axes(5.2, 0.27 * height + 0.9)
    names, place = [], 0
    for title, rows in groups:
        names.append((place, title))
        place += 1
        for row in rows:
            colour = WIN if row.is_best else GREY
            axes.plot([row.low, row.high], [place, place], color=colour, linewidth=3.2, alpha=0.45)
            axes.plot([row.chance, row.chance], [place - 0.25, place + 0.25], color=GREY, linewidth=0.9)
            axes.plot([row.agreement], [place], marker="o", markersize=4, color=colour)
            note_right(axes, place, row.numbers, weight="bold" if row.is_best else "normal")
            names.append((place, row.arm))
            place += 1
    note_right(axes, -1, "agreement [interval], Holm-adjusted p")
    axes.set(
        xlim=(35, 101), ylim=(place - 0.4, -1.4), xlabel="most chosen answer (%)   thin tick: coin flips"
    )
    axes.axvline(50, ymax=1 - 0.8 / (place + 1), color=GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    axes.set_yticks([number for number, _ in names], [name for _, name in names])
    titles = {title for title, _ in groups}
    for tick in axes.get_yticklabels():
        tick.set_fontweight("bold" if tick.get_text() in titles else "normal")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return figure
