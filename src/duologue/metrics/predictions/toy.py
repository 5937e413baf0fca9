"""The toy baseline of F1: one constant reply made of frequent words.

ConvAI2 found that always replying "i am you to do and your is like" has a higher F1 than every model of the
competition (Dinan et al. 2019, section 3.1.2: .196 on the test set, .205 on the validation set). So an F1
that is not clearly above such a reply says nothing about a bot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.metrics.texts.normalising import normal_words

PUBLISHED_REPLY = "i am you to do and your is like"
WORDS = 300
"""How many of the most frequent words are tried."""
LONGEST = 40


@dataclass(frozen=True, slots=True)
class ToyReply:
    """A constant reply, its mean F1 on the replies it was made from, and how many there were."""

    reply: str
    training_f1: float
    replies: int


def toy_reply(replies: Sequence[str], *, words: int = WORDS) -> ToyReply:
    """The constant reply of frequent words with the highest mean F1 on some replies that could be found.

    Beginning with nothing, the word that raises the mean F1 most is added until none does; then words are
    exchanged, one for another, as long as that helps. A word may be there twice. Other replies may do a
    little better: all of them cannot be tried.

    Args:
        replies: What people said, as in training data.
        words: How many of the most frequent words are tried.

    Raises:
        NotEnoughJudgments: There is no word in the replies.

    Example:
        >>> toy_reply(["i like tea", "i like rain", "do you like tea"]).reply
        'like i tea'
    """
    search = _Search([one for one in normal_words(replies) if one], words)
    while search.grow():
        pass
    while search.exchange():
        pass
    return ToyReply(search.reply, search.score, search.replies)


class _Search:
    """Which words are in the reply, and what each word would add.

    F1 of one reply is 2·shared / (length of the toy + length of the reply), so that adding a word changes
    ``shared`` by one in every reply that has the word more often than the toy has it by now.
    """

    def __init__(self, replies: list[list[str]], words: int) -> None:
        if not replies:
            raise NotEnoughJudgments("a toy reply", needed=1, got=0, unit="replies with a word in them")
        frequent = Counter(word for reply in replies for word in reply).most_common(words)
        self._words = [word for word, _ in frequent]
        codes = {word: code for code, word in enumerate(self._words)}
        cells = Counter(
            (number, codes[word]) for number, reply in enumerate(replies) for word in reply if word in codes
        )
        self._reply_of, self._word_of = np.array(list(cells), dtype=np.intp).T
        self._times = np.array(list(cells.values()))
        self._lengths = np.array([len(reply) for reply in replies], dtype=np.float64)
        self._toy = np.zeros(len(self._words), dtype=np.intp)
        self.replies, self.score = len(replies), 0.0

    def grow(self) -> bool:
        """Add the word that helps most; say whether one does."""
        length = int(self._toy.sum()) + 1
        if length > LONGEST:
            return False
        scores = self._scores_with_one_more(self._toy, length)
        best = int(scores.argmax())
        if scores[best] <= self.score + 1e-12:
            return False
        self._toy[best] += 1
        self.score = float(scores[best])
        return True

    def exchange(self) -> bool:
        """Take out one word and put in another where that helps; say whether it did."""
        for word in np.flatnonzero(self._toy):
            without = self._toy.copy()
            without[word] -= 1
            scores = self._scores_with_one_more(without, int(self._toy.sum()))
            best = int(scores.argmax())
            if scores[best] > self.score + 1e-12:
                without[best] += 1
                self._toy, self.score = without, float(scores[best])
                return True
        return False

    def _scores_with_one_more(self, toy: NDArray[np.intp], length: int) -> NDArray[np.float64]:
        """The mean F1 with each word added to a toy reply, which then has this length."""
        weights = 2 / (length + self._lengths[self._reply_of])
        base = float((np.minimum(self._times, toy[self._word_of]) * weights).sum())
        more = np.where(self._times > toy[self._word_of], weights, 0.0)
        gains = np.bincount(self._word_of, weights=more, minlength=len(self._words))
        return (base + gains) / self.replies

    @property
    def reply(self) -> str:
        """The words, the most frequent first."""
        return " ".join(
            word for word, times in zip(self._words, self._toy, strict=True) for _ in range(times)
        )
