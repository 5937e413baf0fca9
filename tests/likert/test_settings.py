"""The ``[likert]`` table: scales of any kind, and no two questions of one name."""

import pytest
from pydantic import ValidationError

from duologue.likert import ENJOYMENT, LikertProtocol, LikertSettings, RatingQuestionSettings


def test_without_a_word_it_is_the_evaluation_of_convai2() -> None:
    settings = LikertSettings()
    assert settings.questions == (ENJOYMENT,)
    assert (ENJOYMENT.low, ENJOYMENT.high) == (1, 4)
    assert not settings.persona_detection


def test_a_scale_has_as_many_points_as_labels() -> None:
    question = RatingQuestionSettings(name="mood", text="Mood?", labels=("bad", "", "good"), low=-1)
    assert question.high == 1
    assert question.points == (("-1", "bad"), ("0", ""), ("1", "good"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"questions": []}, "at least 1 item"),
        ({"questions": [{"name": "x", "text": "?", "labels": ["only"]}]}, "at least 2 items"),
        ({"questions": [{"name": "Two words", "text": "?", "labels": ["a", "b"]}]}, "match pattern"),
        ({"questions": [{"name": "x", "text": "?", "labels": ["a", "b"]}] * 2}, "the same name: x"),
        ({"per_bot": 0}, "greater than or equal to 1"),
        ({"scale": 5}, "Extra inputs"),
        ({"persona_labels": ["just one"]}, "Field required"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        LikertSettings.model_validate(options)


def test_the_primary_question_must_be_asked_and_is_the_family() -> None:
    with pytest.raises(ValidationError, match="'charm' is not the name of a question"):
        LikertSettings(primary="charm")
    name = LikertSettings().questions[0].name
    rules = LikertProtocol(LikertSettings(primary=name)).rules(stopping="fixed")
    assert f"of the question {name}; the others are secondary" in rules.family
