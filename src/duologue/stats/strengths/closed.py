"""All pairs of bots told apart at once: closed testing over the ways in which bots may be equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.stats.strengths.tukey_range import range_tail

MOST_BY_PARTITIONS = 9
"""Up to so many bots every partition of them is tested: 21,146 of nine."""

MOST_BY_GROUPS = 16
"""Up to so many bots every group of them is tested: 65,519 of sixteen."""

NEGLIGIBLE = 1e-6
"""Chances below this are not worked out by Tukey's distribution: Bonferroni's bound is as good there."""

Floats = NDArray[np.float64]
Masks = NDArray[np.intp]


def closed_p_values(p_values: ArrayLike, *, bots: int) -> Floats:
    """Adjusted p-values of all pairs: a pair is different when every hypothesis that makes it equal is false.

    With up to nine bots a hypothesis is a partition of the bots into groups of equals. It is tested by its
    largest difference within a group, by Tukey's range of each group; its groups count as independent, which
    is on the safe side (Gaussian correlation inequality). A pair's adjusted p-value is the largest of the
    partitions that hold it together (closed testing; Marcus, Peritz and Gabriel 1976). With ten to sixteen
    bots the hypotheses are single groups of b of the M bots, and p becomes 1 − (1 − p)^(M/b) where b is below
    M − 1 (Ryan, Einot, Gabriel and Welsch). With more, pairs are tested one after the other from the largest
    difference, by Tukey's range of all bots or Bonferroni's bound over the pairs that are left.

    Args:
        p_values: Of each pair by itself, two-sided, in the order 0–1, 0–2, …, 1–2, ….
        bots: How many bots.

    Example:
        >>> z = np.array([2.1, 4.2, 2.1])  # A–B, A–C, B–C
        >>> closed_p_values(2 * special.ndtr(-z), bots=3).round(4).tolist()
        [0.0357, 0.0001, 0.0357]
    """
    own = np.asarray(p_values, dtype=np.float64)
    if bots > MOST_BY_GROUPS:
        return step_down_p_values(own, bots=bots)
    first, second = np.triu_indices(bots, 1)
    pairs = (1 << first) | (1 << second)
    order = np.argsort(own, kind="stable")
    groups = np.arange(1 << bots)
    strongest = np.full(len(groups), len(own) - 1)
    for place in range(len(own) - 1, -1, -1):
        strongest[_holding(groups, pairs[order[place]])] = place
    tails = _tails(own[order], bots)
    worst = (_by_partitions if bots <= MOST_BY_PARTITIONS else _by_groups)(tails, strongest, bots)
    return np.array([worst[_holding(groups, pair)].max() for pair in pairs])


def step_down_p_values(p_values: ArrayLike, *, bots: int) -> Floats:
    """The same one pair after the other from the smallest p-value: by Tukey's range or Bonferroni's bound."""
    own = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(own, kind="stable")
    ordered = own[order]
    steps = np.minimum(np.arange(len(own), 0, -1) * ordered, _tail(ordered, bots))
    adjusted = np.empty(len(own))
    adjusted[order] = np.maximum.accumulate(steps)
    return adjusted


def _together(tails: Sequence[Floats]) -> Floats:
    with np.errstate(divide="ignore"):  # a group that is sure to differ so far
        return np.asarray(-np.expm1(sum(np.log1p(-tail) for tail in tails)))


def _holding(groups: Masks, pair: int) -> NDArray[np.bool_]:
    return np.asarray((groups & pair) == pair)


def _tails(ordered: Floats, bots: int) -> Floats:
    """For each size of a group and each p-value, smallest first, the chance of it as the group's smallest."""
    return np.array([ordered if size < 3 else _tail(ordered, size) for size in range(bots + 1)])


def _tail(ordered: Floats, size: int) -> Floats:
    bound = np.minimum(ordered * (size * (size - 1) / 2), 1.0)
    is_close = bound > NEGLIGIBLE
    by_range = range_tail(special.ndtri(ordered[is_close] / 2), bots=size)
    bound[is_close] = np.clip(by_range, ordered[is_close], bound[is_close])
    return np.asarray(np.maximum.accumulate(bound))


def _by_partitions(tails: Floats, strongest: Masks, bots: int) -> Floats:
    """For each group the largest p-value of the partitions that have it."""
    worst = np.zeros(1 << bots)
    for sizes, partitions in _partitions(bots).items():
        place = strongest[partitions].min(axis=1)
        p = _together([tails[size, place] for size in sizes])
        for column in partitions.T:
            np.maximum.at(worst, column, p)
    return worst


def _by_groups(tails: Floats, strongest: Masks, bots: int) -> Floats:
    """The p-value of each group, so that groups of all sizes share one error rate."""
    sizes = np.array([int(group).bit_count() for group in range(1 << bots)])
    p = tails[sizes, strongest]
    share = np.where(sizes < bots - 1, bots / np.maximum(sizes, 1), 1.0)
    with np.errstate(divide="ignore"):
        return np.where(sizes > 1, -np.expm1(share * np.log1p(-p)), 0.0)


@cache
def _partitions(bots: int) -> dict[tuple[int, ...], Masks]:
    """All partitions with a group of two or more, by the sizes of such groups; a row has its groups."""
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = defaultdict(list)
    for blocks in _ways(bots):
        groups = sorted((block for block in blocks if block.bit_count() > 1), key=int.bit_count)
        if groups:
            found[tuple(group.bit_count() for group in groups)].append(tuple(groups))
    return {sizes: np.array(rows, dtype=np.intp) for sizes, rows in found.items()}


def _ways(bots: int) -> Iterator[tuple[int, ...]]:
    """Every way to part so many bots into groups, each a set of bits."""
    if bots == 0:
        yield ()
        return
    own = 1 << (bots - 1)
    for blocks in _ways(bots - 1):
        yield (*blocks, own)
        for place, block in enumerate(blocks):
            yield (*blocks[:place], block | own, *blocks[place + 1 :])
