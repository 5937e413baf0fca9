"""How far annotators agree about the same items: agreement rate, kappas, Krippendorff's alpha.

Answers come as a matrix of annotators × items with NaN where there is no judgment, or as one flat array of
answers beside the item each is about; the flat form takes millions of judgments. Intervals resample items,
because judgments of one item are correlated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_count, check_share
from duologue.stats.rates.intervals import Interval

Metric = Literal["nominal", "ordinal", "interval", "ratio"]
"""How far apart two answers are: just different, by rank, by difference, by ratio."""


FEW_ANSWERS = 1000
"""Whole answers below this are counted and not sorted."""

MOST_CELLS = 4_000_000
"""A larger matrix of items and answers is not made to find items that are alike."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree, over which items, by which coefficient.

    ``items`` and ``judgments`` count only what could agree or disagree: items with two judgments or more.
    """

    value: float
    coefficient: str
    metric: Metric
    items: int
    judgments: int
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Which answers each item got, for items with two judgments or more.

    Kept as cells, one for each answer that an item got: on a scale without steps nearly every judgment is an
    answer of its own, and a matrix of items and answers would be almost empty.
    """

    answers: NDArray[np.float64]
    """The different answers, in order."""
    item: NDArray[np.intp]
    """Of each cell: its item."""
    answer: NDArray[np.intp]
    """Of each cell: which answer."""
    counts: NDArray[np.float64]
    """Of each cell: how often."""
    weights: NDArray[np.float64]
    """How often each item counts: once, or as often as it was drawn in resampling."""

    @property
    def per_item(self) -> NDArray[np.float64]:
        """Judgments on each item."""
        return self.sum(self.counts)

    def sum(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the cells of each item add up to."""
        return np.bincount(self.item, weights=cells, minlength=len(self.weights)).astype(
            np.float64, copy=False
        )

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The counts with items down and answers across."""
        found = np.zeros((len(self.weights), len(self.answers)))
        found[self.item, self.answer] = self.counts
        return found

    @property
    def kinds(self) -> tuple[AnswerTable, NDArray[np.intp]]:
        """Items that got the same answers as one, and how many there are of each.

        Where answers are many, no two items are alike: each is one by itself.
        """
        if len(self.weights) * len(self.answers) > MOST_CELLS:
            return self, np.ones(len(self.weights), dtype=np.intp)
        matrix, frequency = np.unique(self.matrix, axis=0, return_counts=True)
        item, answer = np.nonzero(matrix)
        kinds = AnswerTable(self.answers, item, answer, matrix[item, answer], np.ones(len(matrix)))
        return kinds, frequency


def agreement_rate(ratings: ArrayLike, *, items: ArrayLike | None = None) -> Agreement:
    """How often two judgments of the same item are the same answer.

    The mean over items of the share of equal pairs among its judgments. Two coin-flippers agree half of the
    time on a forced choice, so read it beside `krippendorff_alpha`, which takes chance off.

    Args:
        ratings: A matrix of annotators × items with NaN where there is no judgment; or, with ``items``, one
            flat array of answers.
        items: For flat ``ratings``, the integer code of the item each of them is about.

    Raises:
        NotEnoughJudgments: No item has two judgments.
        BadNumber: The arrays do not fit each other.

    Example:
        >>> agreement_rate([[1, 2, 1], [1, 2, 2]]).value
        0.6666666666666666
    """
    table = answer_table(ratings, items)
    pairs = table.per_item * (table.per_item - 1)
    equal = table.sum(table.counts * (table.counts - 1))
    return _agreement(table, float((equal / pairs).mean()), "agreement rate", "nominal")


def krippendorff_alpha(
    ratings: ArrayLike,
    *,
    items: ArrayLike | None = None,
    metric: Metric = "nominal",
    level: float = 0.95,
    replicates: int = 1000,
    rng: np.random.Generator | None = None,
) -> Agreement:
    """Agreement beyond chance, for any number of annotators and with judgments missing.

    α = 1 − D_o / D_e: the disagreement seen within items over that expected when answers are dealt out at
    random (Krippendorff 2011). It is 1 for perfect agreement, 0 for chance, negative for systematic
    disagreement, and 1 when nobody ever gave a second answer (nothing disagrees; it says little then).

    Args:
        ratings: A matrix of annotators × items with NaN where there is no judgment; or, with ``items``, one
            flat array of answers.
        items: For flat ``ratings``, the integer code of the item each of them is about.
        metric: ``nominal`` for choices, ``ordinal`` for Likert points, ``interval``, ``ratio`` for measures.
        level: Confidence of the interval.
        replicates: How often items are resampled for it.
        rng: Where resampling comes from; without it there is no interval.

    Raises:
        NotEnoughJudgments: No item has two judgments.
        BadNumber: The arrays do not fit each other, or a ratio metric meets negative answers.

    Example:
        >>> round(krippendorff_alpha([[1, 2, 1, 2], [1, 2, 2, 2]]).value, 4)
        0.5333
    """
    table = answer_table(ratings, items)
    interval = None
    if rng is not None:
        interval = _item_bootstrap(
            table, lambda resampled: alpha_of(resampled, metric), level, replicates, rng
        )
    return _agreement(table, alpha_of(table, metric), "Krippendorff's alpha", metric, interval)


def answer_table(ratings: ArrayLike, items: ArrayLike | None = None) -> AnswerTable:
    """Count the answers each item got, leaving out items with fewer than two.

    Raises:
        NotEnoughJudgments: No item has two judgments.
        BadNumber: The arrays do not fit each other.
    """
    values = np.asarray(ratings, dtype=np.float64)
    if items is None:
        if values.ndim != 2:
            raise BadNumber("ratings", expected="annotators × items", got=f"an array of shape {values.shape}")
        codes = np.broadcast_to(np.arange(values.shape[1]), values.shape).ravel()
        values = values.ravel()
    else:
        values = values.ravel()
        codes, _ = check_codes("items", items, length=len(values))
    given = ~np.isnan(values)
    values, codes = values[given], codes[given]
    if np.isinf(values).any():
        raise BadNumber("ratings", expected="finite answers, NaN where there is none", got="an infinite one")
    several = np.bincount(codes, minlength=1)[codes] > 1
    if not several.any():
        raise NotEnoughJudgments(
            "Agreement", needed=2, got=int(len(values) > 0), unit="judgments of one item"
        )
    answers, answer_codes = number_answers(values[several])
    item_codes, item_count = check_codes("items", codes[several], length=int(several.sum()))
    cells, counts = _counted(item_codes * len(answers) + answer_codes)
    item, answer = np.divmod(cells, len(answers))
    return AnswerTable(answers, item, answer, counts.astype(np.float64), np.ones(item_count))


def _counted(keys: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The different keys in order, and how often each occurs."""
    if int(keys.max()) > 4 * len(keys):  # sparse keys: sorting is cheaper than counting the gaps
        return np.unique(keys, return_counts=True)
    counts = np.bincount(keys)
    used = np.flatnonzero(counts)
    return used, counts[used]


def number_answers(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The different answers in order, and which of them each judgment has."""
    whole = values.astype(np.intp)
    if whole.min() >= 0 and whole.max() < FEW_ANSWERS and (whole == values).all():
        used = np.bincount(whole) > 0  # counting is several times quicker than sorting
        return np.flatnonzero(used).astype(np.float64), (np.cumsum(used) - 1)[whole]
    answers, codes = np.unique(values, return_inverse=True)
    return answers, codes.astype(np.intp, copy=False)


def _agreement(
    table: AnswerTable, value: float, coefficient: str, metric: Metric, interval: Interval | None = None
) -> Agreement:
    return Agreement(value, coefficient, metric, len(table.weights), int(table.counts.sum()), interval)


def _item_bootstrap(
    table: AnswerTable,
    coefficient: Callable[[AnswerTable], float],
    level: float,
    replicates: int,
    rng: np.random.Generator,
) -> Interval:
    """The middle ``level`` of the coefficients of resampled items.

    Items that got the same answers are alike to every coefficient, so they are drawn as one kind.
    """
    level, replicates = check_share("level", level), check_count("replicates", replicates)
    if replicates < 2:
        raise BadNumber("replicates", expected="at least 2", got=replicates)
    kinds, frequency = table.kinds
    draws = rng.multinomial(frequency.sum(), frequency / frequency.sum(), size=replicates)
    values = [coefficient(replace(kinds, weights=drawn.astype(np.float64))) for drawn in draws]
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, f"item bootstrap, {replicates} replicates")


def alpha_of(table: AnswerTable, metric: Metric) -> float:
    """Krippendorff's alpha of a table of answers."""
    drawn = table.weights[table.item] * table.counts
    marginals = np.bincount(table.answer, weights=drawn, minlength=len(table.answers)).astype(np.float64)
    if np.count_nonzero(marginals) < 2:
        return 1.0
    per_item = table.per_item
    share, total = table.weights / (per_item - 1), float(marginals.sum())
    if metric == "ratio":
        seen, expected = _ratio_disagreements(table, share, marginals)
    elif metric == "nominal":
        seen = float(share @ (per_item**2 - table.sum(table.counts**2)))
        expected = total**2 - float(marginals @ marginals)
    else:
        place = table.answers if metric == "interval" else np.cumsum(marginals) - marginals / 2
        # The squared distances of all pairs of an item add up to 2 n times those from its mean.
        mean = table.sum(table.counts * place[table.answer]) / per_item
        apart = table.counts * (place[table.answer] - mean[table.item]) ** 2
        seen = float(share @ (2 * per_item * table.sum(apart)))
        expected = 2 * total * float(marginals @ (place - marginals @ place / total) ** 2)
    return 1 - seen * (total - 1) / expected


def _ratio_disagreements(
    table: AnswerTable, share: NDArray[np.float64], marginals: NDArray[np.float64]
) -> tuple[float, float]:
    """What is seen and what is expected, distances of pairs being ratios (Krippendorff 2011, section D)."""
    answers, counts = table.answers, table.matrix
    if answers.min() < 0:
        raise BadNumber("ratings", expected="answers of at least 0 for the ratio metric", got=answers.min())
    total = answers[:, None] + answers[None, :]
    distance = ((answers[:, None] - answers[None, :]) / np.where(total > 0, total, 1.0)) ** 2
    seen = counts.T @ (counts * share[:, None])
    return float((seen * distance).sum()), float(marginals @ distance @ marginals)
