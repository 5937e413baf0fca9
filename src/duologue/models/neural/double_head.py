"""A GPT-2 with two heads: one writes the reply, one chooses it among five candidates.

As the bots of the per-turn paper: fine-tuned with a language-modelling loss and a multiple-choice loss, with
nucleus sampling. It starts from local weights, or from a random configuration that learns from nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from duologue.errors import InputError
from duologue.models.neural.examples import TrainingExample
from duologue.models.neural.generation import WritingModel, WritingSettings
from duologue.models.neural.library import torch_library, transformers_library
from duologue.models.neural.pieces import PieceVocabulary
from duologue.models.neural.ragged import RaggedArray
from duologue.models.neural.vocabulary import MARKS, SELF, ModelVocabulary
from duologue.models.neural.writing_learner import WritingLearner
from duologue.models.retrieval import ReplyContext


class DoubleHeadSettings(WritingSettings):
    """How it is fine-tuned; the sizes are those of the random configuration, where there are no weights."""

    batch: int = Field(4, ge=1)
    epochs: int = Field(3, ge=1)
    learning_rate: float = Field(6.25e-5, gt=0)
    clip: float = Field(1.0, ge=0)
    weights: str = ""
    """A folder of GPT-2 weights with their tokenizer; nothing is downloaded."""
    candidates: int = Field(5, ge=2)
    """The true reply and false ones."""
    choice_weight: float = Field(1.0, ge=0)
    """Of the multiple-choice loss, beside that of the words."""
    embedding: int = Field(128, ge=2)
    layers: int = Field(2, ge=1)
    heads: int = Field(2, ge=1)
    dropout: float = Field(0.1, ge=0, lt=1)


@dataclass(frozen=True, slots=True)
class KeptKeys:
    """What attention has read so far."""

    past: Any
    logits: Any


class DoubleHead(WritingModel):
    """Marks of ours come before the words or pieces of the weights in its vocabulary.

    The score of a candidate is that of the head that chooses.
    """

    name = "double-head"
    settings: DoubleHeadSettings
    mark_of_reply: ClassVar[str] = SELF

    def __init__(self, settings: DoubleHeadSettings, vocabulary: ModelVocabulary) -> None:
        torch = torch_library()
        self.settings, self.vocabulary = settings, vocabulary
        torch.manual_seed(settings.seed)
        writer = _writer(settings, vocabulary)
        choose = torch.nn.Linear(writer.config.n_embd, 1)
        self.parts = torch.nn.ModuleDict({"writer": writer, "choose": choose}).to(settings.device)

    def logits(
        self, contexts: RaggedArray, which: NDArray[np.intp], replies: RaggedArray, these: NDArray[np.intp]
    ) -> tuple[Any, Any]:
        """Of every word of each reply."""
        states, places, words, _ = self._read(contexts, which, replies, these)
        return self.parts["writer"].lm_head(_at(states, places - 1)), words

    def both(
        self, contexts: RaggedArray, which: NDArray[np.intp], replies: RaggedArray, these: NDArray[np.intp]
    ) -> tuple[Any, Any, Any]:
        """Minus the log-probabilities of words, which places hold one, and how well each reply fits."""
        torch = torch_library()
        states, places, words, last = self._read(contexts, which, replies, these)
        logits = self.parts["writer"].lm_head(_at(states, places - 1))
        each = torch.nn.functional.cross_entropy(logits.transpose(1, 2), words, reduction="none")
        return each * (words != 0), words != 0, self._chosen(states, last)

    def fits(
        self, contexts: RaggedArray, which: NDArray[np.intp], replies: RaggedArray, these: NDArray[np.intp]
    ) -> Any:
        """How well each reply fits, by the head that reads its end."""
        states, _, _, last = self._read(contexts, which, replies, these)
        return self._chosen(states, last)

    def scores(
        self, contexts: Sequence[ReplyContext], candidates: Sequence[Sequence[str]]
    ) -> list[NDArray[np.float64]]:
        """What the choosing head says."""
        return self._scored(contexts, candidates, self.fits)

    def begin(self, context: ReplyContext) -> KeptKeys:
        """The context is read once."""
        return self._kept(self.context_rows([context]).flat[None], None)

    def step(self, state: KeptKeys, word: int) -> KeptKeys:
        """One word more."""
        return self._kept(np.array([[word]]), state.past)

    def _kept(self, words: NDArray[np.int64], past: Any) -> KeptKeys:
        from copy import deepcopy

        numbers = torch_library().from_numpy(words).to(self.settings.device)
        # The library's cache grows in place; a state that was kept must stay what it was.
        found = self.parts["writer"](numbers, past_key_values=deepcopy(past), use_cache=True)
        return KeptKeys(found.past_key_values, found.logits[0, -1])

    def _chosen(self, states: Any, last: NDArray[np.int64]) -> Any:
        return self.parts["choose"](_at(states, last[:, None]))[:, 0, 0]

    def _read(
        self, contexts: RaggedArray, which: NDArray[np.intp], replies: RaggedArray, these: NDArray[np.intp]
    ) -> tuple[Any, NDArray[np.int64], Any, NDArray[np.int64]]:
        """States of context and reply as one text; where its words are, the words, and its last place."""
        torch = torch_library()
        heard, heard_lengths = contexts.padded(which)
        table, lengths = replies.padded(these)
        places = heard_lengths[:, None] + np.arange(table.shape[1])
        whole = np.zeros((len(table), heard.shape[1] + table.shape[1]), np.int64)
        whole[:, : heard.shape[1]] = heard
        np.put_along_axis(whole, places, table, axis=1)
        numbers = torch.from_numpy(whole).to(self.settings.device)
        reader = self.parts["writer"].transformer
        states = reader(numbers, attention_mask=(numbers != 0).long()).last_hidden_state
        words = torch.from_numpy(table).to(states.device)
        return states, places, words, heard_lengths + lengths - 1


class DoubleHeadLearner(WritingLearner):
    """Both losses at once; false replies are drawn from the whole training set."""

    higher_is_better: ClassVar[bool] = False

    def __init__(
        self, model: DoubleHead, examples: Sequence[TrainingExample], valid: Sequence[TrainingExample]
    ) -> None:
        super().__init__(model, examples, valid)
        self._double = model
        unique = {text: place for place, text in enumerate(dict.fromkeys(one.reply for one in examples))}
        self._same = np.fromiter((unique[one.reply] for one in examples), np.intp, len(examples))

    def loss(self, rows: NDArray[np.intp], rng: np.random.Generator) -> Any:
        """The mean over words of true replies, and the cross-entropy of the choice."""
        torch = torch_library()
        model, settings = self._double, self._double.settings
        each, is_word, true = model.both(self._contexts, rows, self._replies, rows)
        false = rng.integers(len(self._same), size=(len(rows), settings.candidates - 1))
        again = np.repeat(rows, settings.candidates - 1)
        others = model.fits(self._contexts, again, self._replies, false.ravel()).reshape(false.shape)
        is_same = torch.from_numpy(self._same[false] == self._same[rows][:, None]).to(others.device)
        logits = torch.cat((true[:, None], others.masked_fill(is_same, float("-inf"))), dim=1)
        choice = -torch.log_softmax(logits, dim=1)[:, 0].mean()
        return each.sum() / is_word.sum() + settings.choice_weight * choice


def double_head_vocabulary(settings: DoubleHeadSettings) -> ModelVocabulary | None:
    """The pieces of the weights, where there are any."""
    return PieceVocabulary.of_weights(Path(settings.weights)) if settings.weights else None


def _at(states: Any, places: NDArray[np.int64]) -> Any:
    torch = torch_library()
    index = torch.from_numpy(places).to(states.device)
    return states.gather(1, index[:, :, None].expand(-1, -1, states.shape[2]))


def _writer(settings: DoubleHeadSettings, vocabulary: ModelVocabulary) -> Any:
    """The weights with room for our marks before their pieces, or a random configuration."""
    torch, library = torch_library(), transformers_library()
    room = settings.longest_context + settings.longest_reply + 1
    if not isinstance(vocabulary, PieceVocabulary):
        config = library.GPT2Config(
            vocab_size=len(vocabulary),
            n_positions=room,
            n_embd=settings.embedding,
            n_layer=settings.layers,
            n_head=settings.heads,
            resid_pdrop=settings.dropout,
            embd_pdrop=settings.dropout,
            attn_pdrop=settings.dropout,
            bos_token_id=None,
            eos_token_id=None,
        )
        return library.GPT2LMHeadModel(config)
    config = library.GPT2Config.from_pretrained(vocabulary.folder, local_files_only=True)
    if config.n_positions < room:
        why = f"its weights look at {config.n_positions} pieces, and {room} are asked for"
        raise InputError(f"{vocabulary.folder}: {why}. Set longest_context lower.")
    pieces = config.vocab_size
    config.vocab_size = pieces + len(MARKS)
    config.bos_token_id = config.eos_token_id = None
    writer = library.GPT2LMHeadModel(config)
    if vocabulary.has_weights:
        known = library.GPT2LMHeadModel.from_pretrained(vocabulary.folder, local_files_only=True).state_dict()
        words = known["transformer.wte.weight"]
        marks = words.mean(0, keepdim=True).repeat(len(MARKS), 1)
        known["transformer.wte.weight"] = known["lm_head.weight"] = torch.cat((marks, words))
        writer.load_state_dict(known)
    return writer
