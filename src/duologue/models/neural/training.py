"""One training loop for every model: bucketed batches, early stopping, checkpoints, the same again by seed.

Everything random comes from the seed and the number of the step. So training that was interrupted and goes on
from its checkpoint ends with the very weights that it would have had.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from duologue.errors import FormatError
from duologue.files import make_folder, replacing_by_name
from duologue.models.neural.library import torch_library
from duologue.seeds import seed_sequence

CHECKPOINT = "checkpoint.pt"
CHECKPOINT_SECONDS = 30.0


class TrainingSettings(BaseModel):
    """How a model is trained; each kind adds its sizes and has defaults of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    epochs: int = Field(20, ge=1)
    batch: int = Field(128, ge=1)
    optimizer: Literal["adam", "sgd"] = "adam"
    learning_rate: float = Field(0.001, gt=0)
    momentum: float = Field(0.0, ge=0, lt=1)
    decay: float = Field(1.0, gt=0, le=1)
    """What the learning rate is multiplied with after an epoch that brought nothing."""
    clip: float = Field(10.0, ge=0)
    """The longest gradient; 0 leaves it as it is."""
    patience: int = Field(3, ge=1)
    """So many epochs in a row without a better model end the training."""
    min_count: int = Field(2, ge=1)
    """Rarer words are unknown to the model."""
    seed: int = Field(0, ge=0)
    device: str = "cpu"


class Learner(ABC):
    """A model with what it learns from."""

    higher_is_better: ClassVar[bool]
    parts: Any
    """The torch module that holds all weights."""

    @abstractmethod
    def batches(self, rng: np.random.Generator) -> list[NDArray[np.intp]]:
        """The rows of an epoch's batches."""

    @abstractmethod
    def loss(self, rows: NDArray[np.intp], rng: np.random.Generator) -> Any:
        """What is to become small, for a batch."""

    @abstractmethod
    def validate(self) -> float:
        """How good the model is on what it does not learn from."""


@dataclass(frozen=True, slots=True)
class EpochFigures:
    """One epoch."""

    epoch: int
    loss: float
    score: float
    """On the validation set."""


@dataclass(slots=True)
class TrainingState:
    """How far a training is."""

    epoch: int = 0
    step: int = 0
    """Steps of this epoch that are done."""
    loss_sum: float = 0.0
    best: float | None = None
    best_epoch: int = 0
    learning_rate: float = 0.0
    is_over: bool = False
    history: list[EpochFigures] = field(default_factory=list)


OnStep = Callable[[TrainingState, int], None]
"""Told after every step how far it is, and how many steps an epoch has."""


