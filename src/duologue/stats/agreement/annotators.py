"""Annotators one by one: how often others gave the same answers.

A diagnostic for a person to look at, not a rule: an annotator who differs may be the careful one. Exclusion
rules are set down before the study, in its screening.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from duologue.stats.agreement.krippendorff import number_answers
from duologue.stats.counts import check_codes, check_numbers, check_share
from duologue.stats.rates.binomial_distribution import chance_up_to


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
        AnnotatorAgreement(code, total / n if n else None, n)
        for code, total, n in zip(people.tolist(), totals.tolist(), judged.tolist(), strict=True)
    )


def agree_with_nobody(
    agreements: Sequence[AnnotatorAgreement],
    *,
    crowd: float,
    chance: float,
    fewest: int = 10,
    alpha: float = 0.05,
) -> tuple[AnnotatorAgreement, ...]:
    """Annotators whose answers others do not share, the strangest first.

    They agree with others no more often than ``chance`` and less often than the ``crowd`` does: a one-sided
    binomial test of their rate, Bonferroni over the annotators with enough judgments. Judgments of one
    annotator are taken to be independent.

    Args:
        agreements: Every annotator's agreement with the others.
        crowd: How often two judgments of an item are the same, over all.
        chance: How often answers dealt out at random would be the same.
        fewest: Judgments of shared items before an annotator is tested.
        alpha: Chance of naming any annotator who is like the others.

    Raises:
        BadNumber: ``alpha`` is not a share.

    Example:
        >>> some = [AnnotatorAgreement(0, 0.9, 40), AnnotatorAgreement(1, 0.2, 40)]
        >>> [one.annotator for one in agree_with_nobody(some, crowd=0.8, chance=0.5)]
        [1]
    """
    alpha = check_share("alpha", alpha)
    tested = [one for one in agreements if one.rate is not None and one.judgments >= fewest]
    if not tested or not 0 < crowd < 1:
        return ()
    rates = np.array([one.rate for one in tested], dtype=np.float64)
    judged = np.array([one.judgments for one in tested], dtype=np.float64)
    tails = chance_up_to(np.round(rates * judged), judged, crowd)
    strange = np.flatnonzero((rates <= min(chance, crowd)) & (tails * len(tested) <= alpha))
    return tuple(tested[i] for i in strange[np.argsort(rates[strange], kind="stable")].tolist())
