"""Ratings of two bots to be drawn again: those that count, and what a planned gap would still take."""

from duologue.judgments import ratings_from_rows
from duologue.likert import ENJOYMENT, analyse_ratings
from duologue.likert.analysis.answers import rating_answers
from tests.likert.rated import rated


def test_what_a_planned_gap_takes_is_counted_for_both_bots() -> None:
    rows = rated({"ada": 2.6, "bea": 2.5}, people=30, leniency=1.0, noise=0.5)
    results = analyse_ratings(rows, questions=[ENJOYMENT], gap=0.2)
    (section,) = results.sections
    (question,) = section.questions
    more = question.pairs[0].verdict.more_per_bot
    assert more
    part = results.part_name(section, question)
    found = rating_answers(results, ratings_from_rows(rows), "bea", "ada", part=part)
    assert found is not None
    assert (len(found.values), found.more_for_gap) == (60, 2 * more)
