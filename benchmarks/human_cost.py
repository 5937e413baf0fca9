"""How many judgments pooled, graded and ranked designs need for as many right verdicts as ACUTE's own.

Eight bots with the truths of ACUTE-EVAL's Tables 2 and 4, and of four draws of Bradley–Terry strengths. The
baseline is 110 judgments a matchup with direct verdicts. For every other design the number of judgments is
sought at which the mean number of right verdicts is the same; a ranking of three counts as the dialogues
read, halved. Annotators have tastes of their own (ICC 0.1), one in ten chooses blindly, all lean to the left
side (55 to 45), and each has thresholds of their own for "much better". Every study is judged by
`analyse_votes`, the familywise error rate is counted, and every figure has its Monte Carlo error.

The printed tables hold win rates that no strengths explain. Comparisons are drawn from these rates; a ranking
needs strengths, and is drawn from those that fit best.

Run it with ``python -m benchmarks human_cost``; ``HUMAN_COST_STUDIES=200`` simulates more studies a point.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duologue.acute import analyse_votes
from duologue.judgments import Coded, Votes

Floats = NDArray[np.float64]
Design = Literal["direct", "pooled", "graded", "ranking"]

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "acute"
BOTS = 8
PAIRS = tuple(combinations(range(BOTS), 2))
BASELINE = 110
"""Judgments a matchup."""
PER_ANNOTATOR = 10
STUDIES = int(os.environ.get("HUMAN_COST_STUDIES", "60"))
ICC, CARELESS, LEFT = 0.1, 0.1, 0.55
SHARES: dict[Design, tuple[float, ...]] = {
    "pooled": (0.16, 0.22, 0.3, 0.4),
    "graded": (0.12, 0.17, 0.23, 0.31),
    "ranking": (0.1, 0.14, 0.19, 0.26),
}
"""Of the baseline's judgments, at which a design is tried."""
REFERENCES: dict[Design, str] = {"pooled": "24–26", "graded": "18.6–19.5", "ranking": "16–18"}
MOST_ERROR = 0.05


@dataclass(frozen=True, slots=True)
class Truth:
    """How the bots really compare, on the log-odds scale."""

    name: str
    leads: Floats
    """``leads[i, j]``: log-odds that bot i beats bot j."""
    strengths: Floats


def main() -> dict[str, object]:
    """Simulate every design on every truth, and say what share of the baseline's judgments it needs."""
    figures: dict[str, object] = {"studies a point": STUDIES}
    shares: dict[Design, list[float]] = {design: [] for design in SHARES}
    errors: list[float] = []
    for truth in truths():
        rng = np.random.default_rng(abs(hash_of(truth.name)))
        right, wrong = simulate("direct", truth, BASELINE * len(PAIRS), rng)
        figures[f"{truth.name}: right verdicts of 28, direct"] = round(float(right.mean()), 2)
        errors.append(float(wrong.mean()))
        for design in SHARES:
            share, spread, failed = needed(design, truth, right, rng)
            shares[design].append(share)
            errors.append(failed)
            figures[f"{truth.name}: {design}, % of the judgments"] = f"{100 * share:.1f} ± {100 * spread:.1f}"
    for design, found in shares.items():
        low, high = 100 * min(found), 100 * max(found)
        figures[f"{design}: % over all truths (reference {REFERENCES[design]})"] = f"{low:.1f} to {high:.1f}"
    figures["largest familywise error"] = round(max(errors), 3)
    sampling = 3 * np.sqrt(MOST_ERROR * (1 - MOST_ERROR) / STUDIES)
    figures["met: familywise error at most .05, three Monte Carlo errors allowed"] = (
        max(errors) <= MOST_ERROR + sampling
    )
    return figures


def hash_of(name: str) -> int:
    """A seed that is the same in every run."""
    return sum((number + 1) * ord(letter) for number, letter in enumerate(name))


def truths() -> Iterator[Truth]:
    """The printed tables, and four draws of strengths."""
    for table in ("table_2", "table_4"):
        rates = np.full((BOTS, BOTS), 0.5)
        with (GOLDEN / f"{table}.csv").open() as file:
            rows = list(csv.DictReader(file))
        names = sorted({row["winner"] for row in rows} | {row["loser"] for row in rows})
        for row in rows:
            winner, loser = names.index(row["winner"]), names.index(row["loser"])
            rates[winner, loser] = float(row["percent_wins"]) / 100
            rates[loser, winner] = 1 - rates[winner, loser]
        leads = np.log(rates / (1 - rates))
        yield Truth(table, leads, leads.mean(axis=1))
    for number in range(4):
        strengths = np.random.default_rng(number).normal(0, 0.55, BOTS)
        yield Truth(f"draw {number + 1}", strengths[:, None] - strengths[None, :], strengths)


def needed(
    design: Design, truth: Truth, wanted: Floats, rng: np.random.Generator
) -> tuple[float, float, float]:
    """The share of judgments with as many right verdicts, its error, and how often any verdict is wrong."""
    means, spreads, failed = [], [], []
    shares = SHARES[design]
    for share in shares:
        right, wrong = simulate(design, truth, round(share * BASELINE * len(PAIRS)), rng)
        means.append(float(right.mean()))
        spreads.append(float(right.var(ddof=1) / len(right)))
        failed.append(float(wrong.mean()))
    target = float(wanted.mean())
    curve = np.polyfit(np.log(shares), means, 1)
    share = float(np.exp((target - curve[1]) / curve[0]))
    noise = float(wanted.var(ddof=1) / len(wanted)) + float(np.mean(spreads)) / len(shares)
    return share, share * float(np.sqrt(noise)) / float(curve[0]), max(failed)


