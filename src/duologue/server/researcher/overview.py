"""How far a study has come, and its win rates once looking at them does no harm."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from duologue.dialogues import Json
from duologue.protocols import AnytimeInterval, KeptCounts, Win
from duologue.store import (
    GroupProgress,
    ListQuery,
    Store,
    count_counted_all_the_same,
    count_stopped,
    fetch_addenda,
    fetch_progress,
    fetch_revisions,
    find_annotator_kinds,
    find_groups_judged_again,
    list_leases,
    planned_judgments,
    rows_counted_all_the_same,
    tallied_rows,
)
from duologue.studies import Study, read_addenda

WhyHidden = Literal["", "planned"]

ANYTIME = (
    "the interval that duologue analyse gives, valid however often one looks; all comparisons that share the "
    "error rate have an equal part of it (Bonferroni: over all arms, unless one is primary). Ties are left "
    "out of win rates; where answers are graded it is an interval of the mean preference, and ties count as "
    "even. Where counts alone cannot give the interval of the analysis there is none here"
)
"""What is shown beside the win rates of a sequential study, said on the page and in the API."""


NO_INTERVAL = AnytimeInterval(None)


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
    interval: AnytimeInterval = NO_INTERVAL
    """In a sequential study, for the first bot: see `ANYTIME`."""

    @property
    def anytime(self) -> tuple[float, float] | None:
        """The limits of the interval, where there is one."""
        return self.interval.limits

    @property
    def is_complete(self) -> bool:
        """Whether the planned number of judgments has been reached."""
        return self.progress.done >= self.progress.wanted


@dataclass(frozen=True, slots=True)
class StudyOverview:
    """All groups of a study."""

    groups: tuple[GroupOverview, ...]
    is_sequential: bool
    in_progress: int = 0
    """Assignments that annotators have open, onboarding and attention checks included."""
    counted_by_hand: int = 0
    """Judgments in the verdicts that a researcher excluded by a rule that the plan does not declare."""
    stopped: int = 0
    """Annotators who were stopped as so many attention checks were not right."""

    @property
    def compares(self) -> bool:
        """Whether there are win rates at all."""
        return any(group.compares for group in self.groups)

    @property
    def shows_win_rates(self) -> bool:
        """Whether there is a win rate to be seen."""
        return any(group.wins for group in self.groups)

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


def study_overview(study: Study, store: Store) -> StudyOverview:
    """How far every group has come.

    Win rates are in it only where the planned number has been reached, because a test is no longer
    valid when one stops as soon as one likes the result; or where the study declared sequential stopping,
    with an interval that stays valid however often one looks. They count what the verdicts count: also what a
    researcher excluded by a rule that the plan does not declare.
    """
    protocol, is_sequential = study.protocol, study.file.stopping.rule == "sequential"
    progress = store.run(fetch_progress())
    rivals = {one.group: protocol.rivals(one.group) for one in progress}
    shown = {(one.arm, one.group) for one in progress if is_sequential or one.done >= one.wanted > 0}
    compared = {(arm, group) for arm, group in shown if rivals[group] is not None}
    counted = list(tallied_rows(study, store, compared)) if compared else []
    by_hand = list(_by_hand(study, store, compared))
    tallies = _tally(chain(_wins(study, counted), by_hand))
    anytime: Mapping[tuple[str, str], AnytimeInterval] = {}
    if is_sequential and counted:
        anytime = protocol.anytime(_kept(study, store, progress, counted, by_hand))

    def overview(one: GroupProgress) -> GroupOverview:
        key = (one.arm, one.group)
        compares, name = rivals[one.group] is not None, protocol.say_group(one.group)
        if key not in shown:
            return GroupOverview(one, name, (), 0, "planned", compares)
        wins, ties = _standing(tallies.get(key))
        interval = anytime.get(key, NO_INTERVAL) if wins else NO_INTERVAL
        return GroupOverview(one, name, wins, ties, "", compares, interval)

    return StudyOverview(
        tuple(map(overview, progress)),
        is_sequential,
        in_progress=store.run(list_leases(ListQuery(most=0))).total,
        counted_by_hand=count_counted_all_the_same(study, store),
        stopped=store.run(count_stopped()),
    )


def _kept(
    study: Study, store: Store, progress: Sequence[GroupProgress], counted: Counted, by_hand: Wins
) -> KeptCounts:
    """What the protocol needs to know for its interval at any look."""
    stopping, planned = study.file.stopping, planned_judgments(progress)
    compared = {tuple(sorted(study.protocol.rivals(group) or (group,))) for group in planned}
    tallied: Counter[tuple[str, str]] = Counter()
    for win, count in _wins(study, counted):
        tallied[win.arm, win.group] += count
    return KeptCounts(
        rows=counted,
        groups=[(one.arm, one.group) for one in progress],
        planned=planned,
        alpha=stopping.alpha,
        gap=stopping.gap,
        per_annotator=study.caps.judgments_of_one_group(len(compared)),
        judged_again=store.run(find_groups_judged_again()),
        by_hand={(win.arm, win.group) for win, _ in by_hand},
        unsettled={(one.arm, one.group) for one in progress if tallied[one.arm, one.group] != one.done},
        annotator_kinds=store.run(find_annotator_kinds()),
        revisions=len(store.run(fetch_revisions())),
        addenda=read_addenda(store.run(fetch_addenda())),
    )


Groups = Collection[tuple[str, str]]
Counted = Sequence[tuple[Mapping[str, Json], int]]
"""Rows that stand for all judgments that are alike, and how many these are."""
Wins = Sequence[tuple[Win, int]]


def _wins(study: Study, counted: Counted) -> Iterator[tuple[Win, int]]:
    for row, count in counted:
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


def _standing(tally: _WinTally | None) -> tuple[tuple[BotWins, ...], int]:
    if tally is None:
        return (), 0
    decided = sum(tally.wins.values())
    wins = tuple(
        BotWins(bot, count, count / decided if decided else 0.0) for bot, count in sorted(tally.wins.items())
    )
    return wins, tally.ties
