"""Perplexity by word, as ConvAI2 computed it: next-word distributions over one dictionary for all models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

FLOOR = 1e-7
"""The least a word of the dictionary is given: no word is impossible."""


@dataclass(frozen=True, slots=True)
class WordDictionary:
    """The words that are scored: in lower case, split at white space. Others are skipped for every model."""

    words: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> WordDictionary:
        """The dictionary of some texts.

        Example:
            >>> sorted(WordDictionary.of(["I like tea .", "tea !"]).words)
            ['!', '.', 'i', 'like', 'tea']
        """
        return cls(frozenset(word for text in texts for word in split_words(text)))

    def probability(self, word: str, given: Mapping[str, float]) -> float | None:
        """What a next-word distribution gives a word, shared out over the dictionary; None outside it.

        Every word of the dictionary has at least `FLOOR`; what a model gives to other words is taken away. So
        models with different vocabularies are scored on the same words.

        Example:
            >>> WordDictionary(frozenset({"tea", "rain"})).probability("tea", {"tea": 0.3, "snow": 0.4})
            0.99999...
        """
        if word not in self.words:
            return None
        known = [max(share, FLOOR) for other, share in given.items() if other in self.words]
        whole = sum(known) + FLOOR * (len(self.words) - len(known))
        return max(given.get(word, 0.0), FLOOR) / whole


def split_words(text: str) -> Sequence[str]:
    """The words of a text as the dictionary has them."""
    return text.lower().split()
