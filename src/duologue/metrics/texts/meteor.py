"""METEOR by NLTK: exact words, then word stems, then synonyms where WordNet is on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duologue.errors import MissingExtra
from duologue.metrics.words import plain_words


class Meteor:
    """METEOR of pairs of texts; ``has_synonyms`` says whether WordNet was found.

    NLTK asks for WordNet, a download of its own. Nothing is downloaded here: without it the stages are exact
    words and Porter stems, which gives lower scores, and the label says so.

    Source: Banerjee and Lavie 2005, with the parameters of Lavie and Agarwal 2007 that NLTK has by default.

    Raises:
        MissingExtra: NLTK is not installed.

    Example:
        >>> Meteor().scores(["he walks home"], ["he walked home"]).round(2).tolist()
        [0.98]
    """

    def __init__(self) -> None:
        try:
            from nltk.translate import meteor_score
        except ImportError as error:
            raise MissingExtra("nltk", "meteor") from error
        self._score = meteor_score.single_meteor_score
        self._wordnet = _wordnet()
        self.has_synonyms = not isinstance(self._wordnet, _NoSynonyms)

    def scores(self, predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
        """METEOR of many pairs of texts, one reference each."""
        pairs = zip(predictions, references, strict=True)
        return np.array([self._one(said, wanted) for said, wanted in pairs], dtype=np.float64)

    def _one(self, said: str, wanted: str) -> float:
        words, others = plain_words(said).split(), plain_words(wanted).split()
        return float(self._score(others, words, wordnet=self._wordnet)) if words and others else 0.0


class _NoSynonyms:
    """A WordNet in which no word has a synonym."""

    def synsets(self, word: str) -> tuple[()]:
        return ()


def _wordnet() -> Any:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        return _NoSynonyms()
    return wordnet
