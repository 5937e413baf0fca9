"""Stop or go on: the sequential decision on each matchup, valid however often one looks."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from duologue import stats  # the sequential test is loaded when it is asked for
from duologue.acute.analysis.matchups import MatchupTally, Pair, known_dialogues
from duologue.acute.analysis.results import SequentialDecision
from duologue.acute.analysis.verdicts import FUTILE, Rule, say_evidence, say_points
from duologue.judgments import Votes
from duologue.protocols import say_count

if TYPE_CHECKING:
    from duologue.stats import SequentialPlan, SequentialVerdict

METHOD = "confidence sequence of the mixture SPRT"

NOT_VALID = "no decision: dialogues repeat in this matchup"
"""Said instead of a decision."""


@dataclass(frozen=True, slots=True)
class Bets:
    """What is bet on in a matchup, in order: single judgments, or the means of annotators' judgments."""

    outcomes: NDArray[np.float64]
    size: int
    """Judgments in each; 1 for single ones."""
    left_out: int
    """Judgments of annotators who have not given as many yet, or more than that."""
    is_graded: bool = False
    """Whether the scores of graded answers are bet on, ties as zeros."""

    def stake(self, gap: float) -> float | None:
        """What is staked on each; None where it is the gap itself."""
        if self.is_graded:
            return stats.graded_bet(gap, size=self.size)
        return None if self.size == 1 else stats.cluster_bet(gap, size=self.size)


def sequential_decisions(
    votes: Votes,
    tallies: Sequence[MatchupTally],
    *,
    rule: Rule,
    family: int,
    planned: Mapping[Pair, int],
    per_annotator: int | None = None,
) -> tuple[SequentialDecision, ...]:
    """Whether to stop collecting judgments of each matchup, and what may be said by then.

    The mixture SPRT on the judgments with a winner, in the order in which they came; of graded answers on the
    scores, ties as zeros. Where annotators judge a
    matchup several times it bets once per annotator, on the mean of the judgments fixed beforehand, as soon
    as they are complete. Where dialogues repeat within a matchup it is not valid, and nothing is decided.

    Args:
        votes: The judgments that count.
        tallies: Their matchups.
        rule: The error rate that the matchups share, and the gap that is looked for.
        family: How many matchups share it. Bonferroni: Holm's method needs all p-values at one time, while
            these matchups may stop at different ones.
        planned: Where a matchup ends in any case.
        per_annotator: Judgments that one annotator was planned to give in a matchup; where it is not known,
            the number by which most judgments are used.
    """
    return tuple(
        _decided(votes, tally, rule, family, planned.get(tally.pair), per_annotator) for tally in tallies
    )


def _decided(
    votes: Votes, tally: MatchupTally, rule: Rule, family: int, planned: int | None, per_annotator: int | None
) -> SequentialDecision:
    bets = _bets(votes, tally, per_annotator)
    found = stats.sequential_test(bets.outcomes, _plan(bets, rule, family))
    return _decision(tally, found, family, planned, bets, repeats=_repeats_dialogues(votes, tally))


def _plan(bets: Bets, rule: Rule, family: int) -> SequentialPlan:
    return stats.SequentialPlan(
        gap=rule.gap,
        alpha=rule.alpha / family,
        futility=stats.FUTILITY,
        most=sys.maxsize,  # the planned number counts ties too, which the test never sees
        bet=bets.stake(rule.gap),
    )


def interval_of_counts(
    votes: Votes, tally: MatchupTally, counts: NDArray[np.int64], *, rule: Rule, family: int
) -> tuple[float, float]:
    """The interval of `sequential_decisions` where no annotator has judged the matchup twice.

    It does not depend on the order of the judgments, so that rows may stand for many that are alike.

    Args:
        votes: Judgments that count.
        tally: Those of the matchup.
        counts: How many judgments each of all rows stands for.
        rule: The error rate that the matchups share, and the gap that is looked for.
        family: How many matchups share it.
    """
    rows, outcomes = _single_outcomes(votes, tally)
    plan = _plan(Bets(outcomes, 1, 0, votes.is_graded), rule, family)
    return stats.confidence_sequence(outcomes, gap=plan.stake, alpha=plan.alpha, counts=counts[rows])


def _repeats_dialogues(votes: Votes, tally: MatchupTally) -> bool:
    winner, loser = known_dialogues(votes, tally.rows)
    first, second = np.where(tally.first_won, winner, loser), np.where(tally.first_won, loser, winner)
    return any(
        len(known) > len(np.unique(known)) for known in (codes[codes >= 0] for codes in (first, second))
    )


