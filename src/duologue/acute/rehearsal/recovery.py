"""Did the analysis find the preference that the careful annotators were given?"""

from __future__ import annotations

from dataclasses import dataclass

from duologue.acute.analysis.results import AcuteResults, MatchupResult
from duologue.acute.rehearsal.preferences import Preferences
from duologue.protocols import ONLY_ARM
from duologue.rehearsal import Finding, Recovery


@dataclass(frozen=True, slots=True)
class MatchupRecovery:
    """One matchup: what is true of careful annotators, and what the analysis says."""

    arm: str
    first: str
    second: str
    true_rate: float
    """How often careful annotators prefer the first bot."""
    win_rate: float | None
    """What the verdict rests on: how often it was preferred by those who count, or what strengths expect of
    that where they decide; None when nobody judged."""
    judgments: int
    finding: Finding
    sentence: str
    """The verdict in words."""

    def in_words(self) -> Recovery:
        """What is true and what was found, told of the truly better bot."""
        is_first = self.true_rate >= 0.5
        better, other = (self.first, self.second) if is_first else (self.second, self.first)
        true_rate = self.true_rate if is_first else 1 - self.true_rate
        found = "nobody judged"
        if self.win_rate is not None:
            found = f"estimated {self.win_rate if is_first else 1 - self.win_rate:.0%}"
        arm = "" if self.arm in ("", ONLY_ARM) else f" (arm {self.arm})"
        rates = f"true rate {true_rate:.0%}, {found}".replace("%", " %")
        return Recovery(
            finding=self.finding,
            said=f"{better} over {other}{arm}, {rates}",
            sentence=self.sentence,
            record={
                "arm": self.arm,
                "first": self.first,
                "second": self.second,
                "true_rate": self.true_rate,
                "win_rate": self.win_rate,
                "judgments": self.judgments,
            },
        )


def recoveries(results: AcuteResults, preferences: Preferences) -> tuple[MatchupRecovery, ...]:
    """Compare every verdict with the true preference.

    Careless annotators who got past onboarding pull win rates towards one half, so the win rate is expected
    to lie between one half and the true rate; what must not happen is a verdict for the wrong bot.
    """
    return tuple(
        _recovery(section.arm, matchup, preferences.rate(matchup.first, matchup.second))
        for section in results.sections
        for matchup in section.matchups
    )


def _recovery(arm: str, matchup: MatchupResult, true_rate: float) -> MatchupRecovery:
    return MatchupRecovery(
        arm=arm,
        first=matchup.first,
        second=matchup.second,
        true_rate=true_rate,
        win_rate=matchup.estimate,
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
