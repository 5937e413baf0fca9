"""Replies that mean the same, or the opposite, of what the speaker said before: by models that are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

ALIKE = 0.9
CONTRADICTS = 0.5

Contradictions = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""For each pair of an earlier and a later text, how probable it is that the later contradicts the earlier."""


class MeaningVectors(Protocol):
    """A model of what texts mean."""

    def vectors(self, texts: Sequence[str]) -> NDArray[Any]:
        """A row for each text; one that is all zeros is like no other."""


@dataclass(frozen=True, slots=True)
class MeaningModels:
    """Models of meaning, where there are any, and from which number on they are believed."""

    embeddings: MeaningVectors | None = None
    entailment: Contradictions | None = None
    alike: float = ALIKE
    contradicts: float = CONTRADICTS
    embeddings_name: str = ""
    entailment_name: str = ""

    def notes(self) -> list[str]:
        """What the figures rest on, as sentences."""
        said = []
        if self.embeddings is not None:
            said.append(
                f"A paraphrase has a cosine of at least {self.alike:g} with an earlier reply of the speaker "
                f"that has other words, by {self.embeddings_name}: a heuristic."
            )
        if self.entailment is not None:
            said.append(
                f"A self-contradiction has a probability of at least {self.contradicts:g} to contradict an "
                f"earlier reply of the speaker, by {self.entailment_name}: a heuristic."
            )
        return said


@dataclass(frozen=True, slots=True)
class MeaningCounts:
    """Of replies with an earlier one by the same speaker: how many paraphrase, how many contradict one."""

    replies: int
    paraphrased: int
    contradicting: int


def count_meaning(texts: Sequence[str], models: MeaningModels) -> MeaningCounts:
    """Count among the replies of one speaker in one dialogue.

    Args:
        texts: What was said, in order.
        models: Who judges it. The same words said again are a repeat, not a paraphrase.
    """
    pairs = [(first, second) for first, second in combinations(range(len(texts)), 2)]
    paraphrased: set[int] = set()
    contradicting: set[int] = set()
    if models.embeddings is not None and pairs:
        alike = _cosines(np.asarray(models.embeddings.vectors(texts), dtype=np.float64)) >= models.alike
        paraphrased = {
            later for first, later in pairs if alike[first, later] and texts[first] != texts[later]
        }
    if models.entailment is not None and pairs:
        shares = models.entailment([(texts[first], texts[later]) for first, later in pairs])
        contradicting = {
            later for (_, later), share in zip(pairs, shares, strict=True) if share >= models.contradicts
        }
    return MeaningCounts(max(0, len(texts) - 1), len(paraphrased), len(contradicting))


def _cosines(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    cosines: NDArray[np.float64] = unit @ unit.T
    return cosines
