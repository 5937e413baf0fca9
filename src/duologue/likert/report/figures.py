"""Figures of ratings: means, before and after calibration, points chosen, leniency, personas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.likert.report.view import exclusion_steps, numbers, persona_rows
from duologue.reports import FAINT, GREY, WIN, draw_progress, draw_steps, note_right, plain_axes

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from duologue.likert import BotRating, QuestionResult, RatingSection
    from duologue.stats import Interval

ROW = 0.3
"""Inches that one bot takes."""


def means_figure(question: QuestionResult) -> Figure | None:
    """Mean ratings with clustered (thick) and naive (thin) intervals, best first."""
    if not question.bots:
        return None
    figure, axes = plain_axes(5.2, ROW * len(question.bots) + 0.9)
    for number, bot in enumerate(question.bots):
        _draw_mean(axes, number, bot.mean, bot.interval)
        if bot.naive_interval is not None:
            span = [bot.naive_interval.low, bot.naive_interval.high]
            axes.plot(span, [number + 0.26] * 2, color=WIN, linewidth=0.9)
        note_right(axes, number, f"{numbers(bot.mean, bot.interval)}, n = {bot.n:,}")
    _set_scale(axes, question)
    note_right(axes, -1, "mean [clustered interval]")
    _legend(axes, "thick: clustered   thin: as if independent")
    return figure


def calibration_figure(question: QuestionResult) -> Figure | None:
    """Mean ratings before (left) and after (right) calibration, as Figure 4 of Dinan et al. 2019."""
    if question.calibration is None:
        return None
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.8, ROW * len(question.bots) + 1.0))
    before, after = figure.subplots(1, 2, sharey=True)
    for axes, title in ((before, "before calibration"), (after, "after calibration")):
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.set_title(title, fontsize=8.5)
    for number, bot in enumerate(question.bots):
        _draw_mean(before, number, bot.mean, bot.interval)
        before.annotate(f"{bot.mean:.2f}", (bot.mean, number - 0.34), ha="center", fontsize=6.5)
        if bot.calibrated is not None:
            _draw_mean(after, number, bot.calibrated, bot.calibrated_interval)
            after.annotate(
                f"{bot.calibrated:.2f}", (bot.calibrated, number - 0.34), ha="center", fontsize=6.5
            )
    for axes in (before, after):
        _set_scale(axes, question, top=-0.8)
    figure.subplots_adjust(wspace=0.12)
    return figure


def _draw_mean(axes: Axes, number: int, mean: float, interval: Interval | None) -> None:
    if interval is not None:
        axes.plot(
            [interval.low, interval.high],
            [number, number],
            color=WIN,
            linewidth=3.2,
            alpha=0.45,
            solid_capstyle="butt",
        )
    axes.plot([mean], [number], marker="o", markersize=4, color=WIN)


def _set_scale(axes: Axes, question: QuestionResult, *, top: float = -1.4) -> None:
    axes.set(
        xlim=(question.low, question.high),
        ylim=(len(question.bots) - 0.4, top),
        xlabel=f"{question.name} ({question.low} to {question.high})",
    )
    axes.set_yticks(range(len(question.bots)), [bot.bot for bot in question.bots])
    if question.high - question.low <= 10:
        axes.set_xticks(range(question.low, question.high + 1))
    axes.grid(axis="x", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _legend(axes: Axes, text: str) -> None:
    ground = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    place = ("axes fraction", "data")
    axes.annotate(text, (0, -1), xycoords=place, va="center", fontsize=7, bbox=ground)


def points_figure(question: QuestionResult) -> Figure | None:
    """How often each point of the scale was chosen, for each bot."""
    if not question.bots or len(question.bots[0].counts) > 11:
        return None
    figure, axes = plain_axes(5.2, ROW * len(question.bots) + 0.9)
    most = len(question.bots[0].counts)
    for number, bot in enumerate(question.bots):
        _draw_points(axes, number, bot, most)
    axes.set(xlim=(0, 100), ylim=(len(question.bots) - 0.5, -1.1), xlabel="ratings (%)")
    axes.set_yticks(range(len(question.bots)), [bot.bot for bot in question.bots])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    _points_legend(axes, question, most)
    return figure


def _draw_points(axes: Axes, number: int, bot: BotRating, most: int) -> None:
    left, total = 0.0, max(1, sum(bot.counts))
    for point, count in enumerate(bot.counts):
        share = 100 * count / total
        axes.barh(
            number,
            share,
            left=left,
            height=0.66,
            color=point_colour(point, most),
            edgecolor="white",
            linewidth=0.6,
        )
        if share >= 6:
            ink = "white" if point > most / 2 else "#1d2430"
            axes.text(left + share / 2, number, f"{count}", ha="center", va="center", fontsize=6.5, color=ink)
        left += share


def _points_legend(axes: Axes, question: QuestionResult, most: int) -> None:
    for point in range(most):
        label = question.labels[point] if point < len(question.labels) else ""
        x = 100 * point / most
        axes.barh(-0.85, 2.2, left=x, height=0.28, color=point_colour(point, most))
        axes.text(x + 3, -0.85, f"{question.low + point} {label}".strip(), va="center", fontsize=6.5)


def point_colour(point: int, most: int) -> str:
    """The colour of a point on a scale of so many: the higher, the darker.

    Example:
        >>> point_colour(0, 4), point_colour(3, 4)
        ('#dbe9ea', '#0f6f78')
    """
    pale, dark = (219, 233, 234), (15, 111, 120)
    share = point / max(1, most - 1)
    mixed = (round(a + share * (b - a)) for a, b in zip(pale, dark, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def leniency_figure(question: QuestionResult) -> Figure | None:
    """How far above the average each annotator rates, from the harshest to the most lenient."""
    found = question.calibration
    if found is None or len(found.leniency) < 2 or not any(one.bias for one in found.leniency):
        return None
    figure, axes = plain_axes(5.2, 2.2)
    sorted_up = found.leniency[::-1]
    places = list(range(1, len(sorted_up) + 1))
    axes.errorbar(
        places,
        [one.bias for one in sorted_up],
        yerr=[one.deviation for one in sorted_up],
        fmt="o",
        markersize=2.4,
        color=WIN,
        ecolor=FAINT,
        elinewidth=0.8,
    )
    axes.axhline(0, color=GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    axes.set(
        xlabel="annotators, from the harshest to the most lenient",
        ylabel="leniency (points)",
        xticks=[],
        xlim=(0, len(places) + 1),
    )
    return figure


def personas_figure(section: RatingSection) -> Figure | None:
    """How often each bot's persona was told from another one; one half is chance."""
    rows = persona_rows(section.personas)
    if not rows:
        return None
    figure, axes = plain_axes(5.2, ROW * len(rows) + 0.9)
    for number, row in enumerate(rows):
        axes.plot(
            [row.low, row.high],
            [number, number],
            color=WIN,
            linewidth=3.2,
            alpha=0.45,
            solid_capstyle="butt",
        )
        if row.clustered_low is not None and row.clustered_high is not None:
            axes.plot([row.clustered_low, row.clustered_high], [number + 0.26] * 2, color=WIN, linewidth=0.9)
        axes.plot([row.rate], [number], marker="o", markersize=4, color=WIN)
        note_right(axes, number, row.numbers)
    ends = [-0.6, len(rows) - 0.4]
    axes.plot([50, 50], ends, color=GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    axes.set(xlim=(0, 100), ylim=(len(rows) - 0.4, -1.4), xlabel="persona identified (%)")
    axes.set_yticks(range(len(rows)), [row.bot for row in rows])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    note_right(axes, -1, "% [Wilson interval]")
    _legend(axes, "thick: Wilson   thin: clustered   dashed: chance")
    return figure


def exclusions_figure(section: RatingSection) -> Figure | None:
    """From all judgments collected down to those that count."""
    return draw_steps(exclusion_steps(section))


def progress_figure(section: RatingSection) -> Figure | None:
    """Judgments that count, over time."""
    return draw_progress([(moment.at, moment.judgments) for moment in section.progress])


QUESTION_FIGURES: dict[str, Callable[[QuestionResult], Figure | None]] = {
    "means": means_figure,
    "calibration": calibration_figure,
    "points": points_figure,
    "leniency": leniency_figure,
}
"""The figures of each question by the names of their files."""

SECTION_FIGURES: dict[str, Callable[[RatingSection], Figure | None]] = {
    "personas": personas_figure,
    "exclusions": exclusions_figure,
    "progress": progress_figure,
}
"""The figures of each section by the names of their files."""
