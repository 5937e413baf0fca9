"""Teaching a model to write the replies that people gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from duologue.models.neural.examples import TrainingExample
from duologue.models.neural.generation import WritingModel
from duologue.models.neural.ragged import bucketed
from duologue.models.neural.training import Learner, TrainingSettings


class WritingLearner(Learner):
    """Cross-entropy of every word of a reply; perplexity stops it."""

    higher_is_better: ClassVar[bool] = False

    def __init__(
        self, model: WritingModel, examples: Sequence[TrainingExample], valid: Sequence[TrainingExample]
    ) -> None:
        self._model, self._valid, self.parts = model, valid, model.parts
        self._settings: TrainingSettings = model.settings
        self._contexts = model.context_rows([one.context for one in examples])
        self._replies = model.reply_rows([one.reply for one in examples])

    def batches(self, rng: np.random.Generator) -> list[NDArray[np.intp]]:
        """Contexts and replies of about the same length together."""
        return bucketed(self._model.lengths(self._contexts, self._replies), self._settings.batch, rng)

    def loss(self, rows: NDArray[np.intp], rng: np.random.Generator) -> Any:
        """The mean over words."""
        each, is_word = self._model.losses(self._contexts, rows, self._replies, rows)
        return each.sum() / is_word.sum()

    def validate(self) -> float:
        """Perplexity on the validation set."""
        return self._model.perplexity(self._valid)