def _bets(votes: Votes, tally: MatchupTally, per_annotator: int | None) -> Bets:
    """What to bet on, by time when all times are known."""
    codes = votes.annotator.codes[tally.rows]
    counts = np.unique(codes[codes >= 0], return_counts=True)[1]
    most = int(counts.max()) if len(counts) else 1
    size = (
        _usual_size(counts, blank=len(codes) - int(counts.sum())) if per_annotator is None else per_annotator
    )
    is_graded = votes.is_graded
    if most <= 1 and size <= 1:
        rows, won = _single_outcomes(votes, tally)
        return Bets(won[_by_time(votes, rows)], 1, 0, is_graded)
    rows, won = _outcomes(votes, tally)
    order = _by_time(votes, rows)
    given: dict[int, list[float]] = {}
    means, used = [], 0
    for number, (annotator, outcome) in enumerate(
        zip(votes.annotator.codes[rows][order].tolist(), won[order].tolist(), strict=True)
    ):
        own = given.setdefault(annotator if annotator >= 0 else -1 - number, [])
        own.append(outcome)
        if len(own) == size:
            means.append(sum(own) / size)
            used += size
    return Bets(np.array(means, dtype=np.float64), size, len(rows) - used, is_graded)


def _single_outcomes(votes: Votes, tally: MatchupTally) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The rows that are bet on one by one, with their outcomes; ties only where scores are bet on."""
    rows, won = _outcomes(votes, tally)
    return (rows, won) if votes.is_graded else (tally.rows, won[: len(tally.rows)])


def _outcomes(votes: Votes, tally: MatchupTally) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """All rows of a matchup, ties last, with what each says for the first bot: from 0 to 1."""
    rows = np.concatenate([tally.rows, tally.tied])
    won = np.concatenate([tally.first_won.astype(np.float64), np.full(len(tally.tied), 0.5)])
    return rows, 0.5 + (won - 0.5) * votes.lead[rows] if votes.is_graded else won


def _usual_size(counts: NDArray[np.intp], *, blank: int) -> int:
    """By which number of judgments of each annotator most judgments are used; the larger of equals.

    It looks at no outcome. Rows that do not say whose they are count as one annotator each.
    """
    sizes = np.unique(np.append(counts, 1))
    used = [int(size) * int((counts >= size).sum()) + (blank if size == 1 else 0) for size in sizes]
    return int(sizes[len(used) - 1 - int(np.argmax(used[::-1]))])


def _by_time(votes: Votes, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    at = votes.at[rows]
    return np.arange(len(at)) if np.isnat(at).any() else np.argsort(at, kind="stable")


def has_known_order(votes: Votes) -> bool:
    """Whether it is known when each judgment was given, or there is none."""
    return not np.isnat(votes.at).any()


def _decision(
    tally: MatchupTally,
    found: SequentialVerdict,
    family: int,
    planned: int | None,
    bets: Bets,
    *,
    repeats: bool,
) -> SequentialDecision:
    better = {"first-better": tally.first, "second-better": tally.second}.get(found.decision)
    decision = "continue"
    if repeats:
        better, decision = None, NOT_VALID
    elif better is not None:
        decision = f"stop: {better} is better"
    elif found.decision == "futile":
        decision = FUTILE
    elif planned is not None and len(tally.rows) + tally.ties >= planned:
        decision = "stop: the planned number is reached"
    return SequentialDecision(
        decision=decision,
        better=better,
        n=len(tally.rows),
        decided_at=None if repeats else found.decided_at,
        e_value=found.e_value,
        needed=found.needed,
        p_value=found.p_value,
        interval=stats.Interval(found.low, found.high, 1 - found.plan.alpha, METHOD),
        gap=found.plan.gap,
        futility=stats.FUTILITY,
        alpha=found.plan.alpha,
        family=family,
        why=_why(decision, found, planned, bets),
        cluster_size=bets.size,
        bets=len(bets.outcomes),
        left_out=bets.left_out,
    )


def _why(decision: str, found: SequentialVerdict, planned: int | None, bets: Bets) -> str:
    if decision == NOT_VALID:
        return (
            "Dialogues repeat within this matchup, so that judgments can be correlated in a way that the "
            "sequential test does not allow for."
        )
    evidence = f"the evidence against equal bots is {say_evidence(found.e_value)}"
    needed = say_evidence(found.needed)
    is_by_annotator = bets.size > 1 or bets.left_out > 0
    unit = "judgments"
    if is_by_annotator:
        unit = f"annotators with {say_count(bets.size, 'judgment')} each"
    if found.decided_at is not None:
        return (
            f"The evidence against equal bots reached {needed} after {found.decided_at:,} {unit}, and "
            f"later ones cannot change that; it is {say_evidence(found.e_value)} now."
        )
    if found.decision == "futile":
        return (
            f"Equal bots explain the {found.judgments:,} {unit} at least {stats.FUTILITY:g} times better "
            f"than a gap of {say_points(found.plan.gap)} either way: a verdict within the plan is unlikely. "
            "Going on is allowed."
        )
    if decision != "continue":
        return f"The planned number of judgments is reached; {evidence} and {needed} would have been needed."
    counted = say_count(found.judgments, "judgment")
    counted += "" if bets.is_graded else " with a winner"
    if is_by_annotator:
        left_out = (
            f"{say_count(bets.left_out, 'other judgment')} {'is' if bets.left_out == 1 else 'are'} left out"
        )
        unit = unit.replace("annotators", "annotator", 1) if found.judgments == 1 else unit
        counted = f"{found.judgments:,} {unit} ({left_out})"
    most = f"; at most {planned:,} are planned" if planned is not None else ""
    return f"After {counted} {evidence}, and {needed} is needed{most}."
