"""From ratings to verdicts: what is pooled and what is not, what is found and what is only warned of."""

import random
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from duologue.errors import FormatError
from duologue.judgments import ratings_from_rows
from duologue.likert import ENJOYMENT, LikertResults, RatingQuestionSettings, analyse_ratings
from duologue.likert.report import LikertReport
from duologue.protocols import Conduct, CreditedGroup
from tests.alike import assert_alike
from tests.likert.rated import rated
from tests.strategies import thorough

MEANS = {"ada": 3.3, "bea": 2.4, "cy": 2.4}


def analyse(rows: list[dict[str, object]], **options: object) -> LikertResults:
    return analyse_ratings(rows, questions=[ENJOYMENT], **options)  # type: ignore[arg-type]


def test_the_better_bot_is_found_and_equal_ones_are_not_told_apart() -> None:
    section = analyse(rated(MEANS, people=60)).sections[0]
    assert section.bots == ("ada", "bea", "cy")
    question = section.questions[0]
    assert [(pair.first, pair.verdict.better) for pair in question.pairs] == [
        ("ada", "ada"),
        ("ada", "ada"),
        ("bea", None),
    ]
    assert question.pairs[0].verdict.sentence.startswith("ada is rated higher than bea (p < 0.001, Holm-")
    assert question.pairs[0].verdict.sentence.endswith("n = 60 each).")
    assert question.pairs[0].family == 3
    assert "No difference detected between bea and cy" in question.pairs[2].verdict.sentence
    assert question.text == ENJOYMENT.text
    assert question.labels == ENJOYMENT.labels
    assert section.annotator_count == 60
    assert section.title == ""


def test_the_numbers_rest_on_the_ratings_that_count() -> None:
    rows = rated(MEANS)
    spoilt: list[dict[str, object]] = [
        {
            "bot": "cy",
            "annotator": "spammer",
            "rating_enjoyment": 4,
            "excluded": "chat:few-words",
            "arm": "main",
        }
    ] * 30
    left: list[dict[str, object]] = [{"bot": "cy", "annotator": "q", "excluded": "bot-failed", "arm": "main"}]
    asked: list[dict[str, object]] = [
        {"bot": "cy", "annotator": "q", "rating_enjoyment": 1, "is_onboarding": True, "arm": "main"}
    ]
    clean, dirty = analyse(rows), analyse([*rows, *spoilt, *left, *asked])
    assert_alike(clean.sections[0].questions, dirty.sections[0].questions)
    assert dirty.sections[0].n == 120
    found = dirty.sections[0].exclusions
    assert (found.collected, found.onboarding, found.unrated, found.counted) == (152, 1, 1, 120)


def test_wild_and_invited_annotators_are_never_pooled() -> None:
    invited = rated(MEANS, annotator_kind="lab")
    wild = rated(MEANS, seed=2, people=10, annotator_kind="telegram")
    wild += rated(MEANS, seed=3, people=10, annotator_kind="open")
    both = analyse([*invited, *wild])
    assert [(section.annotators, section.n) for section in both.sections] == [("invited", 120), ("wild", 60)]
    assert both.sections[1].title == "wild annotators"
    assert analyse(invited).sections[0].annotators == "all"
    assert analyse(wild).sections[0].annotators == "wild"


def test_arms_revisions_and_sources_are_sections_of_their_own() -> None:
    rows = rated(MEANS, people=5)
    rows += rated(MEANS, people=5, revision=2)
    rows += rated(MEANS, people=5, source="dialogues")
    rows += [{**row, "arm": "b"} for row in rated(MEANS, people=5)]
    titles = [section.title for section in analyse(rows).sections]
    assert sorted(titles) == ["", "arm b", "finished dialogues", "revision 2"]


def test_several_questions_come_in_the_order_of_the_study() -> None:
    rows = [{**row, "rating_sense": 5 - int(str(row["rating_enjoyment"]))} for row in rated(MEANS)]
    sense = RatingQuestionSettings(name="sense", text="Sense?", labels=("1", "2", "3", "4"))
    section = analyse_ratings(rows, questions=[sense, ENJOYMENT]).sections[0]
    assert [question.name for question in section.questions] == ["sense", "enjoyment"]
    assert section.bots[-1] == "ada"
    assert [len(row.ratings) for row in section.table] == [2, 2, 2]


