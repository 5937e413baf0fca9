"""Annotators one by one: how often others gave the same answers.

A diagnostic for a person to look at, not a rule: an annotator who differs may be the careful one. Exclusion
rules are set down before the study, in its screening.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from duologue.stats.agreement import number_answers
from duologue.stats.counts import check_codes, check_numbers


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """How often others gave the same answer to the items that this annotator judged.

    ``rate`` is None where nobody else judged the same items. ``judgments`` counts those that somebody did.
    """

    annotator: int
    rate: float | None
    judgments: int


def agreement_with_others(
    annotators: ArrayLike, items: ArrayLike, answers: ArrayLike
) -> tuple[AnnotatorAgreement, ...]:
    """Compare each annotator's answers with the others' answers to the same items.

    The mean over an annotator's judgments of the share of other judgments of the item that are the same.
    Assumes that nobody judged an item twice.

    Args:
        annotators: The integer code of the annotator of each judgment.
        items: The integer code of its item.
        answers: The answer, as a number.

    Returns:
        One for each annotator, by code.

    Raises:
        BadNumber: The arrays do not fit each other.

    Example:
        >>> [a.rate for a in agreement_with_others([0, 1, 2, 0, 1], [5, 5, 5, 6, 6], [1, 1, 2, 1, 1])]
        [0.75, 0.75, 0.0]
    """
    given = check_numbers("answers", answers)
    if len(given) == 0:
        return ()
    who, size = check_codes("annotators", annotators, length=len(given))
    item, _ = check_codes("items", items, length=len(given))
    people = np.unique(np.asarray(annotators))
    _, answer = number_answers(given)
    cell = item * (int(answer.max(initial=0)) + 1) + answer
    same = np.bincount(cell, minlength=1)
    others = np.bincount(item, minlength=1)[item] - 1
    shares = (same[cell] - 1) / np.maximum(others, 1)
    is_shared = others > 0
    judged = np.bincount(who[is_shared], minlength=size)
    totals = np.bincount(who[is_shared], weights=shares[is_shared], minlength=size)
    return tuple(
        AnnotatorAgreement(int(code), float(total / n) if n else None, int(n))
        for code, total, n in zip(people, totals, judged, strict=True)
    )
