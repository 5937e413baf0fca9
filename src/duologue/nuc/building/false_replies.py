"""False replies from elsewhere in the corpus: drawn uniformly, or those most like the true one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from duologue.metrics import plain_words
from duologue.nuc.building.context import ContextRule, context_length
from duologue.nuc.building.spool import Spool

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_TRIES = 20
"""Draws for each false reply before all replies are looked at one by one."""
_BATCH = 8_192


@dataclass(frozen=True, slots=True)
class SpooledReply:
    """A turn of a dialogue of the corpus, by the number of the dialogue."""

    dialogue: int
    text: str


class Replies:
    """The replies of one split of a corpus, drawn in the same way as true replies are.

    A uniform dialogue, and in it a turn by the rule for contexts: so true and false replies come from the
    same distribution, and nothing about a reply itself tells which it is. In version 1 of the Ubuntu
    corpus false replies were shorter.
    """

    def __init__(
        self,
        spool: Spool,
        dialogues: NDArray[np.int64],
        *,
        rule: ContextRule,
        most: int,
        rng: np.random.Generator,
    ) -> None:
        self.dialogues = dialogues
        self._spool, self._rule, self._most, self._rng = spool, rule, most, rng
        self._stream = self._draws()

    def draw(self) -> SpooledReply:
        """One reply."""
        return next(self._stream)

    def every(self) -> Iterator[SpooledReply]:
        """Every turn that can be asked for, from a dialogue that is drawn on."""
        start = int(self._rng.integers(len(self.dialogues)))
        for number in np.roll(self.dialogues, -start).tolist():
            for text in askable(self._spool[number].texts, rule=self._rule, most=self._most):
                yield SpooledReply(number, text)

    def _draws(self) -> Iterator[SpooledReply]:
        while True:
            numbers = self._rng.choice(self.dialogues, _BATCH).tolist()
            for number, u in zip(numbers, self._rng.random(_BATCH).tolist(), strict=True):
                texts = self._spool[number].texts
                yield SpooledReply(
                    number, texts[context_length(len(texts), u, rule=self._rule, most=self._most)]
                )


def askable(texts: Sequence[str], *, rule: ContextRule, most: int) -> Sequence[str]:
    """The turns of a dialogue that can be the true reply of an item."""
    largest = min(most, len(texts) - 1)
    first = largest if rule == "longest" else min(2, largest)
    return texts[first : largest + 1]


class Chooser(ABC):
    """Chooses the false replies of items."""

    @abstractmethod
    def choose(self, truths: Sequence[SpooledReply], count: int) -> Iterator[list[SpooledReply] | None]:
        """The false replies to each true one; None where the corpus has too few.

        None is from the same dialogue, says the same as the true one, or the same as another: letter case,
        punctuation and blanks make no difference.
        """


class UniformChooser(Chooser):
    """False replies drawn uniformly from elsewhere in the corpus, as in the paper (section 4.2)."""

    def __init__(self, replies: Replies) -> None:
        self._replies = replies

    def choose(self, truths: Sequence[SpooledReply], count: int) -> Iterator[list[SpooledReply] | None]:
        """Draws, and where these give too few, whatever there is."""
        for truth in truths:
            picked = FalseReplyDraw(truth, count)
            for _ in range(_TRIES * count):
                picked.offer(self._replies.draw())
                if picked.is_full:
                    break
            else:
                picked.offer_all(self._replies.every())
            yield picked.replies if picked.is_full else None


class FalseReplyDraw:
    """The false replies to one true reply as they are found."""

    def __init__(self, truth: SpooledReply, count: int) -> None:
        self._truth, self._count = truth, count
        self._said = {plain_words(truth.text)}
        self.replies: list[SpooledReply] = []

    @property
    def is_full(self) -> bool:
        """Whether there are enough of them."""
        return len(self.replies) == self._count

    def offer(self, reply: SpooledReply) -> None:
        """Take a reply if it is from another dialogue and says something that none of the others does."""
        if reply.dialogue == self._truth.dialogue or self.is_full:
            return
        if (said := plain_words(reply.text)) not in self._said:
            self._said.add(said)
            self.replies.append(reply)

    def offer_all(self, replies: Iterator[SpooledReply]) -> None:
        """Take replies until there are enough."""
        for reply in replies:
            self.offer(reply)
            if self.is_full:
                return


class TextVectors(Protocol):
    """Turns texts into vectors of length 1."""

    def vectors(self, texts: Sequence[str]) -> csr_matrix | NDArray[np.float32]:
        """A row for each text."""
        ...


class ConfusingChooser(Chooser):
    """The replies most like the true one, among a pool that is drawn uniformly from the corpus."""

    def __init__(self, pool: Sequence[SpooledReply], vectors: TextVectors) -> None:
        self._pool, self._vectors = pool, vectors
        self._turned = vectors.vectors([reply.text for reply in pool]).T

    def choose(self, truths: Sequence[SpooledReply], count: int) -> Iterator[list[SpooledReply] | None]:
        """The nearest neighbours by the cosine; where that is the same, the earlier in the pool."""
        found = self._vectors.vectors([truth.text for truth in truths]) @ self._turned
        near = found if isinstance(found, np.ndarray) else found.toarray()
        wanted = min(len(self._pool), 4 * count + 40)
        top = np.argpartition(-near, wanted - 1, axis=1)[:, :wanted]
        for truth, row, best in zip(truths, near, top, strict=True):
            picked = FalseReplyDraw(truth, count)
            nearest = best[np.lexsort((best, -row[best]))].tolist()
            picked.offer_all(self._pool[place] for place in nearest)
            if not picked.is_full:
                order = np.argsort(-row, kind="stable").tolist()
                picked.offer_all(self._pool[place] for place in order)
            yield picked.replies if picked.is_full else None


def drawn_pool(replies: Replies, size: int) -> list[SpooledReply]:
    """Replies to choose confusing ones from, no two of which say the same."""
    found: dict[str, SpooledReply] = {}
    for _ in range(2 * size):
        reply = replies.draw()
        found.setdefault(plain_words(reply.text), reply)
        if len(found) == size:
            break
    return list(found.values())
