"""How many judgments pooled, graded and ranked designs need for as many right verdicts as ACUTE's own.

Eight bots with the truths of ACUTE-EVAL's Tables 2 and 4, and of ten draws of Bradley–Terry strengths (six
with the standard deviation 0.55, two with 0.35, two with 0.8). The baseline is 110 judgments a matchup with
direct verdicts. For every other design the number of judgments is sought at which the mean number of right
verdicts is the same; a ranking of three counts as the dialogues read, halved. Annotators are those of
`_studies.py`, with ten comparisons each.

Every study is decided by the functions that `analyse_votes` decides with: pooled strengths where they may
decide, else each matchup by its own judgments. The first study of every point goes through `analyse_votes`
as well, and must come out the same. Every figure has its Monte Carlo error, by drawing the simulated studies
again.

Familywise errors are counted where some bots are equal (`NULLS`), a wrong direction being an error too, and
judged by the rule of `tests/error_rates.py`. On the printed tables 50 to 50 can be different strengths, and
bots of equal strength can be different there: what is called wrong on them is no error rate.

The printed tables hold win rates that no strengths explain. Comparisons are drawn from these rates; a ranking
needs strengths, and is drawn from those that fit best.

With 400 studies a point (± 0.1) the draws need 25.6 % of the judgments for choices, 20.9 % for four points
and 17.8 % for rankings of three; all twelve truths 26.1, 21.3 and 18.0 %. A simulation by other code gave
25.6, 20.7 and 17.2 ± 0.7. The printed tables are dearer (28.9 and 28.6 % for choices), as verdicts on
strengths miss some of their pairs. Rankings of the draws need 17.6 % where tastes correlate by 0.1 in every
study.

Two real tables show what closed testing with its gate at .01 changed: see `before_and_after`.

Run it with ``python -m benchmarks human_cost``; ``HUMAN_COST_STUDIES=400`` simulates more studies a
point, and 4,000 of each null, so that errors are judged.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations, groupby
from operator import itemgetter
from pathlib import Path

import numpy as np

from benchmarks._studies import (
    ALPHA,
    PAIRS,
    USUAL,
    Annotators,
    Design,
    Floats,
    Truth,
    decided,
    judged,
    right_and_wrong,
    truths,
)
from duologue.acute import analyse_votes
from duologue.acute.analysis.matchups import tally_matchups
from duologue.acute.analysis.pooled import LACK_OF_FIT, pool_votes
from duologue.acute.analysis.sides import sides_of_matchups
from duologue.judgments import Row, Votes, read_votes, votes_from_rows
from duologue.stats.strengths.closed import step_down_p_values
from tests.error_rates import STUDIES as ENOUGH
from tests.error_rates import why_refused

BASELINE = 110
"""Judgments a matchup."""
STUDIES = int(os.environ.get("HUMAN_COST_STUDIES", "100"))
WORKERS = int(os.environ.get("HUMAN_COST_WORKERS", "0")) or os.cpu_count()
SHARES: Mapping[Design, tuple[float, ...]] = {
    "pooled": (0.2, 0.26, 0.34),
    "graded": (0.155, 0.2, 0.26),
    "ranking": (0.13, 0.17, 0.22),
}
"""Of the baseline's judgments, at which a design is tried."""
REFERENCES: Mapping[Design, float] = {"pooled": 25.6, "graded": 20.7, "ranking": 17.2}
"""What a simulation by other code gave, ± 0.7, in per cent of the baseline's judgments."""
TABLES = 2
"""How many of the truths are printed tables."""
OF_A_NULL = 10
"""So many times as many studies of each null, which an error rate needs."""
APART = 0.8
"""Between one group of equal bots and the next, in log-odds: some four standard errors."""
REDRAWN = 400
FLATTEST = 0.5
"""Right verdicts more for e times the judgments, at least: with few studies chance can turn a line round."""


@dataclass(frozen=True, slots=True)
class Null:
    """Which bots are equal, and who judges."""

    sizes: tuple[int, ...]
    annotators: Annotators = USUAL