def simulate(design: Design, truth: Truth, judgments: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Right verdicts of every study, and whether any of its verdicts was wrong."""
    right, wrong = np.zeros(STUDIES), np.zeros(STUDIES)
    for study in range(STUDIES):
        votes = (
            ranked(truth, judgments, rng) if design == "ranking" else compared(truth, judgments, rng, design)
        )
        found = analyse_votes(votes, verdicts="direct" if design == "direct" else "pooled")
        for matchup in found.sections[0].matchups:
            if matchup.verdict.better is not None:
                first, second = int(matchup.first), int(matchup.second)
                is_first = matchup.verdict.better == matchup.first
                is_right = truth.leads[first, second] > 0 if is_first else truth.leads[first, second] < 0
                right[study] += is_right
                wrong[study] = max(wrong[study], not is_right)
    return right, wrong


def _tastes(annotators: int, rng: np.random.Generator) -> Floats:
    """How much more each annotator likes each bot than others do: log-odds with the stated correlation."""
    of_a_pair = ICC / (1 - ICC) * np.pi**2 / 3
    return rng.normal(0, np.sqrt(of_a_pair / 2), (annotators, BOTS))


def compared(truth: Truth, judgments: int, rng: np.random.Generator, design: Design) -> Votes:
    """Comparisons of two, spread evenly over the matchups and given out to annotators."""
    matchup = np.tile(np.arange(len(PAIRS)), judgments // len(PAIRS) + 1)[:judgments]
    pairs = np.array(PAIRS)[rng.permutation(matchup)]
    swapped = rng.random(judgments) < 0.5
    left, right = np.where(swapped, pairs[:, 1], pairs[:, 0]), np.where(swapped, pairs[:, 0], pairs[:, 1])
    annotator = np.arange(judgments) // PER_ANNOTATOR
    people = int(annotator[-1]) + 1
    tastes, careless = _tastes(people, rng), rng.random(people) < CARELESS
    lead = truth.leads[left, right] + tastes[annotator, left] - tastes[annotator, right]
    lead = np.where(careless[annotator], 0, lead) + np.log(LEFT / (1 - LEFT))
    felt = lead + rng.logistic(size=judgments)
    half_leads = np.full(judgments, 2, np.int8)
    if design == "graded":
        threshold = np.exp(rng.normal(np.log(1.3), 0.4, people))
        half_leads = np.where(np.abs(felt) > threshold[annotator], 2, 1).astype(np.int8)
    winner, loser = np.where(felt > 0, left, right), np.where(felt > 0, right, left)
    return _votes(winner, loser, np.where(felt > 0, 1, 2), half_leads, annotator)


def ranked(truth: Truth, judgments: int, rng: np.random.Generator) -> Votes:
    """Rankings of three: each gives its three pairs, and counts for the dialogues read, halved."""
    screens = max(1, round(judgments / 1.5))
    triples = np.array(list(combinations(range(BOTS), 3)))
    shown = np.tile(np.arange(len(triples)), screens // len(triples) + 1)[:screens]
    bots = rng.permuted(triples[rng.permutation(shown)], axis=1)
    annotator = np.arange(screens) // round(PER_ANNOTATOR / 1.5)
    people = int(annotator[-1]) + 1
    tastes, careless = _tastes(people, rng), rng.random(people) < CARELESS
    strength = truth.strengths[bots] + tastes[annotator[:, None], bots]
    strength = np.where(careless[annotator, None], 0, strength) + np.log(LEFT / (1 - LEFT)) * np.array(
        [1, 0.5, 0]
    )
    felt = strength + rng.gumbel(size=bots.shape)
    winners, losers, sides = [], [], []
    for one, other in combinations(range(3), 2):
        is_first = felt[:, one] > felt[:, other]
        winners.append(np.where(is_first, bots[:, one], bots[:, other]))
        losers.append(np.where(is_first, bots[:, other], bots[:, one]))
        sides.append(np.where(is_first, 1, 2))
    winner, loser, side = map(np.concatenate, (winners, losers, sides))
    return _votes(winner, loser, side, np.full(3 * screens, 2, np.int8), np.tile(annotator, 3))


def _votes(
    winner: NDArray[np.intp],
    loser: NDArray[np.intp],
    side: NDArray[np.intp],
    half_leads: NDArray[np.int8],
    annotator: NDArray[np.intp],
) -> Votes:
    n = len(winner)
    nobody = Coded((), np.full(n, -1, np.int32))
    everyone = Coded(("all",), np.zeros(n, np.int32))
    unknown = np.full(n, -1, np.int32)
    return Votes(
        bots=tuple(map(str, range(BOTS))),
        winner=winner.astype(np.int32),
        loser=loser.astype(np.int32),
        is_tie=np.zeros(n, bool),
        winner_side=side.astype(np.int8),
        half_leads=half_leads,
        annotator=Coded(
            tuple(f"a{one}" for one in range(int(annotator.max()) + 1)), annotator.astype(np.int32)
        ),
        annotator_kind=everyone,
        dialogues=(),
        winner_dialogue=unknown,
        loser_dialogue=unknown,
        pairing=unknown,
        arm=nobody,
        question=nobody,
        excluded=nobody,
        is_onboarding=np.zeros(n, bool),
        has_reason=np.zeros(n, bool),
        revision=np.ones(n, np.int32),
        seconds=np.full(n, np.nan),
        at=np.full(n, np.datetime64("NaT", "s")),
    )
