"""Stop or go on: the sequential decision on each matchup, valid however often one looks."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import numpy as np

from duologue.judgments import Votes
from duologue.protocols.acute.matchups import Pair, Tally
from duologue.protocols.acute.results import Sequential
from duologue.protocols.acute.verdicts import FUTILE, Rule, say_evidence, say_points
from duologue.stats import FUTILITY, Interval, SequentialPlan, SequentialVerdict, sequential_test

METHOD = "confidence sequence of the mixture SPRT"


def sequential_decisions(
    votes: Votes, tallies: Sequence[Tally], *, rule: Rule, family: int, planned: Mapping[Pair, int]
) -> tuple[Sequential, ...]:
    """Whether to stop collecting judgments of each matchup, and what may be said by then.

    The mixture SPRT on the judgments with a winner, in the order in which they came. It assumes that a
    judgment between equal bots is a fair coin whatever came before: judgments of few annotators or
    dialogues may hang together, and then it claims too much.

    Args:
        votes: The judgments that count.
        tallies: Their matchups.
        rule: The error rate that the matchups share, and the gap that is looked for.
        family: How many matchups share it. Bonferroni: Holm's method needs all p-values at one time, while
            these matchups may stop at different ones.
        planned: Where a matchup ends in any case.
    """
    plan = SequentialPlan(
        gap=rule.gap,
        alpha=rule.alpha / family,
        futility=FUTILITY,
        most=sys.maxsize,  # the planned number counts ties too, which the test never sees
    )
    return tuple(
        _decision(tally, sequential_test(_outcomes(votes, tally), plan), family, planned.get(tally.pair))
        for tally in tallies
    )


def has_known_order(votes: Votes) -> bool:
    """Whether it is known when each judgment was given, or there is none."""
    return not np.isnat(votes.at).any()


def _outcomes(votes: Votes, tally: Tally) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """1 where the first bot won and 0 where the second did, by time when all times are known."""
    at = votes.at[tally.rows]
    order = np.arange(len(at)) if np.isnat(at).any() else np.argsort(at, kind="stable")
    return tally.first_won[order].astype(np.float64)


def _decision(tally: Tally, found: SequentialVerdict, family: int, planned: int | None) -> Sequential:
    better = {"first-better": tally.first, "second-better": tally.second}.get(found.decision)
    decision = "continue"
    if better is not None:
        decision = f"stop: {better} is better"
    elif found.decision == "futile":
        decision = FUTILE
    elif planned is not None and found.judgments + tally.ties >= planned:
        decision = "stop: the planned number is reached"
    return Sequential(
        decision=decision,
        better=better,
        n=found.judgments,
        decided_at=found.decided_at,
        e_value=found.e_value,
        needed=found.needed,
        p_value=found.p_value,
        interval=Interval(found.low, found.high, 1 - found.plan.alpha, METHOD),
        gap=found.plan.gap,
        futility=FUTILITY,
        alpha=found.plan.alpha,
        family=family,
        why=_why(decision, found, planned),
    )


def _why(decision: str, found: SequentialVerdict, planned: int | None) -> str:
    evidence = f"the evidence against equal bots is {say_evidence(found.e_value)}"
    needed = say_evidence(found.needed)
    if found.decided_at is not None:
        return (
            f"The evidence against equal bots reached {needed} after {found.decided_at:,} judgments, and "
            f"later ones cannot take that back; it is {say_evidence(found.e_value)} now."
        )
    if found.decision == "futile":
        return (
            f"Equal bots explain the {found.judgments:,} judgments at least {FUTILITY:g} times better than a "
            f"gap of {say_points(found.plan.gap)} either way: a verdict within the plan is "
            "unlikely. Going on is allowed."
        )
    if decision != "continue":
        return f"The planned number of judgments is reached; {evidence} and {needed} would have been needed."
    counted = f"{found.judgments:,} judgment{'' if found.judgments == 1 else 's'} with a winner"
    most = f"; at most {planned:,} are planned" if planned is not None else ""
    return f"After {counted} {evidence}, and {needed} is needed{most}."
