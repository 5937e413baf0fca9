"""What the command line says of comparisons: the win matrix, each verdict, and what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.acute.analysis.separating import say_times
from duologue.acute.report.view import say_other, shown_matchups
from duologue.protocols import say_rating, say_rating_span, say_why
from duologue.reports import excluded_sentence, own_warnings, shared_warnings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from duologue.acute import AcuteResults, PooledResult, Section


BOTS_IN_A_MATRIX = 12
"""More do not fit on a screen: figures/win-matrix and grid.csv have them."""


def results_in_words(results: AcuteResults) -> Iterator[object]:
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
        if section.matchups and len(section.bots) <= BOTS_IN_A_MATRIX:
            yield _matrix(section)
        is_long = len(shown_matchups(section)) < len(section.matchups)
        if section.pooled is not None and is_long:
            yield _leaderboard(section.pooled)
        yield from _verdicts(section)
        if section.pooled is not None and not is_long:
            yield _leaderboard(section.pooled)
        yield ""
        yield from _sentences(section)
        yield ""
    for together in results.together:
        yield from (*together.sentences, "")
    if results.family:
        yield results.family


def questions_in_words(results: AcuteResults) -> Iterator[object]:
    """How far each question separates the bots, where several were asked."""
    from rich.box import SIMPLE_HEAD
    from rich.rule import Rule
    from rich.table import Table
    from rich.text import Text

    found = results.questions
    if found is None:
        return
    yield Rule("Which question separates the bots", align="left", characters="─")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("question", overflow="fold")
    for name in ("n", "noncentrality", "for each judgment", "judgments needed"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found.questions:
        span = f"{one.separation:.3f} [{one.interval.low:.3f}, {one.interval.high:.3f}]"
        name = f"{one.axis}: {one.name}" if one.axis else one.name
        table.add_row(Text(name), f"{one.n:,}", f"{one.noncentrality:.0f}", span, say_times(one))
    yield table
    yield found.sentence
    yield from found.notes


def _verdicts(section: Section) -> Iterator[str]:
    """A screenful of verdicts, the surest first where there are more; all are in a file."""
    shown = shown_matchups(section)
    for matchup in shown:
        yield f"{'•' if matchup.verdict.better else '·'} {matchup.verdict.sentence}"
        if (found := matchup.sequential) is not None:
            yield f"  sequential: {found.decision}. {found.why}"
        if (other := matchup.other) is not None and other.better != matchup.verdict.better:
            yield f"  {other.kind}: {say_other(matchup)}"
    if len(shown) < len(section.matchups):
        better = sum(1 for matchup in section.matchups if matchup.verdict.better)
        yield (
            f"… the {len(shown)} surest of {len(section.matchups):,} matchups; {better:,} of all show a "
            "difference. matchups.csv has them all (--out FOLDER, or tables in a study's folder)."
        )


def _leaderboard(pooled: PooledResult) -> Table:
    from rich.table import Table
    from rich.text import Text

    level = f"{100 * pooled.level:.4g} % interval"
    table = Table(title="leaderboard: strengths pooled over all matchups", title_justify="left")
    table.add_column("ranks", justify="right", no_wrap=True)
    table.add_column("bot")
    for name in ("strength", level, "won", "lost", "tied", "n"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in pooled.leaderboard:
        table.add_row(
            one.ranks,
            Text(one.bot),
            say_rating(one.strength),
            say_rating_span(one.low, one.high),
            *(f"{count:,}" for count in (one.wins, one.losses, one.ties, one.n)),
        )
    return table


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
    if section.pooled is not None:
        yield section.pooled.sentence
    elif len(section.bots) > 2:
        yield say_why("No pooled strengths", section.why_not_pooled)
    if section.rankings is not None:
        yield section.rankings.sentence
        if section.rankings.agreement is not None:
            yield section.rankings.agreement.sentence
        if section.rankings.position_sentence:
            yield f"{section.rankings.position_sentence} {section.sides}"
    if section.position is not None:
        yield f"{section.position.sentence} {section.sides if section.rankings is None else ''}".rstrip()
    if section.graded is not None:
        yield section.graded.sentence
    yield from (check.sentence for check in section.drift)
    for same in section.same_bot:
        yield same.sentence
    if section.agreement is not None:
        yield section.agreement.sentence
    if section.time is not None:
        yield section.time.sentence
    found = section.exclusions
    for rule in found.rules:
        yield excluded_sentence(rule.rule, rule.judgments, rule.annotators)
    yield found.sentence
    if section.robustness is not None:
        yield section.robustness.sentence
