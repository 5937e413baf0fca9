"""How many answers are needed."""

from pathlib import Path

import pytest

from duologue.errors import DesignError
from duologue.nuc import NucPlanner, NucPlanOptions
from duologue.studies import PlanRequest, make_plan
from tests.nuc.surveys import LAB, survey


def test_a_study_says_how_many_questions_of_a_corpus_an_annotator_answers(tmp_path: Path) -> None:
    found = NucPlanner().request(survey(tmp_path / "s", rest=LAB), PlanRequest(gap=0.1))
    assert (found.per_annotator, found.gap) == (4, 0.1)


def test_a_standard_and_a_second_group_are_not_both_planned() -> None:
    with pytest.raises(DesignError, match="give one of them"):
        NucPlanner().planned_design(PlanRequest(options=NucPlanOptions(null=0.2, base=0.5)))


def test_without_a_stated_recall_one_half_is_taken_and_said() -> None:
    plan = make_plan(PlanRequest(protocol="nuc", gap=0.1))
    assert "the recall of one group is taken as 0.5; state yours with --base." in plan.notes
