"""Did the analysis put the bots in the order of the means that the careful annotators were given?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from duologue.likert.analysis.results import LikertResults, QuestionResult, RatingPair
from duologue.likert.rehearsal.means import Means
from duologue.protocols import ONLY_ARM
from duologue.rehearsal import Finding, Recovery


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

    def in_words(self) -> Recovery:
        """What is true and what was found, told of the truly better bot."""
        order = (0, 1) if self.true_means[0] >= self.true_means[1] else (1, 0)
        better, other = ((self.first, self.second)[place] for place in order)
        true = " and ".join(f"{self.true_means[place]:.2f}" for place in order)
        found = " and ".join(f"{self.means[place]:.2f}" for place in order)
        arm = "" if self.arm in ("", ONLY_ARM) else f" (arm {self.arm})"
        return Recovery(
            finding=self.finding,
            said=f"{self.question} of {better} over {other}{arm}, true means {true}, estimated {found}",
            sentence=self.sentence,
            record={
                "arm": self.arm,
                "question": self.question,
                "first": self.first,
                "second": self.second,
                "true_means": list(self.true_means),
                "means": list(self.means),
                "ratings": self.ratings,
            },
        )


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
