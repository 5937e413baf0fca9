"""Distinct-n: how varied replies are, within each of them and over all of them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.metrics.words import words_of
from duologue.stats import Interval

Codes = NDArray[np.int64]
_LARGEST = 2**62


def distinct_within(texts: Sequence[str], n: int) -> NDArray[np.float64]:
    """For each text the share of its runs of n words that are different ones; not a number where it has none.

    Example:
        >>> distinct_within(["no no no", "well well then", "hi"], 2)
        array([0.5, 1. , nan])
    """
    shares = np.full(len(texts), np.nan)
    for number, text in enumerate(texts):
        if runs := _runs(text, n):
            shares[number] = len(set(runs)) / len(runs)
    return shares


@dataclass(frozen=True, slots=True)
class CorpusDistinct:
    """How many of all runs of n words are different ones, over a whole corpus.

    It falls as a corpus grows: compare only corpora of about the same number of words.
    """

    n: int
    value: float
    different: int
    runs: int
    clusters: int
    interval: Interval | None


def corpus_distinct(
    texts: Sequence[str], clusters: Sequence[int], n: int, *, level: float = 0.95
) -> CorpusDistinct:
    """Different runs of n words over all runs of n words in a corpus (Li et al. 2016).

    One pass, so that the time grows as the corpus does. The interval is that of the jackknife that leaves out
    one dialogue at a time: of a number of different things a bootstrap gives no honest interval, since every
    sample with replacement repeats dialogues and so has fewer different runs than the corpus itself.
    It says how far the figure of another corpus *of this size* may be.

    Args:
        texts: Replies.
        clusters: The dialogue of each: whole numbers from 0.
        n: Words in a run.
        level: Confidence of the interval; None is given for fewer than two dialogues.

    Raises:
        NotEnoughJudgments: No text has n words.

    Example:
        >>> found = corpus_distinct(["i like tea", "i like rain", "well"], [0, 1, 2], 2)
        >>> found.different, found.runs, found.value
        (3, 4, 0.75)
    """
    groups = max(clusters, default=-1) + 1
    runs, owners = _coded_runs(texts, clusters, n)
    if not len(runs):
        raise NotEnoughJudgments(f"distinct-{n}", needed=1, got=0, unit=f"replies of {n} words")
    runs_of = np.bincount(owners, minlength=groups).astype(np.float64)
    different, alone = _different(runs, owners, groups)
    total = float(len(runs))
    interval = leave_one_out_interval(different, total, alone, runs_of, level) if groups > 1 else None
    return CorpusDistinct(n, different / total, different, len(runs), groups, interval)


def _coded_runs(texts: Sequence[str], clusters: Sequence[int], n: int) -> tuple[Codes, Codes]:
    """Every run of n words as a whole number, and its cluster: equal runs have equal numbers.

    Numbers are sorted in a fraction of the time that a dictionary of millions of texts takes, which no longer
    fits a processor's cache: the time stays proportional to the corpus.
    """
    codes: dict[str, int] = {}
    words, lengths = array("q"), array("q")
    for text in texts:
        said = words_of(text)
        words.extend([codes.setdefault(word, len(codes)) for word in said])
        lengths.append(len(said))
    length = np.array(lengths, dtype=np.int64)
    runs = np.array(words, dtype=np.int64)
    left = np.repeat(np.cumsum(length), length) - np.arange(
        len(runs)
    )  # words from here to the end of its text
    owners = np.repeat(np.asarray(clusters, dtype=np.int64), length)
    whole = runs
    for more in range(1, n):
        if more > 1:
            whole = np.unique(whole, return_inverse=True)[1]
        whole = whole[:-1] * len(codes) + runs[more:]
    begins = left[: len(whole)] >= n
    return whole[begins], owners[: len(whole)][begins]


def _different(runs: Codes, owners: Codes, groups: int) -> tuple[int, Codes]:
    """How many runs are different ones, and by cluster how many of them no other cluster has."""
    if int(runs.max()) >= _LARGEST // groups:
        runs = np.unique(runs, return_inverse=True)[1]
    pairs = np.sort(runs * groups + owners)
    pairs = pairs[np.r_[True, pairs[1:] != pairs[:-1]]]
    run, owner = pairs // groups, pairs % groups
    is_first = np.r_[True, run[1:] != run[:-1]]
    is_last = np.r_[is_first[1:], True]
    return int(is_first.sum()), np.bincount(owner[is_first & is_last], minlength=groups)


def leave_one_out_interval(
    different: int, total: float, alone: NDArray[np.integer], runs_of: NDArray[Any], level: float
) -> Interval:
    """The jackknife over clusters of a count of different things over all of them.

    Args:
        different: The count.
        total: Of how many.
        alone: By cluster, how many fewer the count is without it.
        runs_of: By cluster, how many fewer the total is without it.
        level: Confidence of the interval.
    """
    from scipy.special import stdtrit

    left = total - runs_of
    without = (different - alone)[left > 0] / left[left > 0]
    groups = len(without)
    variance = (groups - 1) / groups * float(((without - without.mean()) ** 2).sum()) if groups > 1 else 0.0
    half = float(stdtrit(max(1, groups - 1), (1 + level) / 2)) * variance**0.5
    value = different / total
    return Interval(max(0.0, value - half), min(1.0, value + half), level, "jackknife by cluster")


def _runs(text: str, n: int) -> list[str]:
    """Runs of n words, each as one text, which takes less memory than n of them."""
    words = words_of(text)
    return words if n == 1 else [" ".join(words[at : at + n]) for at in range(len(words) - n + 1)]
