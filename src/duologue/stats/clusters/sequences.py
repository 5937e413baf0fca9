"""Do selections follow each other within dialogues, or gather in clusters? Permutation tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.clusters.clustered import intraclass_correlation
from duologue.stats.counts import check_codes, check_count, check_numbers


@dataclass(frozen=True, slots=True)
class Reselection:
    """How often what happened on a turn happens again on the next one of the same dialogue.

    ``rate`` is the share among turns after one on which it happened, ``expected`` the same when turns are
    shuffled within their dialogues, ``base`` the share of all turns. ``after`` counts the turns of ``rate``.
    """

    rate: float
    expected: float
    base: float
    p_value: float
    after: int
    n: int
    draws: int


@dataclass(frozen=True, slots=True)
class ClusterCorrelation:
    """Whether something happens in some clusters more than in others: its correlation within clusters."""

    base: float
    icc: float | None
    p_value: float
    clusters: int
    n: int
    draws: int


def reselection_tests(
    happened: ArrayLike, dialogues: ArrayLike, *, rng: np.random.Generator, draws: int = 999
) -> tuple[Reselection | None, ...]:
    """Test whether something on one turn makes it likelier, or less likely, on the next: cascading.

    Turns are shuffled within their dialogues, which keeps how often it happened in each dialogue and breaks
    only the order: that one annotator likes a bot more than another annotator does is not cascading. The
    p-value is the share of shuffles, the order seen included, whose number of repeats is at least as far from
    the mean over all of them. All columns are shuffled together.

    Args:
        happened: A matrix of turns × things (bots, ties), 1 where it happened; turns in their order.
        dialogues: The integer code of the dialogue of each turn.
        rng: Where the shuffles come from.
        draws: How many.

    Returns:
        For each column its test; None where it never happened before another turn.

    Raises:
        NotEnoughJudgments: No dialogue has two turns.
        BadNumber: It is not a matrix of zeros and ones, or the codes do not fit it.

    Example:
        >>> rng = np.random.default_rng(7)
        >>> alternating = [[1], [0], [1], [0], [1], [0], [1], [0], [1], [0]]
        >>> (found,) = reselection_tests(alternating, [0] * 10, rng=rng)
        >>> found.rate, round(found.expected, 2), found.p_value < 0.05
        (0.0, 0.44, True)
    """
    table = np.asarray(happened)
    if table.ndim != 2 or not np.isin(table, (0, 1)).all():
        raise BadNumber("happened", expected="a matrix of zeros and ones", got=f"shape {table.shape}")
    draws = check_count("draws", draws)
    codes, _ = check_codes("dialogues", dialogues, length=len(table))
    order = np.argsort(codes, kind="stable")
    codes, values = codes[order], table[order].astype(np.float64)
    follows = codes[1:] == codes[:-1]
    if not follows.any():
        raise NotEnoughJudgments("A test of cascading", needed=2, got=1, unit="turns in a dialogue")
    before = np.append(follows, False)
    seen = _repeats(values, follows)
    sizes = np.bincount(codes)[:, None]
    times = np.stack([np.bincount(codes, weights=column) for column in values.T], axis=1)
    mean = (times * (times - 1) / sizes).sum(axis=0)  # of all shuffles
    as_far = np.ones(len(seen))
    for _ in range(draws):
        shuffled = _repeats(values[_shuffled(codes, rng)], follows)
        as_far += np.abs(shuffled - mean) >= np.abs(seen - mean) - 1e-9
    starts = values[before].sum(axis=0)
    expected_starts = (times * (sizes - 1) / sizes).sum(axis=0)
    return tuple(
        Reselection(
            rate=float(seen[column] / starts[column]),
            expected=float(mean[column] / expected_starts[column]),
            base=float(values[:, column].mean()),
            p_value=float(as_far[column] / (draws + 1)),
            after=int(starts[column]),
            n=len(values),
            draws=draws,
        )
        if starts[column]
        else None
        for column in range(values.shape[1])
    )


def _repeats(values: NDArray[np.float64], follows: NDArray[np.bool_]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = (values[1:] * values[:-1])[follows].sum(axis=0)
    return found


def _shuffled(codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """An order that shuffles turns within dialogues; codes do not decrease."""
    return np.argsort(codes + rng.random(len(codes)), kind="stable")


def gathering_test(
    happened: ArrayLike, clusters: ArrayLike, *, rng: np.random.Generator, draws: int = 999
) -> ClusterCorrelation:
    """Test whether something happens in some clusters more than in others.

    The sum over clusters of (times it happened)²/size, compared with that of shuffles over all judgments.

    Args:
        happened: One number from 0 to 1 for each judgment.
        clusters: The integer code of the cluster of each judgment.
        rng: Where the shuffles come from.
        draws: How many.

    Raises:
        NotEnoughJudgments: There are fewer than two clusters.
        BadNumber: It is not such numbers, or the codes do not fit them.

    Example:
        >>> rng = np.random.default_rng(7)
        >>> found = gathering_test([1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1], rng=rng)
        >>> found.icc, found.p_value < 0.06
        (1.0, True)
    """
    values = check_numbers("happened", happened, low=0.0, high=1.0)
    codes, size = check_codes("clusters", clusters, length=len(values))
    draws = check_count("draws", draws)
    if size < 2:
        raise NotEnoughJudgments("A test of gathering", needed=2, got=size, unit="clusters")
    sizes = np.bincount(codes)
    seen = _between(values, codes, sizes)
    as_far = sum(
        _between(rng.permutation(values), codes, sizes) >= seen - 1e-9 * len(values) for _ in range(draws)
    )
    return ClusterCorrelation(
        base=float(values.mean()),
        icc=intraclass_correlation(values, codes),
        p_value=(1 + as_far) / (1 + draws),
        clusters=size,
        n=len(values),
        draws=draws,
    )


def _between(values: NDArray[np.float64], codes: NDArray[np.intp], sizes: NDArray[np.intp]) -> float:
    return float((np.bincount(codes, weights=values) ** 2 / sizes).sum())
