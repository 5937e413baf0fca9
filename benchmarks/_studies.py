"""Simulated studies of eight bots: how they truly compare, who judges, and what the product decides.

Annotators have tastes of their own (correlated by 0.1 to 0.2, drawn for each study), one in ten chooses
blindly, all lean to what is shown first (55 to 45), and each has thresholds of their own for "much better".
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.matchups import MatchupTally, tally_matchups, weigh_matchups
from duologue.acute.analysis.pooled import pool_votes
from duologue.acute.analysis.sides import side_effect, sides_of_matchups, without_order
from duologue.acute.analysis.verdicts import Rule, SectionEvidence, compare_matchups
from duologue.acute.ranking.triples import triple_counts
from duologue.judgments import NameColumn, RankedPairs, Votes

Floats = NDArray[np.float64]
Design = Literal["direct", "pooled", "graded", "ranking"]
Verdicts = dict[tuple[str, str], str | None]
"""The better bot of each matchup, or none."""

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "acute"
BOTS = 8
NAMES = tuple(map(str, range(BOTS)))
PAIRS = tuple(combinations(range(BOTS), 2))
ALPHA = 0.05
SPREADS = (0.55,) * 6 + (0.35,) * 2 + (0.8,) * 2
"""Standard deviations of the drawn strengths."""


@dataclass(frozen=True, slots=True)
class Truth:
    """How the bots really compare, on the log-odds scale."""

    name: str
    leads: Floats
    """``leads[i, j]``: log-odds that bot i beats bot j."""
    strengths: Floats

    @classmethod
    def of(cls, name: str, strengths: NDArray[np.floating]) -> Truth:
        """One strength for each bot explains every comparison."""
        own = strengths.astype(np.float64)
        return cls(name, own[:, None] - own[None, :], own)

    @classmethod
    def tied(cls, sizes: Sequence[int], apart: float) -> Truth:
        """Groups of equal bots, each so much better than the next."""
        group = np.repeat(np.arange(len(sizes)), sizes)
        return cls.of("+".join(map(str, sizes)), -apart * group)


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotators:
    """Who judges."""

    icc: tuple[float, float] = (0.1, 0.2)
    """How far judgments of one annotator about two bots correlate: drawn for each study between these."""
    careless: float = 0.1
    """The share that chooses blindly."""
    each: int = 10
    """Comparisons by one annotator."""
    first_taste: float = 1.0
    """How many times as far tastes for the first bot differ as those for others."""
    left: float = 0.55
    """How often what is shown first is chosen of two that are equal."""

    def tastes(self, annotators: int, rng: np.random.Generator) -> Floats:
        """How much more each annotator likes each bot than others do, in log-odds."""
        icc = rng.uniform(*self.icc)
        of_a_pair = icc / (1 - icc) * np.pi**2 / 3
        tastes = rng.normal(0, np.sqrt(of_a_pair / 2), (annotators, BOTS))
        tastes[:, 0] *= self.first_taste
        return tastes

    @property
    def lean(self) -> float:
        """Towards what is shown first, as log-odds."""
        return float(np.log(self.left / (1 - self.left)))


USUAL = Annotators()


def truths() -> Iterator[Truth]:
    """ACUTE-EVAL's printed Tables 2 and 4, and ten draws of strengths."""
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
    for number, spread in enumerate(SPREADS):
        strengths = np.random.default_rng(number).normal(0, spread, BOTS)
        yield Truth.of(f"draw {number + 1} (sd {spread})", strengths)


def judged(
    design: Design, truth: Truth, judgments: int, rng: np.random.Generator, annotators: Annotators = USUAL
) -> Votes:
    """One study; a ranking of three counts for the dialogues read, halved."""
    if design == "ranking":
        return ranked(truth, judgments, rng, annotators)
    return compared(truth, judgments, rng, design, annotators)


def right_and_wrong(truth: Truth, found: Verdicts) -> tuple[int, bool]:
    """How many verdicts are right, and whether any is wrong: of equal bots, or the other way round."""
    right, is_wrong = 0, False
    for (first, second), better in found.items():
        if better is not None:
            lead = truth.leads[int(first), int(second)]
            is_right = bool(lead > 0 if better == first else lead < 0)
            right, is_wrong = right + is_right, is_wrong or not is_right
    return right, is_wrong


