"""How many judgments pooled, graded and ranked designs need for as many right verdicts as ACUTE's own.

Eight bots with the truths of ACUTE-EVAL's Tables 2 and 4, and of four draws of Bradley–Terry strengths. The
baseline is 110 judgments a matchup with direct verdicts. For every other design the number of judgments is
sought at which the mean number of right verdicts is the same; a ranking of three counts as the dialogues
read, halved. Annotators have tastes of their own (ICC 0.1), one in ten chooses blindly, all lean to what is
shown first (55 to 45), and each has thresholds of their own for "much better".

Every study is decided by the functions that `analyse_votes` decides with: pooled strengths where they may
decide, else each matchup by its own judgments. The first study of every point goes through `analyse_votes`
as well, and must come out the same. The familywise error rate is counted on these truths and on equal bots.
Every figure has its Monte Carlo error, by drawing the simulated studies again.

The printed tables hold win rates that no strengths explain. Comparisons are drawn from these rates; a ranking
needs strengths, and is drawn from those that fit best.

Run it with ``python -m benchmarks human_cost``; ``HUMAN_COST_STUDIES=400`` simulates more studies a point.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duologue.acute import analyse_votes
from duologue.acute.analysis.matchups import tally_matchups, weigh_matchups
from duologue.acute.analysis.pooled import pool_votes
from duologue.acute.analysis.sides import side_effect, sides_of_matchups, without_order
from duologue.acute.analysis.verdicts import Rule, SectionEvidence, compare_matchups
from duologue.acute.ranking.triples import triple_counts
from duologue.judgments import NameColumn, RankedPairs, Votes

Floats = NDArray[np.float64]
Design = Literal["direct", "pooled", "graded", "ranking"]

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "acute"
BOTS = 8
NAMES = tuple(map(str, range(BOTS)))
PAIRS = tuple(combinations(range(BOTS), 2))
BASELINE = 110
"""Judgments a matchup."""
PER_ANNOTATOR = 10
STUDIES = int(os.environ.get("HUMAN_COST_STUDIES", "100"))
ICC, CARELESS, LEFT = 0.1, 0.1, 0.55
ALPHA = 0.05
SHARES: dict[Design, tuple[float, ...]] = {
    "pooled": (0.2, 0.26, 0.34),
    "graded": (0.155, 0.2, 0.26),
    "ranking": (0.13, 0.17, 0.22),
}
"""Of the baseline's judgments, at which a design is tried."""
REFERENCES: dict[Design, str] = {"pooled": "24–26", "graded": "18.6–19.5", "ranking": "16–18"}
EQUAL = 5
"""So many times as many studies of equal bots, which an error rate needs."""
REDRAWN = 400
FLATTEST = 0.5
"""Right verdicts more for e times the judgments, at least: with few studies chance can turn a line round."""


@dataclass(frozen=True, slots=True)
class Truth:
    """How the bots really compare, on the log-odds scale."""

    name: str
    leads: Floats
    """``leads[i, j]``: log-odds that bot i beats bot j."""
    strengths: Floats


@dataclass(frozen=True, slots=True)
class Found:
    """What came of the designs on one truth."""

    truth: str
    baseline: float
    """Right verdicts of the direct design, on average."""
    shares: dict[Design, tuple[float, float]]
    """The share of judgments, and its Monte Carlo error."""
    wrong: dict[Design, float]
    """How often any verdict is wrong, at most."""


