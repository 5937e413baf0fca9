"""Did the analysis find the preference that the careful annotators were given?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from duologue.acute.analysis.results import AcuteResults, DriftedMatchup, MatchupResult
from duologue.acute.rehearsal.preferences import Preferences
from duologue.protocols import ONLY_ARM, say_percent
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
    title: str = ""
    """Of the section, where there are several."""

    def in_words(self) -> Recovery:
        """What is true and what was found, told of the truly better bot."""
        is_first = self.true_rate >= 0.5
        better, other = (self.first, self.second) if is_first else (self.second, self.first)
        true_rate = self.true_rate if is_first else 1 - self.true_rate
        found = "nobody judged"
        if self.win_rate is not None:
            found = f"estimated {say_percent(self.win_rate if is_first else 1 - self.win_rate, 0)}"
        arm = f" ({self.title})" if self.title else ""
        rates = f"true rate {say_percent(true_rate, 0)}, {found}"
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
        replace(
            _recovery(section.arm, matchup, preferences.rate(matchup.first, matchup.second)),
            title=section.title,
        )
        for section in results.sections
        for matchup in section.matchups
    )


def drift_recoveries(results: AcuteResults, preferences: Preferences) -> Iterator[Recovery]:
    """Of what was asked again: whether drift was found where it is true, and nowhere else."""
    for section in results.sections:
        for check in section.drift:
            for one in check.matchups:
                before = preferences.rate(one.first, one.second)
                again = preferences.rate_again(one.first, one.second)
                if before != again or one.has_drifted:
                    yield _drift_recovery(section.arm, one, before, again, check.sentence)


def _drift_recovery(arm: str, one: DriftedMatchup, before: float, again: float, sentence: str) -> Recovery:
    finding: Finding = "wrong" if before == again else "recovered" if one.has_drifted else "undecided"
    where = "" if arm in ("", ONLY_ARM) else f" (arm {arm})"
    found = "nobody was asked again"
    if one.then is not None and one.again is not None:
        found = f"estimated {say_percent(one.then, 0)} and {say_percent(one.again, 0)}"
    rates = f"true rate {say_percent(before, 0)} before and {say_percent(again, 0)} asked again, {found}"
    return Recovery(
        finding=finding,
        said=f"drift of {one.first} over {one.second}{where}, {rates}",
        sentence=sentence,
        record={
            "arm": arm,
            "first": one.first,
            "second": one.second,
            "true_rate": before,
            "true_rate_again": again,
            "win_rate": one.then,
            "win_rate_again": one.again,
            "judgments": one.again_n,
        },
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
