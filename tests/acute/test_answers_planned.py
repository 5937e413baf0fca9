"""A choice, four points and a ranking of three are planned beside each other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from duologue.acute import AcutePlanOptions
from duologue.acute.design.answers import compared_answers, measured_seconds
from duologue.errors import DesignError
from duologue.stats import (
    ClusteredDesign,
    DesignEffect,
    ForcedChoice,
    GradedChoice,
    PooledChoice,
    sample_size,
)
from duologue.stats.planning.graded_design import scores_at
from duologue.studies import (
    Plan,
    PlanRequest,
    compare_plans,
    comparison_record,
    describe_comparison,
    describe_plan,
    make_plan,
    request_from_flags,
    request_from_study,
    simulate_plan,
)
from tests.acute.ranked_study import new_ranked_study

EIGHT = PlanRequest(bots=8, gap=0.2, icc=0.1)


def test_all_answers_and_verdicts_are_priced_for_one_gap() -> None:
    plans = compare_plans(EIGHT)
    asked = [plan.request.options_as(AcutePlanOptions) for plan in plans]
    assert [(one.answer, one.verdicts) for one in asked] == [
        (answer, verdicts) for answer in ("choice", "graded", "ranking") for verdicts in ("direct", "pooled")
    ]
    read = {(one.answer, one.verdicts): plan.work.read for one, plan in zip(asked, plans, strict=True)}
    for verdicts in ("direct", "pooled"):
        assert read["ranking", verdicts] < read["graded", verdicts] < read["choice", verdicts]
    assert read["ranking", "pooled"] / read["choice", "pooled"] == pytest.approx(2 / 3, abs=0.05)
    assert [plan.work.seconds for plan in plans] == [60, 60, 60, 60, 90, 90]
    ranking = plans[-1].work
    assert ranking.answers == -(-ranking.judgments // 3)
    assert ranking.read == 3 * ranking.answers
    assert ranking.hours == pytest.approx((90 * ranking.answers + 120 * ranking.annotators) / 3600)
    said = describe_comparison(plans)
    assert "three dialogues ranked, pooled verdicts" in said
    assert "read" in said.splitlines()[2]
    assert [one["read"] for one in comparison_record(plans)] == [plan.work.read for plan in plans]


@pytest.mark.parametrize(("answer", "cap"), [("choice", 12), ("graded", 10), ("ranking", 6)])
def test_the_cap_of_a_person_is_the_one_with_the_fewest_hours(
    answer: Literal["choice", "graded", "ranking"], cap: int
) -> None:
    def plan(**asked: Any) -> Plan:
        return make_plan(replace(EIGHT, options=AcutePlanOptions(answer=answer, verdicts="pooled"), **asked))

    found = plan()
    assert found.work.per_annotator == cap
    assert f"{cap} by one annotator take the fewest person-hours (max_judgments = {cap})." in found.notes
    assert all(found.work.hours <= plan(per_annotator=other).work.hours for other in (3, cap - 2, cap + 2))
    stated = plan(per_annotator=4)
    assert stated.work.per_annotator == 4
    assert any(f"{cap} by one annotator would take the fewest" in note for note in stated.notes)


def test_nobody_is_asked_less_than_three_times_however_little_a_person_costs() -> None:
    asked = replace(EIGHT, icc=0.9, person_seconds=0.0, options=AcutePlanOptions(verdicts="pooled"))
    assert make_plan(asked).work.per_annotator == 3
    dear = replace(EIGHT, icc=0.1, person_seconds=6000.0, options=AcutePlanOptions(verdicts="pooled"))
    assert make_plan(dear).work.per_annotator == 28
    unknown = replace(EIGHT, icc=None, options=AcutePlanOptions(verdicts="pooled"))
    assert make_plan(unknown).work.per_annotator == 28


def test_stated_seconds_go_before_measured_ones_when_answers_are_compared(tmp_path: Path) -> None:
    study = new_ranked_study(tmp_path / "s")
    (study.folder / "results.json").write_text(
        json.dumps({"sections": [{"time": {"median_seconds": 44.0}}]}), encoding="utf-8"
    )
    plans = compare_plans(request_from_flags({"seconds": 90.0}, study=study.folder))
    assert [plan.work.seconds for plan in plans] == [60, 60, 60, 60, 90, 90]


def test_two_bots_can_be_compared_but_not_ranked() -> None:
    plans = compare_plans(PlanRequest(bots=2))
    assert [plan.request.options_as(AcutePlanOptions).answer for plan in plans] == ["choice", "graded"]
    with pytest.raises(DesignError, match="a ranking is planned for three bots or more"):
        make_plan(PlanRequest(bots=2, options=AcutePlanOptions(answer="ranking")))
    with pytest.raises(DesignError, match="three parallel chats cannot be ranked"):
        make_plan(PlanRequest(bots=3, options=AcutePlanOptions(answer="ranking", collect="parallel")))


def test_a_plan_of_rankings_says_how_many_there_are_and_offers_no_early_stop() -> None:
    plan = make_plan(PlanRequest(bots=4, options=AcutePlanOptions(answer="ranking")))
    assert plan.sequential is None
    assert plan.judgments == make_plan(PlanRequest(bots=4)).judgments
    assert "rankings " in describe_plan(plan)
    assert not [
        note
        for note in make_plan(PlanRequest(bots=4, icc=0.1, options=AcutePlanOptions(answer="ranking"))).notes
        if "early" in note
    ]
    bought = make_plan(PlanRequest(bots=3, budget=100, pay=1.0, options=AcutePlanOptions(answer="ranking")))
    assert bought.affordable is not None
    assert bought.affordable.judgments == 99


def test_graded_answers_are_planned_by_a_model_that_says_so() -> None:
    plan = make_plan(PlanRequest(options=AcutePlanOptions(answer="graded")))
    assert plan.judgments < make_plan(PlanRequest()).judgments
    assert any("taken from a model" in note for note in plan.notes)
    assert isinstance(plan.design, GradedChoice)
    clustered = make_plan(PlanRequest(icc=0.1, cluster_size=5, options=AcutePlanOptions(answer="graded")))
    assert clustered.judgments > plan.judgments


@pytest.mark.parametrize("answer", ["graded", "ranking"])
def test_what_is_not_simulated_is_refused(answer: Literal["graded", "ranking"]) -> None:
    plan = make_plan(PlanRequest(bots=3, options=AcutePlanOptions(answer=answer, verdicts="pooled")))
    with pytest.raises(DesignError, match="human_cost"):
        simulate_plan(plan, studies=1, seed=0)


def test_measured_seconds_are_taken_where_the_study_has_them(tmp_path: Path) -> None:
    study = new_ranked_study(tmp_path / "s")
    assert measured_seconds(study) == ()
    results = {
        "sections": [{"rankings": {"ranking_seconds": 75.0, "comparison_seconds": None}, "time": None}]
    }
    (study.folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
    assert measured_seconds(study) == (("ranking", 75.0),)
    plans = compare_plans(request_from_study(study))
    assert [plan.work.seconds for plan in plans] == [50, 50, 50, 50, 75, 75]
    assert "Seconds: 75 for a ranking of three, the median of this study." in describe_comparison(plans)
    times = {"sections": [{"time": {"median_seconds": 44.0}}, {"rankings": None, "time": None}]}
    (study.folder / "results.json").write_text(json.dumps(times), encoding="utf-8")
    assert measured_seconds(study) == (("ranking", 44.0),)


def test_stated_seconds_and_pay_grow_with_what_is_read() -> None:
    requests = compared_answers(PlanRequest(bots=3, seconds=40, pay=2.0, per_annotator=6), bots=3)
    assert {
        (one.options_as(AcutePlanOptions).answer, one.seconds, one.pay, one.per_annotator) for one in requests
    } == {("choice", 40, 2.0, 6), ("graded", 40, 2.0, 6), ("ranking", 60, 3.0, 4)}


def test_scores_have_the_mean_and_variance_of_the_logistic_model() -> None:
    assert scores_at(0.0) == pytest.approx((0, 0.625))
    mean, variance = scores_at(0.6)
    assert 0 < mean < 0.6
    assert 0 < variance < 0.625


def test_graded_designs_know_their_power() -> None:
    design = GradedChoice()
    assert design.largest_gap < 1
    assert float(design.power([1], 0.2)[0]) == 0
    assert float(design.power([200], 0.0)[0]) == pytest.approx(0.05)
    with pytest.raises(DesignError, match="between 0 and 1"):
        design.power([10], 1.0)
    needed = sample_size(design, 0.05, power=0.8).judgments
    assert needed / sample_size(ForcedChoice(), 0.05, power=0.8).judgments == pytest.approx(0.8, abs=0.03)
    effect = DesignEffect(icc=0.1, cluster_size=5)
    assert float(ClusteredDesign(design=design, effect=effect).power([200], 0.2)[0]) < float(
        design.power([200], 0.2)[0]
    )


@pytest.mark.parametrize("answer", ["graded", "ranking"])
def test_pooled_designs_of_other_answers_need_what_their_pairs_are_worth(
    answer: Literal["graded", "ranking"],
) -> None:
    choice = sample_size(PooledChoice(bots=8, per_annotator=10), 0.2, power=0.8).judgments
    other = sample_size(PooledChoice(bots=8, per_annotator=10, answer=answer), 0.2, power=0.8).judgments
    assert other / choice == pytest.approx({"graded": 0.82, "ranking": 4 / 3}[answer], abs=0.03)
