"""Matchups tallied, and what each of them offers as evidence: exact, clustered, graded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.results import ClusteredWinRate
from duologue.judgments import Votes
from duologue.stats import ClusteredRate, Evidence, ExactRate, clustered_rate, flip_scores, sign_flip_test

FEW_CLUSTERS = 20
"""Below this many clusters a test by flipping the signs of whole clusters is given beside the others."""

FEWEST_CLUSTERS = 6
"""With fewer effective clusters there is no verdict on graded answers: flips of five never reach 0.05."""

FLIPPED_UP_TO = 10_000
"""With more clusters Student's t and flips of graded answers are the same, and only t is computed."""

POINT = 0.25
"""Graded answers are 0, 0.25, 0.5, 0.75 and 1 from the side of the first bot."""

Pair = tuple[str, str]
Codes = NDArray[np.int64]
Rows = NDArray[np.intp] | slice
"""Which judgments: by number, or all of them."""


@dataclass(frozen=True, slots=True)
class MatchupTally:
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
    tied: NDArray[np.intp]
    """Rows of ties."""
    first_on_1: NDArray[np.bool_]
    """For each tie: whether the first bot was on side 1."""

    @property
    def pair(self) -> Pair:
        """The two bots."""
        return self.first, self.second


def tally_matchups(votes: Votes, planned: Mapping[Pair, int] | None = None) -> tuple[MatchupTally, ...]:
    """Count every matchup of different bots, in the order of names; planned ones also when empty."""
    found = {tally.pair: tally for tally in _tallies(votes)}
    nothing, no_one = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.bool_)
    for first, second in planned or {}:
        if first != second:
            empty = MatchupTally(first, second, 0, 0, 0, nothing, no_one, nothing, no_one)
            found.setdefault((first, second), empty)
    return tuple(found[pair] for pair in sorted(found))


