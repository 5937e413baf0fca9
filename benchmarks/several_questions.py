"""How many hours a verdict takes when several questions are asked about the same dialogues.

Eight bots, and one to six questions that the same annotators answer about the same pairs, one after the
other. Strengths differ from study to study (standard deviation 0.55). The questions' strengths, tastes and
what is left to chance in each answer are correlated by 0.4: in the ratings of Ji et al. (2022) differences of
bots correlate by 0.38 between questions.

All questions are one family. Pooled, each has an equal share of alpha, and pooled verdicts decide for all or
for none; direct verdicts take Holm over the matchups of all questions. The number of judgments is sought at
which each question has as many right verdicts, on average, as one question asked alone with 29 judgments a
matchup (pooled) or 110 (direct). With a primary question nothing is shared: its number does not grow, and
the others are secondary.

Each further question adds a share of the time of a comparison with one question. Hours a verdict are relative
to studies with one question each, for the same right verdicts; the time of each person (consent, forms) is
left out.

Run it with ``python -m benchmarks several_questions``; ``SEVERAL_QUESTIONS_STUDIES=1000`` simulates more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from typing import Literal

import numpy as np
from scipy import special

from benchmarks._studies import (
    ALPHA,
    BOTS,
    PAIRS,
    USUAL,
    Floats,
    Truth,
    Verdicts,
    direct_verdicts,
    evidence_of,
    right_and_wrong,
    shown_pairs,
    votes_of_choices,
)
from benchmarks.human_cost import WORKERS, crossing_point
from duologue.acute import analyse_votes
from duologue.acute.analysis.matchups import tally_matchups
from duologue.acute.analysis.pooled import Pooling, pool_votes
from duologue.acute.analysis.sides import sides_of_matchups
from duologue.judgments import NameColumn, Votes

Kind = Literal["direct", "pooled"]

STUDIES = int(os.environ.get("SEVERAL_QUESTIONS_STUDIES", "100"))
QUESTIONS = tuple(f"question {number}" for number in range(1, 7))
LONGER = (0.05, 0.1, 0.25, 0.5)
"""How much longer a comparison takes with each further question, as a share of one with one question."""
CORRELATION = 0.4
SPREAD = 0.55
ALONE: Mapping[Kind, int] = {"pooled": 29, "direct": 110}
"""Judgments a matchup of one question asked alone."""
TIMES = (1.0, 1.25, 1.6)
"""As many judgments with which several questions are tried."""
OF_A_NULL = 10
REDRAWN = 400


def main() -> dict[str, object]:
    """Simulate, and say how many hours a verdict takes with one to six questions."""
    points = [(kind, times, truth) for kind in ALONE for times in TIMES for truth in ("drawn",)]
    nulls = [("pooled", 1.0, "equal"), ("pooled", 1.0, "tied pairs")]
    with ProcessPoolExecutor(max_workers=WORKERS) as pool:
        found = dict(
            zip([*points, *nulls], pool.map(simulate, *zip(*points, *nulls, strict=True)), strict=True)
        )
    figures: dict[str, object] = {"studies a point": STUDIES, "studies a null": OF_A_NULL * STUDIES}
    for kind in ALONE:
        figures |= dict(_rows(kind, [found[kind, times, "drawn"][0] for times in TIMES]))
    for _, _, null in nulls:
        wrong = found["pooled", 1.0, null][1].mean(axis=0)
        figures[f"pooled, {null}: any wrong verdict in 1 to 6 questions"] = _list(wrong, 4)
    figures["with a primary question: hours a verdict"] = "; ".join(
        f"+ {longer:.0%}: {_list([_hours(1.0, k, longer) for k in range(1, 7)])}" for longer in LONGER
    )
    return figures


def _rows(kind: Kind, right: Sequence[Floats]) -> Iterator[tuple[str, object]]:
    """What is printed of one kind of verdicts: judgments, and hours by questions and time."""
    rng, studies = np.random.default_rng(0), len(right[0])
    alone = right[0][:, 0]
    drawn = [rng.integers(0, studies, studies) for _ in range(REDRAWN)]
    times = [(1.0, 0.0)]
    for own in range(1, len(QUESTIONS)):
        points = [one[:, own] for one in right]
        again = [crossing_point(TIMES, [one[rows] for one in points], alone[rows]) for rows in drawn]
        times.append((crossing_point(TIMES, points, alone), float(np.std(again))))
    yield f"{kind}: right verdicts of 28, asked alone", round(float(alone.mean()), 2)
    yield (
        f"{kind}: judgments, times those of one question, for 1 to 6",
        "  ".join(f"{most:.2f} ± {error:.2f}" for most, error in times),
    )
    for longer in LONGER:
        hours = [_hours(most, k, longer) for k, (most, _) in enumerate(times, start=1)]
        yield f"{kind}: hours a verdict, + {longer:.0%} each", _list(hours)


def _hours(judgments: float, questions: int, longer: float) -> float:
    return judgments * (1 + (questions - 1) * longer) / questions


def _list(values: Sequence[float] | Floats, digits: int = 2) -> str:
    return "  ".join(f"{one:.{digits}f}" for one in values)


def simulate(kind: Kind, times: float, truth: str) -> tuple[Floats, Floats]:
    """Right verdicts on a question, and whether any is wrong on the first ones, with 1 to 6 questions.

    A row is a study. Every question is decided together with those after it, the first ones after the last.
    """
    studies = STUDIES if truth == "drawn" else OF_A_NULL * STUDIES
    judgments = round(times * ALONE[kind]) * len(PAIRS)
    right, wrong = np.zeros((studies, len(QUESTIONS))), np.zeros((studies, len(QUESTIONS)))
    for study in range(studies):
        rng = np.random.default_rng([study, len(truth)])  # the same truth with any number of judgments
        own = [Truth.of("", strengths) for strengths in _strengths(truth, rng)]
        votes = asked_together(own, judgments, rng)
        for (start, asked), found in decided(votes, kind).items():
            if study == 0 and start == 0:
                _assert_same(found, votes, kind)
            each = [right_and_wrong(own[(start + n) % len(own)], one) for n, one in enumerate(found)]
            right[study, asked - 1] += each[0][0] / len(QUESTIONS)
            if start == 0:
                wrong[study, asked - 1] = any(is_wrong for _, is_wrong in each)
    return right, wrong


def _strengths(truth: str, rng: np.random.Generator) -> Floats:
    """Of all bots on each question."""
    if truth == "drawn":
        return SPREAD * _correlated((BOTS,), rng)
    groups = {"equal": np.zeros(BOTS), "tied pairs": np.repeat([1.2, 0.4, -0.4, -1.2], 2)}[truth]
    return np.tile(groups, (len(QUESTIONS), 1))


def _correlated(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Standard normal numbers for each question, correlated between questions."""
    common, own = rng.normal(size=shape), rng.normal(size=(len(QUESTIONS), *shape))
    return np.asarray(np.sqrt(CORRELATION) * common + np.sqrt(1 - CORRELATION) * own)


