"""The LSTM dual encoder: the chance that a reply fits a context is σ(cᵀMr) (Lowe et al. 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from duologue.models.neural.examples import TrainingExample, recall_at_one
from duologue.models.neural.library import torch_library
from duologue.models.neural.ragged import RaggedArray, bucketed
from duologue.models.neural.training import Learner, TrainingSettings
from duologue.models.neural.vocabulary import ModelVocabulary
from duologue.models.retrieval import ReplyContext, VectorModel

INFERENCE_BATCH = 512


class DualEncoderSettings(TrainingSettings):
    """Sizes as published for version 2 of the Ubuntu corpus."""

    batch: int = Field(256, ge=2)
    embedding: int = Field(100, ge=1)
    hidden: int = Field(200, ge=1)
    longest_context: int = Field(160, ge=1)
    """Words; what is longer loses its beginning."""
    longest_reply: int = Field(80, ge=1)
    negatives: int = Field(1, ge=1)
    """False replies for each true one, drawn anew from the batch at every step."""
    forget_bias: float = 2.0


class DualEncoder(VectorModel):
    """One LSTM reads contexts and replies; a matrix M compares them."""

    name = "dual-encoder"

    def __init__(self, settings: DualEncoderSettings, vocabulary: ModelVocabulary) -> None:
        torch = torch_library()
        self.settings, self.vocabulary = settings, vocabulary
        torch.manual_seed(settings.seed)
        lstm = torch.nn.LSTM(settings.embedding, settings.hidden, batch_first=True)
        match = torch.nn.Linear(settings.hidden, settings.hidden, bias=False)
        with torch.no_grad():
            # The forget gate is the second of four; torch adds two biases.
            lstm.bias_ih_l0[settings.hidden : 2 * settings.hidden] = settings.forget_bias
            lstm.bias_hh_l0[settings.hidden : 2 * settings.hidden] = 0.0
            torch.nn.init.eye_(match.weight)
        words = torch.nn.Embedding(len(vocabulary), settings.embedding, padding_idx=0)
        self.parts = torch.nn.ModuleDict({"words": words, "lstm": lstm, "match": match}).to(settings.device)

    def encoded(self, rows: RaggedArray, which: NDArray[np.intp]) -> Any:
        """The state of the LSTM after the last word of each row."""
        torch = torch_library()
        table, lengths = rows.padded(which)
        states, _ = self.parts["lstm"](self.parts["words"](torch.from_numpy(table).to(self.settings.device)))
        last = torch.from_numpy(np.maximum(lengths, 1) - 1).to(states.device)
        return states[torch.arange(len(last), device=states.device), last]

    def context_rows(self, contexts: Sequence[ReplyContext]) -> RaggedArray:
        """Contexts as numbers of words."""
        parts = [(one.background, one.turns) for one in contexts]
        return self.vocabulary.context_rows(parts, longest=self.settings.longest_context)

    def reply_rows(self, texts: Sequence[str]) -> RaggedArray:
        """Replies as numbers of words."""
        return self.vocabulary.rows(texts, longest=self.settings.longest_reply)

    def context_vectors(self, contexts: Sequence[ReplyContext]) -> NDArray[np.float32]:
        """cᵀM for each context."""
        return self._vectors(self.context_rows(contexts), self.parts["match"])

    def reply_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """r for each reply."""
        return self._vectors(self.reply_rows(texts), None)

    def _vectors(self, rows: RaggedArray, then: Any) -> NDArray[np.float32]:
        torch = torch_library()
        found = np.zeros((len(rows), self.settings.hidden), np.float32)
        order = np.argsort(rows.lengths, kind="stable")
        self.parts.eval()
        with torch.inference_mode():
            for at in range(0, len(order), INFERENCE_BATCH):
                which = order[at : at + INFERENCE_BATCH]
                states = self.encoded(rows, which)
                found[which] = (states if then is None else then(states)).cpu().numpy()
        return found


class DualEncoderLearner(Learner):
    """Learns to tell true replies from others of the batch."""

    higher_is_better: ClassVar[bool] = True

    def __init__(
        self, model: DualEncoder, examples: Sequence[TrainingExample], valid: Sequence[TrainingExample]
    ) -> None:
        self._model, self._valid, self.parts = model, valid, model.parts
        self._contexts = model.context_rows([one.context for one in examples])
        replies = list(dict.fromkeys(one.reply for one in examples))
        places = {text: place for place, text in enumerate(replies)}
        self._replies = model.reply_rows(replies)
        self._reply_of = np.fromiter((places[one.reply] for one in examples), np.intp, len(examples))

    def batches(self, rng: np.random.Generator) -> list[NDArray[np.intp]]:
        """Contexts of about the same length; a single last one has no false reply and is left out."""
        made = bucketed(self._contexts.lengths, self._model.settings.batch, rng)
        return [rows for rows in made if len(rows) > 1]

    def loss(self, rows: NDArray[np.intp], rng: np.random.Generator) -> Any:
        """Sigmoid cross-entropy of true replies (1) and false ones (0); both kinds weigh the same.

        A reply with the very words of the true one is never a false one.
        """
        torch = torch_library()
        model, own = self._model, self._reply_of[rows]
        contexts = model.parts["match"](model.encoded(self._contexts, rows))
        replies = model.encoded(self._replies, own)
        logits = contexts @ replies.T
        size = len(rows)
        count = min(model.settings.negatives, size - 1)
        false = (np.arange(size)[:, None] + rng.integers(1, size, (size, count))) % size
        weights = torch.from_numpy((own[false] != own[:, None]).astype(np.float32)).to(logits.device)
        losses = torch.nn.functional.softplus
        negative = (losses(logits.gather(1, torch.from_numpy(false).to(logits.device))) * weights).sum()
        return losses(-logits.diagonal()).mean() + negative / weights.sum().clamp(min=1)

    def validate(self) -> float:
        """R@1 on the validation set."""
        return recall_at_one(self._model, self._valid)