NULLS: Mapping[str, Null] = {
    "equal": Null((8,)),
    "tied pairs": Null((2, 2, 2, 2)),
    "two blocks": Null((4, 4)),
    "3+5": Null((3, 5)),
    "7+1": Null((7, 1)),
    "2+1+1+1+1+1+1": Null((2, 1, 1, 1, 1, 1, 1)),
    "3+1+1+1+1+1": Null((3, 1, 1, 1, 1, 1)),
    "held out: 2+3+3": Null((2, 3, 3)),
    "held out: equal, one bot with twice the taste": Null((8,), Annotators(first_taste=2)),
    "held out: 2+6, one in four careless": Null((2, 6), Annotators(careless=0.25)),
    "held out: 5+1+1+1, 14 judgments each": Null((5, 1, 1, 1), Annotators(each=14)),
}


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
    figures: dict[str, object] = {"studies a point": STUDIES, "studies a null": OF_A_NULL * STUDIES}
    nulls = [(design, name) for design in SHARES for name in NULLS] + [("direct", "equal")]
    with ProcessPoolExecutor(max_workers=WORKERS) as pool:
        found = list(pool.map(found_on, range(len(list(truths())))))
        errors = dict(zip(nulls, pool.map(errors_on, *zip(*nulls, strict=True)), strict=True))
    for one in found:
        figures[f"{one.truth}: right verdicts of 28, direct"] = round(one.baseline, 2)
        for design, share in one.shares.items():
            figures[f"{one.truth}: {design}, % of the judgments"] = _percent(*share)
    for design, reference in REFERENCES.items():
        shares = [one.shares[design] for one in found]
        figures[f"{design}: % of the judgments, all truths (reference {reference} ± 0.7)"] = _mean(shares)
        figures[f"{design}: the same where Bradley–Terry holds"] = _mean(shares[TABLES:])
    for (design, null), wrong in errors.items():
        figures[f"{design}, {null}: familywise error"] = round(wrong / (OF_A_NULL * STUDIES), 4)
    figures["largest share of studies with a wrong verdict, draws"] = round(
        max(rate for one in found[TABLES:] for rate in one.wrong.values()), 3
    )
    if OF_A_NULL * STUDIES >= ENOUGH:
        refused = [why_refused(wrong, OF_A_NULL * STUDIES) for wrong in errors.values()]
        figures["met: no familywise error is refused"] = not any(refused)
    return figures | dict(before_and_after())


def _percent(share: float, error: float) -> str:
    return f"{100 * share:.1f} ± {100 * error:.1f}"


def _mean(shares: Sequence[tuple[float, float]]) -> str:
    mean = float(np.mean([share for share, _ in shares]))
    return _percent(mean, float(np.sqrt(np.sum([error**2 for _, error in shares])) / len(shares)))


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


def errors_on(design: Design, name: str, studies: int = OF_A_NULL * STUDIES) -> int:
    """How many studies have any wrong verdict where some bots are equal."""
    null = NULLS[name]
    share = 0.26 if design == "direct" else SHARES[design][1]
    rng = np.random.default_rng(hash_of(f"{design}, {name}"))
    truth = Truth.tied(null.sizes, APART)
    judgments = round(share * BASELINE * len(PAIRS))
    return int(simulate(design, truth, judgments, rng, studies, null.annotators)[1].sum())


def hash_of(name: str) -> int:
    """A seed that is the same in every run."""
    return sum((number + 1) * ord(letter) for number, letter in enumerate(name))


def needed(
    design: Design, truth: Truth, wanted: Floats, rng: np.random.Generator
) -> tuple[float, float, float]:
    """The share of judgments with as many right verdicts, its error, and how often any verdict is wrong."""
    points, failed = [], []
    for share in SHARES[design]:
        right, wrong = simulate(design, truth, round(share * BASELINE * len(PAIRS)), rng)
        points.append(right)
        failed.append(float(wrong.mean()))
    again = [
        crossing_point(SHARES[design], [_redrawn(one, rng) for one in points], _redrawn(wanted, rng))
        for _ in range(REDRAWN)
    ]
    return crossing_point(SHARES[design], points, wanted), float(np.std(again)), max(failed)


def crossing_point(shares: Sequence[float], points: Sequence[Floats], wanted: Floats) -> float:
    """Where the mean of right verdicts, linear in the logarithm of the share, is that of the baseline."""
    means = [float(one.mean()) for one in points]
    slope = max(float(np.polyfit(np.log(shares), means, 1)[0]), FLATTEST)
    return float(np.exp(np.mean(np.log(shares)) + (float(wanted.mean()) - np.mean(means)) / slope))


