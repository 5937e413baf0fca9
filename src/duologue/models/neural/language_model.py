"""The language model of ConvAI2: one LSTM reads persona, turns and reply as one text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from duologue.models.neural.generation import WritingModel, WritingSettings
from duologue.models.neural.library import torch_library
from duologue.models.neural.ragged import RaggedArray
from duologue.models.neural.vocabulary import SELF, ModelVocabulary
from duologue.models.retrieval import ReplyContext


class LanguageModelSettings(WritingSettings):
    """Sizes as published: two layers of 200, dropout 0.2."""

    batch: int = Field(20, ge=1)
    optimizer: Literal["adam", "sgd"] = "sgd"
    learning_rate: float = Field(20.0, gt=0)
    clip: float = Field(0.25, ge=0)
    decay: float = Field(0.5, gt=0, le=1)
    embedding: int = Field(200, ge=1)
    hidden: int = Field(200, ge=1)
    layers: int = Field(2, ge=1)
    dropout: float = Field(0.2, ge=0, lt=1)
    longest_context: int = Field(100, ge=1)


@dataclass(frozen=True, slots=True)
class ReaderState:
    """What the LSTM remembers."""

    memory: Any
    logits: Any


class LanguageModel(WritingModel):
    """It learns to write replies; what was said before them is read, and not learned by heart."""

    name = "language-model"
    settings: LanguageModelSettings
    mark_of_reply: ClassVar[str] = SELF

    def __init__(self, settings: LanguageModelSettings, vocabulary: ModelVocabulary) -> None:
        torch = torch_library()
        self.settings, self.vocabulary = settings, vocabulary
        torch.manual_seed(settings.seed)
        dropout = settings.dropout if settings.layers > 1 else 0.0
        lstm = torch.nn.LSTM(
            settings.embedding, settings.hidden, settings.layers, batch_first=True, dropout=dropout
        )
        self.parts = torch.nn.ModuleDict(
            {
                "words": torch.nn.Embedding(len(vocabulary), settings.embedding, padding_idx=0),
                "lstm": lstm,
                "out": torch.nn.Linear(settings.hidden, len(vocabulary)),
                "dropout": torch.nn.Dropout(settings.dropout),
            }
        ).to(settings.device)

    def logits(
        self, contexts: RaggedArray, which: NDArray[np.intp], replies: RaggedArray, these: NDArray[np.intp]
    ) -> tuple[Any, Any]:
        """One text for each reply; only the words of replies are looked at."""
        torch = torch_library()
        table, lengths = replies.padded(these)
        heard, heard_lengths = contexts.padded(which)
        whole = np.zeros((len(table), heard.shape[1] + table.shape[1]), np.int64)
        whole[:, : heard.shape[1]] = heard
        places = heard_lengths[:, None] + np.arange(table.shape[1])
        np.put_along_axis(whole, places, table, axis=1)
        states, _ = self.parts["lstm"](self._embedded(whole[:, : int((heard_lengths + lengths).max()) - 1]))
        # The word at a place is foretold by the state before it.
        before = torch.from_numpy(np.minimum(places - 1, states.shape[1] - 1)).to(states.device)
        chosen = states.gather(1, before[:, :, None].expand(-1, -1, states.shape[2]))
        words = torch.from_numpy(table).to(states.device)
        return self.parts["out"](self.parts["dropout"](chosen)), words

    def begin(self, context: ReplyContext) -> ReaderState:
        """The context is read once."""
        rows = self.context_rows([context])
        return self._read(rows.flat[None], None)

    def step(self, state: ReaderState, word: int) -> ReaderState:
        """One word more."""
        return self._read(np.array([[word]]), state.memory)

    def _read(self, words: NDArray[np.int64], memory: Any) -> ReaderState:
        states, memory = self.parts["lstm"](self._embedded(words), memory)
        return ReaderState(memory, self.parts["out"](states[0, -1]))

    def _embedded(self, words: NDArray[np.int64]) -> Any:
        numbers = torch_library().from_numpy(words).to(self.settings.device)
        return self.parts["dropout"](self.parts["words"](numbers))
