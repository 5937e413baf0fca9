"""Recall@k of people and of models on the same items.

The interval that counts is clustered by annotator and item: one annotator answers many items, and one item is
answered by many. Wilson's stands beside it, and the normal one as Lowe et al. (2016, Table 2) print it,
starred where Brown et al.'s rule of thumb (fewer than five right or wrong) says that it is poor.

Where people are compared with a model, the exact test of the model's own recall must agree: the mean of few
items, of which a model nearly always finds the true reply, is skewed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np
from numpy.typing import NDArray

from duologue.dialogues import CandidateScores, NextTurnItem
from duologue.errors import AnalysisError, NotEnoughJudgments
from duologue.nuc.analysis.answers import ChosenReplies
from duologue.nuc.analysis.comparing import PEOPLE, CohortPair, compare_cohorts, say_numbers, say_verdict
from duologue.protocols import say_seconds
from duologue.stats import (
    ClusteredRate,
    Decision,
    Evidence,
    ExactDifference,
    Interval,
    clustered_mean,
    clustered_rate,
    decide_together,
    krippendorff_alpha,
    normal_interval,
    wilson_interval,
)

DISTRACTOR_ANSWERS = 3
"""Answers that an item has at least before its false replies are looked at."""

Pooled = Mapping[str, tuple[str, ...]]
"""Cohorts that are counted as one, by corpus."""


@dataclass(frozen=True, slots=True)
class HumanRecall:
    """Recall@k of one cohort in one corpus."""

    cohort: str
    corpus: str
    k: int
    annotators: int
    n: int
    recall: float
    chance: float
    interval: Interval | None
    """Clustered by annotator and item; None with fewer than two annotators or items."""
    wilson: Interval
    normal: Interval
    """As published; ``is_reliable`` is False where the rule of thumb fails."""


@dataclass(frozen=True, slots=True)
class ModelRecall:
    """Recall@k of a model in one corpus."""

    model: str
    corpus: str
    k: int
    n: int
    recall: float
    chance: float


@dataclass(frozen=True, slots=True)
class PeopleAgainstModel:
    """Recall@1 of a cohort and of a model on the very same items, answer by answer."""

    cohort: str
    model: str
    corpus: str
    n: int
    people: float
    machine: float
    interval: Interval
    """Of people minus model, clustered by annotator and item, and exact in the model's items; it excludes 0
    exactly when a difference is detected (Holm)."""
    unadjusted: Interval
    """The same for this comparison alone."""
    p_value: float
    p_adjusted: float
    """By Holm over all cohorts and corpora, of this model and of those that were declared with it."""
    better: str
    """The cohort or the model; empty where no difference was detected."""

    sentence: str = field(init=False, default="")
    """The verdict in words."""

    def __post_init__(self) -> None:
        """Say the verdict."""
        where = f"on the same items of {self.corpus}"
        said = say_verdict(self.cohort or PEOPLE, self.model, self.better, where, model=self.model)
        numbers = say_numbers(self.people, self.machine, self.interval, self.p_adjusted)
        object.__setattr__(self, "sentence", f"{said} ({numbers}).")


@dataclass(frozen=True, slots=True)
class ItemDifficulty:
    """How many found the true reply of an item, and the false one that was chosen most."""

    item: str
    corpus: str
    n: int
    right: int
    false: int
    """The place of the false reply that was chosen most often as the best; -1 where none was."""
    false_chosen: int

    @property
    def has_acceptable_distractor(self) -> bool:
        """Whether more than half chose the same false reply: perhaps it fits as well as the true one."""
        return self.n >= DISTRACTOR_ANSWERS and 2 * self.false_chosen > self.n


@dataclass(frozen=True, slots=True)
class CohortTime:
    """How long a cohort took."""

    cohort: str
    annotators: int
    item_seconds: float
    """The median over answers."""
    minutes: float
    """The mean over annotators of all their answers together."""

    @property
    def seconds_in_words(self) -> str:
        """The median, also where it is less than a second."""
        return say_seconds(self.item_seconds)


@dataclass(frozen=True, slots=True)
class RecallResults:
    """Everything that is said about the answers to a set of items."""

    people: tuple[HumanRecall, ...]
    models: tuple[ModelRecall, ...]
    pairs: tuple[CohortPair, ...]
    against: tuple[PeopleAgainstModel, ...]
    items: tuple[ItemDifficulty, ...]
    times: tuple[CohortTime, ...]
    alpha: float | None
    """Krippendorff's alpha of the best answers; None where no item was answered twice."""
    declared: tuple[str, ...] = ()
    """Models that share one error rate; each other model has one of its own."""


