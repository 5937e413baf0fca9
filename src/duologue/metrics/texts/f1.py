"""F1 of words, as ConvAI2 computes it, and exact match."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from duologue.metrics.texts.normalising import ARTICLES, AT_ONCE, lowered, normal_words


def f1(prediction: str, references: Sequence[str]) -> float:
    """How many words two texts share: the harmonic mean of precision and recall, at most over references.

    Words are those of the field's normalisation; a word counts twice where both texts say it twice.
    0 where nothing is shared.

    Source: Dinan et al. 2019 (ConvAI2), section 2.2. It rewards frequent words: see `toy_reply`.

    Example:
        >>> f1("I like the cats.", ["i like cats and dogs", "no"])
        0.75
    """
    return float(f1_scores([prediction] * len(references), references).max(initial=0.0))


def f1_scores(predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
    """F1 of many pairs of texts, one reference each: some three times as fast as one pair after the other."""
    scores: list[float] = []
    for start in range(0, len(predictions), AT_ONCE):
        said = lowered(predictions[start : start + AT_ONCE])
        wanted = lowered(references[start : start + AT_ONCE])
        scores += [_f1(one.split(), other.split()) for one, other in zip(said, wanted, strict=True)]
    return np.array(scores, dtype=np.float64)


def _f1(said: list[str], wanted: list[str]) -> float:
    """Twice the shared words over all words of both; taking articles off the counts is fastest."""
    mine, theirs = set(said), set(wanted)
    both = mine & theirs
    if not both:
        return 0.0
    total = len(said) + len(wanted)
    for article in _ARTICLES:
        if article in mine:
            total -= said.count(article)
        if article in theirs:
            total -= wanted.count(article)
            both.discard(article)
    shared = len(both)
    if len(mine) != len(said) and len(theirs) != len(wanted):  # else no shared word counts twice
        shared = sum([min(said.count(word), wanted.count(word)) for word in both])
    return 2 * shared / total if shared else 0.0


_ARTICLES = tuple(sorted(ARTICLES))


def exact_matches(predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
    """1 where two texts have the same words in the same order after the normalisation, else 0."""
    pairs = zip(normal_words(predictions), normal_words(references), strict=True)
    return np.array([said == wanted for said, wanted in pairs], dtype=np.float64)
