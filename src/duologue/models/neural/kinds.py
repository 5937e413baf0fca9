"""Training a model of a kind, and opening one that was trained."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from duologue.dialogues import Json
from duologue.errors import DesignError, InputError
from duologue.expected import did_you_mean, refusal
from duologue.models.neural.double_head import (
    DoubleHead,
    DoubleHeadLearner,
    DoubleHeadSettings,
    double_head_vocabulary,
)
from duologue.models.neural.dual_encoder import DualEncoder, DualEncoderLearner, DualEncoderSettings
from duologue.models.neural.examples import TrainingExample
from duologue.models.neural.language_model import LanguageModel, LanguageModelSettings
from duologue.models.neural.memory_network import MemoryNetwork, MemoryNetworkLearner, MemoryNetworkSettings
from duologue.models.neural.pieces import PIECES, PieceVocabulary
from duologue.models.neural.saving import read_saved, save_model
from duologue.models.neural.seq2seq import Seq2Seq, Seq2SeqSettings
from duologue.models.neural.training import (
    CHECKPOINT_SECONDS,
    Learner,
    OnStep,
    TrainingSettings,
    TrainingState,
    train,
)
from duologue.models.neural.vocabulary import ModelVocabulary, Splitting
from duologue.models.neural.writing_learner import WritingLearner
from duologue.models.retrieval import CandidateModel


@dataclass(frozen=True, slots=True)
class TrainedKind:
    """A kind of model that can be trained."""

    settings: type[TrainingSettings]
    model: Callable[[Any, ModelVocabulary], Any]
    learner: Callable[[Any, Sequence[TrainingExample], Sequence[TrainingExample]], Learner]
    measure: str
    """What early stopping looks at."""
    splitting: Splitting = "signs"
    pieces: Callable[[Any], ModelVocabulary | None] = lambda settings: None
    """The vocabulary of weights that it starts from, if it does."""


TRAINED_KINDS: Mapping[str, TrainedKind] = {
    "dual-encoder": TrainedKind(DualEncoderSettings, DualEncoder, DualEncoderLearner, "R@1"),
    "memory-network": TrainedKind(MemoryNetworkSettings, MemoryNetwork, MemoryNetworkLearner, "hits@1"),
    "seq2seq": TrainedKind(Seq2SeqSettings, Seq2Seq, WritingLearner, "perplexity", "blanks"),
    "language-model": TrainedKind(
        LanguageModelSettings, LanguageModel, WritingLearner, "perplexity", "blanks"
    ),
    "double-head": TrainedKind(
        DoubleHeadSettings, DoubleHead, DoubleHeadLearner, "perplexity", "blanks", double_head_vocabulary
    ),
}


def training_settings(kind: str, given: Mapping[str, str | int | float]) -> TrainingSettings:
    """The settings of a kind: its defaults, save those that are given.

    Raises:
        DesignError: There is no such kind or setting, or a value is not possible.
    """
    if kind not in TRAINED_KINDS:
        raise DesignError(f"{kind}: there is no such model to train. Give one of {', '.join(TRAINED_KINDS)}.")
    of = TRAINED_KINDS[kind].settings
    try:
        return of.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            raise DesignError(
                f"{kind} has no setting {name!r}; it has {', '.join(of.model_fields)}."
                + did_you_mean(name, of.model_fields)
            ) from None
        raise DesignError(f"{name} of {kind}: {refusal(first)}") from None


def train_model(
    kind: str,
    settings: TrainingSettings,
    examples: Sequence[TrainingExample],
    valid: Sequence[TrainingExample],
    out: Path,
    *,
    on_step: OnStep | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> TrainingState:
    """Train a model and write it to a folder; training that was interrupted goes on from its checkpoint.

    Args:
        kind: One of `TRAINED_KINDS`.
        settings: Those of the kind.
        examples: What it learns from.
        valid: What early stopping looks at; with candidates for models that choose.
        out: The folder.
        on_step: Told after every step.
        checkpoint_seconds: How often a checkpoint is written.

    Raises:
        DesignError: There is too little to learn from.
        FormatError: The folder has a checkpoint of another training.
        MissingExtra: torch is not installed.
    """
    of = TRAINED_KINDS[kind]
    if len(examples) < 2 or not valid:
        why = f"{len(examples)} examples to learn from and {len(valid)} for validation"
        raise DesignError(f"{kind}: there are {why}; at least 2 and 1 are needed.")
    vocabulary = of.pieces(settings) or ModelVocabulary.of(
        _texts(examples), min_count=settings.min_count, splitting=of.splitting
    )
    model = of.model(settings, vocabulary)
    learner = of.learner(model, examples, valid)
    identity = _identity(kind, settings, examples, valid)
    state = train(
        learner, settings, out, identity=identity, on_step=on_step, checkpoint_seconds=checkpoint_seconds
    )
    if isinstance(vocabulary, PieceVocabulary):
        vocabulary.keep(out)
    about = {"examples": len(examples), "valid": len(valid), "words": len(vocabulary)}
    measure = of.measure
    save_model(out, kind, settings, vocabulary, model.parts, state=state, measure=measure, about=about)
    return state


def trained_model(folder: Path, *, device: str = "cpu") -> CandidateModel:
    """A model that was trained before.

    Raises:
        InputError: There is none in the folder, or it cannot be used.
        MissingExtra: torch is not installed.
    """
    saved = read_saved(folder)
    if saved.kind not in TRAINED_KINDS:
        raise InputError(f"{folder}: a model of the kind {saved.kind!r} is not known here.")
    kind = TRAINED_KINDS[saved.kind]
    vocabulary = saved.vocabulary
    if vocabulary.splitting == "pieces":
        vocabulary = PieceVocabulary.of_weights(folder / PIECES, has_weights=False)
    model = kind.model(saved.read_settings(kind.settings, device=device), vocabulary)
    saved.load_weights(model.parts, device=device)
    assert isinstance(model, CandidateModel)  # noqa: S101  every kind is one
    return model


def _texts(examples: Sequence[TrainingExample]) -> Iterator[str]:
    """Every text once: turns are in the contexts of all later replies."""
    told = ((*one.context.background, *one.context.turns, one.reply) for one in examples)
    return iter(dict.fromkeys(text for some in told for text in some))


def _identity(
    kind: str,
    settings: TrainingSettings,
    examples: Sequence[TrainingExample],
    valid: Sequence[TrainingExample],
) -> str:
    """All that the weights depend on, save for how long is trained and on which device."""
    digest = hashlib.sha256(kind.encode())
    told: dict[str, Json] = settings.model_dump(mode="json", exclude={"epochs", "patience", "device"})
    digest.update(json.dumps(told, sort_keys=True).encode())
    for one in (*examples, *valid):
        digest.update(json.dumps(asdict(one)).encode())
    return digest.hexdigest()