def main() -> dict[str, object]:
    """Simulate every design on every truth, and say what share of the baseline's judgments it needs."""
    figures: dict[str, object] = {"studies a point": STUDIES}
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        equal = pool.map(errors_of_equal_bots, ["direct", *SHARES])
        found = list(pool.map(found_on, range(6)))
        errors = dict(zip(["direct", *SHARES], equal, strict=True))
    for one in found:
        figures[f"{one.truth}: right verdicts of 28, direct"] = round(one.baseline, 2)
        for design, (share, error) in one.shares.items():
            figures[f"{one.truth}: {design}, % of the judgments"] = f"{100 * share:.1f} ± {100 * error:.1f}"
    for design, reference in REFERENCES.items():
        drawn = [one.shares[design] for one in found[2:]]
        mean = float(np.mean([share for share, _ in drawn]))
        error = float(np.sqrt(np.sum([error**2 for _, error in drawn])) / len(drawn))
        tables = ", ".join(f"{100 * one.shares[design][0]:.1f}" for one in found[:2])
        figures[f"{design}: % where Bradley–Terry holds (reference {reference})"] = (
            f"{100 * mean:.1f} ± {100 * error:.1f}; printed tables {tables}"
        )
    sampling = float(np.sqrt(ALPHA * (1 - ALPHA) / STUDIES))
    for design, rate in errors.items():
        error = float(np.sqrt(rate * (1 - rate) / (EQUAL * STUDIES)))
        figures[f"{design}: familywise error between equal bots"] = f"{rate:.3f} ± {error:.3f}"
    wrong = max(rate for one in found[2:] for rate in one.wrong.values())
    figures["largest share of studies with a wrong verdict, draws"] = round(wrong, 3)
    printed = max(rate for one in found[:2] for rate in one.wrong.values())
    figures["the same of the printed tables, where 50 to 50 can be different strengths"] = round(printed, 3)
    figures["met: familywise error at most .05, three Monte Carlo errors allowed"] = bool(
        wrong <= ALPHA + 3 * sampling
    ) and max(errors.values()) <= ALPHA + 3 * sampling / np.sqrt(EQUAL)
    return figures


def found_on(number: int) -> Found:
    """All designs on one truth."""
    truth = list(truths())[number]
    rng = np.random.default_rng(hash_of(truth.name))
    right, wrong = simulate("direct", truth, BASELINE * len(PAIRS), rng)
    shares: dict[Design, tuple[float, float]] = {}
    errors: dict[Design, float] = {"direct": float(wrong.mean())}
    for design in SHARES:
        share, spread, errors[design] = needed(design, truth, right, rng)
        shares[design] = share, spread
    return Found(truth.name, float(right.mean()), shares, errors)


def errors_of_equal_bots(design: Design) -> float:
    """How often any verdict is found between equal bots."""
    equal = Truth("equal bots", np.zeros((BOTS, BOTS)), np.zeros(BOTS))
    share = 1.0 if design == "direct" else SHARES[design][1]
    rng = np.random.default_rng(hash_of(design))
    judgments = round(share * BASELINE * len(PAIRS))
    return float(simulate(design, equal, judgments, rng, EQUAL * STUDIES)[1].mean())


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
    points, failed = [], []
    for share in SHARES[design]:
        right, wrong = simulate(design, truth, round(share * BASELINE * len(PAIRS)), rng)
        points.append(right)
        failed.append(float(wrong.mean()))
    share = _crossing(SHARES[design], points, wanted)
    again = [
        _crossing(SHARES[design], [_redrawn(one, rng) for one in points], _redrawn(wanted, rng))
        for _ in range(REDRAWN)
    ]
    return share, float(np.std(again)), max(failed)


def _crossing(shares: tuple[float, ...], points: list[Floats], wanted: Floats) -> float:
    """Where the mean of right verdicts, linear in the logarithm of the share, is that of the baseline."""
    means = [float(one.mean()) for one in points]
    slope = max(float(np.polyfit(np.log(shares), means, 1)[0]), FLATTEST)
    return float(np.exp(np.mean(np.log(shares)) + (float(wanted.mean()) - np.mean(means)) / slope))


def _redrawn(values: Floats, rng: np.random.Generator) -> Floats:
    return values[rng.integers(0, len(values), len(values))]


def simulate(
    design: Design, truth: Truth, judgments: int, rng: np.random.Generator, studies: int = STUDIES
) -> tuple[Floats, Floats]:
    """Right verdicts of every study, and whether any of its verdicts was wrong."""
    right, wrong = np.zeros(studies), np.zeros(studies)
    for study in range(studies):
        votes = (
            ranked(truth, judgments, rng) if design == "ranking" else compared(truth, judgments, rng, design)
        )
        found = decided(votes, is_pooled=design != "direct")
        if study == 0:
            whole = analyse_votes(votes, verdicts="direct" if design == "direct" else "pooled")
            same = {(one.first, one.second): one.verdict.better for one in whole.sections[0].matchups}
            assert found == same, f"{truth.name}, {design}: {found} is not {same}"
        for (first, second), better in found.items():
            if better is not None:
                lead = truth.leads[int(first), int(second)]
                is_right = lead > 0 if better == first else lead < 0
                right[study] += is_right
                wrong[study] = max(wrong[study], not is_right)
    return right, wrong


