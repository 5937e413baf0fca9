"""What the command line says of turns: win rates, verdicts, and what the turns depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.per_turn.report.view import (
    across_sentence,
    side_by_side,
    view_section,
    whole_levels,
    whole_sentence,
)
from duologue.protocols import say_count, say_span
from duologue.reports import own_warnings, shared_warnings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from duologue.per_turn import PerTurnResults, TurnSection


def results_in_words(results: PerTurnResults) -> Iterator[object]:
    """Every section: lines of text, and tables and rules of rich."""
    from rich.rule import Rule

    shared = shared_warnings(results.sections)
    yield from shared.values()
    for section in results.sections:
        yield Rule(section.title, align="left", characters="─")
        yield from own_warnings(section, shared)
        if section.bots:
            yield _bots(section)
        view = view_section(section, currency=results.currency)
        for verdict in view.verdicts:
            yield f"{'•' if verdict.is_different else '·'} {verdict.sentence}"
        yield ""
        yield from view.checks
        yield from map(whole_sentence, section.whole)
        yield ""
    for pair in results.across:
        yield across_sentence(pair)
    yield from side_by_side(results)
    for one in results.whole_differences:
        yield f"About the whole conversation, {one.sentence}"
    if levels := whole_levels(results):
        yield levels
    for rates in results.none_rates:
        yield rates.sentence
    yield results.screening.sentence
    for rule in results.screening.rules:
        if rule.turns:
            how = "" if rule.is_applied else " (not applied)"
            dialogues = say_count(rule.dialogues, "dialogue")
            yield f"  {rule.rule}{how}: {say_count(rule.turns, 'turn')} of {dialogues}"
    for name, count in results.screening.given.items():
        yield f"  excluded in the data, {name}: {say_count(count, 'turn')}"
    if results.family:
        yield results.family


def _bots(section: TurnSection) -> Table:
    from rich.table import Table

    table = Table()
    table.add_column("bot")
    for head in (
        "selected",
        "turns",
        "win rate",
        "clustered interval",
        "naive interval",
        "position-adjusted",
    ):
        table.add_column(head, justify="right")
    for bot in section.bots:
        adjusted = "" if bot.position_adjusted is None else f"{100 * bot.position_adjusted:.1f} %"
        table.add_row(
            bot.bot,
            f"{bot.selected:,}",
            f"{bot.turns:,}",
            f"{100 * bot.rate:.1f} %",
            say_span(*bot.interval.limits) if bot.interval else "",
            say_span(*bot.naive_interval.limits),
            adjusted,
        )
    return table
