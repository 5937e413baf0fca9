"""Plans: the numbers of the papers' designs, what they cost, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute import AcutePlanOptions, make_pairings
from duologue.errors import DesignError, StudyNotFound
from duologue.likert import LikertPlanOptions
from duologue.nuc import NucPlanOptions
from duologue.per_turn import PerTurnPlanOptions
from duologue.stats import PilotEffect
from duologue.studies import (
    PlanRequest,
    describe_plan,
    load_study,
    make_plan,
    new_study,
    plan_record,
    request_from_flags,
    request_from_study,
    simulate_plan,
)
from duologue.studies.planning.request import required
from tests.strategies import thorough
from tests.studies.conftest import write_dialogues


def per_turn(mechanism: str, setting: str | None = None, **more: object) -> PlanRequest:
    return request_from_flags({"protocol": "per-turn", "mechanism": mechanism, "setting": setting, **more})


MULTI_SOBA = {"protocol": "per-turn", "mechanism": "multi", "setting": "soba"}


@pytest.mark.parametrize(
    ("request_", "exact", "paper"),
    [
        (per_turn("pairwise", "soba", gap=0.2), 210, 196),
        (per_turn("pairwise", "sata", gap=0.1), 665, 667),
        (per_turn("pairwise", "sata", gap=0.1, discordance=0.5), 389, 392),
        (per_turn("multi", "sata", gap=0.1, bots=4), 727, 445),
        (per_turn("multi", "sata", gap=0.1, bots=4, discordance=0.472), 515, 247),
        (per_turn("multi", "soba", gap=0.1, bots=4, pilot_w=0.15923), 546, 430),
        (per_turn("single", gap=0.1, null=0.8), 151, 126),
    ],
    ids=["PM-SOBA", "PM-SATA", "PM-SATA .5", "MM-SATA", "MM-SATA .472", "MM-SOBA", "SM"],
)
def test_per_turn_designs_need_the_golden_turns(request_: PlanRequest, exact: int, paper: int) -> None:
    plan = make_plan(request_)
    assert plan.paper is not None
    assert (plan.judgments, plan.convention, plan.paper.judgments) == (exact, "exact", paper)
    assert plan.achieved >= 0.8
    by_paper = make_plan(_with(request_, is_paper=True))
    assert (by_paper.judgments, by_paper.convention, by_paper.exact.judgments) == (paper, "paper", exact)


PLANNING_PAGE = Path(__file__).parents[2] / "docs" / "planning.md"
docs_rows = re.findall(r"\| `(--protocol [^`]+)` \| \*\*(\d+)\*\*", PLANNING_PAGE.read_text(encoding="utf-8"))


def test_the_page_on_planning_has_its_numbers() -> None:
    assert len(docs_rows) >= 10


@pytest.mark.parametrize(("flags", "number"), docs_rows)
def test_the_numbers_on_the_page_are_those_of_the_planner(flags: str, number: str) -> None:
    words = flags.split()
    given: dict[str, object] = {}
    for name, value in zip(words[::2], words[1::2], strict=True):
        kind = int if name in ("--bots", "--per-annotator") else float if value[0].isdigit() else str
        given[name.removeprefix("--").replace("-", "_")] = kind(value)
    assert make_plan(request_from_flags(given)).judgments == int(number)


def _with(request: PlanRequest, **more: object) -> PlanRequest:
    return dataclasses.replace(request, **more)  # type: ignore[arg-type]


def test_several_bots_without_a_pilot_need_no_pilot() -> None:
    plan = make_plan(per_turn("multi", "soba", gap=0.1, bots=4))
    assert (plan.judgments, plan.paper) == (546, None)
    with pytest.raises(DesignError, match="--pilot-w"):
        make_plan(per_turn("multi", "soba", gap=0.1, bots=4, is_paper=True))


def test_all_pairs_of_several_bots_have_their_own_number() -> None:
    """Bonferroni by the normal formula gives 485, 572, 602; the mid-p test itself is a little cheaper."""
    numbers = []
    for discordance in (0.40, 0.472, 0.497):
        plan = make_plan(per_turn("multi", "sata", gap=0.1, bots=4, discordance=discordance))
        numbers.append(plan.alternatives[0].judgments)
    assert numbers == [479, 566, 597]
    assert numbers == pytest.approx([485, 572, 602], rel=0.015)


def test_a_pilot_is_shrunk_before_it_sizes_anything() -> None:
    plan = make_plan(per_turn("multi", "soba", pilot="70,30,50,50"))
    raw = 1600 / 50 / 200 / 2
    assert plan.pilot is not None
    assert plan.request.bots == 4
    assert plan.gap < 0.2
    assert plan.judgments > 10.9026 / raw
    assert plan.alternatives[0].judgments == 546


def test_the_paper_sizes_from_a_pilot_of_ones_own_as_it_is() -> None:
    effect = 16 / 200  # chi-square over turns: w squared
    by_pilot = make_plan(per_turn("multi", "soba", pilot="70,30,50,50", is_paper=True))
    by_effect = make_plan(per_turn("multi", "soba", bots=4, pilot_w=effect**0.5, is_paper=True))
    assert by_pilot.judgments == by_effect.judgments == round(10.9026 / effect)


def test_a_pilot_of_noise_is_not_used() -> None:
    plan = make_plan(per_turn("multi", "soba", pilot="51,49,50,50"))
    assert plan.judgments == 546
    assert "it is not used" in plan.notes[0]


def test_a_pilot_that_may_be_noise_says_that_any_number_may_be_needed() -> None:
    plan = make_plan(per_turn("multi", "soba", pilot="32,18,22,28"))
    assert isinstance(plan.pilot, PilotEffect)
    assert plan.pilot.shrunk > plan.pilot.low == 0
    assert re.search(r"its 90 % interval means [\d,]+ turns to any number\.", plan.notes[0])


def test_a_pilot_of_selections_gives_the_discordance_its_dear_end() -> None:
    plan = make_plan(per_turn("pairwise", "sata", gap=0.1, pilot="20,60,20"))
    assert 0.6 < required(plan.request.options_as(PerTurnPlanOptions).discordance) < 0.7
    many = make_plan(per_turn("multi", "sata", gap=0.1, pilot="10,30,40,15,5"))
    assert many.request.bots == 4
    assert many.request.options_as(PerTurnPlanOptions).discordance is not None
    assert many.judgments < 727


def test_one_matchup_of_acute_needs_210_judgments() -> None:
    plan = make_plan(PlanRequest(gap=0.2))
    assert (plan.judgments, plan.sets, plan.exact.first) == (210, 1, 199)
    assert plan.sequential is not None
    assert [round(stop.expected) for stop in plan.sequential.outlook] == [118, 156, 140, 91, 62]
    assert plan.readings[0].startswith("0.2 between the two bots: 60.0 % of the wins against 40.0 %")


def test_a_round_robin_is_sized_for_holm_and_can_be_pooled() -> None:
    """What is offered beside the number is what `analyse` does when the study file says so, and no more."""
    plan = make_plan(PlanRequest(gap=0.2, bots=8))
    assert plan.sets == 28
    assert plan.exact.alpha == pytest.approx(0.05 / 28)
    assert plan.work.judgments == 28 * plan.judgments
    (other,) = plan.alternatives
    assert other.what.startswith('with verdicts = "pooled" in [acute]')
    pooled = make_plan(PlanRequest(gap=0.2, bots=8, options=AcutePlanOptions(verdicts="pooled")))
    assert pooled.judgments == other.judgments
    assert pooled.judgments / plan.judgments == pytest.approx(0.246, abs=0.005)
    assert pooled.alternatives[0].judgments == plan.judgments
    assert "pooled verdicts" in pooled.title
    assert pooled.readings[0] == "0.2 between two bots: 60.0 % of the wins against 40.0 %"
    assert pooled.sequential is None
    alone = make_plan(PlanRequest(gap=0.2, bots=8, correction="none"))
    assert alone.judgments == 210


def test_pooled_verdicts_are_planned_for_all_pairs_of_acute_only() -> None:
    for wrong in (
        PlanRequest(gap=0.2, bots=2, options=AcutePlanOptions(verdicts="pooled")),
        PlanRequest(gap=0.2, bots=5, matchups=4, options=AcutePlanOptions(verdicts="pooled")),
    ):
        with pytest.raises(DesignError, match="pooled"):
            make_plan(wrong)
    with pytest.raises(
        DesignError, match="AcutePlanOptions are not options of a plan of the protocol likert"
    ):
        make_plan(PlanRequest(protocol="likert", options=AcutePlanOptions(verdicts="pooled")))


def test_an_annotator_who_judges_all_pairs_weighs_more_in_pooled_strengths() -> None:
    asked = PlanRequest(gap=0.2, bots=8, per_annotator=28, options=AcutePlanOptions(verdicts="pooled"))
    alone, alike = make_plan(asked), make_plan(dataclasses.replace(asked, icc=0.1))
    assert alike.effect is not None
    assert alike.effect.cluster_size == 4
    assert alike.judgments == pytest.approx(1.3 * alone.judgments, abs=1)
    assert alike.alternatives == ()


def test_correlated_judgments_have_no_number_for_the_other_verdicts() -> None:
    asked = PlanRequest(gap=0.2, bots=3, per_annotator=6)
    assert len(make_plan(asked).alternatives) == 1
    assert make_plan(dataclasses.replace(asked, icc=0.1)).alternatives == ()


@pytest.mark.slow
def test_the_planned_number_of_pooled_verdicts_has_its_power() -> None:
    for icc in (None, 0.1):
        plan = make_plan(PlanRequest(gap=0.3, bots=5, icc=icc, options=AcutePlanOptions(verdicts="pooled")))
        simulated = simulate_plan(plan, studies=400, seed=1).simulated
        assert simulated is not None
        assert simulated.found == pytest.approx(0.8, abs=0.07)
        assert simulated.false_alarms <= 0.05


def test_ratings_count_per_bot_and_answers_per_group() -> None:
    ratings = make_plan(PlanRequest(protocol="likert", gap=0.5, bots=3, options=LikertPlanOptions(sd=1.0)))
    assert (ratings.sets, ratings.work.judgments) == (3, 3 * ratings.judgments)
    assert ratings.exact.alpha == pytest.approx(0.05 / 3)
    alone = PlanRequest(protocol="likert", gap=0.5, per_annotator=1, options=LikertPlanOptions(sd=1.0))
    assert make_plan(alone).judgments == 64  # nobody rates twice
    assert "nobody rates twice" in make_plan(alone).notes[0]


def test_ratings_are_planned_as_they_are_compared_within_annotators() -> None:
    asked = PlanRequest(protocol="likert", gap=0.5, options=LikertPlanOptions(sd=1.0))
    both = make_plan(asked)
    assert (both.judgments, both.work.annotators, both.effect) == (59, 59, None)
    assert (
        "every annotator rates every bot, and two ratings by one annotator are assumed to correlate by 0.1"
        in (both.notes[0])
    )
    assert "state yours with --icc" in both.notes[0]
    stated = make_plan(dataclasses.replace(asked, icc=0.5))
    assert stated.judgments == 34  # paired differences with a standard deviation of 1
    assert "state yours" not in stated.notes[0]
    some = make_plan(dataclasses.replace(asked, icc=0.5, bots=4, per_annotator=2, alpha=0.3))
    assert 34 < some.judgments < 64
    assert "2 of the 4 bots" in some.notes[1]
    often = make_plan(dataclasses.replace(asked, icc=0.5, per_annotator=6))
    assert often.judgments == pytest.approx(2 * 34, abs=4)
    assert "every bot 3 times" in often.notes[0]
    again = make_plan(dataclasses.replace(asked, cluster_size=3))
    assert again.judgments == 81 > math.ceil(1.2 * 64)  # three rate each dialogue, by whom gains nothing
    groups = make_plan(PlanRequest(protocol="nuc", gap=0.1, options=NucPlanOptions(base=0.5)))
    assert (groups.judgments, groups.sets) == (392, 2)
    alone = make_plan(PlanRequest(protocol="nuc", gap=0.1, options=NucPlanOptions(null=0.5)))
    assert (alone.judgments, alone.sets) == (210, 1)


def test_clusters_multiply_the_number_and_are_stated() -> None:
    plan = make_plan(per_turn("pairwise", "soba", gap=0.2, icc=0.1))
    assert plan.effect is not None
    assert (plan.judgments, plan.effective, plan.effect.cluster_size) == (399, 210, 10)
    assert plan.sequential is None
    assert plan.alternatives[0].judgments == plan.effect.inflate(198)
    independent = make_plan(per_turn("pairwise", "soba", gap=0.2))
    assert any("1.9 at 0.1" in note for note in independent.notes)


def test_an_annotator_who_judges_each_matchup_once_is_no_cluster_in_it() -> None:
    plan = make_plan(PlanRequest(gap=0.2, bots=4, icc=0.2))
    assert plan.effect is not None
    assert plan.effect.factor == pytest.approx(1)
    assert make_plan(PlanRequest(gap=0.2, bots=4, icc=0.2, per_annotator=12)).judgments > plan.judgments


def test_work_is_counted_and_priced_with_onboarding() -> None:
    plan = make_plan(
        PlanRequest(
            gap=0.2, bots=3, pay=0.5, seconds=90, onboarding=1, per_annotator=3, arms=2, currency="EUR"
        )
    )
    work = plan.work
    assert work.judgments == plan.judgments * 3 * 2
    assert work.annotators == -(-work.judgments // 3)
    paid = work.judgments + work.annotators
    assert work.hours == pytest.approx((paid * 90 + work.annotators * 120) / 3600)
    assert work.cost == pytest.approx(paid * 0.5)
    assert plan.sets_are == "matchups in 2 arms"
    assert make_plan(PlanRequest(gap=0.2, arms=2)).sets_are == "matchups in 2 arms"
    assert make_plan(PlanRequest(gap=0.2)).sets_are == "matchup"


def test_whoever_goes_through_all_arms_answers_in_each_of_them() -> None:
    one = make_plan(PlanRequest(gap=0.2, bots=3, per_annotator=3, arms=2, onboarding=1)).work
    each = make_plan(PlanRequest(gap=0.2, bots=3, per_annotator=3, arms=2, arms_each=2, onboarding=1)).work
    assert (each.judgments, each.per_annotator) == (one.judgments, 6)
    assert each.annotators == one.annotators // 2
    assert one.read - each.read == 2 * (one.annotators - each.annotators)


def test_repeated_items_are_counted_of_second_judgments_too() -> None:
    work = make_plan(PlanRequest(gap=0.2, checked=0.1, judged_twice=0.5, per_annotator=5)).work
    assert (work.judgments, work.second_judgments, work.besides) == (210, 105, 32)


def test_a_budget_pays_for_the_other_parts_of_a_study_too() -> None:
    asked = PlanRequest(gap=0.2, budget=105.0, pay=0.5, elsewhere=1.0, per_annotator=3)
    alone = make_plan(_with(asked, elsewhere=0.0)).affordable
    both = make_plan(asked).affordable
    assert alone is not None
    assert both is not None
    assert (alone.judgments, both.judgments) == (210, 105)


def test_turns_become_live_chats_and_annotators() -> None:
    work = make_plan(per_turn("pairwise", "sata", gap=0.1, turns_per_dialogue=8)).work
    assert (work.judgments, work.dialogues, work.annotators) == (665, 84, 84)


def test_a_number_of_judgments_is_told_what_it_can_show() -> None:
    plan = make_plan(PlanRequest(gap=0.2, judgments=100))
    assert plan.affordable is not None
    assert plan.affordable.gap == pytest.approx(0.29, abs=0.01)
    money = make_plan(PlanRequest(gap=0.2, budget=50.0, pay=0.5))
    assert money.affordable is not None
    assert (money.affordable.judgments, money.affordable.gap) == (100, plan.affordable.gap)
    clustered = make_plan(per_turn("pairwise", "soba", gap=0.2, icc=0.1, judgments=190))
    assert clustered.affordable is not None
    assert clustered.affordable.gap == pytest.approx(plan.affordable.gap)


def test_what_was_asked_about_is_answered_in_words() -> None:
    money = describe_plan(make_plan(PlanRequest(gap=0.2, bots=3, budget=150.0, pay=0.5)))
    assert "Asked about: 150.00 USD buy 100 judgments for each of 3 matchups" in money
    clustered = describe_plan(make_plan(per_turn("pairwise", "soba", gap=0.2, icc=0.1)))
    assert "worth 210 independent ones: design effect 1.9 (ICC 0.1, 10 in a cluster)" in clustered
    assert "196 independent ones (--paper)" in clustered


def test_the_largest_gap_has_no_early_stop_to_speak_of() -> None:
    assert make_plan(PlanRequest(gap=1.0)).sequential is None


def test_a_number_that_was_never_filled_in_is_missed() -> None:
    with pytest.raises(DesignError, match="lacks a number"):
        required(None)


def test_too_few_judgments_to_show_anything_are_a_note() -> None:
    plan = make_plan(PlanRequest(gap=0.2, judgments=3))
    assert plan.affordable is None
    assert any("3 judgments do not reach" in note for note in plan.notes)
    turns = make_plan(per_turn("pairwise", "soba", gap=0.2, judgments=3))
    assert any("3 turns do not reach" in note for note in turns.notes)


def test_power_curves_pass_through_the_plan() -> None:
    plan = make_plan(PlanRequest(gap=0.2))
    at_gap = [point.power for point in plan.over_gaps if abs(point.gap - 0.2) < 1e-9]
    at_number = [point.power for point in plan.over_judgments if point.judgments == plan.judgments]
    assert at_gap
    assert at_gap + at_number == pytest.approx([plan.achieved] * (len(at_gap) + 1))
    powers = [point.power for point in plan.over_gaps]
    assert powers == sorted(powers)


def test_tiny_gaps_are_planned_quickly_and_scaled() -> None:
    plan = make_plan(PlanRequest(gap=0.01))
    assert plan.sequential is not None
    assert plan.sequential.scale == pytest.approx(100)
    assert plan.sequential.outlook[2].expected < plan.judgments
    assert "scaled" in plan.sequential.because[0]


def test_all_that_apply_stops_early_on_the_turns_that_speak() -> None:
    plan = make_plan(per_turn("pairwise", "sata", gap=0.1))
    assert plan.sequential is not None
    assert plan.sequential.plan.gap == pytest.approx(0.1 / 0.85)
    assert plan.sequential.scale == pytest.approx(1 / 0.85)


@thorough(10)
@given(gap=st.floats(0.06, 0.9), power=st.floats(0.5, 0.95), bots=st.integers(2, 5))
def test_every_plan_reaches_its_power_and_can_be_written_down(gap: float, power: float, bots: int) -> None:
    plan = make_plan(PlanRequest(gap=gap, power=power, bots=bots))
    assert plan.achieved >= power
    record = json.loads(json.dumps(plan_record(plan), allow_nan=False))
    assert record["judgments"] == plan.judgments
    assert record["request"]["gap"] == gap
    assert f"{plan.judgments:,} judgments" in describe_plan(plan)


def test_a_simulated_plan_says_what_was_found() -> None:
    plan = make_plan(PlanRequest(gap=0.5))
    steps: list[int] = []
    checked = simulate_plan(plan, studies=100, seed=1, on_study=lambda: steps.append(1))
    assert checked.simulated is not None
    assert checked.simulated.found == pytest.approx(plan.achieved, abs=0.16)
    assert len(steps) == 200
    assert "100 simulated studies" in describe_plan(checked)
    assert simulate_plan(plan, studies=20, seed=1) == simulate_plan(plan, studies=20, seed=1)


@pytest.mark.parametrize(
    ("flags", "match"),
    [
        ({"protocol": "per-turn"}, "needs --mechanism"),
        ({"protocol": "per-turn", "mechanism": "pairwise"}, "--setting soba"),
        ({"protocol": "per-turn", "mechanism": "single", "setting": "soba"}, "needs --mechanism"),
        ({"protocol": "acute", "setting": "soba"}, "--setting soba belongs to --protocol per-turn"),
        (
            {"protocol": "acute", "discordance": 0.8},
            "--discordance 0.8 belongs to --protocol per-turn, not to acute",
        ),
        (
            {"protocol": "acute", "null": 0.5},
            "--null 0.5 belongs to --protocol nuc or per-turn, not to acute",
        ),
        ({"protocol": "acute", "base": 0.5}, "--base has no meaning in this design"),
        ({"protocol": "acute", "nul": 0.5}, "there is no option --nul of plans"),
        ({"protocol": "acute", "measured": ()}, "there is no option --measured of plans"),
        ({"protocol": "acute", "answer": "both"}, '--answer both: give one of "choice", "graded", "ranking"'),
        (
            {"protocol": "per-turn", "mechanism": "pairwise", "setting": "soba", "null": 0.5},
            r"--null has no meaning in this design \(per-turn, pairwise, soba\)",
        ),
        ({"protocol": "acute", "is_paper": True}, "no number for this design"),
        ({"protocol": "likert", "test": "exact"}, "--test has no meaning"),
        ({"protocol": "nuc", "null": 0.5, "base": 0.5}, "give one of them"),
        ({"protocol": "nuc", "test": "exact"}, "--test has no meaning"),
        ({"protocol": "acute", "bots": 1}, "at least two bots"),
        ({"protocol": "acute", "matchups": 0}, "at least one matchup"),
        ({"protocol": "acute", "gap": 1.5}, "gap must lie between 0 and 1"),
        ({"protocol": "acute", "cluster_size": 4}, "--cluster-size needs --icc"),
        ({"protocol": "acute", "icc": 2.0}, "intraclass"),
        ({"protocol": "acute", "budget": 50.0}, "--budget needs --pay"),
        ({"protocol": "acute", "budget": -1.0, "pay": 1.0}, "--budget must be positive"),
        ({"protocol": "acute", "budget": 5.0, "judgments": 10, "pay": 1.0}, "give one of them"),
        ({"protocol": "acute", "seconds": -5.0}, "--seconds must be positive"),
        ({"protocol": "acute", "pay": float("nan"), "budget": 5.0}, "--pay must not be negative"),
        ({"protocol": "likert", "sd": 0.0}, "--sd must be positive"),
        ({"protocol": "per-turn", "mechanism": "multi", "setting": "soba", "bots": 0}, "at least two bots"),
        ({"protocol": "per-turn", "mechanism": "multi", "setting": "sata", "bots": 1}, "at least two bots"),
        ({"protocol": "acute", "per_annotator": -1}, "--per-annotator must be at least 1"),
        ({"protocol": "chess"}, "--protocol is one of acute, likert, nuc, per-turn; got chess"),
        ({"protocol": "per-turn", "pilot": "1,x"}, "a row of counts"),
        (
            {"protocol": "per-turn", "mechanism": "multi", "setting": "soba", "bots": 4, "pilot": "1,2,3"},
            "4 counts",
        ),
        ({"protocol": "per-turn", "mechanism": "pairwise", "setting": "sata", "pilot": "1,2"}, "3 counts"),
        (
            {
                "protocol": "per-turn",
                "mechanism": "pairwise",
                "setting": "sata",
                "pilot": "1,2,3",
                "discordance": 0.5,
            },
            "give one of them",
        ),
        ({**MULTI_SOBA, "pilot": "70,30,50,50", "gap": 0.1}, "--gap and --pilot both say"),
        ({**MULTI_SOBA, "pilot": "70,30,50,50", "pilot_w": 0.2}, "--pilot-w and --pilot both say"),
        ({**MULTI_SOBA, "pilot": "50,50,50,50", "is_paper": True}, "w must be more than 0; got 0"),
        (
            {"protocol": "per-turn", "mechanism": "pairwise", "setting": "sata", "turns_per_dialogue": 0},
            "--turns-per-dialogue 0: give a number of at least 1.",
        ),
    ],
)
def test_a_request_that_contradicts_itself_is_refused_with_advice(
    flags: dict[str, object], match: str
) -> None:
    with pytest.raises(DesignError, match=match):
        make_plan(request_from_flags(flags))


@pytest.mark.parametrize("name", ["bots", "matchups", "judgments", "per_annotator", "onboarding", "arms"])
def test_a_number_that_no_study_has_is_refused_with_its_option(name: str) -> None:
    with pytest.raises(DesignError, match=f"--{name.replace('_', '-')}, or what the study file says of it,"):
        make_plan(PlanRequest(gap=0.2, **{name: 10**30}))  # type: ignore[arg-type]  # all are counts


def test_a_study_of_more_pairings_than_anybody_collects_has_no_plan(tmp_path: Path) -> None:
    new_study(tmp_path / "study")
    path = tmp_path / "study" / "study.toml"
    path.write_text(path.read_text().replace('per_matchup = "plan"', "per_matchup = " + "9" * 30))
    with pytest.raises(DesignError, match="must be at most 100,000,000"):
        make_plan(request_from_study(load_study(tmp_path / "study")))


plain = (0.0, -1.0, 0.05, 0.2, 0.5, 0.99, 1.0, 3.0)
odd = st.sampled_from([*plain, 1e-300, 1e-9, 1e9, 1e300, math.nan, math.inf])
odd_counts = st.sampled_from([-1, 0, 1, 2, 4, 50, 1000, 10**30])
numbers = (
    "gap",
    "power",
    "alpha",
    "null",
    "base",
    "sd",
    "discordance",
    "icc",
    "cluster_size",
    "budget",
    "pay",
)
counts = ("bots", "matchups", "judgments", "per_annotator", "turns_per_dialogue")


@thorough(10)
@given(
    protocol=st.sampled_from(["acute", "per-turn", "likert", "nuc"]),
    mechanism=st.sampled_from([None, "pairwise", "multi", "single"]),
    setting=st.sampled_from([None, "soba", "sata"]),
    stated=st.dictionaries(st.sampled_from(numbers), odd, max_size=2),
    counted=st.dictionaries(st.sampled_from(counts), odd_counts, max_size=2),
)
def test_an_odd_request_ends_in_a_plan_or_in_a_clear_refusal(
    protocol: str,
    mechanism: str | None,
    setting: str | None,
    stated: dict[str, float],
    counted: dict[str, int],
) -> None:
    flags = {"protocol": protocol, "mechanism": mechanism, "setting": setting, **stated, **counted}
    try:
        plan = make_plan(request_from_flags(flags))
    except DesignError:
        return
    json.dumps(plan_record(plan), allow_nan=False)
    assert describe_plan(plan).startswith(plan.title)


def test_a_study_says_its_own_matchups_pay_and_caps(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s", seed=1)
    request = request_from_study(study)
    assert (request.matchups, request.judgments, request.onboarding) == (None, None, 1)
    for bot in ("ann", "bob", "cy"):
        write_dialogues(study.folder, bot, 6)
    assert request_from_study(load_study(study.folder)).matchups == 3
    toml = study.folder / "study.toml"
    text = toml.read_text(encoding="utf-8").replace('per_matchup = "plan"', "per_matchup = 5")
    toml.write_text(text.replace("per_judgment = 0.0", "per_judgment = 0.25"), encoding="utf-8")
    make_pairings(load_study(study.folder))
    request = request_from_study(load_study(study.folder))
    assert (request.matchups, request.judgments, request.pay) == (3, 5, 0.25)


def test_flags_go_before_what_the_study_says(tmp_path: Path) -> None:
    folder = new_study(tmp_path / "s", seed=1).folder
    request = request_from_flags({"alpha": 0.01, "bots": 4, "budget": 9.0}, study=folder)
    assert (request.alpha, request.bots, request.matchups, request.judgments) == (0.01, 4, None, None)
    with pytest.raises(DesignError, match="the study's protocol is acute"):
        request_from_flags({"protocol": "nuc"}, study=folder)
    with pytest.raises(StudyNotFound):
        request_from_flags({}, study=tmp_path / "nowhere")
