"""What was excluded is counted by its rule, and said to matter when it does."""

from duologue.likert import ENJOYMENT, RatingSection, analyse_ratings
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
    assert found.sentence == "Only onboarding judgments were excluded."
