"""How far a study has come, and its win rates once looking at them does no harm."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from duologue.protocols import Win
from duologue.store import (
    GroupProgress,
    Store,
    fetch_progress,
    find_groups_judged_again,
    rows_counted_all_the_same,
    tallied_rows,
)
from duologue.studies import Study

WhyHidden = Literal["", "planned"]

ANYTIME = (
    "an interval that stays valid however often one looks; all groups of an arm share the error rate "
    "(Bonferroni), and ties are left out. Where an annotator has judged a group more than once there is "
    "none here: duologue analyse --sequential takes each annotator as one"
)
"""What is shown beside the win rates of a sequential study, said on the page and in the API."""


@dataclass(frozen=True, slots=True)
class BotWins:
    """How often a bot won in a group."""

    bot: str
    wins: int
    rate: float


@dataclass(frozen=True, slots=True)
class GroupOverview:
    """One group in one arm: how far it has come, and who wins, if that may be shown."""

    progress: GroupProgress
    name: str
    """The group in words, as the study's protocol says it."""
    wins: tuple[BotWins, ...]
    ties: int
    hidden: WhyHidden
    """``planned``: hidden until the planned number is reached."""
    compares: bool
    """Whether its judgments are won by one of two bots."""
    anytime: tuple[float, float] | None = None
    """In a sequential study, for the first bot's win rate: see `ANYTIME`."""

    @property
    def is_complete(self) -> bool:
        """Whether the planned number of judgments has been reached."""
        return self.progress.done >= self.progress.wanted


@dataclass(frozen=True, slots=True)
class StudyOverview:
    """All groups of a study."""

    groups: tuple[GroupOverview, ...]
    is_sequential: bool
    counted_by_hand: int = 0
    """Judgments in the win rates that a researcher excluded by a rule that the plan does not declare."""

    @property
    def compares(self) -> bool:
        """Whether there are win rates at all."""
        return any(group.compares for group in self.groups)

    @property
    def hides_win_rates(self) -> bool:
        """Whether the win rates of some group are hidden until its planned number is reached."""
        return any(group.hidden and group.compares for group in self.groups)

    @property
    def done(self) -> int:
        """Judgments that count."""
        return sum(group.progress.done for group in self.groups)

    @property
    def wanted(self) -> int:
        """Judgments planned."""
        return sum(group.progress.wanted for group in self.groups)

    @property
    def excluded(self) -> int:
        """Judgments excluded."""
        return sum(group.progress.excluded for group in self.groups)

    @property
    def second_wanted(self) -> int:
        """Second judgments wanted, of items that are judged twice."""
        return sum(group.progress.second_wanted for group in self.groups)

    @property
    def second_done(self) -> int:
        """Second judgments given."""
        return sum(group.progress.second_done for group in self.groups)

    @property
    def leased(self) -> int:
        """Assignments in progress."""
        return sum(group.progress.leased for group in self.groups)


def study_overview(study: Study, store: Store) -> StudyOverview:
    """How far every group has come.

    Win rates are in it only where the planned number has been reached, because a test is no longer
    valid when one stops as soon as one likes the result; or where the study declared sequential stopping,
    with an interval that stays valid however often one looks. They count what the verdicts count: also what a
    researcher excluded by a rule that the plan does not declare.
    """
    stopping, protocol = study.file.stopping, study.protocol
    is_sequential = stopping.rule == "sequential"
    progress = store.run(fetch_progress())
    rivals = {one.group: protocol.rivals(one.group) for one in progress}
    shown = {(one.arm, one.group) for one in progress if is_sequential or one.done >= one.wanted > 0}
    compared = {(arm, group) for arm, group in shown if rivals[group] is not None}
    by_hand = list(_by_hand(study, store, compared))
    tallies = _tally(chain(_counted(study, store, compared), by_hand))
    shared = Counter(one.arm for one in progress if not _is_same_bot(rivals[one.group]))
    plan = {arm: _Sequential(stopping.gap, stopping.alpha / count) for arm, count in shared.items()}
    again = store.run(find_groups_judged_again()) if is_sequential else frozenset()

    def overview(one: GroupProgress) -> GroupOverview:
        key = (one.arm, one.group)
        compares, name = rivals[one.group] is not None, protocol.say_group(one.group)
        if key not in shown:
            return GroupOverview(one, name, (), 0, "planned", compares)
        looked_at_with = plan.get(one.arm) if is_sequential and key not in again else None
        wins, ties, anytime = _standing(tallies.get(key), looked_at_with)
        return GroupOverview(one, name, wins, ties, "", compares, anytime)

    return StudyOverview(tuple(map(overview, progress)), is_sequential, sum(count for _, count in by_hand))


def _is_same_bot(rivals: tuple[str, str] | None) -> bool:
    """Whether a bot is compared with itself; those are no verdicts and share no error rate."""
    return rivals is not None and rivals[0] == rivals[1]


Groups = Collection[tuple[str, str]]


def _counted(study: Study, store: Store, groups: Groups) -> Iterator[tuple[Win, int]]:
    for row, count in tallied_rows(study, store, groups) if groups else ():
        if (win := study.protocol.win(row)) is not None:
            yield win, count


def _by_hand(study: Study, store: Store, groups: Groups) -> Iterator[tuple[Win, int]]:
    for row, count in rows_counted_all_the_same(study, store) if groups else ():
        win = None if row.get("is_onboarding") else study.protocol.win(row)
        if win is not None and (win.arm, win.group) in groups:
            yield win, count


@dataclass(slots=True)
class _WinTally:
    wins: Counter[str]
    ties: int = 0


def _tally(wins: Iterable[tuple[Win, int]]) -> dict[tuple[str, str], _WinTally]:
    found: dict[tuple[str, str], _WinTally] = defaultdict(lambda: _WinTally(Counter()))
    for win, count in wins:
        tally = found[win.arm, win.group]
        if win.is_tie:
            tally.ties += count
        else:
            tally.wins[win.winner] += count
            tally.wins[win.loser] += 0
    return found


@dataclass(frozen=True, slots=True)
class _Sequential:
    """What the groups of an arm are looked at with: the error rate is shared out among them."""

    gap: float
    alpha: float


def _standing(
    tally: _WinTally | None, plan: _Sequential | None
) -> tuple[tuple[BotWins, ...], int, tuple[float, float] | None]:
    if tally is None:
        return (), 0, None
    decided = sum(tally.wins.values())
    wins = tuple(
        BotWins(bot, count, count / decided if decided else 0.0) for bot, count in sorted(tally.wins.items())
    )
    anytime = _anytime(wins[0].wins, decided - wins[0].wins, plan) if wins and plan is not None else None
    return wins, tally.ties, anytime


def _anytime(wins: int, losses: int, plan: _Sequential) -> tuple[float, float]:
    import numpy as np  # with scipy, and only sequential studies need them

    from duologue.stats import confidence_sequence

    outcomes = np.repeat([1.0, 0.0], [wins, losses])
    return confidence_sequence(outcomes, gap=plan.gap, alpha=plan.alpha)
