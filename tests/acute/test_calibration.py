"""Simulated studies of equal bots through the whole analysis: how often it errs, how often intervals cover.

Rows of the error table that the rule was chosen by (docs/tests/clusters.md). Annotators have tastes (intra-
class correlation), one in ten is careless, and side 1 wins 55 of 100.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from duologue.acute import AcuteResults, analyse_votes
from duologue.judgments import NameColumn, Votes, votes_from_rows

pytestmark = pytest.mark.slow

ACCEPTED = 0.065
"""The nominal 5 % and three standard errors of some 2,000 studies."""

Ints = NDArray[np.int64]


def votes_of(
    first: Ints,
    second: Ints,
    first_won: NDArray[np.bool_],
    first_on_1: NDArray[np.bool_],
    annotator: Ints,
    dialogues: tuple[Ints, Ints] | None = None,
) -> Votes:
    """Judgments of bots by number, made without a table."""
    n = len(first)
    names = tuple("ABCDEFGH")
    empty = votes_from_rows([{"winner": "A", "loser": "B"}]).select(np.zeros(n, dtype=np.intp))
    winner, loser = np.where(first_won, first, second), np.where(first_won, second, first)
    nowhere = np.full(n, -1)
    of_first, of_second = dialogues if dialogues is not None else (nowhere, nowhere)
    return replace(
        empty,
        bots=names,
        winner=winner.astype(np.int32),
        loser=loser.astype(np.int32),
        winner_side=np.where(first_won == first_on_1, 1, 2).astype(np.int8),
        annotator=NameColumn(
            tuple(f"a{k}" for k in range(int(annotator.max()) + 1)), annotator.astype(np.int32)
        ),
        dialogues=tuple(f"d{k}" for k in range(int(max(of_first.max(), of_second.max())) + 1)),
        winner_dialogue=np.where(first_won, of_first, of_second).astype(np.int32),
        loser_dialogue=np.where(first_won, of_second, of_first).astype(np.int32),
    )


def is_wrong(results: AcuteResults) -> bool:
    return any(matchup.verdict.better for section in results.sections for matchup in section.matchups)


def leanings(rng: np.random.Generator, shape: tuple[int, ...], icc: float) -> NDArray[np.float64]:
    """How often each annotator prefers the first bot: beta with this intraclass correlation."""
    strength = (1 / icc - 1) / 2
    return rng.beta(strength, strength, shape)


def simulate_study(
    rng: np.random.Generator, *, bots: int, annotators: int, each: int, icc: float
) -> AcuteResults:
    """Every annotator judges every matchup ``each`` times, on dialogues that nobody else reads."""
    pairs = np.array([(i, j) for i in range(bots) for j in range(i + 1, bots)])
    taste = leanings(rng, (annotators, len(pairs)), icc)
    taste[rng.random(annotators) < 0.1] = 0.5  # careless
    annotator = np.repeat(np.arange(annotators), len(pairs) * each)
    matchup = np.tile(np.repeat(np.arange(len(pairs)), each), annotators)
    first_on_1 = rng.random(len(annotator)) < 0.5
    odds = (
        taste[annotator, matchup] / (1 - taste[annotator, matchup]) * np.where(first_on_1, 55 / 45, 45 / 55)
    )
    first_won = rng.random(len(annotator)) < odds / (1 + odds)
    return analyse_votes(votes_of(pairs[matchup, 0], pairs[matchup, 1], first_won, first_on_1, annotator))


@pytest.mark.parametrize(
    ("bots", "annotators", "each", "icc"),
    [(3, 110, 1, 0.2), (3, 11, 10, 0.05), (3, 11, 10, 0.1), (3, 11, 10, 0.2), (8, 22, 5, 0.1)],
)
def test_studies_of_equal_bots_rarely_give_any_verdict(
    bots: int, annotators: int, each: int, icc: float
) -> None:
    rng = np.random.default_rng(20 + bots)
    studies = 2000
    covered = intervals = wrong = 0
    for _ in range(studies):
        results = simulate_study(rng, bots=bots, annotators=annotators, each=each, icc=icc)
        wrong += is_wrong(results)
        for matchup in results.sections[0].matchups:
            assert matchup.interval_unadjusted is not None
            intervals += 1
            covered += 0.5 in matchup.interval_unadjusted
    print(f"{bots} bots, {each} each, ICC {icc}: {wrong / studies:.4f} {covered / intervals:.3f}")  # with -s
    assert wrong / studies <= ACCEPTED
    assert covered / intervals >= 0.93


@pytest.mark.parametrize("clusters", [5, 8, 12, 20, 40])
@pytest.mark.parametrize("sizes", ["equal", "lognormal", "one busy"])
def test_unequal_annotators_do_not_raise_the_error_of_a_matchup(sizes: str, clusters: int) -> None:
    rng = np.random.default_rng(31)
    wrong = covered = 0
    studies = 2000
    for _ in range(studies):
        counts = np.full(clusters, 10)
        if sizes == "lognormal":
            counts = np.maximum(1, np.round(10 * rng.lognormal(0, 0.8, clusters))).astype(int)
        elif sizes == "one busy":
            counts = np.array([60] + [5] * (clusters - 1))
        annotator = np.repeat(np.arange(clusters), counts)
        first_won = rng.random(len(annotator)) < leanings(rng, (clusters,), 0.1)[annotator]
        zeros = np.zeros(len(annotator), dtype=np.int64)
        results = analyse_votes(
            votes_of(zeros, zeros + 1, first_won, rng.random(len(annotator)) < 0.5, annotator)
        )
        wrong += is_wrong(results)
        interval = results.sections[0].matchups[0].interval_unadjusted
        covered += interval is None or 0.5 in interval
    print(f"{sizes}, {clusters} annotators: {wrong / studies:.4f} {covered / studies:.3f}")  # with -s
    assert wrong / studies <= ACCEPTED
    assert covered / studies >= 0.93


@pytest.mark.parametrize(
    ("annotators", "each", "dialogues", "sd"),
    [(10, 20, 20, 0.46), (20, 10, 10, 0.66), (50, 4, 50, 0.46), (200, 1, 20, 0.66)],
)
def test_crossed_annotators_and_dialogues_do_not_raise_the_error_of_a_matchup(
    annotators: int, each: int, dialogues: int, sd: float
) -> None:
    rng = np.random.default_rng(32)
    wrong = covered = 0
    studies, n = 2000, annotators * each
    annotator = np.repeat(np.arange(annotators), each)
    for _ in range(studies):
        of_first = rng.permutation(np.arange(n) % dialogues)
        of_second = dialogues + rng.permutation(np.arange(n) % dialogues)
        effect = rng.normal(0, sd, annotators)[annotator]
        effect += rng.normal(0, sd, dialogues)[of_first] - rng.normal(0, sd, dialogues)[of_second - dialogues]
        first_won = rng.random(n) < 1 / (1 + np.exp(-effect))
        zeros = np.zeros(n, dtype=np.int64)
        results = analyse_votes(
            votes_of(zeros, zeros + 1, first_won, rng.random(n) < 0.5, annotator, (of_first, of_second))
        )
        wrong += is_wrong(results)
        interval = results.sections[0].matchups[0].interval_unadjusted
        covered += interval is None or 0.5 in interval
    print(
        f"{annotators} x {each}, {dialogues} dialogues, sd {sd}: "
        f"{wrong / studies:.4f} {covered / studies:.3f}"  # with -s
    )
    assert wrong / studies <= ACCEPTED
    assert covered / studies >= 0.93
