"""Answers about whole conversations: how each section answered, and how far sections differ."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.per_turn.analysis.results import TurnSection, WholeAnswers, WholeDifference
from duologue.per_turn.analysis.screened import TurnQuestion
from duologue.per_turn.analysis.tables import Codes, TurnTable
from duologue.per_turn.rows import TurnRow
from duologue.protocols import say_level, say_p, say_rating, say_rating_span
from duologue.stats import (
    CalibratedRatings,
    Decision,
    Evidence,
    Interval,
    OpposedTests,
    calibrate_ratings,
    clustered_difference,
    clustered_mean,
    decide_together,
    welch_test,
)


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """What was answered to one question, once for every dialogue and annotator of some sections."""

    point: NDArray[np.float64]
    section: Codes
    dialogue: Codes
    annotator: Codes
    highest: int
    """Of the scale."""

    def repeated(self, rows: NDArray[np.bool_]) -> bool:
        """Whether somebody answered several times in a section, or a dialogue was answered about twice."""
        kinds = (self.annotator[rows], self.dialogue[rows])
        return any(len(np.unique(codes)) < len(codes) for codes in kinds)


def answers_of(rows: Sequence[TurnRow], table: TurnTable, asked: TurnQuestion) -> tuple[WholeAnswers, ...]:
    """What was answered about the conversations of a section of which some turn counts."""
    if table.key.question:
        return ()
    return tuple(_answers(name, rows, table, asked) for name in _names(rows, [table]))


def _names(rows: Sequence[TurnRow], tables: Sequence[TurnTable]) -> tuple[str, ...]:
    """The questions about whole conversations, in the order in which they come."""
    own = (rows[number] for table in tables for number in table.rows.tolist())
    return tuple(dict.fromkeys(name for row in own for name in row.whole))


def _answers(name: str, rows: Sequence[TurnRow], table: TurnTable, asked: TurnQuestion) -> WholeAnswers:
    found = _points(name, rows, [table])
    counts = Counter(found.point.tolist())
    text, labels = asked.whole.get(name, ("", ()))
    return WholeAnswers(
        name=name,
        text=text,
        labels=tuple(labels),
        dialogues=len(np.unique(found.dialogue)),
        annotators=len(np.unique(found.annotator)),
        mean=float(found.point.mean()),
        interval=_interval(found, level=1 - asked.alpha),
        counts=tuple(counts[point] for point in range(1, found.highest + 1)),
    )


def _points(name: str, rows: Sequence[TurnRow], tables: Sequence[TurnTable]) -> _Points:
    found: dict[tuple[int, int, int], int] = {}
    highest = 1
    for section, table in enumerate(tables):
        for place, number in enumerate(table.rows.tolist()):
            given = rows[number].whole.get(name)
            if given is not None:
                found[section, int(table.dialogue[place]), int(table.annotator[place])] = given.point
                highest = max(highest, given.of)
    section, dialogue, annotator = np.array(list(found), dtype=np.int64).T
    return _Points(np.array(list(found.values()), dtype=np.float64), section, dialogue, annotator, highest)


def _interval(found: _Points, *, level: float) -> Interval | None:
    """Of the mean, clustered by annotator and dialogue; None with one of either."""
    try:
        mean = clustered_mean(
            found.point,
            [found.annotator, found.dialogue],
            bounds=(1, found.highest),
            null=(1 + found.highest) / 2,
            level=level,
        )
    except NotEnoughJudgments:
        return None
    return mean.interval


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two sections by one question, with the tests that must agree."""

    name: str
    first: str
    second: str
    means: tuple[float, float]
    tests: tuple[Evidence, ...]