def _tallies(votes: Votes) -> Iterator[MatchupTally]:
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
        is_tie = votes.is_tie[rows]
        decided, tied = rows[~is_tie], rows[is_tie]
        first_won = winner[decided] == code // len(names)
        wins = int(first_won.sum())
        yield MatchupTally(
            first=names[code // len(names)],
            second=names[code % len(names)],
            wins_first=wins,
            wins_second=len(decided) - wins,
            ties=len(tied),
            rows=decided,
            first_won=first_won,
            tied=tied,
            first_on_1=winner[tied] == code // len(names),
        )


def win_matrix(tallies: Sequence[MatchupTally], bots: Sequence[str]) -> NDArray[np.int64]:
    """``wins[i, j]``: how often bot i beat bot j."""
    place = {bot: number for number, bot in enumerate(bots)}
    wins = np.zeros((len(bots), len(bots)), dtype=np.int64)
    for tally in tallies:
        i, j = place[tally.first], place[tally.second]
        wins[i, j], wins[j, i] = tally.wins_first, tally.wins_second
    return wins


@dataclass(frozen=True, slots=True)
class MatchupEvidence:
    """A matchup with the tests that its verdict must pass, before any is compared with alpha."""

    tally: MatchupTally
    evidence: tuple[Evidence, ...]
    """Empty where the judgments can say nothing about the bots."""
    clustered: ClusteredWinRate | None
    repeats: tuple[str, ...]
    """The kinds of clusters of which some one occurs twice: annotators, dialogues of each bot."""
    is_checked: bool
    """Whether annotators or dialogues are known, so that repetitions can be seen."""
    only: str = ""
    """What all judgments are of, when they are of one annotator or one dialogue: nothing else can be said."""
    too_few: tuple[str, float] | None = None
    """Of graded answers: the kind of clusters of which there are too few to test them, and how many of equal
    size would say as much."""
    preference: float | None = None
    """Of graded answers: the mean of (1 + score) / 2 from the side of the first bot."""


def weigh_matchups(
    votes: Votes, tallies: Sequence[MatchupTally], *, level: float, rng: np.random.Generator | None = None
) -> tuple[MatchupEvidence, ...]:
    """What each matchup offers as evidence.

    The exact binomial test of the judgments with a winner; where an annotator or a dialogue occurs twice, the
    clustered test as well. Graded answers are tested by their scores instead, ties as zeros: Student's t, or
    clustered where anything repeats, and the exact test that flips the signs of clusters of each kind.

    Args:
        votes: The judgments that count.
        tallies: Their matchups.
        level: Confidence of the clustered interval.
        rng: For sign flips beside few clusters; left out where it is None.
    """
    is_graded = votes.is_graded
    rows = [np.concatenate([tally.rows, tally.tied]) if is_graded else tally.rows for tally in tallies]
    winner_is_first = [
        np.concatenate([tally.first_won, tally.first_on_1]) if is_graded else tally.first_won
        for tally in tallies
    ]
    kinds = clusters_of(votes, tallies, rows, winner_is_first)
    scores = [
        (0.5 + np.where(is_first, 0.25, -0.25) * votes.half_leads[own] if is_graded else is_first).astype(
            np.float64
        )
        for own, is_first in zip(rows, winner_is_first, strict=True)
    ]
    return tuple(
        _weigh(tally, outcomes, own, is_graded=is_graded, level=level, rng=rng)
        for tally, outcomes, own in zip(tallies, scores, kinds, strict=True)
    )


def _weigh(
    tally: MatchupTally,
    outcomes: NDArray[np.float64],
    kinds: Mapping[str, Codes],
    *,
    is_graded: bool,
    level: float,
    rng: np.random.Generator | None,
) -> MatchupEvidence:
    n = len(outcomes)
    sizes = {kind: int(codes.max()) + 1 for kind, codes in kinds.items()}
    repeated = {kind: codes for kind, codes in kinds.items() if sizes[kind] < n}
    preference = float(outcomes.mean()) if is_graded and n else None
    only = next((kind for kind, size in sizes.items() if size < 2), "") if n > 1 else ""
    if n == 0 or only or (is_graded and n < 2):
        return MatchupEvidence(tally, (), None, tuple(repeated), bool(kinds), only, preference=preference)
    if is_graded:
        return _weigh_scores(tally, outcomes, repeated, level=level, is_checked=bool(kinds))
    exact = ExactRate(tally.wins_first, tally.wins_second)
    if not repeated:
        return MatchupEvidence(tally, (exact,), None, (), bool(kinds))
    rate = clustered_rate(outcomes, list(repeated.values()), level=level)
    fewest = min(repeated, key=lambda kind: sizes[kind])
    flips = None
    if rng is not None and sizes[fewest] < FEW_CLUSTERS:
        flips = sign_flip_test(outcomes, repeated[fewest], rng=rng).p_value
    clustered = _clustered(rate, repeated, flips)
    return MatchupEvidence(tally, (exact, rate), clustered, tuple(repeated), is_checked=True)


def _weigh_scores(
    tally: MatchupTally,
    outcomes: NDArray[np.float64],
    repeated: Mapping[str, Codes],
    *,
    level: float,
    is_checked: bool,
) -> MatchupEvidence:
    """Graded answers: Student's t or its clustered form, and flips of the clusters of each kind."""
    kinds = dict(repeated) or {"judgment": np.arange(len(outcomes))}
    rate = clustered_rate(outcomes, list(kinds.values()), level=level)
    clustered = _clustered(rate, repeated, None) if repeated else None
    kind, effective = min(zip(kinds, rate.effective_clusters, strict=True), key=lambda one: one[1])
    evidence: tuple[Evidence, ...] = ()
    if effective >= FEWEST_CLUSTERS - 1e-9:
        flipped = [codes for codes in kinds.values() if int(codes.max()) < FLIPPED_UP_TO]
        evidence = (rate, *(flip_scores(outcomes, codes, step=POINT) for codes in flipped))
    return MatchupEvidence(
        tally,
        evidence,
        clustered,
        tuple(repeated),
        is_checked,
        preference=float(outcomes.mean()),
        too_few=None if evidence else (kind, effective),
    )


def _clustered(rate: ClusteredRate, kinds: Mapping[str, Codes], flips: float | None) -> ClusteredWinRate:
    return ClusteredWinRate(
        interval=rate.interval,
        p_value=rate.p_value,
        clusters={kind: int(codes.max()) + 1 for kind, codes in kinds.items()},
        icc=rate.icc,
        effective_n=rate.effective_n,
        df=rate.df,
        method=rate.method,
        sign_flip_p=flips,
    )


def clusters_of(
    votes: Votes,
    tallies: Sequence[MatchupTally],
    rows_of: Sequence[NDArray[np.intp]],
    winner_is_first: Sequence[NDArray[np.bool_]],
) -> list[dict[str, Codes]]:
    """The clusters in which judgments of each matchup may be correlated: annotators, dialogues of each bot.

    Codes run from 0 within a matchup. A kind of which nothing is known there is left out; where only some are
    known, each unknown one counts as a cluster of its own.
    """
    found: list[dict[str, Codes]] = [{} for _ in tallies]
    filled = [number for number, own in enumerate(rows_of) if len(own)]
    if not filled:
        return found
    rows = np.concatenate([rows_of[number] for number in filled])
    is_first = np.concatenate([winner_is_first[number] for number in filled])
    sizes = [len(rows_of[number]) for number in filled]
    starts = np.cumsum([0, *sizes[:-1]])
    winner, loser = known_dialogues(votes, rows)
    columns = (
        votes.annotator.codes[rows],
        np.where(is_first, winner, loser),
        np.where(is_first, loser, winner),
    )
    for position, codes in enumerate(columns):
        is_known = np.logical_or.reduceat(codes >= 0, starts)
        if not is_known.any():
            continue
        dense = np.split(_numbered_within(starts, apart(codes)), starts[1:])
        for number, own, known in zip(filled, dense, is_known.tolist(), strict=True):
            if known:
                found[number][_kind(tallies[number], position)] = own
    return found


def known_dialogues(votes: Votes, rows: Rows) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """The dialogues of winner and loser in each row, -1 where they are not known.

    A pairing has one dialogue of each of its bots: where it is known and they are not, these have codes of
    their own. A table that names pairings only is thereby clustered as one that names the dialogues; where
    several pairs of bots share a pairing it is a prompt, and an answer that meets several rivals is one
    dialogue.
    """
    won, lost = votes.winner_dialogue[rows], votes.loser_dialogue[rows]
    is_unknown = (won < 0) & (lost < 0)
    if is_unknown.any():
        pairing = votes.pairing[rows].astype(np.int64)
        stands_in = is_unknown & (pairing >= 0)
        named, bots = len(votes.dialogues), len(votes.bots)
        both = np.concatenate([pairing * bots + votes.winner[rows], pairing * bots + votes.loser[rows]])
        codes = named + np.unique(both, return_inverse=True)[1]
        own, other = codes[: len(won)], codes[len(won) :]
        won, lost = np.where(stands_in, own, won), np.where(stands_in, other, lost)
    return won, lost


def _kind(tally: MatchupTally, position: int) -> str:
    return ("annotator", f"dialogue of {tally.first}", f"dialogue of {tally.second}")[position]


def _numbered_within(starts: Codes, codes: NDArray[np.integer]) -> Codes:
    """Codes numbered 0, 1, 2, … within each matchup; rows of a matchup stand together."""
    dense, number = np.empty(len(codes), dtype=np.int64), np.zeros(int(codes.max()) + 1, dtype=np.int64)
    for own, numbered in zip(np.split(codes, starts[1:]), np.split(dense, starts[1:]), strict=True):
        ordered = np.sort(own)
        distinct = ordered[np.append(True, ordered[1:] != ordered[:-1])]  # np.unique takes five times as long
        number[distinct] = np.arange(len(distinct))
        numbered[:] = number[own]
    return dense


def annotator_clusters(votes: Votes, rows: Rows) -> NDArray[np.integer]:
    """Codes of annotators; a judgment without a name is somebody's of its own, and a ranking is so once."""
    codes = apart(votes.annotator.codes[rows])
    blank = votes.annotator.codes[rows] < 0
    if votes.ranked is None or not blank.any():
        return codes
    return np.where(blank, int(codes.max()) + 1 + apart(votes.ranked.codes[rows]), codes)


def apart(codes: NDArray[np.integer]) -> NDArray[np.integer]:
    """Give each unknown code (-1) a code of its own; where all are known, they are what they were."""
    unknown = np.flatnonzero(codes < 0)
    if not len(unknown):
        return codes
    apart = codes.astype(np.int64)
    apart[unknown] = int(codes.max()) + 1 + np.arange(len(unknown))
    return apart
