"""Simulated ratings of equal bots through the whole analysis: how often it errs, how often intervals cover.

The rows of the table in docs/tests/ratings.md. Ratings are rounded to a scale from 1 to 5; annotators differ
in leniency, dialogues in quality, and in some rows annotators have a taste for one of the bots.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from duologue.judgments import NameColumn, Ratings, ratings_from_rows
from duologue.likert import analyse_ratings
from duologue.likert.analysis import ratings as analysing

pytestmark = pytest.mark.slow

ACCEPTED = 0.065
"""The nominal 5 % and three standard errors of 2,000 studies."""

STUDIES = 2000

Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Design:
    """Who rated which dialogue of which bot, drawn anew for every study."""

    draw: Callable[[np.random.Generator], tuple[Ints, Ints, Ints]]
    """The bot, annotator and dialogue of each rating."""
    bots: int = 2
    taste: float = 0.0
    """How far an annotator's liking of one bot differs from that of another, as a standard deviation."""
    dialogues: float = 0.0
    """How far dialogues of one bot differ."""
    lenient: float = 0.6


def crossed(
    annotators: int, each: int, bots: int = 2
) -> Callable[[np.random.Generator], tuple[Ints, Ints, Ints]]:
    """Everybody rates so many dialogues of every bot, each dialogue rated once."""

    def draw(rng: np.random.Generator) -> tuple[Ints, Ints, Ints]:
        annotator = np.repeat(np.arange(annotators), bots * each)
        return np.tile(np.repeat(np.arange(bots), each), annotators), annotator, np.arange(len(annotator))

    return draw


def nested(
    annotators: int, each: int, *, equal: bool = True
) -> Callable[[np.random.Generator], tuple[Ints, Ints, Ints]]:
    """Everybody rates one bot only, so many times (about as many, where they are not equal)."""

    def draw(rng: np.random.Generator) -> tuple[Ints, Ints, Ints]:
        sizes = np.full(annotators, each)
        if not equal:
            sizes = np.maximum(1, np.round(each * rng.lognormal(0, 0.8, annotators))).astype(int)
        annotator = np.repeat(np.arange(annotators), sizes)
        return annotator % 2, annotator, np.arange(len(annotator))

    return draw


def by_chance(annotators: int, each: int) -> Callable[[np.random.Generator], tuple[Ints, Ints, Ints]]:
    """Everybody rates so many dialogues of whichever bot comes."""

    def draw(rng: np.random.Generator) -> tuple[Ints, Ints, Ints]:
        annotator = np.repeat(np.arange(annotators), each)
        return rng.integers(0, 2, len(annotator)), annotator, np.arange(len(annotator))

    return draw


def repeated(
    annotators: int, dialogues: int, each: int
) -> Callable[[np.random.Generator], tuple[Ints, Ints, Ints]]:
    """So many dialogues of each bot, each rated by several annotators drawn by chance."""

    def draw(rng: np.random.Generator) -> tuple[Ints, Ints, Ints]:
        dialogue = np.repeat(np.arange(2 * dialogues), each)
        annotator = rng.permutation(np.arange(len(dialogue)) % annotators)
        return dialogue % 2, annotator, dialogue

    return draw


DESIGNS: Mapping[str, Design] = {
    "crossed, 20 annotators, one rating of each bot": Design(crossed(20, 1)),
    "crossed, 6 annotators": Design(crossed(6, 1)),
    "crossed, 30 annotators, 3 bots": Design(crossed(30, 1, 3), bots=3),
    "crossed, 20 annotators, 5 ratings of each bot": Design(crossed(20, 5)),
    "the same with a taste": Design(crossed(20, 5), taste=0.4),
    "crossed, 8 annotators, 10 ratings, a taste": Design(crossed(8, 10), taste=0.4),
    "nested, 20 annotators, 5 ratings each": Design(nested(20, 5)),
    "nested, 8 annotators, 5 ratings each": Design(nested(8, 5)),
    "nested, 20 annotators, unequal": Design(nested(20, 5, equal=False)),
    "by chance, 20 annotators, 3 ratings each": Design(by_chance(20, 3)),
    "20 dialogues of each bot, 3 ratings, 20 annotators": Design(repeated(20, 20, 3), dialogues=0.5),
    "10 dialogues of each bot, 6 ratings, 60 annotators": Design(repeated(60, 10, 6), dialogues=0.5),
    "10 dialogues of each bot, 5 ratings, 10 annotators": Design(repeated(10, 10, 5), dialogues=0.5),
    "20 dialogues of each bot, 3 ratings, nobody twice": Design(repeated(120, 20, 3), dialogues=0.5),
}


def simulate(rng: np.random.Generator, design: Design) -> Ratings:
    bot, annotator, dialogue = design.draw(rng)
    people = int(annotator.max()) + 1
    score = 3 + rng.normal(0, design.lenient, people)[annotator] + rng.normal(0, 0.8, len(bot))
    score += rng.normal(0, design.taste, (people, design.bots))[annotator, bot]
    score += rng.normal(0, design.dialogues, int(dialogue.max()) + 1)[dialogue]
    empty = ratings_from_rows([{"bot": "A", "rating": 1, "scale": "1 to 5"}])
    return replace(
        empty.select(np.zeros(len(bot), dtype=np.intp)),
        bot=NameColumn(tuple("ABC"[: design.bots]), bot.astype(np.int32)),
        points={"rating": np.clip(np.round(score), 1, 5)},
        annotator=NameColumn(tuple(f"p{n}" for n in range(people)), annotator.astype(np.int32)),
        dialogue=NameColumn(
            tuple(f"d{n}" for n in range(int(dialogue.max()) + 1)), dialogue.astype(np.int32)
        ),
    )


@pytest.fixture
def without_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what takes most of the time and decides nothing: the ordinal model and the agreement."""
    monkeypatch.setattr(analysing, "check_ordinal", lambda *_, **__: (None, ""))
    monkeypatch.setattr(analysing, "agreement_of", lambda *_, **__: None)


@pytest.mark.usefixtures("without_checks")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", DESIGNS)
def test_equal_bots_are_rarely_told_apart_and_intervals_cover(name: str) -> None:
    rng = np.random.default_rng(41)
    wrong = intervals = covered = by_welch = by_calibration = 0
    for _ in range(STUDIES):
        pairs = analyse_ratings(simulate(rng, DESIGNS[name])).sections[0].questions[0].pairs
        wrong += any(pair.verdict.better for pair in pairs)
        by_welch += (pairs[0].p_welch or 1) <= 0.05
        by_calibration += pairs[0].calibrated is not None and pairs[0].calibrated.p_value <= 0.05
        for pair in pairs:
            assert pair.interval_unadjusted is not None
            intervals += 1
            covered += 0 in pair.interval_unadjusted
    shares = [count / STUDIES for count in (by_welch, by_calibration, wrong)]
    print(f"{name}: {shares} {covered / intervals:.3f}")  # shown with -s: the rows of the table
    assert wrong / STUDIES <= ACCEPTED
    assert covered / intervals >= 0.93
