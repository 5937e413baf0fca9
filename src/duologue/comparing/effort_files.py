"""Curves of effort as JSON, CSV and a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duologue.comparing.effort import WANTED_CHANCE, EffortCurve, say_effort
from duologue.files import make_folder, replacing
from duologue.judgments import Row, write_table
from duologue.reports import GREY, LOSS, WIN, plain_axes, write_figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EFFORT_FORMAT = "duologue.effort/1"
_COLOURS = (WIN, LOSS, "#6a4c93", "#1d2430")


def write_effort(curves: Sequence[EffortCurve], folder: Path) -> tuple[Path, ...]:
    """Write curves into a folder, which is made when it is not there; the figure comes first.

    Raises:
        ExportError: They cannot be written there.
    """
    make_folder(folder)
    figures = tuple(write_figures(curves, {"effort": draw_effort}, folder))
    with replacing(folder / "effort.json") as file:
        file.write(effort_json(curves).encode())
    write_table(effort_rows(curves), folder / "effort.csv")
    return (*figures, folder / "effort.json", folder / "effort.csv")


def effort_json(curves: Sequence[EffortCurve]) -> str:
    """All of it for a machine."""
    import json
    from dataclasses import asdict

    facts = {
        "format": EFFORT_FORMAT,
        "curves": [asdict(one) for one in curves],
        "sentences": list(say_effort(curves)),
    }
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def effort_rows(curves: Sequence[EffortCurve]) -> Iterator[Row]:
    """One row a point."""
    for one in curves:
        for point in one.points:
            yield {
                "source": one.name,
                "first": one.first,
                "second": one.second,
                "annotators": point.annotators,
                "answers": point.answers,
                "hours": point.hours,
                "chance": point.chance,
                "low": point.low,
                "high": point.high,
            }


def draw_effort(curves: Sequence[EffortCurve]) -> Figure:
    """The chance of a verdict against person-hours, with bands: the form of the paper's Figure 5."""
    figure, axes = plain_axes(4.6, 3.2)
    axes.axhline(WANTED_CHANCE, color=GREY, linewidth=0.6, linestyle=(0, (3, 2)))
    for number, one in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        hours = [point.hours for point in one.points]
        axes.fill_between(
            hours,
            [point.low for point in one.points],
            [point.high for point in one.points],
            color=colour,
            alpha=0.14,
            linewidth=0,
        )
        axes.plot(hours, [point.chance for point in one.points], color=colour, linewidth=1.4, label=one.name)
    axes.set_ylim(0, 1.02)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("person-hours (log scale)")
    axes.set_ylabel(f"chance of a verdict ({curves[0].first} v {curves[0].second})")
    axes.legend(frameon=False, fontsize=7, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_COLOURS))
    return figure