def test_a_scale_that_nobody_told_is_taken_from_the_ratings_with_a_warning() -> None:
    rows = [
        {"bot": bot, "annotator": n, "rating": 10 * n + 5 * (bot == "a")} for n in range(8) for bot in "ab"
    ]
    found = analyse_ratings(rows)
    question = found.sections[0].questions[0]
    assert (question.name, question.text, question.low, question.high) == ("rating", "", 0, 75)
    assert found.warnings == ("The scale is not known; by the ratings taken to be 0 to 75 for rating.",)


def test_a_table_tells_its_own_scale_and_question() -> None:
    rows = [{**row, "scale_enjoyment": "1 to 5", "question_enjoyment": "Fun?"} for row in rated(MEANS)]
    found = analyse_ratings(rows)
    question = found.sections[0].questions[0]
    assert (question.text, question.low, question.high, found.warnings) == ("Fun?", 1, 5, ())


def test_a_scale_is_widened_by_ratings_beyond_it_and_never_narrowed() -> None:
    rows = [
        {"bot": bot, "rating": point, "scale": "1 to 5"}
        for bot, point in zip("ABAB", (5, 3, 4, 6), strict=True)
    ]
    found = analyse_ratings(rows)
    question = found.sections[0].questions[0]
    assert (question.low, question.high) == (1, 6)
    assert found.warnings[0] == "rating: the scale should be 1 to 5; by the ratings it is taken to be 1 to 6."


def test_ratings_beyond_the_scale_are_said() -> None:
    rows = [*rated(MEANS), {"bot": "ada", "annotator": "x", "rating_enjoyment": 9, "arm": "main"}]
    found = analyse(rows)
    assert found.warnings == (
        "enjoyment: the scale should be 1 to 4; by the ratings it is taken to be 1 to 9.",
    )
    assert found.sections[0].questions[0].labels == ()


def test_one_point_on_every_rating_is_still_a_scale() -> None:
    rows = [{"bot": bot, "annotator": n, "rating": 3} for n in range(4) for bot in "ab"]
    question = analyse_ratings(rows).sections[0].questions[0]
    assert (question.low, question.high) == (3, 4)
    assert question.calibration is None
    assert "variance" in question.why_not_calibrated
    assert "all ratings of each are alike" in question.pairs[0].verdict.sentence


def test_nothing_rated_yet_is_a_section_that_says_so() -> None:
    rows: list[dict[str, object]] = [
        {"bot": "ada", "annotator": "p", "rating_enjoyment": "", "excluded": "x"}
    ]
    section = analyse(rows).sections[0]
    assert section.questions == ()
    assert section.bots == ()
    assert section.warnings == ("No rating counts yet.",)
    assert analyse_ratings([]).sections == ()


def test_unknown_annotators_leave_the_means_and_say_why_there_is_no_more() -> None:
    rows = [{key: value for key, value in row.items() if key != "annotator"} for row in rated(MEANS)]
    section = analyse(rows).sections[0]
    question = section.questions[0]
    assert question.calibration is None
    assert question.ordinal is None
    assert question.bots[0].interval is None
    assert question.bots[0].naive_interval is not None
    assert question.bots[0].annotators is None
    assert question.pairs[0].clustered is None
    assert "whether they are independent could not be checked" in section.warnings[0]
    assert section.annotator_count is None


def test_an_annotator_who_gave_much_of_it_all_is_named() -> None:
    rows = rated(MEANS, people=40)
    rows += [{"bot": "ada", "annotator": "eager", "rating_enjoyment": 2, "arm": "main"}] * 20
    section = analyse(rows).sections[0]
    assert section.busiest[0].annotator == "eager"
    assert section.warnings == ("One annotator gave 14.3 % of the ratings.",)


def test_a_row_without_a_bot_is_refused() -> None:
    with pytest.raises(FormatError, match="the name of a bot"):
        analyse_ratings([{"bot": "", "rating": 1}])


def test_the_level_can_differ_from_the_error_rate() -> None:
    wide = analyse(rated(MEANS), level=0.99).sections[0].questions[0]
    narrow = analyse(rated(MEANS)).sections[0].questions[0]
    assert wide.bots[0].interval is not None
    assert narrow.bots[0].interval is not None
    assert wide.bots[0].interval.low < narrow.bots[0].interval.low
    assert wide.pairs[0].p_value == pytest.approx(narrow.pairs[0].p_value)


def test_ratings_may_come_as_columns() -> None:
    rows = rated(MEANS)
    assert analyse(rows) == analyse_ratings(ratings_from_rows(rows), questions=[ENJOYMENT])