def asked_together(own: Sequence[Truth], judgments: int, rng: np.random.Generator) -> Votes:
    """All questions about the same pairs, answered by the same annotators."""
    left, right = shown_pairs(judgments, rng)
    annotator = np.arange(judgments) // USUAL.each
    people = int(annotator[-1]) + 1
    careless = rng.random(people) < USUAL.careless
    icc = rng.uniform(*USUAL.icc)
    tastes = np.sqrt(icc / (1 - icc) * np.pi**2 / 6) * _correlated((people, BOTS), rng)
    lead = np.array([truth.leads[left, right] for truth in own])
    lead += tastes[:, annotator, left] - tastes[:, annotator, right]
    chance = special.logit(special.ndtr(_correlated((judgments,), rng)))
    is_left = np.where(careless[annotator], 0, lead) + USUAL.lean + chance > 0
    k = len(QUESTIONS)
    votes = votes_of_choices(
        is_left.ravel(),
        np.tile(left, k),
        np.tile(right, k),
        np.full(k * judgments, 2, np.int8),
        np.tile(annotator, k),
    )
    return replace(votes, arm=NameColumn(QUESTIONS, np.repeat(np.arange(k, dtype=np.int32), judgments)))


def decided(votes: Votes, kind: Kind) -> dict[tuple[int, int], list[Verdicts]]:
    """The better bots on each question, by which was the first and how many were asked."""
    parts = [votes.select(votes.arm.codes == number) for number in range(len(QUESTIONS))]
    pooled = [_pooled(part) for part in parts] if kind == "pooled" else [None] * len(parts)
    evidence = []
    if None in pooled:
        evidence = [evidence_of(part, tally_matchups(part), level=1 - ALPHA) for part in parts]
    found = {}
    for start, asked in product(range(len(QUESTIONS)), range(1, len(QUESTIONS) + 1)):
        which = [(start + more) % len(QUESTIONS) for more in range(asked)]
        own = [one for one in (pooled[number] for number in which) if one is not None]
        if len(own) == asked:
            found[start, asked] = [_at(one, ALPHA / asked) for one in own]
        else:
            found[start, asked] = direct_verdicts([evidence[number] for number in which], alpha=ALPHA)
    return found


def _pooled(votes: Votes) -> Pooling | None:
    """Strengths that may decide."""
    tallies = tally_matchups(votes)
    pooling = pool_votes(votes, tallies, sides_of_matchups(votes, tallies), alpha=ALPHA, with_flipped=False)
    return None if isinstance(pooling, str) or pooling.why_not else pooling


def _at(pooling: Pooling, alpha: float) -> Verdicts:
    return {
        pair: None if one.p_adjusted > alpha else one.first if one.lead > 0 else one.second
        for pair, one in pooling.of_pair.items()
    }


def _assert_same(found: list[Verdicts], votes: Votes, kind: Kind) -> None:
    whole = analyse_votes(votes.select(votes.arm.codes < len(found)), verdicts=kind)
    same = [{(one.first, one.second): one.verdict.better for one in own.matchups} for own in whole.sections]
    assert found == same, f"{kind}, {len(found)} questions: {found} is not {same}"
