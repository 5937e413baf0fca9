"""What the page draws of a leaderboard: its rows, where verdicts differ, and the heat map of many bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from duologue.acute.report.view import cell_colour
from duologue.protocols import say_p, say_rating, say_rating_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duologue.acute import MatchupResult, PlacedBot, Section

DIFFERING_SHOWN = 30
"""More verdicts that differ are not listed on the page."""

SQUARE = 10
"""The side of a square of the heat map."""

LONGEST_NAME = 30
"""Letters of a name beside the heat map."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A bot of the leaderboard with its interval as shares of the plot, in per cent."""

    placed: PlacedBot
    strength: str
    span: str
    low: str
    width: str
    middle: str
    zero: str


def board_rows(section: Section) -> Iterator[BoardRow]:
    """Every bot of the leaderboard, the strongest first."""
    placed = section.pooled.leaderboard if section.pooled else ()
    if not placed:
        return
    left, right = min(one.low for one in placed), max(one.high for one in placed)
    wide = max(right - left, 1e-9)

    def share(value: float) -> float:
        return 100 * (value - left) / wide

    for one in placed:
        yield BoardRow(
            placed=one,
            strength=say_rating(one.strength),
            span=say_rating_span(one.low, one.high),
            low=f"{share(one.low):.2f}",
            width=f"{share(one.high) - share(one.low):.2f}",
            middle=f"{share(one.strength):.2f}",
            zero=f"{share(0.0):.2f}",
        )


@dataclass(frozen=True, slots=True)
class DifferingRow:
    """A matchup on which the direct and the pooled verdict are not the same."""

    first: str
    second: str
    direct: str
    pooled: str


def differing_rows(section: Section) -> list[DifferingRow]:
    """Where direct and pooled verdicts differ, the surest first."""
    found = [
        matchup
        for matchup in section.matchups
        if matchup.other is not None and matchup.other.better != matchup.verdict.better
    ]
    found.sort(key=lambda matchup: (_surest(matchup), matchup.name))
    return [_differing(matchup) for matchup in found[:DIFFERING_SHOWN]]


def _surest(matchup: MatchupResult) -> float:
    ps = (matchup.p_adjusted, matchup.other.p_adjusted if matchup.other else None)
    return min((p for p in ps if p is not None), default=1.0)


def _differing(matchup: MatchupResult) -> DifferingRow:
    assert matchup.other is not None  # noqa: S101  the caller saw it
    deciding = _claim(matchup.verdict.better, matchup.p_adjusted)
    other = _claim(matchup.other.better, matchup.other.p_adjusted)
    is_pooled = matchup.other.kind == "pooled"
    return DifferingRow(
        matchup.first, matchup.second, deciding if is_pooled else other, other if is_pooled else deciding
    )


def _claim(better: str | None, p_adjusted: float | None) -> str:
    evidence = "no verdict" if p_adjusted is None else say_p(p_adjusted)
    return f"{better} better ({evidence})" if better else f"no difference detected ({evidence})"


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A row of the heat map: its bot, and the squares of one colour as one path each."""

    bot: str
    y: int
    squares: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The win matrix of many bots, losers down and winners across, the strongest first."""

    rows: tuple[HeatRow, ...]
    left: int
    top: int
    width: int
    height: int


def heat_map(section: Section) -> HeatMap:
    """The win matrix as coloured squares, in the order of the leaderboard."""
    bots = ranked_bots(section)
    place = {bot: number for number, bot in enumerate(section.bots)}
    left = top = 150
    rows = []
    for number, loser in enumerate(bots):
        squares: dict[str, str] = {}
        for across, winner in enumerate(bots):
            won = section.wins[place[winner]][place[loser]]
            lost = section.wins[place[loser]][place[winner]]
            colour = cell_colour(won / (won + lost)) if won + lost else "#eceef1"
            x, y = left + across * SQUARE, top + number * SQUARE
            squares[colour] = squares.get(colour, "") + f"M{x} {y}h9.4v9.4h-9.4z"
        rows.append(HeatRow(_short(loser), top + number * SQUARE, tuple(squares.items())))
    side = SQUARE * len(bots)
    return HeatMap(tuple(rows), left, top, left + side + 4, top + side + 4)


def ranked_bots(section: Section) -> tuple[str, ...]:
    """The bots in the order of the leaderboard, or of majorities where there is none."""
    placed = [one.bot for one in section.pooled.leaderboard] if section.pooled else []
    return (*placed, *(bot for bot in section.bots if bot not in placed))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
