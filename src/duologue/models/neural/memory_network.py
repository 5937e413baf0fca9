"""The profile memory network of ConvAI2: a query finds persona lines, and with them chooses the reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from duologue.models.neural.examples import TrainingExample, recall_at_one
from duologue.models.neural.library import torch_library
from duologue.models.neural.ragged import RaggedArray
from duologue.models.neural.training import Learner, TrainingSettings
from duologue.models.neural.vocabulary import ModelVocabulary
from duologue.models.retrieval import ReplyContext, VectorModel

INFERENCE_BATCH = 1024


class MemoryNetworkSettings(TrainingSettings):
    """As published: mean word embeddings of size 1,000 with a largest norm, one hop, a margin loss."""

    batch: int = Field(32, ge=1)
    optimizer: Literal["adam", "sgd"] = "sgd"
    learning_rate: float = Field(0.1, gt=0)
    clip: float = Field(0.0, ge=0, le=0)
    """Gradients of rare words are sparse and are not clipped."""
    embedding: int = Field(1000, ge=1)
    largest_norm: float = Field(10.0, gt=0)
    margin: float = Field(0.1, ge=0, le=1)
    negatives: int = Field(10, ge=1)
    """False replies for each true one, drawn anew from all of the training set at every step."""
    query_turns: int = Field(2, ge=1)
    """The query is the last exchange."""
    parrot_negatives: bool = False
    """Whether the partner's last turn is a false reply too, against repeating it."""
    longest: int = Field(100, ge=1)