def decided(votes: Votes, *, is_pooled: bool) -> dict[tuple[str, str], str | None]:
    """The better bot of every matchup, by the functions that `analyse_votes` decides with."""
    tallies = tally_matchups(votes)
    if is_pooled:
        sides = sides_of_matchups(votes, tallies)
        pooling = pool_votes(votes, tallies, sides, alpha=ALPHA, with_flipped=False)
        if not isinstance(pooling, str) and not pooling.why_not:
            return {pair: contrast.better for pair, contrast in pooling.of_pair.items()}
    weighed = weigh_matchups(votes, tallies, level=1 - ALPHA)
    tallies = tuple(one.tally for one in weighed)
    sides = sides_of_matchups(votes, tallies)
    effect = side_effect(votes, tallies, sides)
    evidence = SectionEvidence(weighed, sides, without_order(votes, weighed, sides, effect), effect)
    (found,) = compare_matchups([evidence], Rule(alpha=ALPHA, gap=0.2, power=0.8))
    return {one.weighed.tally.pair: one.better for one in found}


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
    threes = _threes(-(-3 * screens // len(PAIRS)))
    bots = rng.permuted(rng.permutation(threes)[:screens], axis=1)
    annotator = np.arange(screens) // round(PER_ANNOTATOR / 1.5)
    people = int(annotator[-1]) + 1
    tastes, careless = _tastes(people, rng), rng.random(people) < CARELESS
    strength = truth.strengths[bots] + tastes[annotator[:, None], bots]
    lean = np.log(LEFT / (1 - LEFT)) * np.array([1, 0.5, 0])
    felt = np.where(careless[annotator, None], 0, strength) + lean + rng.gumbel(size=bots.shape)
    winners, losers, positions = [], [], []
    for one, other in combinations(range(3), 2):
        is_first = felt[:, one] > felt[:, other]
        winners.append(np.where(is_first, bots[:, one], bots[:, other]))
        losers.append(np.where(is_first, bots[:, other], bots[:, one]))
        positions.append(np.where(is_first[:, None], (one + 1, other + 1), (other + 1, one + 1)))
    position, behind = np.concatenate(positions).T.astype(np.int8)
    pairs = RankedPairs(np.tile(np.arange(screens, dtype=np.int32), 3), position, behind)
    return _votes(
        np.concatenate(winners),
        np.concatenate(losers),
        np.where(position < behind, 1, 2),
        np.full(3 * screens, 2, np.int8),
        np.tile(annotator, 3),
        pairs,
    )


@cache
def _threes(each: int) -> NDArray[np.intp]:
    """The threes of bots that `duologue pairings make` ranks, when every two are to meet so often."""
    counts = triple_counts(NAMES, each, seed=0)
    return np.array([[int(bot) for bot in three] for three, count in counts.items() for _ in range(count)])


def _votes(
    winner: NDArray[np.intp],
    loser: NDArray[np.intp],
    side: NDArray[np.intp],
    half_leads: NDArray[np.int8],
    annotator: NDArray[np.intp],
    ranked: RankedPairs | None = None,
) -> Votes:
    n = len(winner)
    nobody = NameColumn((), np.full(n, -1, np.int32))
    everyone = NameColumn(("all",), np.zeros(n, np.int32))
    unknown = np.full(n, -1, np.int32)
    return Votes(
        bots=NAMES,
        winner=winner.astype(np.int32),
        loser=loser.astype(np.int32),
        is_tie=np.zeros(n, bool),
        winner_side=side.astype(np.int8),
        half_leads=half_leads,
        annotator=NameColumn(
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
        ranked=ranked,
    )
