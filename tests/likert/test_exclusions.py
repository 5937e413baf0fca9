"""What was excluded is counted by its rule, and said to matter when it does."""

from duologue.likert import ENJOYMENT, RatingSection, analyse_ratings
from duologue.likert.report import LikertReport
from duologue.likert.report.methods import methods_paragraph
from duologue.protocols import say_exclusions
from tests.likert.rated import rated

SPAM: list[dict[str, object]] = [
    {"bot": "bea", "annotator": f"s{n}", "rating_enjoyment": 4, "excluded": "chat:few-words", "arm": "main"}
    for n in range(40)
]


def section(rows: list[dict[str, object]]) -> RatingSection:
    return analyse_ratings(rows, questions=[ENJOYMENT]).sections[0]


def test_without_exclusions_nothing_is_said_to_have_changed() -> None:
    found = section(rated({"ada": 3.0, "bea": 2.0})).exclusions
    assert (found.sentence, found.rules, found.effects) == ("No ratings were excluded.", (), ())


def test_an_exclusion_that_decides_a_verdict_is_told() -> None:
    found = section([*rated({"ada": 3.0, "bea": 2.4}), *SPAM]).exclusions
    assert [(rule.rule, rule.judgments, rule.annotators) for rule in found.rules] == [
        ("chat:few-words", 40, 40)
    ]
    assert found.effects[0].is_changed
    assert found.effects[0].excluded == 40
    assert "this changes 1 of 1 verdict:" in found.sentence
    assert "ada rated higher with the exclusions, no difference detected without" in found.sentence


def test_an_exclusion_that_decides_nothing_is_told_too() -> None:
    found = section([*rated({"ada": 3.4, "bea": 1.4}), *SPAM[:2]]).exclusions
    assert found.sentence == "2 judgments were excluded; every verdict is the same without any exclusion."


def test_without_any_exclusion_only_first_answers_to_judged_items_are_compared() -> None:
    judged = rated({"ada": 3.0, "bea": 2.4})
    late = [{**SPAM[0], "annotator": f"l{n}", "excluded": "late"} for n in range(2)]
    apart: list[dict[str, object]] = [
        {"bot": "ada", "annotator": f"p{n}", "rating_enjoyment": 1, "excluded": rule, "arm": "main"}
        for rule in ("attention-check", "repeat", "second-judgment")
        for n in range(10)
    ]
    only_apart = section([*judged, *apart])
    assert only_apart.exclusions.effects == ()
    assert only_apart.exclusions.sentence == "Only judgments that were never meant to count were excluded."

    found = section([*judged, *late, *apart])
    naive = section([*judged, *({**one, "excluded": ""} for one in late)])
    (effect,), (pair,) = found.exclusions.effects, naive.questions[0].pairs
    assert effect.excluded == 2
    assert (effect.difference, effect.p_adjusted) == (pair.difference, pair.p_adjusted)
    assert found.exclusions.sentence.startswith("2 judgments were excluded")
    assert {one.rule: one.judgments for one in found.exclusions.rules}["repeat"] == 10

    said = methods_paragraph(analyse_ratings([*judged, *late, *apart], questions=[ENJOYMENT]), None)
    assert (
        f"Of {len(judged) + 32} judgments collected, 30 were never meant to count (attention checks: 10, "
        "asked a second time: 10, second judgments of an item: 10), 2 were excluded; "
    ) in said


def test_the_median_time_says_of_which_judgments_it_is() -> None:
    judged = [{**row, "seconds": 40.0} for row in rated({"ada": 3.0, "bea": 2.4}, people=10)]
    results = analyse_ratings(
        [*judged, *({**row, "seconds": 400.0} for row in SPAM[:9])], questions=[ENJOYMENT]
    )
    said = (
        "The median judgment of the 20 that count took 40 s; all 29 with a known time, whether they count "
        "or not, took 1.2 person-hours."
    )
    assert said in methods_paragraph(results, None)
    assert said in list(LikertReport().in_words(results))


def test_of_many_verdicts_that_exclusions_change_a_few_are_named() -> None:
    one = say_exclusions(1, 3, ["a", "b"])
    assert one == "1 judgment was excluded, and this changes 2 of 3 verdicts: a; b."
    many = say_exclusions(40, 66, list("abcdefg"))
    assert many.endswith("this changes 7 of 66 verdicts: a; b; c; d; e; and 2 more.")


def test_broken_off_chats_are_no_ratings() -> None:
    left: list[dict[str, object]] = [
        {"bot": "ada", "annotator": "q", "excluded": rule, "arm": "main"}
        for rule in ("bot-failed", "no-partner")
    ]
    found = section([*rated({"ada": 3.0, "bea": 2.0}), *left]).exclusions
    assert found.sentence == "No ratings were excluded. 2 judgments have no rating."
    assert {rule.rule for rule in found.rules} == {"bot-failed", "no-partner"}


def test_a_bot_all_of_whose_ratings_were_excluded_is_still_compared_without() -> None:
    found = section([*rated({"ada": 1.5}), *SPAM]).exclusions
    assert [(effect.better, effect.better_without_exclusions) for effect in found.effects] == [(None, "bea")]
    assert found.effects[0].excluded == 80


def test_exclusions_of_onboarding_alone_are_not_said_to_be_none() -> None:
    trial: dict[str, object] = {**SPAM[0], "is_onboarding": True}
    found = section([*rated({"ada": 3.0, "bea": 2.0}), trial]).exclusions
    assert found.sentence == "Only judgments that were never meant to count were excluded."
