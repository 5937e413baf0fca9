"""Did the analysis put the bots in the order of the means that the careful annotators were given?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from duologue.likert import LikertResults, QuestionResult, RatingPair
from duologue.rehearsal.means import Means
from duologue.rehearsal.recovery import Finding


@dataclass(frozen=True, slots=True)
class RatingRecovery:
    """Two bots on one question: what careful annotators truly rate them, and what the analysis says."""

    arm: str
    question: str
    first: str
    second: str
    true_means: tuple[float, float]
    """Before annotators' leniency and rounding to the scale."""
    means: tuple[float, float]
    """Of the ratings that count."""
    ratings: int
    finding: Finding
    sentence: str
    """The verdict in words."""


def rating_recoveries(results: LikertResults, means: Means) -> tuple[RatingRecovery, ...]:
    """Compare the verdict on every two bots with their true means.

    Careless annotators and those who always give the highest rating pull all means together, so a true
    difference may stay undecided; what must not happen is a verdict for the wrong bot.
    """
    return tuple(
        recovery
        for section in results.sections
        for question in section.questions
        for recovery in _recoveries(section.arm, question, means)
    )


def _recoveries(arm: str, question: QuestionResult, means: Means) -> Iterator[RatingRecovery]:
    found = {rating.bot: rating.mean for rating in question.bots}
    for pair in question.pairs:
        true_first, true_second = (
            means.mean(bot, lowest=question.low, highest=question.high) for bot in (pair.first, pair.second)
        )
        yield RatingRecovery(
            arm=arm,
            question=question.name,
            first=pair.first,
            second=pair.second,
            true_means=(true_first, true_second),
            means=(found[pair.first], found[pair.second]),
            ratings=sum(pair.n),
            finding=_finding(pair, true_first, true_second),
            sentence=pair.verdict.sentence,
        )


def _finding(pair: RatingPair, true_first: float, true_second: float) -> Finding:
    truly_better = None
    if true_first != true_second:
        truly_better = pair.first if true_first > true_second else pair.second
    if pair.verdict.better == truly_better:
        return "recovered"
    return "undecided" if pair.verdict.better is None else "wrong"
