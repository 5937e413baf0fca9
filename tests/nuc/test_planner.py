"""How many answers are needed."""

from pathlib import Path

import pytest

from duologue.errors import DesignError
from duologue.nuc import NucPlanner, NucPlanOptions
from duologue.studies import PlanRequest
from tests.nuc.surveys import LAB, survey


def test_a_study_says_how_many_questions_of_a_corpus_an_annotator_answers(tmp_path: Path) -> None:
    found = NucPlanner().request(survey(tmp_path / "s", rest=LAB), PlanRequest(gap=0.1))
    assert (found.per_annotator, found.gap) == (4, 0.1)


def test_a_standard_and_a_second_group_are_not_both_planned() -> None:
    with pytest.raises(DesignError, match="give one of them"):
        NucPlanner().planned_design(PlanRequest(options=NucPlanOptions(null=0.2, base=0.5)))
