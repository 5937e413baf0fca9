"""The sequence-to-sequence model of ConvAI2: one LSTM reads, another writes with attention to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from duologue.models.neural.generation import WritingModel, WritingSettings
from duologue.models.neural.library import torch_library
from duologue.models.neural.ragged import RaggedArray
from duologue.models.neural.stretches import read_rows
from duologue.models.neural.vocabulary import SELF, ModelVocabulary
from duologue.models.retrieval import ReplyContext


class Seq2SeqSettings(WritingSettings):
    """As published (embeddings of 256 shared by both LSTMs, general attention, SGD), but for the LSTMs.

    The published ones have two layers of 1,024: some 82 million multiplications a word, eleven minutes an
    epoch of 900 dialogues on one core. One layer of 256 takes one minute.
    """

    batch: int = Field(64, ge=1)
    optimizer: Literal["adam", "sgd"] = "sgd"
    learning_rate: float = Field(3.0, gt=0)
    momentum: float = Field(0.9, ge=0, lt=1)
    clip: float = Field(0.1, ge=0)
    decay: float = Field(0.5, gt=0, le=1)
    embedding: int = Field(256, ge=1)
    hidden: int = Field(256, ge=1)
    layers: int = Field(1, ge=1)
    dropout: float = Field(0.1, ge=0, lt=1)


@dataclass(frozen=True, slots=True)
class DecoderState:
    """What the writing LSTM remembers, and what it looks at."""

    memory: Any
    heard: Any
    is_heard: Any
    logits: Any


class Seq2Seq(WritingModel):
    """Embeddings are shared by encoder and decoder."""

    name = "seq2seq"
    settings: Seq2SeqSettings

    def __init__(self, settings: Seq2SeqSettings, vocabulary: ModelVocabulary) -> None:
        torch = torch_library()
        self.settings, self.vocabulary = settings, vocabulary
        torch.manual_seed(settings.seed)
        sizes = (settings.embedding, settings.hidden, settings.layers)
        dropout = settings.dropout if settings.layers > 1 else 0.0
        self.parts = torch.nn.ModuleDict(
            {
                "words": torch.nn.Embedding(len(vocabulary), settings.embedding, padding_idx=0),
                "encoder": torch.nn.LSTM(*sizes, batch_first=True, dropout=dropout),
                "decoder": torch.nn.LSTM(*sizes, batch_first=True, dropout=dropout),
                "attention": torch.nn.Linear(settings.hidden, settings.hidden, bias=False),
                "joined": torch.nn.Linear(2 * settings.hidden, settings.embedding),
                "out": torch.nn.Linear(settings.embedding, len(vocabulary)),
                "dropout": torch.nn.Dropout(settings.dropout),
            }
        ).to(settings.device)

    def lengths(self, contexts: RaggedArray, replies: RaggedArray) -> NDArray[np.int64]:
        """By contexts first: they are read in stretches of equal length."""
        return contexts.lengths * (self.settings.longest_reply + 1) + replies.lengths

    def logits(
        self, contexts: RaggedArray, which: NDArray[np.intp], replies: RaggedArray, these: NDArray[np.intp]
    ) -> tuple[Any, Any]:
        """All words of a reply at once, each after the true ones before it."""
        table, _ = replies.padded(these)
        first = np.full((len(table), 1), self.vocabulary.places[SELF])
        words, given = self._tensor(table), self._tensor(np.concatenate((first, table[:, :-1]), axis=1))
        heard, is_heard, memory = self._encoded(contexts, which)
        states, _ = self.parts["decoder"](self._embedded(given), memory)
        return self._spoken(states, heard, is_heard), words

    def begin(self, context: ReplyContext) -> DecoderState:
        """The context is read once."""
        heard, is_heard, memory = self._encoded(self.context_rows([context]), np.array([0]))
        return self._stepped(memory, heard, is_heard, self.vocabulary.places[SELF])

    def step(self, state: DecoderState, word: int) -> DecoderState:
        """One word more."""
        return self._stepped(state.memory, state.heard, state.is_heard, word)

    def _stepped(self, memory: Any, heard: Any, is_heard: Any, word: int) -> DecoderState:
        states, memory = self.parts["decoder"](self._embedded(self._tensor(np.array([[word]]))), memory)
        return DecoderState(memory, heard, is_heard, self._spoken(states, heard, is_heard)[0, -1])

    def _encoded(self, contexts: RaggedArray, which: NDArray[np.intp]) -> tuple[Any, Any, Any]:
        """What was heard word by word, where there are words, and what is remembered after the last one."""
        torch = torch_library()
        table, lengths = contexts.padded(which)
        counts = np.maximum(lengths, 1)
        heard, memory = read_rows(self.parts["encoder"], self._embedded(self._tensor(table)), counts)
        is_heard = torch.from_numpy(np.arange(heard.shape[1]) < counts[:, None])
        return heard, is_heard.to(heard.device), memory

    def _spoken(self, states: Any, heard: Any, is_heard: Any) -> Any:
        """General attention (Luong et al. 2015): what is looked at joins what is remembered."""
        torch = torch_library()
        alike = self.parts["attention"](states) @ heard.transpose(1, 2)
        weights = torch.softmax(alike.masked_fill(~is_heard[:, None], float("-inf")), dim=2)
        joined = torch.tanh(self.parts["joined"](torch.cat((weights @ heard, states), dim=2)))
        return self.parts["out"](self.parts["dropout"](joined))

    def _embedded(self, words: Any) -> Any:
        return self.parts["dropout"](self.parts["words"](words))

    def _tensor(self, table: NDArray[np.int64]) -> Any:
        return torch_library().from_numpy(table).to(self.settings.device)
