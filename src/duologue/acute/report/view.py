"""What is drawn of a section, the same on the page and in the figures: cells, rows, steps and colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from duologue.protocols import say_p, say_percent
from duologue.reports import Curve, ExclusionStep, curve_over_time, flow_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duologue.acute import MatchupResult, Section
    from duologue.stats import Interval

MATCHUPS_SHOWN = 60
"""A plot of more matchups cannot be read; the tables have them all."""

BOTS_SHOWN = 30
"""The same for the win matrix on the page."""

_WIN, _LOSS = (15, 111, 120), (180, 86, 27)
_PALEST_TEXT_GROUND = 0.55
"""Colours stay this light at most, so that dark text on them keeps its contrast."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """How often the winner beat the loser; ``note`` holds the evidence where it is the better one."""

    loser: str
    winner: str
    text: str
    note: str
    title: str
    colour: str


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A matchup in the forest plot, in per cent, the bot that leads named first."""

    first: str
    second: str
    rate: float
    low: float | None
    """Of the interval that agrees with the verdict; None where nothing can be said about the bots."""
    high: float | None
    unadjusted_low: float | None
    unadjusted_high: float | None
    is_better: bool
    numbers: str
    n: int
    anytime_low: float | None = None
    """Where the verdict rests on the sequential test: the interval that is valid at any look."""
    anytime_high: float | None = None


SENTENCES_SHOWN = 20
"""A screenful of verdicts; with more matchups than this, the surest of them are shown."""


def shown_matchups(section: Section) -> tuple[MatchupResult, ...]:
    """The matchups whose verdicts are spelled out: all of them, or the surest."""
    if len(section.matchups) <= SENTENCES_SHOWN:
        return section.matchups
    surest = sorted(
        section.matchups,
        key=lambda one: (one.verdict.better is None, 2.0 if one.p_value is None else one.p_value, one.name),
    )
    return tuple(surest[:SENTENCES_SHOWN])


def say_other(matchup: MatchupResult) -> str:
    """The verdict that does not decide, in a few words."""
    other = matchup.other
    if other is None or other.p_adjusted is None or other.rate is None:
        return "no verdict"
    claim = f"{other.better} is better" if other.better else "no difference detected"
    rate = f"win rate of {matchup.first} {say_percent(other.rate)}"
    return f"{claim} (adjusted {say_p(other.p_adjusted)}, {rate})"


def matrix_cells(section: Section) -> Iterator[MatrixCell]:
    """Every cell of the win matrix, losers down and winners across, the weakest bot first."""
    matchups = {frozenset((matchup.first, matchup.second)): matchup for matchup in section.matchups}
    place = {bot: number for number, bot in enumerate(section.bots)}
    for loser in section.bots[::-1]:
        for winner in section.bots[::-1]:
            won, lost = (section.wins[place[a]][place[b]] for a, b in ((winner, loser), (loser, winner)))
            if winner == loser or not won + lost:
                yield MatrixCell(loser, winner, "", "", "", "#f3f4f6")
                continue
            yield _cell(loser, winner, won, lost, matchups[frozenset((winner, loser))])


def _cell(loser: str, winner: str, won: int, lost: int, matchup: MatchupResult) -> MatrixCell:
    rate = won / (won + lost)
    is_better = matchup.verdict.better == winner
    return MatrixCell(
        loser=loser,
        winner=winner,
        text=f"{100 * rate:.0f}",
        note=_note(matchup) if is_better else "",
        title=f"{winner} beat {loser} in {won:,} of {won + lost:,}",
        colour=cell_colour(rate),
    )


def _note(matchup: MatchupResult) -> str:
    """What a verdict rests on, in a few characters."""
    found = matchup.sequential
    if matchup.verdict.is_sequential and found is not None:
        return f"e ≥ {found.needed:.3g}"
    assert matchup.p_adjusted is not None  # noqa: S101  a bot is better
    return say_p(matchup.p_adjusted).replace(" ", "").replace("0.", ".")