def differences_of(
    rows: Sequence[TurnRow], tables: Sequence[TurnTable], sections: Sequence[TurnSection], *, alpha: float
) -> tuple[WholeDifference, ...]:
    """Every two sections of one revision by the same question: a family of its own, beside the verdicts.

    As ratings are compared elsewhere: by the calibrated contrast, which removes how lenient annotators are,
    or by Welch's test where nobody answered twice. Where somebody answered several times in a section, the
    difference clustered by annotator and dialogue must be seen as well.

    Args:
        rows: All rows.
        tables: The turns of each section that count.
        sections: The sections, in the same order.
        alpha: Chance of any false difference among all of these.
    """
    pairs = [
        pair
        for revision in sorted({section.revision for section in sections})
        for pair in _pairs(
            rows,
            [
                (section, table)
                for section, table in zip(sections, tables, strict=True)
                if section.revision == revision and section.whole
            ],
        )
    ]
    decisions = decide_together([pair.tests for pair in pairs], alpha=alpha, null=0.0)
    return tuple(
        _difference(pair, decision, family=len(pairs))
        for pair, decision in zip(pairs, decisions, strict=True)
        if decision is not None
    )


def _pairs(rows: Sequence[TurnRow], own: Sequence[tuple[TurnSection, TurnTable]]) -> Iterator[_Pair]:
    for name in _names(rows, [table for _, table in own]):
        asked = [(section, table) for section, table in own if name in {one.name for one in section.whole}]
        found = _points(name, rows, [table for _, table in asked])
        names = _short([section for section, _ in asked])
        fit = _calibrated(found, names)
        for first, second in itertools.combinations(range(len(asked)), 2):
            values = [found.point[found.section == one] for one in (first, second)]
            yield _Pair(
                name=name,
                first=names[first],
                second=names[second],
                means=(float(values[0].mean()), float(values[1].mean())),
                tests=_tests(found, first, second, fit),
            )


def _short(sections: Sequence[TurnSection]) -> list[str]:
    """The names of sections in a sentence: their arms where these tell them apart, else their titles."""
    arms = [section.arm for section in sections]
    if all(arms) and len(set(arms)) == len(arms):
        return [f"arm {arm}" for arm in arms]
    return [section.title for section in sections]


def _calibrated(found: _Points, names: Sequence[str]) -> CalibratedRatings | None:
    """The points without the leniency of annotators; None where nobody answered twice, or nothing varies."""
    if len(np.unique(found.annotator)) == len(found.annotator):
        return None
    try:
        return calibrate_ratings(found.section, found.annotator, found.point, names)
    except NotEnoughJudgments:
        return None


def _tests(found: _Points, first: int, second: int, fit: CalibratedRatings | None) -> tuple[Evidence, ...]:
    """What must see the difference; nothing where there are too few answers to see any."""
    ours, theirs = found.section == first, found.section == second
    try:
        alone = (
            welch_test(found.point[ours], found.point[theirs]) if fit is None else fit.contrast(first, second)
        )
        if not found.repeated(ours) and not found.repeated(theirs):
            return (alone,)
        clustered = clustered_difference(
            found.point[ours],
            found.point[theirs],
            [found.annotator[ours], found.dialogue[ours]],
            [found.annotator[theirs], found.dialogue[theirs]],
        )
    except NotEnoughJudgments:
        return ()
    if alone.estimate * clustered.estimate < 0:
        return (OpposedTests((alone, clustered)),)
    return alone, clustered


def _difference(pair: _Pair, decision: Decision, *, family: int) -> WholeDifference:
    low, high = decision.interval.limits
    is_turned = high < 0 if decision.is_different else pair.means[1] > pair.means[0]
    sections = (pair.first, pair.means[0]), (pair.second, pair.means[1])
    (one, mean), (other, other_mean) = reversed(sections) if is_turned else sections
    limits = (-high, -low) if is_turned else (low, high)
    adjusted = f", Holm-adjusted {say_p(decision.p_adjusted)}" if family > 1 else ""
    numbers = (
        f"mean {say_rating(mean)} after {one}, {say_rating(other_mean)} after {other}; "
        f"{one} minus {other}: {say_level(decision.interval.level)} interval {say_rating_span(*limits)}, "
        f"{say_p(decision.p_value)}{adjusted}"
    )
    said = f"no difference detected between {pair.first} and {pair.second}"
    if decision.is_different:
        said = f"higher after {one} than after {other}"
    return WholeDifference(
        name=pair.name,
        first=pair.first,
        second=pair.second,
        means=pair.means,
        interval=decision.interval,
        p_value=decision.p_value,
        p_adjusted=decision.p_adjusted,
        family=family,
        higher=one if decision.is_different else None,
        sentence=f"{pair.name}: {said} ({numbers}).",
    )
