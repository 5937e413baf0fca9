"""Models that compare texts, and trainable baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.models.bm25 import Bm25
    from duologue.models.entailment import LocalEntailment
    from duologue.models.neural.examples import TrainingExample
    from duologue.models.neural.generation import Sampling, WritingModel
    from duologue.models.neural.kinds import TRAINED_KINDS, train_model, trained_model, training_settings
    from duologue.models.opening import open_model
    from duologue.models.retrieval import (
        PLAIN_MODELS,
        CandidateModel,
        ReplyContext,
        ReplyIndex,
        VectorModel,
        plain_model,
    )
    from duologue.models.running import (
        DeviceOption,
        OutFolder,
        SeedOption,
        SetOption,
        given_settings,
        run_training,
    )
    from duologue.models.tf_idf import TfIdf
    from duologue.models.word_counts import words_of
    from duologue.models.word_vectors import WordVectors, read_word_vectors

__all__ = [
    "PLAIN_MODELS",
    "TRAINED_KINDS",
    "Bm25",
    "CandidateModel",
    "DeviceOption",
    "LocalEntailment",
    "OutFolder",
    "ReplyContext",
    "ReplyIndex",
    "Sampling",
    "SeedOption",
    "SetOption",
    "TfIdf",
    "TrainingExample",
    "VectorModel",
    "WordVectors",
    "WritingModel",
    "given_settings",
    "open_model",
    "plain_model",
    "read_word_vectors",
    "run_training",
    "train_model",
    "trained_model",
    "training_settings",
    "words_of",
]

__getattr__ = lazy_front(__name__)