def analyse_recall(
    items: Mapping[str, NextTurnItem],
    answers: Sequence[ChosenReplies],
    scores: Iterable[CandidateScores] = (),
    *,
    pooled: Pooled | None = None,
    declared: Collection[str] = (),
    level: float = 0.95,
) -> RecallResults:
    """Recall of people per cohort and corpus, of models, and both on the same items.

    Args:
        items: By id.
        answers: What people chose.
        scores: What models say about the items; models are counted on the items that people answered, or on
            all where nobody did.
        pooled: Cohorts that are counted together in a corpus, as the paper does for two of its three.
        declared: Models that share one error rate, because they were declared before; each other model has
            its own, so that no verdict depends on which models come later.
        level: Of the intervals; comparisons of one family share the rest as their error rate.

    Raises:
        AnalysisError: Scores do not fit the items.
    """
    groups: defaultdict[tuple[str, str], list[ChosenReplies]] = defaultdict(list)
    for answer in answers:
        groups[_cohort(answer, pooled or {}), answer.corpus].append(answer)
    answered = {answer.item for answer in answers} or set(items)
    by_model = _by_model(items, scores, answered)
    people = [_people(*group, k, found, level) for group, found in sorted(groups.items()) for k in (1, 2)]
    return RecallResults(
        people=tuple(people),
        models=tuple(_models(items, by_model)),
        pairs=tuple(compare_cohorts(groups, level=level)),
        against=tuple(_against(groups, by_model, declared, level)),
        items=tuple(_difficulties(answers)),
        times=tuple(_times(answers)),
        alpha=_agreement(answers),
        declared=tuple(declared),
    )


def _cohort(answer: ChosenReplies, pooled: Pooled) -> str:
    together = pooled.get(answer.corpus, ())
    return "+".join(together) if answer.cohort in together else answer.cohort


def _people(cohort: str, corpus: str, k: int, answers: Sequence[ChosenReplies], level: float) -> HumanRecall:
    right = [answer.recall(k) for answer in answers]
    try:
        interval = clustered_rate(np.asarray(right, float), _clusters(answers), level=level).interval
    except NotEnoughJudgments:
        interval = None
    return HumanRecall(
        cohort,
        corpus,
        k,
        len({answer.annotator for answer in answers}),
        len(right),
        sum(right) / len(right),
        _chance([answer.candidates for answer in answers], k),
        interval,
        wilson_interval(sum(right), len(right), level=level),
        normal_interval(sum(right), len(right), level=level),
    )


def _clusters(answers: Sequence[ChosenReplies]) -> list[NDArray[np.intp]]:
    kinds = ([answer.annotator for answer in answers], [answer.item for answer in answers])
    return [np.unique(kind, return_inverse=True)[1] for kind in kinds]


def _chance(candidates: Sequence[int], k: int) -> float:
    return sum(k / number for number in candidates) / len(candidates)


def _by_model(
    items: Mapping[str, NextTurnItem], scores: Iterable[CandidateScores], answered: set[str]
) -> dict[str, dict[str, CandidateScores]]:
    found: defaultdict[str, dict[str, CandidateScores]] = defaultdict(dict)
    for one in scores:
        item = items.get(one.item)
        if item is None:
            raise AnalysisError(
                f"{one.model}: there is no item {one.item!r}: these are scores of other items. "
                "Score the file of these very items."
            )
        if len(one.scores) != len(item.candidates):
            raise AnalysisError(
                f"{one.model}: {len(one.scores)} scores for {one.item}, "
                f"which has {len(item.candidates)} candidates."
            )
        of_model = found[one.model]
        if one.item in answered:
            of_model[one.item] = one
    for model, by_item in found.items():
        if missing := answered - by_item.keys():
            raise AnalysisError(
                f"{model}: no scores for {len(missing)} of {len(answered)} items, such as {min(missing)}. "
                "Score the file of these very items."
            )
    return dict(sorted(found.items()))


def _models(
    items: Mapping[str, NextTurnItem], by_model: Mapping[str, Mapping[str, CandidateScores]]
) -> Iterator[ModelRecall]:
    for model, scores in by_model.items():
        for corpus in sorted({items[key].corpus for key in scores}):
            asked = [items[key] for key in scores if items[key].corpus == corpus]
            for k in (1, 2):
                right = [scores[item.id].recall(item.truth, k) for item in asked]
                chance = _chance([len(item.candidates) for item in asked], k)
                yield ModelRecall(model, corpus, k, len(right), sum(right) / len(right), chance)


