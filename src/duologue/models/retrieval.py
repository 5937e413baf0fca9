"""Models that choose a reply: among the candidates of an item, or from all replies of a corpus."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duologue.errors import InputError
from duologue.models.bm25 import Bm25
from duologue.models.tf_idf import TfIdf
from duologue.models.word_counts import words_of
from duologue.models.word_vectors import WordVectors, read_word_vectors
from duologue.seeds import seed_sequence

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    Rows = csr_matrix | NDArray[Any]

PLAIN_MODELS = ("random", "tf-idf", "bm25", "embedding")
"""The models that need no training and no torch."""


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """What was said before a reply, the partner's turn last, and what else the speaker was told."""

    turns: tuple[str, ...]
    background: tuple[str, ...] = ()

    @property
    def query(self) -> str:
        """All of it as one text."""
        return "\n".join((*self.background, *self.turns))


class CandidateModel(ABC):
    """A model that scores candidate replies."""

    name: str

    @abstractmethod
    def scores(
        self, contexts: Sequence[ReplyContext], candidates: Sequence[Sequence[str]]
    ) -> list[NDArray[np.float64]]:
        """For each context, how well each of its candidates fits; higher is better."""

    def index(self, replies: Sequence[str]) -> ReplyIndex:
        """All replies of a corpus, made ready to be scored for one context after another."""
        return ReplyIndex(self, replies)


class ReplyIndex:
    """The replies of a corpus, scored by a model that looks at all of them each time."""

    def __init__(self, model: CandidateModel, replies: Sequence[str]) -> None:
        self._model, self._replies = model, replies

    def scores(self, context: ReplyContext) -> NDArray[np.float64]:
        """How well each reply fits."""
        return self._model.scores([context], [self._replies])[0]


class VectorModel(CandidateModel):
    """A model whose score is the product of a vector of the context and one of the reply."""

    @abstractmethod
    def context_vectors(self, contexts: Sequence[ReplyContext]) -> Rows:
        """A row for each context."""

    @abstractmethod
    def reply_vectors(self, texts: Sequence[str]) -> Rows:
        """A row for each reply."""

    def scores(
        self, contexts: Sequence[ReplyContext], candidates: Sequence[Sequence[str]]
    ) -> list[NDArray[np.float64]]:
        """Products; a reply that is a candidate of several contexts is turned into a vector once."""
        places = {
            text: place for place, text in enumerate({text: None for some in candidates for text in some})
        }
        replies = self.reply_vectors(list(places))
        asked = self.context_vectors(contexts)
        return [
            _products(replies[[places[text] for text in some]], asked[row])
            for row, some in enumerate(candidates)
        ]

    def index(self, replies: Sequence[str]) -> ReplyIndex:
        """The vectors of all replies."""
        return _VectorIndex(self, replies)


class _VectorIndex(ReplyIndex):
    """The vectors of the replies of a corpus."""

    def __init__(self, model: VectorModel, replies: Sequence[str]) -> None:
        super().__init__(model, replies)
        self._encode, self._vectors = model.context_vectors, model.reply_vectors(replies)

    def scores(self, context: ReplyContext) -> NDArray[np.float64]:
        """One product with all of them."""
        return _products(self._vectors, self._encode([context])[0])


def _products(rows: Any, one: Any) -> NDArray[np.float64]:
    """Each row times one vector, whether sparse or not."""
    product = rows @ one.T
    dense = product.toarray() if hasattr(product, "toarray") else product
    return np.asarray(dense, float).ravel()


class RandomModel(CandidateModel):
    """A guess: what every other model has to beat."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def scores(
        self, contexts: Sequence[ReplyContext], candidates: Sequence[Sequence[str]]
    ) -> list[NDArray[np.float64]]:
        """Random numbers, the same again for the same context and seed."""
        return [
            np.random.default_rng(seed_sequence(self._seed, "random model", *context.turns)).random(len(some))
            for context, some in zip(contexts, candidates, strict=True)
        ]


class TfIdfModel(VectorModel):
    """The cosine of the TF-IDF vectors of context and reply (Lowe et al. 2015)."""

    name = "tf-idf"

    def __init__(self, texts: Iterable[str]) -> None:
        self._words = TfIdf(texts)

    def context_vectors(self, contexts: Sequence[ReplyContext]) -> Rows:
        """One text each."""
        return self._words.vectors([context.query for context in contexts])

    def reply_vectors(self, texts: Sequence[str]) -> Rows:
        """As they are."""
        return self._words.vectors(texts)


class Bm25Model(VectorModel):
    """The BM25 score of the reply with the context as the query."""

    name = "bm25"

    def __init__(self, texts: Iterable[str]) -> None:
        self._words = Bm25(texts)

    def context_vectors(self, contexts: Sequence[ReplyContext]) -> Rows:
        """One query each."""
        return self._words.queries([context.query for context in contexts])

    def reply_vectors(self, texts: Sequence[str]) -> Rows:
        """What each of their words adds."""
        return self._words.vectors(texts)


class EmbeddingModel(VectorModel):
    """The cosine of the mean word vectors of context and reply."""

    name = "embedding"

    def __init__(self, vectors: WordVectors) -> None:
        self._words = vectors

    def context_vectors(self, contexts: Sequence[ReplyContext]) -> Rows:
        """One text each."""
        return self._words.vectors([context.query for context in contexts])

    def reply_vectors(self, texts: Sequence[str]) -> Rows:
        """As they are."""
        return self._words.vectors(texts)


def plain_model(
    name: str, texts: Iterable[str], *, vectors: Path | None = None, seed: int = 0
) -> CandidateModel:
    """One of the models that need no training, fitted to some texts.

    Args:
        name: One of `PLAIN_MODELS`.
        texts: What says how common each word is.
        vectors: Word vectors, for ``embedding``.
        seed: For ``random``.

    Raises:
        InputError: There is no model of that name, or the word vectors cannot be used.

    Example:
        >>> model = plain_model("tf-idf", ["do you like tea", "i like tea", "it rains"])
        >>> context = ReplyContext(("tea ?",))
        >>> [round(float(score), 2) for score in model.scores([context], [["i like tea", "it rains"]])[0]]
        [0.33, 0.0]
    """
    match name:
        case "random":
            return RandomModel(seed)
        case "tf-idf":
            return TfIdfModel(texts)
        case "bm25":
            return Bm25Model(texts)
        case "embedding":
            if vectors is None:
                why = "Name a file of them (GloVe, word2vec as text) as vectors."
                raise InputError(f"embedding: it needs word vectors. {why}")
            words = {word for text in texts for word in words_of(text)}
            return EmbeddingModel(read_word_vectors(vectors, words=words))
    raise InputError(
        f"{name}: there is no such model. Give one of {', '.join(PLAIN_MODELS)}, "
        "or the folder of a trained one."
    )
