"""Simulated studies of equal bots through what decides: how often it errs, how often intervals cover.

The rows of the error table of ACUTE (docs/tests/deciding.md), by the rule of `tests/error_rates.py`.
Annotators have tastes (intraclass correlation), one in ten is careless, and side 1 wins 55 of 100; whole
studies of eight bots are those of `benchmarks/_studies.py`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks._studies import BOTS, Annotators, Design, Truth, decided, judged
from benchmarks.human_cost import NULLS, errors_on
from duologue.acute import analyse_votes
from duologue.acute.analysis.matchups import tally_matchups, weigh_matchups
from duologue.acute.analysis.sides import side_effect, sides_of_matchups, without_order
from duologue.acute.analysis.verdicts import Comparison, Rule, SectionEvidence, compare_matchups
from duologue.judgments import NameColumn, Votes, votes_from_rows
from tests.error_rates import STUDIES, why_refused

pytestmark = pytest.mark.slow

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


def decisions(votes: Votes) -> tuple[Comparison, ...]:
    """Every matchup by its own judgments, as `analyse_votes` decides it, and nothing else of an analysis."""
    weighed = weigh_matchups(votes, tally_matchups(votes), level=0.95)
    tallies = tuple(one.tally for one in weighed)
    sides = sides_of_matchups(votes, tallies)
    effect = side_effect(votes, tallies, sides)
    evidence = SectionEvidence(weighed, sides, without_order(votes, weighed, sides, effect), effect)
    (found,) = compare_matchups([evidence], Rule(alpha=0.05, gap=0.2, power=0.8))
    return found


class Counted:
    """How many studies had a false verdict, and how many intervals hold an even split."""

    def __init__(self) -> None:
        self.studies = self.wrong = self.intervals = self.covered = 0

    def add(self, votes: Votes) -> None:
        """Decide one study of equal bots; the first one by the whole analysis as well."""
        found = decisions(votes)
        if not self.studies:
            (whole,) = analyse_votes(votes).sections
            assert [one.verdict.better for one in whole.matchups] == [one.better for one in found]
        self.studies += 1
        self.wrong += any(one.better for one in found)
        self.intervals += len(found)
        self.covered += sum(one.decision is None or 0.5 in one.decision.unadjusted for one in found)

    def check(self, row: str) -> None:
        """That neither is refused; with -s the row of the table is printed."""
        print(f"{row}: {self.wrong / self.studies:.4f} {self.covered / self.intervals:.3f}")
        assert why_refused(self.wrong, self.studies) == ""
        assert self.covered / self.intervals >= 0.93


def leanings(rng: np.random.Generator, shape: tuple[int, ...], icc: float) -> NDArray[np.float64]:
    """How often each annotator prefers the first bot: beta with this intraclass correlation."""
    strength = (1 / icc - 1) / 2
    return rng.beta(strength, strength, shape)


def simulate_study(rng: np.random.Generator, *, bots: int, annotators: int, each: int, icc: float) -> Votes:
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
    return votes_of(pairs[matchup, 0], pairs[matchup, 1], first_won, first_on_1, annotator)


@pytest.mark.parametrize(
    ("bots", "annotators", "each", "icc"),
    [(3, 110, 1, 0.2), (3, 11, 10, 0.05), (3, 11, 10, 0.1), (3, 11, 10, 0.2), (8, 22, 5, 0.1)],
)
def test_studies_of_equal_bots_rarely_give_any_verdict(
    bots: int, annotators: int, each: int, icc: float
) -> None:
    rng, counted = np.random.default_rng(20 + bots), Counted()
    for _ in range(STUDIES):
        counted.add(simulate_study(rng, bots=bots, annotators=annotators, each=each, icc=icc))
    counted.check(f"{bots} bots, {annotators} annotators, {each} each, ICC {icc}")


@pytest.mark.parametrize("clusters", [5, 8, 12, 20, 40])
@pytest.mark.parametrize("sizes", ["equal", "lognormal", "one busy"])
def test_unequal_annotators_do_not_raise_the_error_of_a_matchup(sizes: str, clusters: int) -> None:
    rng, counted = np.random.default_rng(31), Counted()
    for _ in range(STUDIES):
        counts = np.full(clusters, 10)
        if sizes == "lognormal":
            counts = np.maximum(1, np.round(10 * rng.lognormal(0, 0.8, clusters))).astype(int)
        elif sizes == "one busy":
            counts = np.array([60] + [5] * (clusters - 1))
        annotator = np.repeat(np.arange(clusters), counts)
        first_won = rng.random(len(annotator)) < leanings(rng, (clusters,), 0.1)[annotator]
        zeros = np.zeros(len(annotator), dtype=np.int64)
        counted.add(votes_of(zeros, zeros + 1, first_won, rng.random(len(annotator)) < 0.5, annotator))
    counted.check(f"{sizes}, {clusters} annotators")


@pytest.mark.parametrize(
    ("annotators", "each", "dialogues", "sd"),
    [(10, 20, 20, 0.46), (20, 10, 10, 0.66), (50, 4, 50, 0.46), (200, 1, 20, 0.66)],
)
def test_crossed_annotators_and_dialogues_do_not_raise_the_error_of_a_matchup(
    annotators: int, each: int, dialogues: int, sd: float
) -> None:
    rng, counted, n = np.random.default_rng(32), Counted(), annotators * each
    annotator = np.repeat(np.arange(annotators), each)
    for _ in range(STUDIES):
        of_first = rng.permutation(np.arange(n) % dialogues)
        of_second = dialogues + rng.permutation(np.arange(n) % dialogues)
        effect = rng.normal(0, sd, annotators)[annotator]
        effect += rng.normal(0, sd, dialogues)[of_first] - rng.normal(0, sd, dialogues)[of_second - dialogues]
        first_won = rng.random(n) < 1 / (1 + np.exp(-effect))
        zeros = np.zeros(n, dtype=np.int64)
        counted.add(
            votes_of(zeros, zeros + 1, first_won, rng.random(n) < 0.5, annotator, (of_first, of_second))
        )
    counted.check(f"{annotators} x {each}, {dialogues} dialogues, sd {sd}")


EQUAL = Truth.tied((BOTS,), 0.0)


@pytest.mark.parametrize(
    ("design", "is_alone"), [("direct", False), ("graded", False), ("graded", True), ("ranking", False)]
)
def test_whole_studies_of_eight_equal_bots_rarely_give_any_verdict(design: Design, is_alone: bool) -> None:
    """By direct verdicts, 28 judgments a matchup; realistic annotators with ten each, or (alone) one."""
    rng, wrong, people = np.random.default_rng(27), 0, 0
    for _ in range(STUDIES):
        n = 28 * BOTS * (BOTS - 1) // 2
        votes = judged(design, EQUAL, n, rng, Annotators(icc=(0.1, 0.1)))
        if is_alone:
            votes = replace(votes, annotator=NameColumn((), np.full(len(votes), -1, np.int32)))
        wrong += any(decided(votes, is_pooled=False).values())
        people = len(votes.annotator.names)
    print(f"8 bots, {design}, 28 a matchup, {people} annotators: {wrong / STUDIES:.4f}")
    assert why_refused(wrong) == ""


@pytest.mark.parametrize(
    ("design", "name"),
    [("pooled", name) for name in NULLS] + [("graded", "equal"), ("ranking", "equal"), ("ranking", "7+1")],
)
def test_pooled_verdicts_rarely_err_whichever_bots_are_equal(design: Design, name: str) -> None:
    """Whole studies, closed testing and its gate; a wrong direction is an error too."""
    wrong = errors_on(design, name, STUDIES)
    print(f"8 bots, {design}, {name}: {wrong / STUDIES:.4f}")
    assert why_refused(wrong) == ""
