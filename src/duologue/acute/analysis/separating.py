"""Questions ranked by how far each separates the bots, and what that costs in judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from duologue import stats
from duologue.acute.analysis.matchups import annotator_clusters, apart, known_dialogues
from duologue.acute.analysis.parts import VotePart
from duologue.acute.analysis.results import QuestionRanking, SeparatingQuestion
from duologue.protocols import say_count, say_list, say_percent
from duologue.stats import Separation

Codes = NDArray[np.intp]

NAMED = 3
"""So many questions are named in the sentence; the table has all."""

CAUTION = (
    "A question that separates bots better is not the same question: choose by this only where either would "
    "do."
)


def rank_questions(
    parts: Sequence[VotePart], *, level: float, axes: Mapping[str, str] | None = None
) -> QuestionRanking | None:
    """Rank questions by how far each separates the bots, over the matchups that all of them have.

    Args:
        parts: The judgments of each question.
        level: Confidence of the intervals.
        axes: Of phrasings: the axis of each arm; parts of other arms are left out.

    Returns:
        None where fewer than two questions have judgments of the same matchups.
    """
    own = [part for part in parts if axes is None or part.arm in axes]
    if len({(part.arm, part.question) for part in own}) < 2:
        return None
    judged = [one for part in own if len((one := _JudgedQuestion.of(part)).rows)]
    if len({(one.part.arm, one.part.question) for one in judged}) < 2:
        return None
    shared = reduce(np.intersect1d, [one.matchups for one in judged])
    found = [
        (one.part, separated, one.points_to(shared))
        for one in judged
        if (separated := one.separation(shared, level)) is not None
    ]
    if len(found) < 2:
        return None
    found.sort(key=lambda each: (-each[1].per_judgment, -each[1].statistic / each[1].n))
    best = found[0][1]
    several = len({(part.revision, part.annotators) for part, _, _ in found}) > 1
    questions = tuple(
        _question(part, separated, best, points_to, (axes or {}).get(part.arm, ""), several=several)
        for part, separated, points_to in found
    )
    return QuestionRanking(
        questions, len(shared), level, _say(questions, len(shared), level), _notes(questions)
    )


@dataclass(frozen=True, slots=True)
class _JudgedQuestion:
    """The judgments of one question, seen from the first bot of each matchup by name."""

    part: VotePart
    rows: Codes
    """Those of two different bots."""
    matchups: Codes
    """The matchup of each, as a number that is the same in all parts."""
    scores: NDArray[np.float64]
    is_winner_first: NDArray[np.bool_]

    @classmethod
    def of(cls, part: VotePart) -> _JudgedQuestion:
        votes = part.counted
        rows = np.flatnonzero(votes.winner != votes.loser)
        rank = np.argsort(np.argsort(np.array(votes.bots, dtype=object)))
        winner, loser = rank[votes.winner[rows]], rank[votes.loser[rows]]
        is_first = winner < loser
        matchups = np.minimum(winner, loser) * len(votes.bots) + np.maximum(winner, loser)
        return cls(part, rows, matchups, np.where(is_first, 0.5, -0.5) * votes.half_leads[rows], is_first)

    def separation(self, shared: Codes, level: float) -> Separation | None:
        """How far the question separates the bots of these matchups."""
        kept = np.isin(self.matchups, shared)
        votes, rows, is_first = self.part.counted, self.rows[kept], self.is_winner_first[kept]
        if not len(rows):
            return None
        won, lost = known_dialogues(votes, rows)
        sides = (np.where(is_first, won, lost), np.where(is_first, lost, won))
        return stats.separation(
            self.scores[kept],
            self.matchups[kept],
            annotators=annotator_clusters(votes, rows),
            dialogues=[apart(codes) for codes in sides if (codes >= 0).any()],
            level=level,
        )

    def points_to(self, shared: Codes) -> str:
        """The bot that most judgments are for, where there is one matchup; empty for an even split."""
        if len(shared) != 1:
            return ""
        bots = sorted(self.part.counted.bots)
        lead = float(self.scores[self.matchups == shared[0]].sum())
        number = shared[0] // len(bots) if lead > 0 else shared[0] % len(bots)
        return bots[number] if lead else ""


def _question(
    part: VotePart, found: Separation, best: Separation, points_to: str, axis: str, *, several: bool
) -> SeparatingQuestion:
    cost = stats.relative_cost(found, best)
    apart_by = [f"revision {part.revision}", f"{part.annotators} annotators"] if several else []
    return SeparatingQuestion(
        name=", ".join([part.arm or part.question, *apart_by]),
        axis=axis,
        arm=part.arm,
        question=part.question,
        revision=part.revision,
        annotators=part.annotators,
        n=found.n,
        statistic=found.statistic,
        noncentrality=found.noncentrality,
        separation=found.per_judgment,
        interval=found.interval,
        times=cost.times,
        times_low=cost.low,
        times_high=cost.high,
        points_to=points_to,
    )


def _say(questions: Sequence[SeparatingQuestion], matchups: int, level: float) -> str:
    best, *others = questions
    over = "the same matchup" if matchups == 1 else f"the same {matchups:,} matchups"
    if best.separation == 0.0:
        return f"No question separates the bots of {over} beyond chance."
    low, high = best.interval.limits
    said = (
        f"Of {say_count(len(questions), 'question')} about {over}, {best.name} separates the bots best: "
        f"{best.separation:.3f} for each judgment [{low:.3f}, {high:.3f}], n = {best.n:,}."
    )
    if low == 0.0:
        said += " The interval begins at 0: this may be chance."
    needs = [f"{one.name} needs {say_times(one)}" for one in others[:NAMED] if one.times is not None]
    if not needs:
        return f"{said} The others may separate nothing. {CAUTION}"
    rest = f"; {len(others) - NAMED:,} more are in the table" if len(others) > NAMED else ""
    return (
        f"{said} For verdicts that are as sure, {say_list(needs)} as many judgments as {best.name} "
        f"({say_percent(level, 0)} intervals, not adjusted for having looked for the best{rest}). {CAUTION}"
    )


def say_how_ranked(found: QuestionRanking | None) -> str:
    """How questions were ranked, for a methods paragraph; empty where they were not."""
    if found is None:
        return ""
    return (
        "Questions were ranked by the noncentrality of the score test for each judgment, (Σ s)² / Σ S² "
        "summed over the matchups that all questions have, less their number, with S the sums of scores of "
        "an annotator or of a dialogue, whichever give the larger sum."
    )


def say_times(one: SeparatingQuestion) -> str:
    """How many times as many judgments a question needs, in words.

    Example: ``2.1 times [1.3, 4.0]``.
    """
    if one.times is None:
        return "cannot be said"
    if one.times_low == one.times_high:
        return "1"
    high = "no limit" if one.times_high is None else f"{one.times_high:.1f}"
    return f"{one.times:.1f} times [{one.times_low:.1f}, {high}]"


def _notes(questions: Sequence[SeparatingQuestion]) -> tuple[str, ...]:
    """That questions point to different bots, which no separation says."""
    sides: dict[str, list[str]] = {}
    for one in questions:
        if one.points_to and one.interval.low > 0:
            sides.setdefault(one.points_to, []).append(one.name)
    if len(sides) < 2:
        return ()
    said = "; ".join(f"{bot} by {say_list(names)}" for bot, names in sorted(sides.items()))
    return (f"The questions separate the two bots in different directions: {said}.",)
