"""Dawid–Skene: their own patients, a plain twin, bad annotators found, ends, speed."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from duologue.errors import BadNumber, NotConverged, NotEnoughJudgments
from duologue.stats import dawid_skene, fit_dawid_skene
from tests.stats.golden import COMPUTED, as_printed


def patients() -> tuple[list[int], list[int], list[int]]:
    """Observers, patients and classes; the first observer saw every patient three times."""
    rows = COMPUTED["dawid_skene_1979"]["patients"]
    who = [max(0, place - 2) for _ in rows for place in range(7)]
    what = [patient for patient in range(45) for _ in range(7)]
    return who, what, [int(digit) for row in rows for digit in row]


def plain_fit(
    who: list[int], what: list[int], answers: list[int], *, smoothing: float, rounds: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Twin: the two steps of the paper with loops, so many rounds."""
    options = sorted(set(answers))
    items, people = max(what) + 1, max(who) + 1
    posterior = np.zeros((items, len(options)))
    for item, answer in zip(what, answers, strict=True):
        posterior[item, options.index(answer)] += 1
    posterior /= posterior.sum(axis=1, keepdims=True)
    confusion = np.zeros((people, len(options), len(options)))
    for _ in range(rounds):
        confusion[:] = smoothing
        for person, item, answer in zip(who, what, answers, strict=True):
            confusion[person, :, options.index(answer)] += posterior[item]
        confusion /= confusion.sum(axis=2, keepdims=True)
        prevalence = posterior.mean(axis=0)
        posterior = np.tile(prevalence, (items, 1))
        for person, item, answer in zip(who, what, answers, strict=True):
            posterior[item] *= confusion[person, :, options.index(answer)]
        posterior /= posterior.sum(axis=1, keepdims=True)
    return posterior, confusion


def simulate(
    rng: np.random.Generator, accuracies: NDArray[np.float64], items: int, each: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    truth = rng.integers(1, 3, items)
    what = np.repeat(np.arange(items), each)
    who = np.concatenate([rng.choice(len(accuracies), each, replace=False) for _ in range(items)])
    is_right = rng.random(len(who)) < accuracies[who]
    return who, what, np.where(is_right, truth[what], 3 - truth[what]), truth


def test_their_own_patients_have_the_printed_prevalence_and_errors() -> None:
    golden = COMPUTED["dawid_skene_1979"]
    fit = fit_dawid_skene(*patients(), smoothing=0.0)
    assert fit.answers == (1.0, 2.0, 3.0, 4.0)
    for ours, printed in zip(fit.prevalence, golden["prevalence"], strict=True):
        assert ours == as_printed(printed)
    for ours_row, printed_row in zip(fit.confusion[0], golden["first_observer"], strict=False):
        for ours, printed in zip(ours_row, printed_row, strict=True):
            assert ours == as_printed(printed)
    assert (fit.items, fit.annotators, fit.judgments) == (45, 5, 315)


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from([0.01, 0.5, 1.0]))
def test_the_fit_is_that_of_the_plain_steps(seed: int, smoothing: float) -> None:
    rng = np.random.default_rng(seed)
    who, what, answers, _ = simulate(rng, np.array([0.9, 0.8, 0.7, 0.6]), 15, 3)
    assume(len(set(answers.tolist())) == 2 and len(set(who.tolist())) == 4)
    fit = fit_dawid_skene(who, what, answers, smoothing=smoothing)
    posterior, confusion = plain_fit(
        who.tolist(), what.tolist(), answers.tolist(), smoothing=smoothing, rounds=fit.rounds
    )
    confusion_of_last, posterior_of_last = fit.confusion, fit.posterior
    np.testing.assert_allclose(posterior_of_last, posterior, atol=1e-9)
    np.testing.assert_allclose(confusion_of_last, confusion, atol=1e-9)


def test_bad_annotators_are_found_and_outvoted() -> None:
    rng = np.random.default_rng(91)
    accuracies = np.array([0.95, 0.95, 0.95, 0.55, 0.55, 0.1])  # the last one turns everything round
    who, what, answers, truth = simulate(rng, accuracies, 600, 5)
    fit = fit_dawid_skene(who, what, answers)
    np.testing.assert_allclose(fit.accuracy, accuracies, atol=0.06)
    majority = np.array([np.bincount(answers[what == item]).argmax() for item in range(600)])
    assert (fit.best == truth).mean() > 0.97
    assert (fit.best == truth).mean() > (majority == truth).mean()


@given(st.integers(0, 2**32))
@settings(max_examples=30)
def test_the_order_of_judgments_and_the_codes_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    who, what, answers, _ = simulate(rng, np.array([0.9, 0.8, 0.7]), 12, 3)
    assume(len(set(answers.tolist())) == 2)
    order = rng.permutation(len(who))
    plain = fit_dawid_skene(who, what, answers)
    moved = fit_dawid_skene(who[order] * 7 + 3, what[order] * 1000, answers[order])
    np.testing.assert_allclose(moved.posterior, plain.posterior, atol=1e-6)
    np.testing.assert_allclose(plain.posterior.sum(axis=1), 1)
    np.testing.assert_allclose(plain.confusion.sum(axis=2), 1)


def test_without_smoothing_an_answer_never_right_for_an_annotator_says_nothing_about_them() -> None:
    fit = fit_dawid_skene([0, 1, 0, 1, 2, 3], [0, 0, 1, 1, 2, 2], [1, 1, 1, 1, 2, 2], smoothing=0.0)
    assert fit.best.tolist() == [1, 1, 2]
    np.testing.assert_allclose(fit.confusion[0, 1], 0.5)
    assert np.isfinite(fit.log_likelihood)


def test_too_little_to_fit_is_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="2 different answers"):
        fit_dawid_skene([0, 1], [0, 0], [1, 1])
    with pytest.raises(NotEnoughJudgments, match="2 different answers"):
        fit_dawid_skene([], [], [])
    with pytest.raises(NotEnoughJudgments, match="2 judgments of one item"):
        fit_dawid_skene([0, 1], [0, 1], [1, 2])
    with pytest.raises(BadNumber, match="smoothing"):
        fit_dawid_skene([0, 1], [0, 0], [1, 2], smoothing=-1)
    with pytest.raises(BadNumber, match="items"):
        fit_dawid_skene([0, 1], [0], [1, 2])


def test_a_fit_that_does_not_end_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dawid_skene, "ROUNDS", 1)
    with pytest.raises(NotConverged, match="Dawid–Skene"):
        dawid_skene.fit_dawid_skene(*patients())


def test_a_hundred_thousand_judgments_take_seconds() -> None:
    rng = np.random.default_rng(92)
    who, what, answers, _ = simulate(rng, rng.uniform(0.6, 0.95, 300), 20_000, 5)
    started = time.process_time()
    fit_dawid_skene(who, what, answers)
    assert time.process_time() - started < 10
