"""Two cohorts in one corpus: whose answers find the true reply more often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.nuc.analysis.answers import ChosenReplies
from duologue.protocols import say_level, say_list, say_p, say_percent, say_span
from duologue.stats import (
    Evidence,
    ExactDifference,
    Interval,
    clustered_difference,
    clustered_rate,
    decide_together,
)

Answers = Sequence[ChosenReplies]

Codes = list[NDArray[np.intp]]
"""Annotators and items of answers."""

PEOPLE = "people"
"""Annotators of a study or table without cohorts."""

FEW = 5
"""Of a cohort with fewer right or fewer wrong answers than this the normal approximation is poor (Brown et
al. 2001): the exact test of its recall, each effective annotator as one answer, must then agree."""


@dataclass(frozen=True, slots=True)
class CohortPair:
    """Recall@1 of two cohorts in one corpus."""

    first: str
    second: str
    corpus: str
    n: tuple[int, int]
    recall: tuple[float, float]
    interval: Interval
    """Of first minus second, clustered by annotator and item, and exact where a cohort has few right or few
    wrong answers; it excludes 0 exactly when a difference is detected (Holm)."""
    unadjusted: Interval
    """The same for this pair alone."""
    p_value: float
    p_adjusted: float
    """By Holm over all pairs and corpora."""
    better: str
    """Empty where no difference was detected."""

    sentence: str = field(init=False, default="")
    """The verdict in words."""

    def __post_init__(self) -> None:
        """Say the verdict."""
        said = say_verdict(self.first, self.second, self.better, f"in {self.corpus}")
        numbers = say_numbers(*self.recall, self.interval, self.p_adjusted)
        object.__setattr__(self, "sentence", f"{said} ({numbers}).")


def say_verdict(first: str, second: str, better: str, where: str, *, model: str = "") -> str:
    """Which of two cohorts, or of a cohort and a model, finds the true reply more often, without numbers.

    Example:
        >>> say_verdict("expert", "novice", "novice", "in convai2")
        'Annotators of cohort novice find the true reply more often than those of cohort expert in convai2'
        >>> say_verdict("people", "tf-idf", "tf-idf", "in convai2", model="tf-idf")
        'tf-idf finds the true reply more often than annotators in convai2'
    """
    if not better:
        other = second if second == model else say_cohort(second, again=True)
        return f"No difference detected between {say_cohort(first)} and {other} {where}"
    worse = second if better == first else first
    if better == model:
        return f"{better} finds the true reply more often than {say_cohort(worse)} {where}"
    other = worse if worse == model else say_cohort(worse, again=True)
    who = say_cohort(better)
    return f"{who[0].upper()}{who[1:]} find the true reply more often than {other} {where}"


def say_cohort(name: str, *, again: bool = False) -> str:
    """The annotators of a cohort, or of several that are counted as one.

    Example:
        >>> say_cohort("expert"), say_cohort("novice+expert", again=True), say_cohort("people")
        ('annotators of cohort expert', 'those of cohorts novice and expert', 'annotators')
    """
    who = "those" if again else "annotators"
    if name == PEOPLE:
        return who
    cohorts = name.split("+")
    return (
        f"{who} of {'cohort' if len(cohorts) == 1 else 'cohorts'} {say_list(cohorts)}"
        if name
        else f"{who} of no cohort"
    )


def say_numbers(first: float, second: float, interval: Interval, p_adjusted: float) -> str:
    """What a verdict about two recalls rests on: their difference with its interval, and the p-value."""
    span = f"{say_level(interval.level)} interval {say_span(*interval.limits)}"
    return (
        f"R@1 {say_percent(first)} and {say_percent(second)}, "
        f"difference {100 * (first - second):.1f} points, {span}, Holm-adjusted {say_p(p_adjusted)}"
    )


def compare_cohorts(
    groups: Mapping[tuple[str, str], Answers], *, level: float = 0.95
) -> Iterator[CohortPair]:
    """Every two cohorts of every corpus; two of which nothing can be said are left out.

    Args:
        groups: Answers by cohort and corpus.
        level: Of the intervals; the comparisons share the rest as their error rate.
    """
    found: list[tuple[str, str, str, tuple[int, int], float, float]] = []
    tests: list[list[Evidence]] = []
    for corpus in sorted({corpus for _, corpus in groups}):
        cohorts = sorted(cohort for cohort, where in groups if where == corpus)
        for first, second in combinations(cohorts, 2):
            ours, theirs = groups[first, corpus], groups[second, corpus]
            found_first, found_second = _found(ours), _found(theirs)
            codes = _shared_codes(ours, theirs)
            try:
                tests.append(weigh_cohorts(found_first, found_second, *codes, level=level))
            except NotEnoughJudgments:
                continue
            means = float(found_first.mean()), float(found_second.mean())
            found.append((first, second, corpus, (len(ours), len(theirs)), *means))
    decisions = decide_together(tests, alpha=1 - level, null=0.0)
    for (first, second, corpus, n, ours_, theirs_), decision in zip(found, decisions, strict=True):
        assert decision is not None  # noqa: S101  each has a test
        yield CohortPair(
            first=first,
            second=second,
            corpus=corpus,
            n=n,
            recall=(ours_, theirs_),
            interval=_possible(decision.interval),
            unadjusted=_possible(decision.unadjusted),
            p_value=decision.p_value,
            p_adjusted=decision.p_adjusted,
            better=(first if ours_ > theirs_ else second) if decision.is_different else "",
        )


def weigh_cohorts(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    codes_of_first: Codes,
    codes_of_second: Codes,
    *,
    level: float = 0.95,
) -> list[Evidence]:
    """The tests that two cohorts must pass: the clustered difference, and of few right or wrong answers the
    exact test of that cohort's recall against the other's.

    Args:
        first: Which answers of the first cohort are right: 1, and 0.
        second: Those of the second.
        codes_of_first: Annotator and item of each of its answers.
        codes_of_second: By the same codes.
        level: Of intervals.

    Raises:
        NotEnoughJudgments: A cohort has one annotator or one item, or nobody differs in either.
    """
    difference = clustered_difference(first, second, codes_of_first, codes_of_second, level=level)
    tests: list[Evidence] = [difference]
    ours, theirs = float(first.mean()), float(second.mean())
    if min(first.sum(), (1 - first).sum()) < FEW:
        effective = min(clustered_rate(first, codes_of_first).effective_clusters)
        tests.append(ExactDifference(known=1 - theirs, seen=1 - ours, n=effective))
    if min(second.sum(), (1 - second).sum()) < FEW:
        effective = min(clustered_rate(second, codes_of_second).effective_clusters)
        tests.append(ExactDifference(known=ours, seen=theirs, n=effective))
    return tests


def _possible(interval: Interval) -> Interval:
    """The interval without differences that two rates cannot have."""
    return replace(interval, low=max(-1.0, interval.low), high=min(1.0, interval.high))


def _found(answers: Answers) -> NDArray[np.float64]:
    return np.array([one.recall(1) for one in answers], dtype=np.float64)


def _shared_codes(ours: Answers, theirs: Answers) -> tuple[Codes, Codes]:
    """Annotators and items of both, by the same codes."""
    first, second = [], []
    for names in ([one.annotator for one in (*ours, *theirs)], [one.item for one in (*ours, *theirs)]):
        codes = np.unique(names, return_inverse=True)[1]
        first.append(codes[: len(ours)])
        second.append(codes[len(ours) :])
    return first, second
