"""Every rating of two bots that counts, for drawing them again."""

from __future__ import annotations

import numpy as np

from duologue.judgments import UNKNOWN, Ratings
from duologue.likert.analysis.ratings import parts_of
from duologue.likert.analysis.results import LikertResults, QuestionResult
from duologue.protocols import PairAnswers


def rating_answers(
    results: LikertResults, ratings: Ratings, first: str, second: str, *, part: str
) -> PairAnswers | None:
    """The ratings of two bots on one question; None where the part is not there, or a bot was not rated."""
    for section, own in zip(results.sections, parts_of(ratings), strict=True):
        for question in section.questions:
            if results.part_name(section, question) == part:
                return _answers(question, own.ratings.select(own.ratings.counts), first, second)
    return None


def _answers(question: QuestionResult, ratings: Ratings, first: str, second: str) -> PairAnswers | None:
    names = ratings.bot.names
    if first not in names or second not in names:
        return None
    bots = np.array([names.index(first), names.index(second)])
    points = ratings.points[question.name]
    chosen = np.isin(ratings.bot.codes, bots) & ~np.isnan(points)
    about_first = ratings.bot.codes[chosen] == bots[0]
    if about_first.all() or not about_first.any():
        return None
    own = ratings.select(chosen)
    read = own.dialogue.codes[own.dialogue.codes != UNKNOWN]
    more = [
        pair.verdict.more_per_bot
        for pair in question.pairs
        if {pair.first, pair.second} == {first, second} and pair.verdict.more_per_bot is not None
    ]
    return PairAnswers(
        values=points[chosen],
        about_first=about_first,
        annotators=own.annotator.own_codes.astype(np.intp),
        seconds=own.seconds,
        dialogues=len(np.unique(read)),
        more_for_gap=2 * more[0] if more else None,
    )
