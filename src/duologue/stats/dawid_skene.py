"""What is the right answer to an item, and how reliable is each annotator? Both from judgments alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotConverged, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_numbers

ROUNDS = 20_000
SETTLED = 1e-9
"""The gain in log-likelihood, relative to its size, at which to stop."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """Answers weighed by how reliable their annotators are.

    Rows are in the order of the codes given: ``posterior[item, k]`` is the probability that answer k is
    right, ``confusion[annotator, k, l]`` how often the annotator says l when k is right (equal shares where
    that never was so), ``prevalence[k]`` how often k is right at all. ``answers`` are the different answers,
    in order. ``smoothing`` was added to every count.
    """

    answers: tuple[float, ...]
    posterior: Floats
    confusion: Floats
    prevalence: Floats
    log_likelihood: float
    rounds: int
    smoothing: float
    items: int
    annotators: int
    judgments: int

    @property
    def best(self) -> Floats:
        """The likeliest answer to each item."""
        return np.asarray(np.array(self.answers)[self.posterior.argmax(axis=1)])

    @property
    def accuracy(self) -> Floats:
        """How often each annotator is right, over the answers as often as they occur."""
        return np.asarray(np.einsum("akk,k->a", self.confusion, self.prevalence))


def fit_dawid_skene(
    annotators: ArrayLike, items: ArrayLike, answers: ArrayLike, *, smoothing: float = 0.01
) -> DawidSkene:
    """Weigh annotators by their reliability and find the likeliest answer to every item.

    The model of Dawid and Skene (1979): an item has one right answer; given it, annotators answer
    independently, each with their own table of errors. Fitted by expectation and maximisation from the vote
    shares. For pairings with several judgments. Do *not* use it where there is no right answer: annotators
    who like different things are then called unreliable, and a taste shared by most becomes the truth. Three
    judgments an item are the least that can tell annotators apart.

    Args:
        annotators: The integer code of the annotator of each judgment.
        items: The integer code of its item.
        answers: The answer, as a number.
        smoothing: Added to every count of answers, so that nobody is held infallible after a few judgments; 0
            is the published method.

    Raises:
        NotEnoughJudgments: Fewer than two different answers were given, or no item has two judgments.
        NotConverged: The fit went on for too long.
        BadNumber: The arrays do not fit each other, or ``smoothing`` is negative.

    Example:
        >>> who, what = [0, 1, 2] * 4, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
        >>> fit = fit_dawid_skene(who, what, [1, 1, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2])
        >>> fit.best.tolist(), [round(float(a), 1) for a in fit.accuracy]
        ([1.0, 2.0, 1.0, 2.0], [1.0, 1.0, 0.5])
    """
    given = check_numbers("answers", answers)
    who, people = check_codes("annotators", annotators, length=len(given))
    item, things = check_codes("items", items, length=len(given))
    if not 0.0 <= smoothing < np.inf:
        raise BadNumber("smoothing", expected="a number of at least 0", got=smoothing)
    options, answer = np.unique(given, return_inverse=True)
    if len(options) < 2:
        raise NotEnoughJudgments("Dawid–Skene", needed=2, got=len(options), unit="different answers")
    if things == len(given):
        raise NotEnoughJudgments("Dawid–Skene", needed=2, got=1, unit="judgments of one item")
    votes = _Votes(who, item, answer.astype(np.intp), people, things, len(options))
    posterior, confusion, prevalence, height, rounds = _fit(votes, smoothing)
    return DawidSkene(
        answers=tuple(options.tolist()),
        posterior=posterior,
        confusion=np.where(confusion.any(axis=2, keepdims=True), confusion, 1 / len(options)),
        prevalence=prevalence,
        log_likelihood=height,
        rounds=rounds,
        smoothing=smoothing,
        items=things,
        annotators=people,
        judgments=len(given),
    )


@dataclass(frozen=True, slots=True)
class _Votes:
    who: NDArray[np.intp]
    item: NDArray[np.intp]
    answer: NDArray[np.intp]
    people: int
    things: int
    options: int


def _fit(votes: _Votes, smoothing: float) -> tuple[Floats, Floats, Floats, float, int]:
    posterior = _vote_shares(votes)
    height = -np.inf
    for round_number in range(1, ROUNDS + 1):
        confusion, prevalence = _maximise(votes, posterior, smoothing)
        posterior, log_likelihood = _expect(votes, confusion, prevalence)
        target = log_likelihood + _log_prior(confusion, smoothing)
        if target - height <= SETTLED * abs(target):
            return posterior, confusion, prevalence, log_likelihood, round_number
        height = target
    raise NotConverged("Dawid–Skene", steps=ROUNDS)


def _vote_shares(votes: _Votes) -> Floats:
    cells = np.bincount(votes.item * votes.options + votes.answer, minlength=votes.things * votes.options)
    counts = cells.reshape(votes.things, votes.options).astype(np.float64)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _maximise(votes: _Votes, posterior: Floats, smoothing: float) -> tuple[Floats, Floats]:
    """Error tables and prevalence, given how likely each answer is to be right."""
    shape = votes.people, votes.options, votes.options
    counts = np.empty(shape)
    cells = votes.who * votes.options + votes.answer
    for right in range(votes.options):
        weights = posterior[votes.item, right]
        summed = np.bincount(cells, weights=weights, minlength=votes.people * votes.options)
        counts[:, right] = summed.reshape(votes.people, votes.options)
    counts += smoothing
    totals = counts.sum(axis=2, keepdims=True)
    # An answer that was right for nothing an annotator judged stays so: a row of zeros.
    return counts / np.where(totals > 0, totals, 1.0), posterior.mean(axis=0)


def _expect(votes: _Votes, confusion: Floats, prevalence: Floats) -> tuple[Floats, float]:
    """How likely each answer is to be right, given error tables and prevalence; and the log-likelihood."""
    with np.errstate(divide="ignore"):  # the logarithm of an impossible answer is minus infinity
        logs, log_prevalence = np.log(confusion), np.log(prevalence)
    scores = np.empty((votes.things, votes.options))
    for right in range(votes.options):
        weights = logs[votes.who, right, votes.answer]
        scores[:, right] = np.bincount(votes.item, weights=weights, minlength=votes.things)
    scores += log_prevalence
    top = scores.max(axis=1, keepdims=True)
    shares = np.exp(scores - top)
    totals = shares.sum(axis=1, keepdims=True)
    return shares / totals, float((top + np.log(totals)).sum())


def _log_prior(confusion: Floats, smoothing: float) -> float:
    """What the smoothing adds to the target: as many judgments of each kind were imagined."""
    return smoothing * float(np.log(confusion).sum()) if smoothing else 0.0
