"""How far a study has come, and its win rates once looking at them does no harm."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from duologue.dialogues import Json
from duologue.store import GroupProgress, Store, rows_counted_all_the_same, tallied_rows
from duologue.studies import Study

WhyHidden = Literal["", "planned"]

ANYTIME = (
    "an interval that stays valid however often one looks; the matchups of an arm share the error rate "
    "(Bonferroni), and ties are left out. Where an annotator has judged a matchup more than once there is "
    "none here: duologue analyse --sequential takes each annotator as one"
)
"""What is shown beside the win rates of a sequential study, said on the page and in the API."""

VERSUS = "__vs__"
"""What stands between the bots in the name of a matchup."""


@dataclass(frozen=True, slots=True)
class BotWins:
    """How often a bot won in a matchup."""

    bot: str
    wins: int
    rate: float


@dataclass(frozen=True, slots=True)
class GroupOverview:
    """One matchup in one arm: how far it has come, and who wins, if that may be shown."""

    progress: GroupProgress
    wins: tuple[BotWins, ...]
    ties: int
    hidden: WhyHidden
    """``planned``: hidden until the planned number is reached."""
    anytime: tuple[float, float] | None = None
    """In a sequential study, for the first bot's win rate: see `ANYTIME`."""

    @property
    def is_complete(self) -> bool:
        """Whether the planned number of judgments has been reached."""
        return self.progress.done >= self.progress.wanted


@dataclass(frozen=True, slots=True)
class StudyOverview:
    """All matchups of a study."""

    groups: tuple[GroupOverview, ...]
    is_sequential: bool
    counted_by_hand: int = 0
    """Judgments in the win rates that a researcher excluded by a rule that the plan does not declare."""

    @property
    def hides_win_rates(self) -> bool:
        """Whether the win rates of some matchup are hidden until its planned number is reached."""
        return any(group.hidden and VERSUS in group.progress.group for group in self.groups)

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
        """Judgments set aside."""
        return sum(group.progress.excluded for group in self.groups)

    @property
    def leased(self) -> int:
        """Assignments in somebody's hands."""
        return sum(group.progress.leased for group in self.groups)


def study_overview(study: Study, store: Store) -> StudyOverview:
    """How far every matchup has come.

    Win rates are in it only where the planned number has been reached, because a test is no longer
    valid when one stops as soon as one likes the result; or where the study declared sequential stopping,
    with an interval that stays valid however often one looks. They count what the verdicts count: also what a
    researcher excluded by a rule that the plan does not declare.
    """
    stopping = study.file.stopping
    is_sequential = stopping.rule == "sequential"
    progress = store.progress()
    shown = {(one.arm, one.group) for one in progress if is_sequential or one.done >= one.wanted > 0}
    compared = {(arm, group) for arm, group in shown if VERSUS in group}
    by_hand = [
        (row, 1)
        for row in (rows_counted_all_the_same(study, store) if compared else ())
        if not row.get("is_onboarding") and (row.get("arm"), row.get("matchup")) in compared
    ]
    tallies = _tally(chain(tallied_rows(study, store, compared), by_hand)) if compared else {}
    shared = Counter(one.arm for one in progress if not _is_same_bot(one.group))
    plan = {arm: _Sequential(stopping.gap, stopping.alpha / count) for arm, count in shared.items()}
    again = store.groups_judged_again() if is_sequential else frozenset()

    def looked_at_with(one: GroupProgress) -> _Sequential | None:
        return plan.get(one.arm) if is_sequential and (one.arm, one.group) not in again else None

    groups = tuple(
        _group_overview(one, tallies.get((one.arm, one.group)), looked_at_with(one))
        if (one.arm, one.group) in shown
        else GroupOverview(one, (), 0, "planned")
        for one in progress
    )
    return StudyOverview(groups, is_sequential, len(by_hand))


def _is_same_bot(group: str) -> bool:
    """Whether a matchup compares a bot with itself; those are no verdicts and share no error rate."""
    first = group[: (len(group) - len(VERSUS)) // 2]
    return group == f"{first}{VERSUS}{first}"


@dataclass(slots=True)
class _Tally:
    wins: Counter[str]
    ties: int = 0


def _tally(rows: Iterable[tuple[Mapping[str, Json], int]]) -> dict[tuple[str, str], _Tally]:
    found: dict[tuple[str, str], _Tally] = defaultdict(lambda: _Tally(Counter()))
    for row, count in rows:
        if "outcome" not in row:
            continue
        group = (str(row["arm"]), str(row["matchup"]))
        if row["outcome"] == "tie":
            found[group].ties += count
        else:
            winner, loser = _names(row)
            found[group].wins[winner] += count
            found[group].wins[loser] += 0
    return found


def _names(row: Mapping[str, Json]) -> tuple[str, str]:
    """Who won and who lost; a bot compared with itself is told apart by where it was shown."""
    winner, loser = str(row["winner"]), str(row["loser"])
    if winner != loser:
        return winner, loser
    places = ("shown first", "shown second")
    side = 0 if row["winner_side"] == 1 else 1
    return f"{winner}, {places[side]}", f"{loser}, {places[1 - side]}"


@dataclass(frozen=True, slots=True)
class _Sequential:
    """What the matchups of an arm are looked at with: the error rate is shared out among them."""

    gap: float
    alpha: float


def _group_overview(progress: GroupProgress, tally: _Tally | None, plan: _Sequential | None) -> GroupOverview:
    if tally is None:
        return GroupOverview(progress, (), 0, "")
    decided = sum(tally.wins.values())
    wins = tuple(
        BotWins(bot, count, count / decided if decided else 0.0) for bot, count in sorted(tally.wins.items())
    )
    anytime = _anytime(wins[0].wins, decided - wins[0].wins, plan) if wins and plan is not None else None
    return GroupOverview(progress, wins, tally.ties, "", anytime)


def _anytime(wins: int, losses: int, plan: _Sequential) -> tuple[float, float]:
    import numpy as np  # with scipy, and only sequential studies need them

    from duologue.stats import confidence_sequence

    outcomes = np.repeat([1.0, 0.0], [wins, losses])
    return confidence_sequence(outcomes, gap=plan.gap, alpha=plan.alpha)