def _redrawn(values: Floats, rng: np.random.Generator) -> Floats:
    return values[rng.integers(0, len(values), len(values))]


def simulate(
    design: Design,
    truth: Truth,
    judgments: int,
    rng: np.random.Generator,
    studies: int = STUDIES,
    annotators: Annotators = USUAL,
) -> tuple[Floats, Floats]:
    """Right verdicts of every study, and whether any of its verdicts was wrong."""
    right, wrong = np.zeros(studies), np.zeros(studies)
    for study in range(studies):
        votes = judged(design, truth, judgments, rng, annotators)
        found = decided(votes, is_pooled=design != "direct")
        if study == 0:
            whole = analyse_votes(votes, verdicts="direct" if design == "direct" else "pooled")
            same = {(one.first, one.second): one.verdict.better for one in whole.sections[0].matchups}
            assert found == same, f"{truth.name}, {design}: {found} is not {same}"
        right[study], wrong[study] = right_and_wrong(truth, found)
    return right, wrong


SHARED = Path(__file__).parents[2] / "shared" / "data"
GATE_BEFORE = 0.05
"""Below this p-value of the lack of fit the direct verdicts decided before."""


def before_and_after() -> Iterator[tuple[str, str]]:
    """How many pairs of real tables are decided by the step-down with its gate at .05, and by closed testing.

    Nothing where the tables are not beside the project. With more than 16 bots the step-down is still what
    decides, so that the votes of llmfao are also taken of the bots with the most votes alone.
    """
    if (SHARED / "llmfao").is_dir():
        votes = read_votes(SHARED / "llmfao" / "crowd-comparisons.csv")
        yield "llmfao, 59 bots: pairs decided", _before_and_after(votes)
        seen = Counter[int](np.concatenate([votes.winner, votes.loser]).tolist())
        for bots in (16, 12, 9):
            most = [bot for bot, _ in seen.most_common(bots)]
            rows = np.flatnonzero(np.isin(votes.winner, most) & np.isin(votes.loser, most))
            yield f"llmfao, the {bots} with the most votes", _before_and_after(votes.select(rows))
    if (SHARED / "ji2022_run1").is_dir():
        for question in ("interesting", "fluent"):
            compared = list(_rows_of_ratings(question))
            yield f"ji2022, {question}, as comparisons", _before_and_after(votes_from_rows(compared))
            few = [row for row in compared if int(str(row["annotator"])[1:]) % 4 == 0]
            yield f"ji2022, {question}, every fourth annotator", _before_and_after(votes_from_rows(few))


def _before_and_after(votes: Votes) -> str:
    tallies = tally_matchups(votes)
    pooling = pool_votes(votes, tallies, sides_of_matchups(votes, tallies), alpha=ALPHA, with_flipped=False)
    assert not isinstance(pooling, str)
    assert pooling.fit.lack_of_fit is not None
    fit, pairs = pooling.fit.lack_of_fit.p_value, pooling.contrasts.pairs
    alone = sum(better is not None for better in decided(votes, is_pooled=False).values())
    steps = step_down_p_values([one.p_value for one in pairs], bots=len(pooling.fit.names))
    before, after = int((steps <= ALPHA).sum()), sum(one.is_different for one in pairs)
    return (
        f"{_decided(before, alone, fit >= GATE_BEFORE)} before, {_decided(after, alone, fit >= LACK_OF_FIT)} "
        f"after, of {len(pairs)} (lack of fit p = {fit:.3f}; {len(votes)} votes)"
    )


def _decided(pooled: int, direct: int, fits: bool) -> str:
    return f"{pooled}" if fits else f"{direct} (direct; {pooled} if the fit had passed)"


TIE_WITHIN = 5
"""Of 100 points: ratings that are nearer to each other are a tie."""


def _rows_of_ratings(question: str) -> Iterator[Row]:
    """Comparisons of every two bots that an annotator rated in one sitting that passed the checks."""
    with (SHARED / "ji2022_run1" / "ratings.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["published_qc"] == "pass"]
    for _, together in groupby(rows, key=itemgetter("assignment")):
        for one, other in combinations(together, 2):
            ahead = float(one[question]) - float(other[question])
            better, worse = (one, other) if ahead >= 0 else (other, one)
            yield {
                "winner": better["model"],
                "loser": worse["model"],
                "outcome": "tie" if abs(ahead) < TIE_WITHIN else "win",
                "annotator": one["worker"],
            }
