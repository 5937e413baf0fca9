"""Graded answers: how often each was given, and what they say when read back as a forced choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duologue.acute.analysis.results import ForcedReading, GradedAnswers, Section
from duologue.acute.analysis.verdicts import Comparison
from duologue.judgments import Votes


def as_forced(votes: Votes) -> Votes:
    """The same judgments as if annotators had only been asked for a side."""
    halves = np.where(votes.is_tie, np.int8(0), np.int8(2))
    return replace(votes, half_leads=halves, on_a_scale=False)


def with_forced(
    section: Section, votes: Votes, graded: Sequence[Comparison], forced: Sequence[Comparison]
) -> Section:
    """A section with its answers counted and read back; as it is where its answers are not graded.

    Args:
        section: What was found.
        votes: Its judgments that count.
        graded: Its matchups by their scores.
        forced: The same by sides alone, adjusted over the same family.
    """
    if not votes.is_graded:
        return section
    read = tuple(_reading(votes, one, other) for one, other in zip(graded, forced, strict=True))
    return replace(section, graded=GradedAnswers(read, _sentence(read)))


def _reading(votes: Votes, graded: Comparison, forced: Comparison) -> ForcedReading:
    tally, decision = graded.weighed.tally, forced.decision
    is_clear = votes.half_leads[tally.rows] == 2
    won = tally.first_won
    return ForcedReading(
        first=graded.first,
        second=graded.second,
        clearly_first=int((won & is_clear).sum()),
        slightly_first=int((won & ~is_clear).sum()),
        ties=graded.ties,
        slightly_second=int((~won & ~is_clear).sum()),
        clearly_second=int((~won & is_clear).sum()),
        preference=graded.weighed.preference,
        p_graded=graded.decision.p_adjusted if graded.decision else None,
        better=graded.better,
        win_rate=forced.win_rate if forced.n else None,
        interval=decision.interval if decision else None,
        p_adjusted=decision.p_adjusted if decision else None,
        better_forced=forced.better,
    )


def _sentence(read: Sequence[ForcedReading]) -> str:
    both = [one for one in read if one.p_graded is not None and one.p_adjusted is not None]
    same = sum(1 for one in both if one.better == one.better_forced)
    opposed = sum(1 for one in read if one.better and one.better_forced and one.better != one.better_forced)
    slight = sum(one.slightly_first + one.slightly_second for one in read)
    decided = slight + sum(one.clearly_first + one.clearly_second for one in read)
    share = f"{100 * slight / decided:.0f} % of the answers for a side were slight ones. " if decided else ""
    if not both:
        return f"{share}No matchup has a verdict both by the scores and as a forced choice."
    said = (
        f"{share}Read as a forced choice, the verdict of the test for a fixed number is the same in "
        f"{same:,} of {len(both):,} matchups{'' if len(both) == len(read) else ' that have both'}"
    )
    return said + (f", and the opposite in {opposed:,}." if opposed else ".")
