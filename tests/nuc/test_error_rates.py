"""How often equal cohorts, and people and a model that are equal, are told apart (docs/nuc.md has the table).

An answer is right where what its annotator, its item and chance add up to stays below a threshold. Each is a
normal number, with such variances that two answers of one annotator, or to one item, correlate as stated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, special, stats

from duologue.errors import NotEnoughJudgments
from duologue.nuc.analysis.comparing import weigh_cohorts
from duologue.nuc.analysis.recall import weigh_model
from tests.error_rates import STUDIES, why_refused

Floats = NDArray[np.float64]
Answered = tuple[Floats, list[NDArray[np.intp]]]
"""Which answers are right, with annotator and item of each."""


@cache
def latent(icc: float, right: float) -> float:
    """The correlation of normal numbers that are cut into answers which correlate by ``icc``."""
    cut, chance = special.ndtri(right), right * (1 - right)

    def off(correlation: float) -> float:
        both = stats.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]]).cdf([cut, cut])
        return float(both - right**2 - icc * chance)

    return float(optimize.brentq(off, 0, 0.95))


class Simulated:
    """One simulated study: items with a difficulty of their own, answered by annotators who differ too."""

    def __init__(
        self, items: int, *, right: float, annotator: float, item: float, rng: np.random.Generator
    ) -> None:
        self.rng, self.cut = rng, special.ndtri(right)
        self.of_annotator, self.of_item = latent(annotator, right), latent(item, right)
        self.hard = rng.standard_normal(items)
        self.people = 0

    def answers(self, each: Sequence[int], items: NDArray[np.intp]) -> Answered:
        """Of new annotators, who answer so many of the items each."""
        asked = np.concatenate([self.rng.permutation(items)[:count] for count in each])
        who = np.repeat(np.arange(len(each)), each)
        able = self.rng.standard_normal(len(each))[who]
        left = np.sqrt(1 - self.of_annotator - self.of_item) * self.rng.standard_normal(len(who))
        sum_ = np.sqrt(self.of_annotator) * able + np.sqrt(self.of_item) * self.hard[asked] + left
        who, self.people = who + self.people, self.people + len(each)
        return (sum_ < self.cut).astype(np.float64), [who, asked]

    def model(self, shared: float) -> Floats:
        """Whether a model that people equal is right on each item; so much of it is the same difficulty."""
        own = self.rng.standard_normal(len(self.hard))
        is_right = np.sqrt(shared) * self.hard + np.sqrt(1 - shared) * own < self.cut
        return np.asarray(is_right, dtype=np.float64)


def errors(p_value: Callable[[np.random.Generator], float], *, seed: int) -> int:
    rng, found = np.random.default_rng(seed), 0
    for _ in range(STUDIES):
        try:
            found += p_value(rng) <= 0.05
        except NotEnoughJudgments:
            continue  # no verdict is no error
    return found


COHORTS = {
    "10 and 10 people, 10 items": ([10] * 10, [10] * 10, 10),
    "10 and 40 people, 30 items": ([10] * 10, [10] * 40, 30),
    "one of 10 with 40 answers, the others 4": ([40] + [4] * 9, [40] + [4] * 9, 60),
    "145 and 45 people, 30 items": ([10] * 145, [10] * 45, 30),
    "145 and 10 people, 30 items": ([10] * 145, [10] * 10, 30),
}
"""Answers of each annotator of both cohorts, and how many items there are."""

RATES = [(0.66, 0.1), (0.66, 0.2), (0.9, 0.2)]
"""How many answers are right, and how two answers to one item correlate."""


@pytest.mark.slow
@pytest.mark.parametrize("same", [True, False], ids=["same items", "other items"])
@pytest.mark.parametrize(("right", "item"), RATES)
@pytest.mark.parametrize("layout", COHORTS)
def test_equal_cohorts_are_rarely_told_apart(layout: str, right: float, item: float, same: bool) -> None:
    ours, theirs, items = COHORTS[layout]

    def p_value(rng: np.random.Generator) -> float:
        study = Simulated(2 * items, right=right, annotator=0.1, item=item, rng=rng)
        first, codes = study.answers(ours, np.arange(items))
        second, others = study.answers(theirs, np.arange(items) + (0 if same else items))
        return max(test.p_value for test in weigh_cohorts(first, second, codes, others))

    assert not why_refused(errors(p_value, seed=2701))


MODELS = {
    "10 people, 10 items": ([10] * 10, 10),
    "10 people, 30 items": ([10] * 10, 30),
    "20 people, 40 items": ([15] * 20, 40),
    "145 people, 30 items": ([10] * 145, 30),
}


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 0.5], ids=["other difficulty", "shared difficulty"])
@pytest.mark.parametrize(("right", "item"), RATES)
@pytest.mark.parametrize("layout", MODELS)
def test_people_and_an_equal_model_are_rarely_told_apart(
    layout: str, right: float, item: float, shared: float
) -> None:
    each, items = MODELS[layout]

    def p_value(rng: np.random.Generator) -> float:
        study = Simulated(items, right=right, annotator=0.1, item=item, rng=rng)
        people, codes = study.answers(each, np.arange(items))
        return max(test.p_value for test in weigh_model(people, study.model(shared)[codes[1]], codes))

    assert not why_refused(errors(p_value, seed=2702))
