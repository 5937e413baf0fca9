"""How far annotators agree about the same items: agreement rate, kappas, Krippendorff's alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes
from duologue.stats.intervals import Interval

Metric = Literal["nominal", "ordinal", "interval", "ratio"]
"""How far apart two answers are: just different, by rank, by difference, by ratio."""


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
    """Which answers each item got: ``counts[item, answer]``, for items with two judgments or more."""

    answers: NDArray[np.float64]
    counts: NDArray[np.float64]

    @property
    def per_item(self) -> NDArray[np.float64]:
        """Judgments on each item."""
        totals: NDArray[np.float64] = self.counts.sum(axis=1)
        return totals


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
    equal = (table.counts * (table.counts - 1)).sum(axis=1)
    return Agreement(
        value=float((equal / pairs).mean()),
        coefficient="agreement rate",
        metric="nominal",
        items=len(table.counts),
        judgments=int(table.counts.sum()),
    )


def krippendorff_alpha(
    ratings: ArrayLike, *, items: ArrayLike | None = None, metric: Metric = "nominal"
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

    Raises:
        NotEnoughJudgments: No item has two judgments.
        BadNumber: The arrays do not fit each other, or a ratio metric meets negative answers.

    Example:
        >>> round(krippendorff_alpha([[1, 2, 1, 2], [1, 2, 2, 2]]).value, 4)
        0.5333
    """
    table = answer_table(ratings, items)
    return Agreement(
        value=alpha_of(table, metric),
        coefficient="Krippendorff's alpha",
        metric=metric,
        items=len(table.counts),
        judgments=int(table.counts.sum()),
    )


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
    answers, answer_codes = np.unique(values[several], return_inverse=True)
    item_codes, item_count = check_codes("items", codes[several], length=int(several.sum()))
    cells = np.bincount(item_codes * len(answers) + answer_codes, minlength=item_count * len(answers))
    return AnswerTable(answers, cells.reshape(item_count, len(answers)).astype(np.float64))


def alpha_of(table: AnswerTable, metric: Metric) -> float:
    """Krippendorff's alpha of a table of answers."""
    weights = 1 / (table.per_item - 1)
    seen = table.counts.T @ (table.counts * weights[:, None])
    seen -= np.diag(weights @ table.counts)
    marginals = seen.sum(axis=1)
    if np.count_nonzero(marginals) < 2:
        return 1.0
    distance = _distance(table.answers, marginals, metric)
    total = marginals.sum()
    expected = (np.outer(marginals, marginals) - np.diag(marginals)) / (total - 1)
    return float(1 - (seen * distance).sum() / (expected * distance).sum())


def _distance(
    answers: NDArray[np.float64], marginals: NDArray[np.float64], metric: Metric
) -> NDArray[np.float64]:
    """The squared distance between any two answers (Krippendorff 2011, section D)."""
    if metric == "nominal":
        return 1.0 - np.eye(len(answers))
    if metric == "ordinal":
        middle = np.cumsum(marginals) - marginals / 2
        return np.asarray((middle[:, None] - middle[None, :]) ** 2)
    difference = answers[:, None] - answers[None, :]
    if metric == "interval":
        return np.asarray(difference**2)
    if answers.min() < 0:
        raise BadNumber("ratings", expected="answers of at least 0 for the ratio metric", got=answers.min())
    total = answers[:, None] + answers[None, :]
    return np.asarray((difference / np.where(total > 0, total, 1.0)) ** 2)
