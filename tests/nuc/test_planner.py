"""How many answers are needed."""

from dataclasses import replace
from pathlib import Path

import pytest

from duologue.errors import DesignError
from duologue.nuc import NucPlanner, NucPlanOptions
from duologue.studies import PlanRequest, make_plan
from duologue.studies.planning.besides import items_of_a_sitting
from tests.nuc.surveys import LAB, survey


def test_a_study_says_how_many_questions_of_a_corpus_an_annotator_answers(tmp_path: Path) -> None:
    found = NucPlanner().request(survey(tmp_path / "s", rest=LAB), PlanRequest(gap=0.1))
    assert (found.per_annotator, found.gap, found.icc) == (4, 0.1, 0.1)
    assert found.options_as(NucPlanOptions) == NucPlanOptions(items=8, same_items=False)


def test_cohorts_with_one_questionnaire_answer_the_same_items(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", versions=3)
    found = NucPlanner().request(study, PlanRequest(protocol="nuc"))
    assert (found.per_annotator, found.options) == (2, NucPlanOptions(items=6, same_items=True))
    plan = make_plan(found)
    assert plan.work.dialogues == 3 * 6
    assert "by annotator (2 answers each, ICC 0.1) and item (the same items, ICC 0.1)" in plan.exact.method
    assert "two answers to one item are taken to correlate by 0.1; state it with --item-icc." in plan.notes


def test_the_work_is_that_of_all_corpora(tmp_path: Path) -> None:
    plan = make_plan(NucPlanner().request(survey(tmp_path / "s"), PlanRequest(protocol="nuc", pay=0.25)))
    work = plan.work
    assert (work.judgments, work.per_annotator) == (3 * 2 * plan.judgments, 6)
    assert (work.annotators, work.dialogues) == (plan.judgments, 12)
    assert work.cost == pytest.approx(0.25 * work.judgments)
    assert plan.notes[0].startswith("cohorts are compared in each corpus, and the number is for ")
    alone = survey(tmp_path / "one", shares="{ movies = 1 }")
    request = NucPlanner().request(alone, PlanRequest(protocol="nuc"))
    assert (request.elsewhere, request.part) == (0.0, "")


def of_items(**more: object) -> PlanRequest:
    options = NucPlanOptions(**({"base": 0.66, "items": 60, "item_icc": 0.14} | more))  # type: ignore[arg-type]
    return PlanRequest(protocol="nuc", gap=0.1, icc=0.1, options=options)


def test_the_width_by_annotator_and_item_stands_beside_the_published_one() -> None:
    plan = make_plan(replace(of_items(base=None, null=0.66, items=30), judgments=1450))
    said = " ".join(plan.notes)
    assert "1,450 answers of a group to 30 items: the 95 % interval of its recall is about 0.149 wide" in said
    assert "The published formula, which takes answers as independent, says 0.049." in said
    assert f"{plan.judgments:,} answers of a group to 30 items" in said


def test_groups_that_answer_the_same_items_need_fewer_answers() -> None:
    plan = make_plan(of_items())
    (same,) = plan.alternatives
    assert (same.judgments < plan.judgments / 3, plan.work.dialogues) == (True, 120)
    assert same.what == "both groups answer the same items, which are as hard for both"


def test_a_plan_without_items_asks_for_them() -> None:
    plan = make_plan(PlanRequest(protocol="nuc", gap=0.1))
    assert plan.judgments == 392
    assert any("State how many a group answers (--items)" in note for note in plan.notes)
    assert not any("(--items)" in note for note in make_plan(of_items()).notes)


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (of_items(items=None), "--item-icc needs --items: how many items does a group answer?"),
        (
            replace(of_items(), cluster_size=5.0),
            "--cluster-size has no meaning in this design .nuc, with --items",
        ),
        (of_items(items=30), "Use at least 53 items, or plan a larger gap"),
    ],
)
def test_items_that_make_no_plan_are_refused(request_: PlanRequest, says: str) -> None:
    with pytest.raises(DesignError, match=says):
        make_plan(request_)


def test_what_is_not_stated_is_said() -> None:
    plan = make_plan(replace(of_items(item_icc=None), icc=None))
    said = " ".join(plan.notes)
    assert "answers of one annotator are taken as independent; state how alike they are with --icc." in said
    assert "two answers to one item are taken to correlate by 0.1" in said
    assert plan.request.options_as(NucPlanOptions).item_icc == pytest.approx(0.1)


def test_a_standard_and_a_second_group_are_not_both_planned() -> None:
    with pytest.raises(DesignError, match="give one of them"):
        NucPlanner().planned_design(PlanRequest(options=NucPlanOptions(null=0.2, base=0.5)))


def test_without_a_stated_recall_one_half_is_taken_and_said() -> None:
    plan = make_plan(PlanRequest(protocol="nuc", gap=0.1))
    assert "the recall of one group is taken as 0.5; state yours with --base." in plan.notes


def test_a_sitting_is_a_version_and_its_attention_checks(tmp_path: Path) -> None:
    assert items_of_a_sitting(survey(tmp_path / "s")) == 6 + 2
    assert items_of_a_sitting(survey(tmp_path / "lab", rest=LAB)) is None  # versions of two lengths
