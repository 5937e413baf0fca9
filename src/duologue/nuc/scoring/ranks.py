"""Where the true reply ranks among candidates, and recall@k among any number of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.dialogues import Json, NextTurnItem
from duologue.errors import AnalysisError, NotEnoughJudgments
from duologue.stats import Interval, clustered_mean


@dataclass(frozen=True, slots=True)
class TrueReplyRank:
    """How many candidates of an item score above the true reply, and how many the same."""

    item: str
    corpus: str
    dialogue: str
    candidates: int
    above: int
    tied: int
    """False replies with the very score of the true one."""

    @classmethod
    def of(cls, item: NextTurnItem, scores: NDArray[np.float64], truth: int) -> TrueReplyRank:
        """From the scores of all candidates."""
        above = int((scores > scores[truth]).sum())
        tied = int((scores == scores[truth]).sum()) - 1
        return cls(item.id, item.corpus, item.dialogue, len(scores), above, tied)

    @property
    def rank(self) -> float:
        """From 1; the mean over all orders of candidates that score the same."""
        return 1 + self.above + self.tied / 2

    def recall(self, k: int, among: int | None = None) -> float:
        """The chance that the true reply is among the best ``k``.

        Args:
            k: How many of the best are looked at.
            among: Of so many candidates, the false ones drawn at random from all of this item; all of them
                where it is not given. Candidates that score the same are in random order.

        Example:
            >>> one = TrueReplyRank("i", "c", "d", candidates=10, above=1, tied=0)
            >>> one.recall(1), one.recall(2), round(one.recall(1, among=2), 3)
            (0.0, 1.0, 0.889)
        """
        orders = self.above + np.arange(self.tied + 1)
        false = self.candidates - 1
        drawn = false if among is None else among - 1
        if drawn >= false:
            return float((orders < k).mean())
        from scipy.stats import hypergeom

        return float(np.mean(hypergeom.cdf(k - 1, false, orders, drawn)))


@dataclass(frozen=True, slots=True)
class CorpusRecall:
    """How often a model has the true reply among its best ``k`` of ``among`` candidates."""

    model: str
    corpus: str
    k: int
    among: int
    items: int
    recall: float
    chance: float
    interval: Interval | None
    """Clustered by dialogue; None for a single dialogue."""


@dataclass(frozen=True, slots=True)
class CorpusRanks:
    """The ranks of the true replies of a corpus."""

    model: str
    corpus: str
    items: int
    mean_rank: float
    reciprocal: float
    """The mean of one over the rank."""


@dataclass(frozen=True, slots=True)
class ModelRanks:
    """What a model scores on a file of items."""

    model: str
    recalls: tuple[CorpusRecall, ...]
    ranks: tuple[CorpusRanks, ...]


def summarise_ranks(
    model: str, found: Sequence[TrueReplyRank], *, cutoffs: Sequence[int], among: Sequence[int] = ()
) -> ModelRanks:
    """Recall for each corpus, each k and each number of candidates, and mean ranks.

    Args:
        model: Its name.
        found: The ranks of the true replies.
        cutoffs: Each k; those that are not below the number of candidates are left out.
        among: Numbers of candidates beside those that the items have.

    Raises:
        AnalysisError: There is nothing to summarise, or no item has so many candidates.
    """
    if not found:
        raise AnalysisError("there are no items to score.")
    if too_many := [n for n in among if n > max(one.candidates for one in found)]:
        raise AnalysisError(f"no item has {too_many[0]} candidates.")
    by_corpus: defaultdict[str, list[TrueReplyRank]] = defaultdict(list)
    for one in found:
        by_corpus[one.corpus].append(one)
    recalls = [
        recall
        for corpus, some in sorted(by_corpus.items())
        for recall in _recalls(model, corpus, some, cutoffs, among)
    ]
    ranks = [
        CorpusRanks(
            model,
            corpus,
            len(some),
            float(np.mean([one.rank for one in some])),
            float(np.mean([1 / one.rank for one in some])),
        )
        for corpus, some in sorted(by_corpus.items())
    ]
    return ModelRanks(model, tuple(recalls), tuple(ranks))


def _recalls(
    model: str, corpus: str, found: Sequence[TrueReplyRank], cutoffs: Sequence[int], among: Sequence[int]
) -> Iterator[CorpusRecall]:
    for size in sorted({one.candidates for one in found} | set(among)):
        asked = [one for one in found if one.candidates == size or (size in among and one.candidates > size)]
        for k in sorted(set(cutoffs)):
            if k < size and asked:
                right = [one.recall(k, size) for one in asked]
                interval = _interval(right, [one.dialogue for one in asked])
                mean = float(np.mean(right))
                yield CorpusRecall(model, corpus, k, size, len(asked), mean, k / size, interval)


def _interval(right: Sequence[float], dialogues: Sequence[str]) -> Interval | None:
    codes = np.unique(dialogues, return_inverse=True)[1]
    try:
        return clustered_mean(right, [codes], bounds=(0, 1), null=0.5).interval
    except NotEnoughJudgments:
        return None


def rank_rows(model: str, found: Sequence[TrueReplyRank]) -> Iterator[Mapping[str, Json]]:
    """A row for each item."""
    for one in found:
        yield {
            "model": model,
            "item": one.item,
            "corpus": one.corpus,
            "candidates": one.candidates,
            "rank": one.rank,
            "tied": one.tied,
        }