def decided(votes: Votes, *, is_pooled: bool) -> Verdicts:
    """The better bot of every matchup, by the functions that `analyse_votes` decides with."""
    tallies = tally_matchups(votes)
    if is_pooled:
        sides = sides_of_matchups(votes, tallies)
        pooling = pool_votes(votes, tallies, sides, alpha=ALPHA, with_flipped=False)
        if not isinstance(pooling, str) and not pooling.why_not:
            return {pair: contrast.better for pair, contrast in pooling.of_pair.items()}
    return direct_verdicts([evidence_of(votes, tallies, level=1 - ALPHA)], alpha=ALPHA)[0]


def direct_verdicts(sections: Sequence[SectionEvidence], *, alpha: float) -> list[Verdicts]:
    """By each matchup's own judgments, Holm over the matchups of all these sections."""
    return [
        {one.weighed.tally.pair: one.better for one in found}
        for found in compare_matchups(sections, Rule(alpha=alpha, gap=0.2, power=0.8))
    ]


def evidence_of(votes: Votes, tallies: Sequence[MatchupTally], *, level: float) -> SectionEvidence:
    """What the judgments of each matchup say."""
    weighed = weigh_matchups(votes, tallies, level=level)
    tallies = tuple(one.tally for one in weighed)
    sides = sides_of_matchups(votes, tallies)
    effect = side_effect(votes, tallies, sides)
    return SectionEvidence(weighed, sides, without_order(votes, weighed, sides, effect), effect)


def shown_pairs(judgments: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Which bots are shown on the left and on the right, spread evenly over the matchups: two rows."""
    matchup = np.tile(np.arange(len(PAIRS)), judgments // len(PAIRS) + 1)[:judgments]
    pairs = np.array(PAIRS)[rng.permutation(matchup)]
    swapped = rng.random(judgments) < 0.5
    return np.asarray(np.where(swapped, pairs[:, ::-1].T, pairs.T))


def compared(
    truth: Truth, judgments: int, rng: np.random.Generator, design: Design, annotators: Annotators = USUAL
) -> Votes:
    """Comparisons of two, given out to annotators."""
    left, right = shown_pairs(judgments, rng)
    annotator = np.arange(judgments) // annotators.each
    people = int(annotator[-1]) + 1
    tastes, careless = annotators.tastes(people, rng), rng.random(people) < annotators.careless
    lead = truth.leads[left, right] + tastes[annotator, left] - tastes[annotator, right]
    lead = np.where(careless[annotator], 0, lead) + annotators.lean
    felt = lead + rng.logistic(size=judgments)
    half_leads = np.full(judgments, 2, np.int8)
    if design == "graded":
        threshold = np.exp(rng.normal(np.log(1.3), 0.4, people))
        half_leads = np.where(np.abs(felt) > threshold[annotator], 2, 1).astype(np.int8)
    return votes_of_choices(felt > 0, left, right, half_leads, annotator)


def votes_of_choices(
    is_left: NDArray[np.bool_],
    left: NDArray[np.intp],
    right: NDArray[np.intp],
    half_leads: NDArray[np.int8],
    annotator: NDArray[np.intp],
) -> Votes:
    """Comparisons of two by what was chosen."""
    winner, loser = np.where(is_left, left, right), np.where(is_left, right, left)
    return _votes(winner, loser, np.where(is_left, 1, 2), half_leads, annotator)


def ranked(truth: Truth, judgments: int, rng: np.random.Generator, annotators: Annotators = USUAL) -> Votes:
    """Rankings of three: each gives its three pairs, and counts for the dialogues read, halved."""
    screens = max(1, round(judgments / 1.5))
    threes = _threes(-(-3 * screens // len(PAIRS)))
    bots = rng.permuted(rng.permutation(threes)[:screens], axis=1)
    annotator = np.arange(screens) // round(annotators.each / 1.5)
    people = int(annotator[-1]) + 1
    tastes, careless = annotators.tastes(people, rng), rng.random(people) < annotators.careless
    strength = truth.strengths[bots] + tastes[annotator[:, None], bots]
    lean = annotators.lean * np.array([1, 0.5, 0])
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
