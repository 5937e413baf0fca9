"""The [acute] table: library questions, free wording, arms."""

from typing import Literal

import pytest
from pydantic import ValidationError

from duologue.acute import AcutePlanOptions, AcuteProtocol, AcuteSettings
from duologue.acute.settings import NamedQuestionSettings, PairingSettings
from duologue.errors import DesignError
from duologue.studies import PlanRequest, make_plan


def settings(**options: object) -> AcuteSettings:
    return AcuteSettings.model_validate(options)


def test_the_default_question_is_the_engagingness_winner() -> None:
    assert settings().resolved().text == "Who would you prefer to talk to for a long conversation?"


def test_free_wording_needs_choices() -> None:
    with pytest.raises(ValidationError, match="question library"):
        settings(question="Who is kinder?")
    question = settings(question="Who is kinder?", s1_choice="<Speaker 1> is kinder").resolved()
    assert question.choices == ("<Speaker 1> is kinder", "<Speaker 2> is kinder")
    assert (question.id, question.axis, question.agreement_percent) == ("custom", "custom", None)


def test_wording_for_an_order_of_three_needs_no_choices() -> None:
    own = "Put the three speakers in order, the most human first."
    assert settings(answer="ranking", question=own).resolved().text == own
    arms = [{"name": "x", "question": own}]
    assert settings(answer="ranking", questions=arms).question_of("x").text == own
    with pytest.raises(ValidationError, match="give s1_choice as well"):
        settings(questions=arms)
    with pytest.raises(ValidationError, match="give s1_choice as well"):  # pairings of two show choices
        settings(answer="ranking", question=own, pairings={"per_matchup": 4, "pairs_per_matchup": 2})
    with pytest.raises(ValidationError, match=r"write a sentence\. Did you mean .humanness.\?"):
        settings(answer="ranking", question="humannes")


def test_a_choice_without_a_mirror_needs_the_other_one() -> None:
    with pytest.raises(ValidationError, match="no mirror"):
        settings(question="Who is kinder?", s1_choice="the left one")
    both = settings(question="Who is kinder?", s1_choice="the left one", s2_choice="the right one")
    assert both.resolved().choices == ("the left one", "the right one")


def test_a_published_question_can_have_other_choices_and_polarity() -> None:
    question = settings(question="humanness", s1_choice="<Speaker 1>", credits="other").resolved()
    assert question.text == "Which speaker sounds more human?"
    assert (question.choices, question.credits) == (("<Speaker 1>", "<Speaker 2>"), "other")
    assert question.agreement_percent is None, "the published agreement was for the published choices"


def test_polarity_alone_can_be_changed() -> None:
    question = settings(question="humanness", credits="other").resolved()
    assert question.choices == ("Speaker 1 sounds more human", "Speaker 2 sounds more human")


def test_two_arms_of_one_name_are_refused() -> None:
    with pytest.raises(ValidationError, match="same name: x"):
        settings(questions=[{"name": "x"}, {"name": "x"}])


def test_an_arm_has_its_own_question_and_the_study_its_own() -> None:
    both = settings(questions=[{"name": "x", "question": "humanness"}])
    assert both.question_of("x").axis == "humanness"
    assert both.question_of("elsewhere").axis == "engagingness"


def test_the_planner_says_the_number_of_pairings_first() -> None:
    with pytest.raises(DesignError, match="has not said yet"):
        assert PairingSettings(per_matchup="plan").pairings_each


@pytest.mark.parametrize(
    ("verdicts", "stopping", "test", "family"),
    [
        ("direct", "fixed", "exact two-sided binomial test", "Holm over all matchups"),
        ("direct", "sequential", "mixture sequential", "Bonferroni over all matchups"),
        ("pooled", "fixed", "differences of Bradley–Terry strengths", "all pairs of bots, closed testing"),
        ("pooled", "sequential", "mixture sequential", "Bonferroni over all matchups"),
    ],
)
def test_the_rule_of_verdicts_is_told_for_the_plan(
    verdicts: Literal["direct", "pooled"], stopping: str, test: str, family: str
) -> None:
    rules = AcuteProtocol(AcuteSettings(verdicts=verdicts)).rules(stopping=stopping)
    assert rules.test.startswith(test)
    assert rules.family.startswith(family)


def test_a_primary_arm_is_the_family() -> None:
    settings = AcuteSettings(
        questions=(NamedQuestionSettings(name="fun"), NamedQuestionSettings(name="wit")), primary="wit"
    )
    assert "primary arm, wit" in AcuteProtocol(settings).rules(stopping="fixed").family


def test_a_primary_arm_must_be_one_of_the_arms() -> None:
    with pytest.raises(ValidationError, match=r"'y' is not the name of a question \(there are: x\)"):
        settings(questions=[{"name": "x"}], primary="y")


def test_pooled_verdicts_of_some_matchups_cannot_be_planned() -> None:
    with pytest.raises(DesignError, match="each meets every other"):
        make_plan(PlanRequest(gap=0.2, bots=5, matchups=4, options=AcutePlanOptions(verdicts="pooled")))


def test_a_number_of_pairings_is_at_least_one_or_left_to_the_planner() -> None:
    with pytest.raises(ValidationError, match='at least 1, or "plan"'):
        settings(pairings={"per_matchup": 0})
