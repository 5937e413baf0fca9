"""What the command line says of comparisons: the win matrix, each verdict, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from duologue.protocols.acute import AcuteResults, Section
from duologue.reports.folding import own_warnings, shared_warnings

if TYPE_CHECKING:
    from rich.table import Table


def said_of(results: AcuteResults) -> Iterator[object]:
    """Every section: lines of text, and tables and rules of rich."""
    from rich.rule import Rule

    shared = shared_warnings(results.sections)
    yield from shared.values()
    for section in results.sections:
        if section.title:
            yield Rule(section.title, align="left", characters="─")
        if section.question:
            yield f"“{section.question}”"
        yield from own_warnings(section, shared)
        yield _matrix(section)
        for matchup in section.matchups:
            yield f"{'•' if matchup.verdict.better else '·'} {matchup.verdict.sentence}"
            if (found := matchup.sequential) is not None:
                yield f"  sequential: {found.decision}. {found.why}"
        yield ""
        yield from _sentences(section)
        yield ""
    if results.family:
        yield results.family


def _matrix(section: Section) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(title="won by the column against the row, %", title_justify="left")
    table.add_column("loser \\ winner")
    bots = section.bots[::-1]
    for bot in bots:
        table.add_column(Text(bot), justify="right")
    place = {bot: number for number, bot in enumerate(section.bots)}
    for loser in bots:
        cells = [Text(loser)]
        for winner in bots:
            won, lost = section.wins[place[winner]][place[loser]], section.wins[place[loser]][place[winner]]
            shown = f"{100 * won / (won + lost):.0f} ({won})" if won + lost and winner != loser else ""
            cells.append(Text(shown))
        table.add_row(*cells)
    return table


def _sentences(section: Section) -> Iterator[str]:
    if section.stopping:
        yield section.stopping
    yield section.order.sentence
    if section.strengths is not None:
        yield section.strengths.sentence
    elif section.matchups:
        yield f"No Bradley–Terry strengths: {section.why_no_strengths}"
    if section.position is not None:
        yield f"{section.position.sentence} {section.sides}"
    for same in section.same_bot:
        yield same.sentence
    if section.agreement is not None:
        yield section.agreement.sentence
    if section.time is not None:
        yield (
            f"The median judgment took {section.time.median_seconds:.0f} s; "
            f"all of them took {section.time.person_hours:.1f} person-hours."
        )
        if section.time.note:
            yield section.time.note
    found = section.exclusions
    for rule in found.rules:
        yield f"Excluded by {rule.rule}: {rule.judgments:,} judgments of {rule.annotators:,} annotators."
    yield found.sentence