class MemoryNetwork(VectorModel):
    """a = softmax(cos(x, [lines, x])), q = Σ a·m; the score of a reply is cos(q, reply)."""

    name = "memory-network"

    def __init__(self, settings: MemoryNetworkSettings, vocabulary: ModelVocabulary) -> None:
        torch = torch_library()
        self.settings, self.vocabulary = settings, vocabulary
        torch.manual_seed(settings.seed)
        words = torch.nn.EmbeddingBag(
            len(vocabulary),
            settings.embedding,
            mode="mean",
            sparse=settings.optimizer == "sgd",
            max_norm=settings.largest_norm,
        )
        self.parts = torch.nn.ModuleDict({"words": words}).to(settings.device)

    def bags(self, rows: RaggedArray, which: NDArray[np.intp]) -> Any:
        """The mean of the words of each row."""
        torch = torch_library()
        flat, offsets = (torch.from_numpy(part).to(self.settings.device) for part in rows.joined(which))
        return self.parts["words"](flat, offsets)

    def found(self, memory: MemoryRows, which: NDArray[np.intp]) -> Any:
        """What each query finds in its memories: one hop."""
        torch = torch_library()
        queries = self.bags(memory.queries, which)
        begin, end = memory.line_starts[which], memory.line_starts[which + 1]
        counts = end - begin
        widest = int(counts.max(initial=0))
        steps = np.arange(widest)
        is_there = steps < counts[:, None]
        lines = (begin[:, None] + steps)[is_there]
        memories = torch.zeros(len(which), widest + 1, queries.shape[1], device=queries.device)
        memories[:, 0] = queries
        if len(lines):
            places = torch.from_numpy(np.argwhere(is_there)).to(queries.device)
            memories[places[:, 0], places[:, 1] + 1] = self.bags(memory.lines, lines)
        alike = torch.nn.functional.cosine_similarity(queries[:, None], memories, dim=2)
        hidden = torch.from_numpy(np.pad(~is_there, ((0, 0), (1, 0)))).to(queries.device)
        weights = torch.softmax(alike.masked_fill(hidden, float("-inf")), dim=1)
        return (weights[:, :, None] * memories).sum(1)

    def memory_rows(self, contexts: Sequence[ReplyContext]) -> MemoryRows:
        """Queries and persona lines as numbers of words."""
        longest, turns = self.settings.longest, self.settings.query_turns
        lines = [line for one in contexts for line in one.background]
        starts = np.zeros(len(contexts) + 1, np.int64)
        np.cumsum([len(one.background) for one in contexts], out=starts[1:])
        queries = [" ".join(one.turns[-turns:]) for one in contexts]
        return MemoryRows(self._rows(queries, longest), self._rows(lines, longest), starts)

    def reply_rows(self, texts: Sequence[str]) -> RaggedArray:
        """Replies as numbers of words."""
        return self._rows(texts, self.settings.longest)

    def _rows(self, texts: Sequence[str], longest: int) -> RaggedArray:
        return self.vocabulary.rows([plain_negation(text) for text in texts], longest=longest)

    def context_vectors(self, contexts: Sequence[ReplyContext]) -> NDArray[np.float32]:
        """What each query finds, of length 1."""
        memory = self.memory_rows(contexts)
        return self._unit(len(contexts), lambda which: self.found(memory, which))

    def reply_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Replies, of length 1."""
        rows = self.reply_rows(texts)
        return self._unit(len(texts), lambda which: self.bags(rows, which))

    def _unit(self, count: int, vectors: Any) -> NDArray[np.float32]:
        torch = torch_library()
        found = np.zeros((count, self.settings.embedding), np.float32)
        self.parts.eval()
        with torch.inference_mode():
            for at in range(0, count, INFERENCE_BATCH):
                which = np.arange(at, min(at + INFERENCE_BATCH, count))
                found[which] = torch.nn.functional.normalize(vectors(which), dim=1).cpu().numpy()
        return found


class MemoryRows:
    """Queries, and the lines that each of them may look at."""

    __slots__ = ("line_starts", "lines", "queries")

    def __init__(self, queries: RaggedArray, lines: RaggedArray, line_starts: NDArray[np.int64]) -> None:
        self.queries, self.lines, self.line_starts = queries, lines, line_starts


class MemoryNetworkLearner(Learner):
    """Learns to bring true replies nearer than others."""

    higher_is_better: ClassVar[bool] = True

    def __init__(
        self, model: MemoryNetwork, examples: Sequence[TrainingExample], valid: Sequence[TrainingExample]
    ) -> None:
        self._model, self._valid, self.parts = model, valid, model.parts
        self._memory = model.memory_rows([one.context for one in examples])
        self._replies = model.reply_rows([one.reply for one in examples])
        self._last_turns = model.reply_rows([(one.context.turns or ("",))[-1] for one in examples])
        unique = {text: place for place, text in enumerate(dict.fromkeys(one.reply for one in examples))}
        self._same = np.fromiter((unique[one.reply] for one in examples), np.intp, len(examples))

    def batches(self, rng: np.random.Generator) -> list[NDArray[np.intp]]:
        """In random order: bags of words need no padding."""
        order, size = rng.permutation(len(self._same)), self._model.settings.batch
        return [order[at : at + size] for at in range(0, len(order), size)]

    def loss(self, rows: NDArray[np.intp], rng: np.random.Generator) -> Any:
        """Cosine embedding loss: 1 − cos of the true reply, and what is above the margin of false ones."""
        torch = torch_library()
        model, settings = self._model, self._model.settings
        cosine = torch.nn.functional.cosine_similarity
        found = model.found(self._memory, rows)
        false = rng.integers(len(self._same), size=(len(rows), settings.negatives))
        weights = (self._same[false] != self._same[rows][:, None]).astype(np.float32)
        above = (cosine(found[:, None], self._bagged(false), dim=2) - settings.margin).clamp(min=0)
        weighed = torch.from_numpy(weights).to(found.device)
        loss = (1 - cosine(found, model.bags(self._replies, rows))).mean() + (above * weighed).sum() / len(
            rows
        )
        if settings.parrot_negatives:
            parrots = cosine(found, model.bags(self._last_turns, rows))
            loss = loss + (parrots - settings.margin).clamp(min=0).mean()
        return loss

    def _bagged(self, which: NDArray[np.intp]) -> Any:
        flat = self._model.bags(self._replies, which.ravel())
        return flat.reshape(*which.shape, -1)

    def validate(self) -> float:
        """hits@1 on the validation set."""
        return recall_at_one(self._model, self._valid)


def plain_negation(text: str) -> str:
    """Lower case, and "n't" as a word of its own, as the published model reads texts.

    Example:
        >>> plain_negation("I don't")
        'i do not'
    """
    return text.lower().replace("n't", " not")
