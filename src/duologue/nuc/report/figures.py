"""Figures of a questionnaire: recall with intervals, and how hard the items are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from duologue.nuc.analysis.recall import HumanRecall, ModelRecall
from duologue.nuc.analysis.results import NucResults
from duologue.reports import FAINT, GREY, LOSS, WIN, note_right, plain_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS = 10


def draw_recall(results: NucResults) -> Figure | None:
    """R@1 of every cohort and model in every corpus, with clustered intervals and the chance level."""
    people = [one for one in results.recall.people if one.k == 1]
    models = [one for one in results.recall.models if one.k == 1]
    if not people and not models:
        return None
    figure, axes = plain_axes(4.8, 0.32 * (len(people) + len(models)) + 0.6)
    names = []
    rows: list[HumanRecall | ModelRecall] = [*people, *models]
    rows.sort(key=lambda one: one.corpus)
    for number, one in enumerate(rows):
        marker, colour = "s", LOSS
        if isinstance(one, ModelRecall):
            who = one.model
        else:
            marker, colour, who = "o", WIN, one.cohort or "people"
            if one.interval is not None:
                axes.plot(one.interval.limits, (number, number), color=WIN, linewidth=1.4)
        names.append(f"{one.corpus}: {who}")
        axes.plot(one.recall, number, marker, color=colour, markersize=4.5)
        axes.plot((one.chance, one.chance), (number - 0.4, number + 0.4), color=GREY, linewidth=0.8)
        note_right(axes, number, f"{100 * one.recall:.1f} %")
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5), xlabel="R@1 (grey: chance; squares: models)")
    axes.set_yticks(range(len(rows)), names)
    axes.grid(axis="x", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    return figure


def draw_difficulty(results: NucResults) -> Figure | None:
    """How many items were answered right by what share of annotators."""
    shares = [item.right / item.n for item in results.recall.items]
    if not shares:
        return None
    figure, axes = plain_axes(4.2, 2.0)
    axes.hist(shares, bins=BINS, range=(0, 1), color=WIN, alpha=0.8, rwidth=0.92)
    axes.set(xlim=(0, 1), xlabel="share of annotators who found the true reply", ylabel="items")
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    return figure


FIGURES: Mapping[str, Callable[[NucResults], Figure | None]] = {
    "recall": draw_recall,
    "difficulty": draw_difficulty,
}