def _against(
    groups: Mapping[tuple[str, str], Sequence[ChosenReplies]],
    by_model: Mapping[str, Mapping[str, CandidateScores]],
    declared: Collection[str],
    level: float,
) -> Iterator[PeopleAgainstModel]:
    found = []
    for (cohort, corpus), answers in sorted(groups.items()):
        for model, scores in by_model.items():
            people = np.asarray([answer.recall(1) for answer in answers], float)
            machine = np.asarray([scores[answer.item].recall(answer.truth, 1) for answer in answers])
            try:
                tests = weigh_model(people, machine, _clusters(answers), level=level)
            except NotEnoughJudgments:
                continue
            found.append((cohort, corpus, model, people, machine, tests))
    decisions = _decided([(model, tests) for _, _, model, _, _, tests in found], declared, level)
    for (cohort, corpus, model, people, machine, tests), decision in zip(found, decisions, strict=True):
        difference = tests[0].estimate
        yield PeopleAgainstModel(
            cohort=cohort,
            model=model,
            corpus=corpus,
            n=len(people),
            people=float(people.mean()),
            machine=float(machine.mean()),
            interval=decision.interval,
            unadjusted=decision.unadjusted,
            p_value=decision.p_value,
            p_adjusted=decision.p_adjusted,
            better=((cohort or PEOPLE) if difference > 0 else model) if decision.is_different else "",
        )


def weigh_model(
    people: NDArray[np.float64],
    machine: NDArray[np.float64],
    clusters: Sequence[NDArray[np.intp]],
    *,
    level: float = 0.95,
) -> tuple[ClusteredRate, ExactDifference]:
    """The two tests that people and a model must pass: the clustered difference, answer by answer, and the
    exact test of the model's recall on the effective number of items against that of people.

    Args:
        people: Which answers are right: 1, and 0.
        machine: Of each answer, whether the model is right on that item; a share where scores are tied.
        clusters: Annotator and item of each answer.
        level: Of intervals.

    Raises:
        NotEnoughJudgments: There is one annotator or one item.
    """
    mean = clustered_mean(people - machine, clusters, bounds=(-1, 1), level=level)
    _, items = mean.effective_clusters
    return mean, ExactDifference(known=float(people.mean()), seen=float(machine.mean()), n=items)


def _decided(
    tests: Sequence[tuple[str, Sequence[Evidence]]], declared: Collection[str], level: float
) -> list[Decision]:
    """Declared models share alpha, with those whose scores are not there yet; each other has its own."""
    together = frozenset(declared)
    families: defaultdict[frozenset[str], list[int]] = defaultdict(list)
    for place, (model, _) in enumerate(tests):
        families[together if model in together else frozenset({model})].append(place)
    found: dict[int, Decision] = {}
    for models, places in families.items():
        of_each = max(Counter(tests[place][0] for place in places).values())
        compared = [tests[place][1] for place in places]
        decisions = decide_together(compared, alpha=1 - level, family=len(models) * of_each, null=0.0)
        for place, decision in zip(places, decisions, strict=True):
            assert decision is not None  # noqa: S101  each has a test
            found[place] = decision
    return [found[place] for place in range(len(tests))]


def _difficulties(answers: Sequence[ChosenReplies]) -> Iterator[ItemDifficulty]:
    by_item: defaultdict[tuple[str, str], list[ChosenReplies]] = defaultdict(list)
    for answer in answers:
        by_item[answer.corpus, answer.item].append(answer)
    for (corpus, item), found in sorted(by_item.items()):
        chosen = Counter(answer.best for answer in found)
        right = chosen.pop(found[0].truth, 0)
        false, times = min(chosen.items(), key=lambda one: (-one[1], one[0]), default=(-1, 0))
        yield ItemDifficulty(item, corpus, len(found), right, false, times)


def _times(answers: Sequence[ChosenReplies]) -> Iterator[CohortTime]:
    by_cohort: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for answer in answers:
        if answer.seconds is not None:
            by_cohort[answer.cohort].append((answer.annotator, answer.seconds))
    for cohort, times in sorted(by_cohort.items()):
        who = {annotator for annotator, _ in times}
        seconds = [one for _, one in times]
        yield CohortTime(cohort, len(who), median(seconds), sum(seconds) / len(who) / 60)


def _agreement(answers: Sequence[ChosenReplies]) -> float | None:
    twice = {item for item, count in Counter(answer.item for answer in answers).items() if count > 1}
    chosen = [(answer.best, answer.item) for answer in answers if answer.item in twice]
    if len({best for best, _ in chosen}) < 2:
        return None
    items = np.unique([item for _, item in chosen], return_inverse=True)[1]
    return krippendorff_alpha(np.asarray([best for best, _ in chosen], float), items=items).value
