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
Codes = NDArray[np.int64]


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
    if len(names) ** 2 < 2**15:
        key = key.astype(np.int16)  # sorted by counting, several times faster
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
    kinds = clusters_of(votes, tallies)
    alone = [_cluster(tally, own, level=level, rng=rng) for tally, own in zip(tallies, kinds, strict=True)]
    adjusted = iter(holm([rate.p_value for rate, _ in alone if rate is not None]).tolist())
    return tuple(
        (replace(rate, p_adjusted=next(adjusted)) if rate is not None else None, why) for rate, why in alone
    )


def _cluster(
    tally: Tally, kinds: Mapping[str, Codes], *, level: float, rng: np.random.Generator
) -> tuple[ClusteredWinRate | None, str]:
    n = len(tally.rows)
    if n < 2:
        return None, "fewer than two judgments"
    if not kinds:
        return None, "neither annotators nor dialogues are known"
    sizes = {kind: int(codes.max()) + 1 for kind, codes in kinds.items()}
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


def clusters_of(votes: Votes, tallies: Sequence[Tally]) -> list[dict[str, Codes]]:
    """The clusters in which judgments of each matchup may hang together: annotators, dialogues of each bot.

    Codes run from 0 within a matchup. A kind of which nothing is known there is left out; where only some are
    known, each unknown one counts as a cluster of its own.
    """
    found: list[dict[str, Codes]] = [{} for _ in tallies]
    filled = [number for number, tally in enumerate(tallies) if len(tally.rows)]
    if not filled:
        return found
    rows = np.concatenate([tallies[number].rows for number in filled])
    first_won = np.concatenate([tallies[number].first_won for number in filled])
    sizes = [len(tallies[number].rows) for number in filled]
    matchup, starts = np.repeat(np.arange(len(filled)), sizes), np.cumsum([0, *sizes[:-1]])
    winner, loser = votes.winner_dialogue[rows], votes.loser_dialogue[rows]
    columns = (
        votes.annotator.codes[rows],
        np.where(first_won, winner, loser),
        np.where(first_won, loser, winner),
    )
    for position, codes in enumerate(columns):
        is_known = np.logical_or.reduceat(codes >= 0, starts)
        if not is_known.any():
            continue
        dense = np.split(_numbered_within(matchup, starts, _apart(codes)), starts[1:])
        for number, own, known in zip(filled, dense, is_known.tolist(), strict=True):
            if known:
                found[number][_kind(tallies[number], position)] = own
    return found


def _kind(tally: Tally, position: int) -> str:
    return ("annotator", f"dialogue of {tally.first}", f"dialogue of {tally.second}")[position]


def _numbered_within(matchup: Codes, starts: Codes, codes: Codes) -> Codes:
    """Codes numbered 0, 1, 2, … within each matchup; rows of a matchup stand together."""
    combined = matchup * (int(codes.max()) + 1) + codes
    order = np.argsort(combined)
    ranked = np.concatenate([[0], np.cumsum(np.diff(combined[order]) != 0)])
    dense = np.empty(len(codes), dtype=np.int64)
    dense[order] = ranked - np.repeat(ranked[starts], np.diff([*starts, len(codes)]))
    return dense


def _apart(codes: NDArray[np.int32]) -> Codes:
    """Give each unknown code (-1) a code of its own."""
    apart = codes.astype(np.int64)
    unknown = np.flatnonzero(codes < 0)
    apart[unknown] = int(codes.max()) + 1 + np.arange(len(unknown))
    return apart
