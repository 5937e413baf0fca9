"""Models of meaning for statistics of logs: vectors of texts, and whether one text contradicts another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from duologue.bots import named_object
from duologue.errors import DesignError
from duologue.metrics import ALIKE, CONTRADICTS, MeaningModels, MeaningVectors
from duologue.models import LocalEntailment, read_word_vectors

Entailment = Callable[[Sequence[tuple[str, str]]], Sequence[float]]


def open_meaning(
    embeddings: str | None,
    entailment: str | None,
    *,
    alike: float = ALIKE,
    contradicts: float = CONTRADICTS,
    folder: Path = Path(),
) -> MeaningModels:
    """The models that are named.

    Args:
        embeddings: A file of word vectors (GloVe, word2vec as text), or ``module:name``: an object with a
            method ``vectors(texts)``.
        entailment: A folder of weights for ``transformers`` that know the label "contradiction", or
            ``module:name``: a function of pairs of texts that gives the probability of a contradiction.
        alike: From which cosine on a reply is a paraphrase.
        contradicts: From which probability on a reply is a contradiction.
        folder: Where modules may lie.

    Raises:
        DesignError: What is named cannot be used; says why.
        InputError: The file of word vectors cannot be used.
        MissingExtra: ``transformers`` is not installed.
    """
    return MeaningModels(
        None if embeddings is None else _vectors(embeddings, folder),
        None if entailment is None else _contradictions(entailment, folder),
        alike,
        contradicts,
        Path(embeddings or "").name,
        Path(entailment or "").name,
    )


def _vectors(named: str, folder: Path) -> MeaningVectors:
    if Path(named).is_file():
        return read_word_vectors(Path(named), words=None)
    thing = _named(named, folder, what="a file of word vectors")
    if not hasattr(thing, "vectors"):
        raise DesignError(f"{named}: it has no method vectors(texts). docs/metrics.md says what is wanted.")
    return cast(MeaningVectors, thing)


def _contradictions(named: str, folder: Path) -> Entailment:
    if Path(named).is_dir():
        return LocalEntailment(Path(named))
    thing = _named(named, folder, what="a folder of weights")
    if not callable(thing):
        raise DesignError(
            f"{named}: it cannot be called with pairs of texts. docs/metrics.md says what is wanted."
        )
    return cast(Entailment, thing)


def _named(named: str, folder: Path, *, what: str) -> Any:
    if ":" not in named:
        raise DesignError(f"{named}: there is no such place. Name {what}, or module:name.")
    try:
        return named_object(named, folder)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise DesignError(f"{named}: it cannot be loaded: {why}") from error
