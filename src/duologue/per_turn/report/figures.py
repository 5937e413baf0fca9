"""Figures of turns: win rates, selections by position (anchoring), and re-selection (cascading)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from duologue.reports import FAINT, GREY, LOSS, WIN, note_right, plain_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from duologue.per_turn import PerTurnResults, TurnSection
    from duologue.stats import Interval


def draw_win_rates(results: PerTurnResults) -> Figure | None:
    """Every bot of every section, with clustered and naive intervals."""
    rows = [(section, bot) for section in results.sections for bot in section.bots]
    if not rows:
        return None
    figure, axes = plain_axes(5.2, 0.3 * len(rows) + 0.6)
    for number, (_, bot) in enumerate(rows):
        _whisker(axes, number, bot.rate, bot.interval)
        axes.plot(bot.naive_interval.limits, (number + 0.25, number + 0.25), color=GREY, linewidth=0.8)
        note_right(axes, number, f"{100 * bot.rate:.1f} %")
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.4, -0.6))
    axes.set_xlabel(
        "share of turns on which the bot was selected\n"
        f"(bar: {100 * results.level:g} % interval, clustered; line: as if turns were independent)"
    )
    names = _names(results.sections)
    axes.set_yticks(range(len(rows)), [f"{bot.bot} · {names[section.title]}" for section, bot in rows])
    axes.grid(axis="x", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    return figure


def _names(sections: Sequence[TurnSection]) -> dict[str, str]:
    """Short names of sections by their titles; the bots are in them where they alone tell two apart."""
    short = {one.title: " · ".join(_told_by(one)) for one in sections}
    times = Counter(short.values())
    return {
        one.title: short[one.title]
        if times[short[one.title]] == 1
        else f"{short[one.title]} ({', '.join(one.names)})"
        for one in sections
    }


def _told_by(section: TurnSection) -> tuple[str, ...]:
    """What tells a section from others: its arm, what else was asked on the cards, the revision."""
    revision = f"revision {section.revision}" if section.revision != 1 else ""
    return tuple(word for word in (section.arm or section.design, section.question, revision) if word)


def draw_positions(section: TurnSection) -> Figure | None:
    """How often the card at each position was selected, with its interval; dashed: at all positions."""
    if section.anchoring is None:
        return None
    positions = section.anchoring.positions
    figure, axes = plain_axes(0.7 * len(positions) + 1.6, 2.2)
    for one in positions:
        axes.bar(one.position, one.rate, width=0.6, color=WIN, alpha=0.45)
        if one.interval is not None:
            axes.plot((one.position, one.position), one.interval.limits, color=GREY, linewidth=1.2)
    mean = sum(one.rate for one in positions) / len(positions)
    axes.axhline(mean, color=LOSS, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.set_xticks([one.position for one in positions])
    axes.set(xlabel="position on the page (dashed: mean)", ylabel="share selected", ylim=(0, 1))
    return figure


def draw_cascading(section: TurnSection) -> Figure | None:
    """How often a bot is selected after a turn that selected it, beside what shuffled turns give."""
    if not section.cascading:
        return None
    figure, axes = plain_axes(4.6, 0.34 * len(section.cascading) + 0.7)
    for number, one in enumerate(section.cascading):
        found = one.found
        axes.plot((found.expected, found.rate), (number, number), color=GREY, linewidth=1.0)
        axes.plot(found.expected, number, marker="|", color=LOSS, markersize=10)
        axes.plot(found.rate, number, marker="o", color=WIN, markersize=5)
        note_right(
            axes, number, f"p = {found.p_value:.3f}", weight="bold" if found.p_value < 0.05 else "normal"
        )
    axes.set(xlim=(0, 1), ylim=(len(section.cascading) - 0.5, -0.5))
    axes.set_xlabel("selected again on the next turn (dot); when turns are shuffled (tick)")
    axes.set_yticks(range(len(section.cascading)), [one.bot or "(ties)" for one in section.cascading])
    return figure


def _whisker(axes: Axes, number: int, rate: float, interval: Interval | None) -> None:
    if interval is not None:
        axes.plot(interval.limits, (number, number), color=WIN, linewidth=3.2, alpha=0.45)
    axes.plot(rate, number, marker="o", color=WIN, markersize=4)


RESULT_FIGURES: Mapping[str, Callable[[PerTurnResults], Figure | None]] = {"win-rates": draw_win_rates}
SECTION_FIGURES: Mapping[str, Callable[[TurnSection], Figure | None]] = {
    "anchoring": draw_positions,
    "cascading": draw_cascading,
}
