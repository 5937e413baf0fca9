"""What the page draws of each section of ratings, and what it cannot show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from duologue.likert.report.figures import point_colour
from duologue.likert.report.text import flag_sentence, question_sentences
from duologue.likert.report.view import (
    PAIRS_SHOWN,
    LeniencyFigure,
    MeanRow,
    PersonaRow,
    Tick,
    clustered_by,
    exclusion_steps,
    leniency_figure,
    mean_rows,
    persona_rows,
    progress_curve,
    scale_in_words,
    surest_pairs,
    ticks,
)
from duologue.reports import why_no_curve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duologue.likert import LikertResults, QuestionResult, RatingPair, RatingSection
    from duologue.likert.report.examples import RatedExample
    from duologue.reports import Curve, ExclusionStep


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question with all that the page draws of it."""

    question: QuestionResult
    scale: str
    ticks: tuple[Tick, ...]
    means: tuple[MeanRow, ...]
    correlated: str
    """Ratings of one of these may be correlated: the thick bars allow for it."""
    colours: tuple[str, ...]
    """Of the points, the lowest first; empty where there are too many to tell apart."""
    leniency: LeniencyFigure | None
    pairs: tuple[RatingPair, ...]
    """The surest first, as many as are shown."""
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RatingSectionView:
    """A section with all that the page draws of it."""

    section: RatingSection
    questions: tuple[QuestionView, ...]
    personas: tuple[PersonaRow, ...]
    steps: tuple[ExclusionStep, ...]
    curve: Curve | None
    flags: tuple[str, ...]
    """What screening found, in sentences."""


def view_section(section: RatingSection) -> RatingSectionView:
    """A section with all that the page draws of it."""
    return RatingSectionView(
        section=section,
        questions=tuple(_view_question(question) for question in section.questions),
        personas=persona_rows(section.personas),
        steps=exclusion_steps(section),
        curve=progress_curve(section),
        flags=tuple(flag_sentence(flag) for flag in section.flags),
    )


def _view_question(question: QuestionResult) -> QuestionView:
    points = len(question.bots[0].counts) if question.bots else 0
    return QuestionView(
        question=question,
        scale=scale_in_words(question),
        ticks=ticks(question),
        means=mean_rows(question),
        correlated=clustered_by(question).replace("and", "and of one"),
        colours=tuple(point_colour(point, points) for point in range(points)) if points <= 11 else (),
        leniency=leniency_figure(question),
        pairs=surest_pairs(question.pairs)[:PAIRS_SHOWN],
        sentences=tuple(question_sentences(question)),
    )


NOTHING_COUNTS = "no rating counts"


def not_shown(results: LikertResults, examples: Sequence[RatedExample]) -> tuple[str, ...]:
    """What the report does not show, and why."""
    why = "the ratings came without dialogues" if any(one.n for one in results.sections) else NOTHING_COUNTS
    missing = [] if examples else [f"Example dialogues: {why}."]
    for section in results.sections:
        missing += _not_shown(section, f" ({section.title})" if section.title else "")
    return tuple(missing)


def _not_shown(section: RatingSection, of: str) -> Iterator[str]:
    if section.n:
        yield from _not_found(section, of)
    else:
        yield f"Means, pairs, agreement and persona detection{of}: {NOTHING_COUNTS}."
    if section.time is None:
        yield f"Time{of}: it is not known how long judgments took."
    if progress_curve(section) is None:
        yield f"Progress{of}: {why_no_curve(section.n, is_known=bool(section.progress))}."


def _not_found(section: RatingSection, of: str) -> Iterator[str]:
    """What is missing beside the means."""
    if not section.personas:
        yield f"Persona detection{of}: annotators were not asked to tell personas apart."
    if not any(question.agreement for question in section.questions):
        yield f"Agreement{of}: no dialogue was rated more than once, or dialogues are not known."
    if not any(question.first_party for question in section.questions):
        yield f"First and third party{of}: no other ratings of the same dialogues were given (--first-party)."
    if not any(question.metrics for question in section.questions):
        yield f"Automatic metrics{of}: none were given (--metrics), or of fewer than three bots."
