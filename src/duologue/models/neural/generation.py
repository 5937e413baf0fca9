"""Models that write a reply word by word: what all of them can be asked."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from duologue.models.neural.examples import TrainingExample
from duologue.models.neural.library import torch_library
from duologue.models.neural.ragged import RaggedArray
from duologue.models.neural.training import TrainingSettings
from duologue.models.neural.vocabulary import END, MARKS, ModelVocabulary
from duologue.models.retrieval import CandidateModel, ReplyContext

INFERENCE_BATCH = 64


class WritingSettings(TrainingSettings):
    """How much a model that writes reads and says."""

    longest_context: int = Field(160, ge=1)
    """Words; what is longer loses its beginning."""
    longest_reply: int = Field(60, ge=2)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How words are drawn: nucleus sampling (Holtzman et al. 2020), or always the likeliest."""

    max_words: int = 40
    temperature: float = 1.0
    """0 takes the likeliest word at every step."""
    top_p: float = 0.9
    """Only the likeliest words that together have so much are drawn from."""


class WritingModel(CandidateModel):
    """A model of the next word, given a context and the words of the reply so far.

    The score of a candidate is the mean logarithm of the probabilities of its words and its end.
    """

    settings: WritingSettings
    vocabulary: ModelVocabulary
    parts: Any
    mark_of_reply: ClassVar[str] = ""
    """What comes after a context where the same reader goes on with the reply."""
    _latest: tuple[ReplyContext, tuple[int, ...], Any] | None = None

    @property
    def knows_words(self) -> bool:
        """Whether what it writes one by one are whole words, and not pieces of words."""
        return self.vocabulary.splitting != "pieces"

    def context_rows(self, contexts: Sequence[ReplyContext]) -> RaggedArray:
        """Persona lines and turns as numbers of words, each after its mark."""
        parts = [(one.background, one.turns) for one in contexts]
        longest = self.settings.longest_context
        return self.vocabulary.context_rows(parts, longest=longest, then=self.mark_of_reply)

    def reply_rows(self, texts: Sequence[str]) -> RaggedArray:
        """Replies as numbers of words, each with its end."""
        return self.vocabulary.rows(texts, longest=self.settings.longest_reply, end=True)

    def lengths(self, contexts: RaggedArray, replies: RaggedArray) -> NDArray[np.int64]:
        """By what examples are sorted before batches are made of them."""
        return contexts.lengths + replies.lengths

    @abstractmethod
    def logits(
        self, contexts: RaggedArray, which: NDArray[np.intp], replies: RaggedArray, these: NDArray[np.intp]
    ) -> tuple[Any, Any]:
        """The logits of every word of some replies to some contexts, and the words (0 is none)."""

    @abstractmethod
    def begin(self, context: ReplyContext) -> Any:
        """What is kept of a context before the first word; its ``logits`` are those of the first word."""

    @abstractmethod
    def step(self, state: Any, word: int) -> Any:
        """What is kept after one more word."""

    def losses(
        self, contexts: RaggedArray, which: NDArray[np.intp], replies: RaggedArray, these: NDArray[np.intp]
    ) -> tuple[Any, Any]:
        """Minus the log-probability of every word of each reply, and which places hold a word."""
        torch = torch_library()
        logits, words = self.logits(contexts, which, replies, these)
        each = torch.nn.functional.cross_entropy(logits.transpose(1, 2), words, reduction="none")
        is_word = words != 0
        return each * is_word, is_word

    def scores(
        self, contexts: Sequence[ReplyContext], candidates: Sequence[Sequence[str]]
    ) -> list[NDArray[np.float64]]:
        """Mean log-probabilities."""

        def fits(*asked: Any) -> Any:
            each, is_word = self.losses(*asked)
            return -each.sum(1) / is_word.sum(1)

        return self._scored(contexts, candidates, fits)

    def _scored(
        self,
        contexts: Sequence[ReplyContext],
        candidates: Sequence[Sequence[str]],
        fits: Callable[[RaggedArray, NDArray[np.intp], RaggedArray, NDArray[np.intp]], Any],
    ) -> list[NDArray[np.float64]]:
        """What a function says of contexts and candidates, those of about the same length together."""
        torch = torch_library()
        counts = [len(some) for some in candidates]
        heard = self.context_rows(contexts)
        rows = self.reply_rows([text for some in candidates for text in some])
        of = np.repeat(np.arange(len(contexts)), counts)
        found = np.zeros(len(of))
        order = np.lexsort((rows.lengths, heard.lengths[of]))
        self.parts.eval()
        with torch.inference_mode():
            for at in range(0, len(order), INFERENCE_BATCH):
                these = order[at : at + INFERENCE_BATCH]
                found[these] = fits(heard, of[these], rows, these).double().cpu().numpy()
        return np.split(found, np.cumsum(counts)[:-1])

    def perplexity(self, examples: Sequence[TrainingExample]) -> float:
        """Of the replies, by word of the model's vocabulary, ends included."""
        torch = torch_library()
        heard = self.context_rows([one.context for one in examples])
        rows = self.reply_rows([one.reply for one in examples])
        order = np.argsort(heard.lengths, kind="stable")
        total = words = 0.0
        with torch.inference_mode():
            for at in range(0, len(order), INFERENCE_BATCH):
                which = order[at : at + INFERENCE_BATCH]
                each, is_word = self.losses(heard, which, rows, which)
                total += float(each.sum())
                words += float(is_word.sum())
        return float(np.exp(total / words))

    def next_words(self, context: ReplyContext, words: Sequence[str]) -> dict[str, float]:
        """How likely each word is after the first words of a reply; marks, and words not known, have none."""
        numbers = self.vocabulary.numbers(" ".join(words))
        torch = torch_library()
        with torch.inference_mode():
            logits = self._after(context, tuple(numbers)).logits
            shares = torch.softmax(logits.double(), -1)[len(MARKS) :].tolist()
        return dict(zip(self.vocabulary.words[len(MARKS) :], shares, strict=True))

    def reply(self, context: ReplyContext, sampling: Sampling, *, seed: int) -> tuple[str, int, bool]:
        """A reply, how many words it has, and whether it ended by itself; the seed decides."""
        torch = torch_library()
        rng = np.random.default_rng(seed)
        end, said = self.vocabulary.places[END], list[int]()
        with torch.inference_mode():
            state = self._after(context, ())
            while len(said) < sampling.max_words:
                logits = state.logits.double().cpu().numpy()
                forbidden = [place for place, mark in enumerate(MARKS) if mark != END or not said]
                logits[forbidden] = -np.inf  # a reply has at least one word, and no marks
                word = draw_word(logits, sampling, rng)
                if word == end:
                    return self.vocabulary.text(said), len(said), True
                said.append(word)
                state = self.step(state, word)
        return self.vocabulary.text(said), len(said), False

    def _after(self, context: ReplyContext, words: tuple[int, ...]) -> Any:
        """The state after some words; the last one asked for is kept, since the next has one word more."""
        if self._latest is not None and self._latest[0] == context:
            _, before, state = self._latest
            if words[: len(before)] == before:
                for word in words[len(before) :]:
                    state = self.step(state, word)
                self._latest = (context, words, state)
                return state
        self.parts.eval()
        state = self.begin(context)
        for word in words:
            state = self.step(state, word)
        self._latest = (context, words, state)
        return state


def draw_word(logits: NDArray[np.float64], sampling: Sampling, rng: np.random.Generator) -> int:
    """A word out of the nucleus.

    Example:
        >>> logits = np.log([0.5, 0.3, 0.2])
        >>> rng = np.random.default_rng(1)
        >>> sorted({draw_word(logits, Sampling(top_p=0.6), rng) for _ in range(50)})
        [0, 1]
    """
    if sampling.temperature == 0:
        return int(logits.argmax())
    scaled = logits / sampling.temperature
    shares = np.exp(scaled - scaled.max())
    shares /= shares.sum()
    order = np.argsort(-shares, kind="stable")
    before = np.cumsum(shares[order]) - shares[order]
    kept = order[before < sampling.top_p]
    return int(rng.choice(kept, p=shares[kept] / shares[kept].sum()))
