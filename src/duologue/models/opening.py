"""A model by its name, or by the folder in which it was trained."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from duologue.models.retrieval import CandidateModel, plain_model


def open_model(
    name: Path, texts: Iterable[str], *, vectors: Path | None = None, seed: int = 0
) -> CandidateModel:
    """A model that scores candidates.

    Args:
        name: One of ``random``, ``tf-idf``, ``bm25``, ``embedding``, or the folder of a trained model.
        texts: What says how common each word is.
        vectors: Word vectors, for ``embedding``.
        seed: For ``random``.

    Raises:
        InputError: There is no such model, or its files cannot be used.
        MissingExtra: torch is not installed, and the model needs it.
    """
    if name.is_dir():
        from duologue.models.neural.kinds import trained_model

        return trained_model(name)
    return plain_model(str(name), texts, vectors=vectors, seed=seed)