@thorough(10)
@given(st.integers(0, 2**16), st.integers(3, 12))
def test_the_order_of_the_rows_does_not_matter(seed: int, people: int) -> None:
    rows = rated(MEANS, people=people, seed=seed)
    shuffled = rows[:]
    random.Random(seed).shuffle(shuffled)
    ours, theirs = analyse(rows).sections[0], analyse(shuffled).sections[0]
    assert ours.bots == theirs.bots
    for one, other in zip(ours.questions[0].pairs, theirs.questions[0].pairs, strict=True):
        assert (one.first, one.second, one.n) == (other.first, other.second, other.n)
        assert one.p_value == pytest.approx(other.p_value)


@thorough(10)
@given(st.integers(0, 2**16))
def test_renaming_the_bots_renames_the_verdicts(seed: int) -> None:
    rows = rated({"ada": 3.0, "bea": 2.2}, people=12, seed=seed)
    means = [sum(int(str(r["rating_enjoyment"])) for r in rows if r["bot"] == bot) for bot in ("ada", "bea")]
    assume(means[0] != means[1])
    swapped = [{**row, "bot": "bea" if row["bot"] == "ada" else "ada"} for row in rows]
    ours = analyse(rows).sections[0].questions[0].pairs[0]
    theirs = analyse(swapped).sections[0].questions[0].pairs[0]
    assert (ours.first, ours.second) == (theirs.second, theirs.first)
    assert ours.p_value == pytest.approx(theirs.p_value, rel=1e-9)
    assert ours.difference == pytest.approx(theirs.difference)


@pytest.mark.slow
def test_equal_bots_are_told_apart_no_more_often_than_allowed() -> None:
    """Nominal 5 % over three pairs: at most 5 % of 400 studies, give or take three standard errors."""
    wrong = 0
    for seed in range(400):
        pairs = (
            analyse(rated({"a": 2.5, "b": 2.5, "c": 2.5}, people=30, seed=seed))
            .sections[0]
            .questions[0]
            .pairs
        )
        wrong += any(pair.verdict.better for pair in pairs)
    assert wrong / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_a_bot_that_failed_in_every_chat_stays_in_the_table_with_its_failures() -> None:
    rows = rated({"ada": 3, "bea": 2}, people=8)
    rows += [{"bot": "cyd", "annotator": f"p{n}", "excluded": "bot-failed", "arm": "main"} for n in range(3)]
    rows += [{"bot": "bea", "annotator": "p0", "excluded": "bot-failed", "arm": "main"}]
    (section,) = analyse_ratings(rows).sections
    assert [(row.bot, row.failed) for row in section.table] == [("ada", 0), ("bea", 1), ("cyd", 3)]
    assert section.table[-1].ratings == (None,)
    assert section.bots == ("ada", "bea")


def test_chats_that_ended_with_credit_are_failures_of_their_bot() -> None:
    found = analyse_ratings(rated({"ada": 3, "bea": 2}, people=8))
    said = CreditedGroup("main", "cyd", "bot-failed", 3, 2, "")
    lonely = replace(said, group="human", why="no-partner")
    conduct = Conduct(None, "", (), (), "", (), "", (), (), (), credited=(said, lonely))
    (section,) = found.with_conduct(conduct).sections
    assert [(row.bot, row.failed) for row in section.table] == [("ada", 0), ("bea", 0), ("cyd", 3)]
    assert found.with_conduct(replace(conduct, credited=())).sections == found.sections


def test_chats_that_ended_with_credit_are_in_the_person_hours() -> None:
    rows = [dict(row) | {"seconds": 90.0} for row in rated({"ada": 3, "bea": 2}, people=10)]
    found = analyse_ratings(rows)
    said = CreditedGroup("main", "cyd", "bot-failed", 3, 2, "", 360.0)
    conduct = Conduct(None, "", (), (), "", (), "", (), (), (), credited=(said, replace(said, arm="other")))
    (section,) = found.with_conduct(conduct).sections
    assert section.time is not None
    assert section.time.person_hours == pytest.approx(0.5 + 0.1)
    assert (section.time.credited_hours, section.time.median_seconds) == (0.1, 90.0)
    lines = [one for one in LikertReport().in_words(found.with_conduct(conduct)) if isinstance(one, str)]
    more = "Live chats that ended with credit took 0.1 person-hours more: 0.6 person-hours in all."
    assert f"The median judgment took 90 s; all 20 with a known time took 0.5 person-hours. {more}" in lines