def train(
    learner: Learner,
    settings: TrainingSettings,
    folder: Path,
    *,
    identity: str,
    on_step: OnStep | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> TrainingState:
    """Train until the epochs are over or nothing gets better; the learner then has the best weights.

    Args:
        learner: The model and its data.
        settings: How.
        folder: Where the checkpoint is kept; a training that was interrupted goes on from it.
        identity: What the training depends on: a checkpoint of another one is refused.
        on_step: Told after every step.
        checkpoint_seconds: How often the checkpoint is written within an epoch.

    Raises:
        FormatError: The folder has a checkpoint of another training.
    """
    run = _Run(learner, settings, make_folder(folder) / CHECKPOINT, identity)
    kept = monotonic()
    while not run.state.is_over:
        batches = learner.batches(run.rng("batches"))
        while run.state.step < len(batches):
            run.do_step(batches[run.state.step])
            if on_step is not None:
                on_step(run.state, len(batches))
            if monotonic() - kept >= checkpoint_seconds:
                run.keep()
                kept = monotonic()
        run.end_epoch(len(batches))
    learner.parts.load_state_dict(run.best_weights)
    learner.parts.eval()
    return run.state


class _Run:
    """Weights, optimiser and state of one training."""

    def __init__(self, learner: Learner, settings: TrainingSettings, path: Path, identity: str) -> None:
        self._torch = torch = torch_library()
        self._learner, self._settings, self._path, self._identity = learner, settings, path, identity
        self.state = TrainingState(learning_rate=settings.learning_rate)
        parameters = [one for one in learner.parts.parameters() if one.requires_grad]
        self._optimizer = (
            torch.optim.Adam(parameters, lr=settings.learning_rate)
            if settings.optimizer == "adam"
            else torch.optim.SGD(parameters, lr=settings.learning_rate, momentum=settings.momentum)
        )
        self._parameters = parameters
        self.best_weights: dict[str, Any] = {}
        if path.exists():
            self._resume()

    def rng(self, what: str, *names: int) -> np.random.Generator:
        """Randomness of this epoch, and of this step where one is named."""
        steps = map(str, (self.state.epoch, *names))
        return np.random.default_rng(seed_sequence(self._settings.seed, f"training {what}", *steps))

    def do_step(self, rows: NDArray[np.intp]) -> None:
        """One batch."""
        torch, state = self._torch, self.state
        rng = self.rng("step", state.step)
        torch.manual_seed(int(rng.integers(2**31)))  # dropout draws from torch's own state
        self._learner.parts.train()
        self._optimizer.zero_grad()
        loss = self._learner.loss(rows, rng)
        loss.backward()
        if self._settings.clip:
            torch.nn.utils.clip_grad_norm_(self._parameters, self._settings.clip)
        self._optimizer.step()
        state.loss_sum += float(loss.detach())
        state.step += 1

    def end_epoch(self, steps: int) -> None:
        """Look at the validation set, keep the weights if they are the best, and stop if nothing helps."""
        state, learner = self.state, self._learner
        learner.parts.eval()
        with self._torch.inference_mode():
            score = learner.validate()
        state.history.append(EpochFigures(state.epoch + 1, state.loss_sum / max(steps, 1), score))
        sign = 1 if learner.higher_is_better else -1
        if state.best is None or sign * score > sign * state.best:
            state.best, state.best_epoch = score, state.epoch + 1
            self.best_weights = {
                name: one.detach().clone() for name, one in learner.parts.state_dict().items()
            }
        else:
            state.learning_rate *= self._settings.decay
            for group in self._optimizer.param_groups:
                group["lr"] = state.learning_rate
        state.epoch += 1
        state.step, state.loss_sum = 0, 0.0
        waited = state.epoch - state.best_epoch
        state.is_over = state.epoch >= self._settings.epochs or waited >= self._settings.patience
        self.keep()

    def keep(self) -> None:
        """Write the checkpoint, whole or not at all."""
        record = {
            "identity": self._identity,
            "state": asdict(self.state),
            "weights": self._learner.parts.state_dict(),
            "best": self.best_weights,
            "optimizer": self._optimizer.state_dict(),
        }
        with replacing_by_name(self._path) as draft:
            self._torch.save(record, draft)

    def _resume(self) -> None:
        try:
            record = self._torch.load(self._path, map_location=self._settings.device, weights_only=True)
        except Exception as error:  # torch raises what pickle, zip files and itself raise
            raise FormatError(self._path, expected="a checkpoint", hint="Delete it to begin anew.") from error
        if record["identity"] != self._identity:
            hint = "Give another folder, or delete it."
            raise FormatError(self._path, expected="a checkpoint of this very training", hint=hint)
        history = [EpochFigures(**one) for one in record["state"].pop("history")]
        self.state = TrainingState(**record["state"], history=history)
        self._learner.parts.load_state_dict(record["weights"])
        self._optimizer.load_state_dict(record["optimizer"])
        self.best_weights = record["best"]
        # More epochs than before may be asked for.
        waited = self.state.epoch - self.state.best_epoch
        self.state.is_over = self.state.epoch >= self._settings.epochs or (
            self.state.epoch > 0 and waited >= self._settings.patience
        )
