"""Statistics of logs as a folder: JSON, CSV, LaTeX, and the figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from duologue.files import make_folder, replacing
from duologue.judgments import write_table
from duologue.reports.drawing import FAINT, GREY, LOSS, WIN, write_figures
from duologue.reports.logs.tables import LOG_TABLES, RatedLogs, has_table, log_table_latex, log_table_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.34
"""Inches that one bot takes."""
QUESTIONS = (
    ("question-word", "replies that begin with a question word (%)"),
    ("question-mark", "replies with a question mark (%)"),
)


def write_logs(rated: RatedLogs, folder: Path) -> tuple[Path, ...]:
    """Write statistics of logs into a folder, which is made when it is not there.

    Raises:
        ExportError: It cannot be written there.
    """
    make_folder(folder)
    whole = folder / "logs.json"
    with replacing(whole) as file:
        file.write(json.dumps(rated.results.record(), ensure_ascii=False, indent=1).encode())
    write_table(rated.results.rows(), folder / "logs.csv")
    written = [whole, folder / "logs.csv"]
    for table in LOG_TABLES:
        if has_table(rated, table):
            path = folder / f"{table.name}.tex"
            with replacing(path) as file:
                file.write(log_table_latex(rated, table).encode())
            write_table(log_table_rows(rated, table), path.with_suffix(".csv"))
            written += [path.with_suffix(".csv"), path]
    return (*written, *write_figures(rated, {"figure_5_questions": questions_figure}, folder))


def questions_figure(rated: RatedLogs) -> Figure | None:
    """How often bots and the people talking to them ask, as Figure 5 of Dinan et al. 2019."""
    if not rated.bots:
        return None
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.8, ROW * len(rated.bots) + 1.1))
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (statistic, title) in zip(panels, QUESTIONS, strict=True):
        _draw_questions(axes, rated, statistic)
        axes.set(title=title, xlim=(0, None), ylim=(len(rated.bots) - 0.4, -0.6))
        axes.title.set_fontsize(8)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.grid(axis="x", color=FAINT, linewidth=0.5)
        axes.set_axisbelow(True)
        axes.tick_params(axis="y", length=0)
    panels[0].set_yticks(range(len(rated.bots)), [_name(rated, bot.bot) for bot in rated.bots])
    level = f"{100 * rated.results.level:.0f} %"
    figure.text(
        0.5, -0.02, f"bar: the bot   ring: people talking to it   lines: {level} intervals by dialogue",
        ha="center", va="top", fontsize=7, color=GREY,
    )  # fmt: skip
    figure.subplots_adjust(wspace=0.1)
    return figure


def _name(rated: RatedLogs, bot: str) -> str:
    score = rated.score(bot, rated.parts[0]) if rated.parts else None
    return bot if score is None else f"{bot} ({score.value:.2f})"


def _draw_questions(axes: Axes, rated: RatedLogs, statistic: str) -> None:
    for number, bot in enumerate(rated.bots):
        own, human = bot.figure(statistic, "bot"), bot.figure(statistic, "human")
        if own is not None:
            axes.barh(number, own.value, height=0.5, color=WIN, alpha=0.55)
            if own.low is not None and own.high is not None:
                axes.plot([own.low, own.high], [number, number], color=WIN, linewidth=1.6)
        if human is not None:
            at = number + 0.36
            axes.plot([human.value], [at], marker="o", markersize=3.4, color=LOSS, fillstyle="none")
            if human.low is not None and human.high is not None:
                axes.plot([human.low, human.high], [at, at], color=LOSS, linewidth=0.9)