def cell_colour(rate: float) -> str:
    """Green where the column's bot won more often, orange where it won less often."""
    target = _WIN if rate >= 0.5 else _LOSS
    strength = min(1.0, abs(rate - 0.5) / 0.35) * _PALEST_TEXT_GROUND
    mixed = (round(255 + strength * (part - 255)) for part in target)
    return "#" + "".join(f"{part:02x}" for part in mixed)


def forest_rows(section: Section) -> list[ForestRow]:
    """Every matchup with judgments, the surest first."""
    judged = [matchup for matchup in section.matchups if matchup.estimate is not None]
    judged.sort(key=lambda matchup: (1.0 if matchup.p_value is None else matchup.p_value, matchup.name))
    return [_forest_row(matchup) for matchup in judged]


def _forest_row(matchup: MatchupResult) -> ForestRow:
    assert matchup.estimate is not None  # noqa: S101  it has judgments
    leads = matchup.estimate >= 0.5
    low, high = _turned(matchup.interval, leads)
    alone = _turned(matchup.interval_unadjusted, leads)
    is_anytime = matchup.verdict.is_sequential and matchup.sequential is not None
    anytime = _turned(matchup.sequential.interval if is_anytime and matchup.sequential else None, leads)
    rate = 100 * (matchup.estimate if leads else 1 - matchup.estimate)
    numbers = f"{rate:.1f}, no verdict"
    if matchup.p_adjusted is not None:
        numbers = f"{rate:.1f} [{low:.1f}, {high:.1f}], {say_p(matchup.p_adjusted)}"
    return ForestRow(
        first=matchup.first if leads else matchup.second,
        second=matchup.second if leads else matchup.first,
        rate=rate,
        low=low,
        high=high,
        unadjusted_low=alone[0],
        unadjusted_high=alone[1],
        is_better=matchup.verdict.better is not None,
        numbers=numbers,
        n=matchup.n,
        anytime_low=anytime[0],
        anytime_high=anytime[1],
    )


def _turned(interval: Interval | None, leads: bool) -> tuple[float | None, float | None]:
    if interval is None:
        return None, None
    low, high = interval.limits
    return (100 * low, 100 * high) if leads else (100 * (1 - high), 100 * (1 - low))


@dataclass(frozen=True, slots=True)
class DriftRow:
    """A matchup that was asked again, in per cent."""

    name: str
    then: float
    again: float
    then_n: int
    again_n: int
    has_drifted: bool
    numbers: str


def drift_rows_drawn(section: Section) -> list[DriftRow]:
    """Every matchup with judgments before and again; those with the smallest p-value first."""
    several = len(section.drift) > 1
    rows = []
    for check in section.drift:
        for one in check.matchups:
            if one.then is None or one.again is None:
                continue
            numbers = "too few to test"
            if one.difference is not None and one.interval is not None and one.p_adjusted is not None:
                low, high = 100 * one.interval.low, 100 * one.interval.high
                change = f"{100 * one.difference:+.0f} [{low:+.0f}, {high:+.0f}]".replace("-", "−")
                numbers = f"{change}, {say_p(one.p_adjusted)}"
            name = f"{one.first} v {one.second}" + (f" ({check.addendum})" if several else "")
            p = 2.0 if one.p_value is None else one.p_value
            row = DriftRow(
                name, 100 * one.then, 100 * one.again, one.then_n, one.again_n, one.has_drifted, numbers
            )
            rows.append((p, name, row))
    return [row for _p, _name, row in sorted(rows, key=lambda found: found[:2])][:MATCHUPS_SHOWN]


def exclusion_steps(section: Section) -> tuple[ExclusionStep, ...]:
    """From all judgments collected, through each rule, to those that count."""
    found = section.exclusions
    return flow_steps(
        collected=found.collected,
        onboarding=found.onboarding,
        rules=((rule.rule, rule.judgments) for rule in found.rules),
        counted=found.counted,
    )


def progress_curve(section: Section) -> Curve | None:
    """Judgments that count over time, as a line from the lower left to the upper right."""
    return curve_over_time([(moment.at, moment.judgments) for moment in section.progress])
