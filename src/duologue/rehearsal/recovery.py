"""Did the analysis find the preference that the careful annotators were given?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from duologue.acute import AcuteResults, MatchupResult
from duologue.rehearsal.preferences import Preferences

Finding = Literal["recovered", "undecided", "wrong"]
"""The verdict names the truly better bot, none, or the other one."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """One matchup: what is true of careful annotators, and what the analysis says."""

    arm: str
    first: str
    second: str
    true_rate: float
    """How often careful annotators prefer the first bot."""
    win_rate: float | None
    """How often it was preferred by those who count; None when nobody judged."""
    judgments: int
    finding: Finding
    sentence: str
    """The verdict in words."""


def recoveries(results: AcuteResults, preferences: Preferences) -> tuple[Recovery, ...]:
    """Compare every verdict with the true preference.

    Careless annotators who got past onboarding pull win rates towards one half, so the win rate is expected
    to lie between one half and the true rate; what must not happen is a verdict for the wrong bot.
    """
    return tuple(
        _recovery(section.arm, matchup, preferences.rate(matchup.first, matchup.second))
        for section in results.sections
        for matchup in section.matchups
    )


def _recovery(arm: str, matchup: MatchupResult, true_rate: float) -> Recovery:
    return Recovery(
        arm=arm,
        first=matchup.first,
        second=matchup.second,
        true_rate=true_rate,
        win_rate=matchup.win_rate,
        judgments=matchup.n,
        finding=_finding(matchup, true_rate),
        sentence=matchup.verdict.sentence,
    )


def _finding(matchup: MatchupResult, true_rate: float) -> Finding:
    truly_better = None
    if true_rate != 0.5:
        truly_better = matchup.first if true_rate > 0.5 else matchup.second
    if matchup.verdict.better == truly_better:
        return "recovered"
    return "undecided" if matchup.verdict.better is None else "wrong"
