"""Matchups tallied and compared: exact binomial with Holm, Wilson intervals, and the clustered win rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from duologue.judgments import Votes
from duologue.protocols.acute.results import ClusteredWinRate
from duologue.protocols.acute.verdicts import Comparison
from duologue.stats import clustered_rate, holm, sign_flip_test, sign_test, wilson_interval

FEW_CLUSTERS = 20
"""Below this many clusters the p-value comes from flipping whole clusters, not from Student's t."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Tally:
    """A matchup counted: its bots in the order of their names, and the rows of its judgments."""

    first: str
    second: str
    wins_first: int
    wins_second: int
    ties: int
    rows: NDArray[np.intp]
    """Rows with a winner."""
    first_won: NDArray[np.bool_]
    """For each of these rows."""

    @property
    def pair(self) -> Pair:
        """The two bots."""
        return self.first, self.second


def tally_matchups(votes: Votes, planned: Mapping[Pair, int] | None = None) -> tuple[Tally, ...]:
    """Count every matchup of different bots, in the order of names; planned ones also when empty."""
    found = {tally.pair: tally for tally in _tallies(votes)}
    nothing = np.zeros(0, dtype=np.intp)
    for first, second in planned or {}:
        if first != second:
            empty = Tally(first, second, 0, 0, 0, nothing, nothing.astype(np.bool_))
            found.setdefault((first, second), empty)
    return tuple(found[pair] for pair in sorted(found))


def _tallies(votes: Votes) -> Iterator[Tally]:
    if len(votes) == 0:
        return
    names = sorted(votes.bots)
    rank = np.argsort(np.argsort(np.array(votes.bots, dtype=object)))
    winner, loser = rank[votes.winner], rank[votes.loser]
    first, second = np.minimum(winner, loser), np.maximum(winner, loser)
    key = np.where(first == second, -1, first * len(names) + second)
    order = np.argsort(key, kind="stable")
    keys, starts = np.unique(key[order], return_index=True)
    for code, rows in zip(keys.tolist(), np.split(order, starts[1:]), strict=True):
        if code < 0:
            continue
        decided = rows[~votes.is_tie[rows]]
        first_won = winner[decided] == code // len(names)
        wins = int(first_won.sum())
        yield Tally(
            first=names[code // len(names)],
            second=names[code % len(names)],
            wins_first=wins,
            wins_second=len(decided) - wins,
            ties=len(rows) - len(decided),
            rows=decided,
            first_won=first_won,
        )


def win_matrix(tallies: Sequence[Tally], bots: Sequence[str]) -> NDArray[np.int64]:
    """``wins[i, j]``: how often bot i beat bot j."""
    place = {bot: number for number, bot in enumerate(bots)}
    wins = np.zeros((len(bots), len(bots)), dtype=np.int64)
    for tally in tallies:
        i, j = place[tally.first], place[tally.second]
        wins[i, j], wins[j, i] = tally.wins_first, tally.wins_second
    return wins


def compare_matchups(tallies: Sequence[Tally], *, level: float) -> tuple[Comparison, ...]:
    """Test every matchup against an even split, p-values Holm-adjusted over all with judgments."""
    alone = [_test(tally, level=level) for tally in tallies]
    adjusted = iter(holm([compared.p_value for compared in alone if compared.p_value is not None]).tolist())
    return tuple(
        replace(compared, p_adjusted=next(adjusted)) if compared.p_value is not None else compared
        for compared in alone
    )


def _test(tally: Tally, *, level: float) -> Comparison:
    n = tally.wins_first + tally.wins_second
    return Comparison(
        first=tally.first,
        second=tally.second,
        wins_first=tally.wins_first,
        wins_second=tally.wins_second,
        ties=tally.ties,
        interval=wilson_interval(tally.wins_first, n, level=level) if n else None,
        p_value=_p_value(*sorted((tally.wins_first, tally.wins_second))) if n else None,
        p_adjusted=None,
        clustered=None,
    )


@lru_cache(maxsize=65_536)
def _p_value(fewer: int, more: int) -> float:
    """The same whichever bot won more often; asked for again when exclusions are looked at."""
    return sign_test(fewer, more).p_value


def cluster_matchups(
    votes: Votes, tallies: Sequence[Tally], *, level: float, rng: np.random.Generator
) -> tuple[tuple[ClusteredWinRate | None, str], ...]:
    """The clustered win rate of every matchup, Holm-adjusted; or why there is none."""
    alone = [_cluster(votes, tally, level=level, rng=rng) for tally in tallies]
    adjusted = iter(holm([rate.p_value for rate, _ in alone if rate is not None]).tolist())
    return tuple(
        (replace(rate, p_adjusted=next(adjusted)) if rate is not None else None, why) for rate, why in alone
    )


def _cluster(
    votes: Votes, tally: Tally, *, level: float, rng: np.random.Generator
) -> tuple[ClusteredWinRate | None, str]:
    n = len(tally.rows)
    if n < 2:
        return None, "fewer than two judgments"
    kinds = clusters_of(votes, tally)
    if not kinds:
        return None, "neither annotators nor dialogues are known"
    sizes = {kind: len(np.unique(codes)) for kind, codes in kinds.items()}
    alone = [kind for kind, size in sizes.items() if size < 2]
    if alone:
        return None, f"all judgments are of one {alone[0]}"
    # A kind without repetition says nothing beyond the judgments themselves; one must remain.
    repeated = {kind: codes for kind, codes in kinds.items() if sizes[kind] < n}
    used = repeated or dict(list(kinds.items())[:1])
    outcomes = tally.first_won.astype(np.float64)
    rate = clustered_rate(outcomes, list(used.values()), level=level)
    p_value, method = rate.p_value, rate.method
    fewest = min(used, key=lambda kind: sizes[kind])
    if sizes[fewest] < FEW_CLUSTERS:
        p_value = sign_flip_test(outcomes, used[fewest], rng=rng).p_value
        method += f"; p by flipping the signs of {sizes[fewest]} {fewest}s"
    return (
        ClusteredWinRate(
            win_rate=rate.estimate,
            interval=rate.interval,
            p_value=p_value,
            p_adjusted=p_value,
            clusters={kind: sizes[kind] for kind in used},
            icc=rate.icc,
            effective_n=rate.effective_n,
            method=method,
        ),
        "",
    )


def clusters_of(votes: Votes, tally: Tally) -> dict[str, NDArray[np.int32]]:
    """The clusters that judgments of a matchup may hang together in: annotators, and dialogues of each bot.

    Where only some are known, each unknown one counts as a cluster of its own.
    """
    winner, loser = votes.winner_dialogue[tally.rows], votes.loser_dialogue[tally.rows]
    columns = {
        "annotator": votes.annotator.codes[tally.rows],
        f"dialogue of {tally.first}": np.where(tally.first_won, winner, loser),
        f"dialogue of {tally.second}": np.where(tally.first_won, loser, winner),
    }
    return {kind: _apart(codes) for kind, codes in columns.items() if (codes >= 0).any()}


def _apart(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Give each unknown code (-1) a code of its own."""
    unknown = codes < 0
    if not unknown.any():
        return codes
    apart = codes.copy()
    apart[unknown] = codes.max() + 1 + np.arange(int(unknown.sum()))
    return apart
