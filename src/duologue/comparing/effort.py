"""What a verdict costs: the chance of one against the person-hours, by drawing collected answers again.

This is ACUTE-EVAL's Figure 5 for any study whose protocol has single answers about two bots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from duologue.errors import AnalysisError
from duologue.protocols import JUDGE, LONGEST_SECONDS, PairAnswers, say_of_judges
from duologue.stats import redrawn_power

if TYPE_CHECKING:
    from duologue.reports import Analysis

WANTED_CHANCE = 0.8
SIZES = 14
"""At how many sizes a curve is worked out."""


@dataclass(frozen=True, slots=True)
class EffortPoint:
    """One size of a study: what it costs, and how often it would find a difference."""

    annotators: int
    answers: float
    hours: float
    chance: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class EffortCurve:
    """The chance of a verdict about two bots against person-hours, by one kind of study."""

    name: str
    first: str
    second: str
    answers: int
    """That were collected and count."""
    annotators: int
    seconds: float
    """Of one answer, in the mean."""
    collecting: float
    """Seconds that a person spent on having one dialogue; 0 for self-chats, and where an answer's seconds
    include the chat."""
    dialogues_per_answer: float
    points: tuple[EffortPoint, ...]
    hours_wanted: float | None
    """Person-hours at which the chance reaches 80 %, by straight lines between the points."""
    hours_for_gap: float | None
    """Person-hours still needed to show the planned gap, where no difference was detected."""
    alpha: float
    is_rehearsal: bool
    judged_by: str = "people"
    """``people``, ``first-party`` or ``judge`` (models)."""


def effort_of(
    source: Path,
    first: str,
    second: str,
    *,
    part: str | None = None,
    collecting: float = 0.0,
    seconds: float | None = None,
    alpha: float = 0.05,
    draws: int = 400,
    seed: int = 0,
) -> EffortCurve:
    """The chance of a verdict about two bots against person-hours.

    Args:
        source: A study's folder, or a table of judgments.
        first: One bot.
        second: The other.
        part: Which question or section of it; may be left out where there is only one.
        collecting: Seconds that a person spent on having one dialogue, where an answer's do not include it.
        seconds: Of one answer, where the source has no times.
        alpha: The error rate of the test.
        draws: Studies that are drawn for every size.
        seed: Where the randomness comes from.

    Raises:
        InputError: The file cannot be used; says which line and why.
        AnalysisError: It has no answers about these bots, too few, or no times.
    """
    analysed = _analysed(source)
    answers = _answers(source, analysed, first, second, part)
    each = _mean_seconds(source, answers, seconds)
    dialogues = _dialogues(answers)
    annotators = len(np.unique(answers.annotators))
    found = redrawn_power(
        answers.values,
        answers.annotators,
        answers.about_first,
        sizes=_sizes(annotators),
        alpha=alpha,
        draws=draws,
        rng=np.random.default_rng(seed),
    )
    hours = (each + collecting * dialogues) / 3600
    points = tuple(
        EffortPoint(one.clusters, one.answers, one.answers * hours, one.chance, *one.interval.limits)
        for one in found
    )
    made = analysed.results.provenance
    return EffortCurve(
        name=source.name if source.is_dir() else source.stem,
        first=first,
        second=second,
        answers=len(answers.values),
        annotators=annotators,
        seconds=each,
        collecting=collecting,
        dialogues_per_answer=dialogues,
        points=points,
        hours_wanted=_reached(points),
        hours_for_gap=None if answers.more_for_gap is None else answers.more_for_gap * hours,
        alpha=alpha,
        is_rehearsal=made is not None and made.is_rehearsal,
        judged_by="people" if made is None else made.judged_by,
    )


def _analysed(source: Path) -> Analysis:
    from duologue.reports import analyse_file, analyse_study
    from duologue.store import open_study
    from duologue.studies import load_study

    if not source.is_dir():
        return analyse_file(source)
    study = load_study(source)
    with open_study(study) as store:
        return analyse_study(study, store)


def _answers(source: Path, analysed: Analysis, first: str, second: str, part: str | None) -> PairAnswers:
    from duologue.reports import report_of

    report = report_of(analysed.results.protocol)
    parts = list(dict.fromkeys(one.part for one in report.outcomes(analysed.results)))
    if part is None and len(parts) > 1:
        raise AnalysisError(f"{source}: has several parts. Name one of them: {'; '.join(map(repr, parts))}.")
    wanted = part if part is not None else parts[0] if parts else ""
    found = report.answers_about(analysed.results, analysed.judged, first, second, part=wanted)
    if found is None:
        raise AnalysisError(f"{source}: has no single answers about {first} and {second} that count.")
    return found


def _mean_seconds(source: Path, answers: PairAnswers, given: float | None) -> float:
    if given is not None:
        return given
    plausible = answers.seconds[(answers.seconds > 0) & (answers.seconds <= LONGEST_SECONDS)]
    if not len(plausible):
        raise AnalysisError(
            f"{source}: says nothing about times. Say how long an answer takes: --seconds NAME=60."
        )
    return float(plausible.mean())


def _dialogues(answers: PairAnswers) -> float:
    """Dialogues an answer; where they are not known, every answer has its own."""
    if answers.dialogues:
        return answers.dialogues / len(answers.values)
    return 2.0 if answers.about_first is None else 1.0


def _sizes(annotators: int) -> list[int]:
    """Numbers of annotators from few to three times as many as there were, evenly on a log scale."""
    found = np.geomspace(5, max(60, 3 * annotators), SIZES).round().astype(int)
    return [int(one) for one in np.unique(found)]


def _reached(points: Sequence[EffortPoint]) -> float | None:
    before: EffortPoint | None = None
    for point in points:
        if point.chance >= WANTED_CHANCE:
            if before is None:
                return point.hours
            share = (WANTED_CHANCE - before.chance) / (point.chance - before.chance)
            return before.hours + share * (point.hours - before.hours)
        before = point
    return None


def say_effort(curves: Sequence[EffortCurve]) -> Iterator[str]:
    """What the curves come to, in sentences."""
    for one in curves:
        if one.is_rehearsal:
            yield f"{one.name} is a REHEARSAL: its annotators were simulated."
    for one in curves:
        yield from (say_of_judges(said) if one.judged_by == JUDGE else said for said in _say_curve(one))


def _say_curve(one: EffortCurve) -> Iterator[str]:
    each = one.seconds + one.collecting * one.dialogues_per_answer
    reached = (
        f"a chance of {100 * WANTED_CHANCE:.0f} % is reached after {_hours(one.hours_wanted)}"
        if one.hours_wanted is not None
        else f"a chance of {100 * WANTED_CHANCE:.0f} % is not reached within {_hours(one.points[-1].hours)}"
    )
    yield (
        f"{one.name}: {one.answers:,} answers by {one.annotators:,} annotators about {one.first} and "
        f"{one.second}, {each:.0f} person-seconds each; if what was seen is true, {reached}."
    )
    if one.hours_for_gap is not None:
        yield (
            f"{one.name}: to show the planned gap, some {_hours(one.hours_for_gap)} more are needed. "
            "Testing again after topping up is a new test."
        )


def _hours(hours: float) -> str:
    return f"{hours:.1f} person-hours" if hours >= 0.1 else f"{60 * hours:.1f} person-minutes"
