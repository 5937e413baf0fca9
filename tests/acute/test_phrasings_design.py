"""A study of phrasings before anybody judges: its file, its pairs, what is wrong, what it can tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from duologue.acute import AcutePlanOptions, AcuteSettings, make_pairings
from duologue.acute.phrasings.design.describe import told
from duologue.acute.phrasings.design.pairs import pick_pair
from duologue.acute.phrasings.design.template import phrasings_template
from duologue.errors import DesignError
from duologue.protocols import read_items, write_items
from duologue.studies import (
    PlanRequest,
    Study,
    check_study,
    describe_study,
    load_study,
    make_plan,
    new_study,
    next_steps,
    request_from_flags,
    request_from_study,
)
from tests.studies.conftest import edit, write_dialogues

TWO = [{"name": "a", "question": "captivating"}, {"name": "b", "question": "long-conversation"}]
SETTINGS = {"compare": "phrasings", "questions": TWO, "pairings": {"per_matchup": 1}}


@pytest.fixture
def phrased(tmp_path: Path) -> Study:
    """Two axes, and dialogues to pick from."""
    study = new_study(tmp_path / "q", seed=3, template=phrasings_template(["engagingness", "humanness"]))
    write_dialogues(study.folder, "good", 3)
    write_dialogues(study.folder, "weak", 3)
    return study


def test_the_template_compares_all_published_phrasings_of_its_axes(phrased: Study) -> None:
    settings = phrased.settings
    assert isinstance(settings, AcuteSettings)
    assert {axis: len(arms) for axis, arms in settings.axes.items()} == {"engagingness": 3, "humanness": 3}
    assert phrased.caps.judgments_per_item == 20
    assert phrased.caps.one_per_factor
    assert not phrased.file.onboarding.enabled
    assert any("phrasings pair" in step for step in next_steps(phrased))


def test_the_template_by_name_is_that_of_engagingness(tmp_path: Path) -> None:
    study = new_study(tmp_path / "q", collect="phrasings")
    assert [arm.factor for arm in study.arms] == ["engagingness"] * 3


@pytest.mark.parametrize("axes", [["charm"], ["humanness", "humanness"]])
def test_an_axis_without_published_phrasings_or_named_twice_is_refused(axes: list[str]) -> None:
    with pytest.raises(DesignError, match="--axis"):
        phrasings_template(axes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"answer": "graded"}, "answer: compare"),
        ({"ties": True}, "ties: compare"),
        ({"collect": "parallel"}, "collect: compare"),
        ({"verdicts": "pooled"}, "verdicts: compare"),
        ({"primary": "a"}, "primary: compare"),
        ({"pairings": {}}, "per_matchup: say how many"),
        ({"questions": []}, "needs an"),
        (
            {"questions": [*TWO, {"name": "c", "question": "humanness"}]},
            "'c' is the only phrasing of humanness",
        ),
    ],
)
def test_what_does_not_go_with_phrasings_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        AcuteSettings.model_validate(SETTINGS | changes)


def test_an_axis_is_for_phrasings_only() -> None:
    with pytest.raises(ValueError, match='axis belongs to compare = "phrasings"'):
        AcuteSettings.model_validate({"questions": [{"name": "a", "question": "humanness", "axis": "x"}]})


def test_own_wording_belongs_to_the_axis_it_names() -> None:
    own = {"name": "c", "axis": "engagingness", "question": "Who is nicer?", "s1_choice": "<Speaker 1>"}
    settings = AcuteSettings.model_validate(SETTINGS | {"questions": [*TWO, own]})
    assert [arm.name for arm in settings.axes["engagingness"]] == ["a", "b", "c"]


def test_the_rules_are_those_of_phrasings_and_ask_for_reasons_as_the_study_does(phrased: Study) -> None:
    rules = phrased.protocol.rules(stopping="fixed")
    assert "Holm over all phrasings" in rules.family
    assert rules.asks_for_reasons
    silent = edit(phrased, 'reason = "encouraged"', 'reason = "off"')
    assert not silent.protocol.rules(stopping="fixed").asks_for_reasons


def test_a_picked_pair_is_asked_about_on_every_axis_once(phrased: Study) -> None:
    picked = pick_pair(phrased, "weak-1", "good-0")
    assert (picked.dialogues, picked.bots) == (("good-0", "weak-1"), ("good", "weak"))
    assert picked.axes == ("engagingness", "humanness")
    assert pick_pair(phrased, "good-0", "weak-1").axes == ()
    items = list(read_items(phrased.items_path))
    assert [item.factor for item in items] == ["engagingness", "humanness"]
    assert len({item.id for item in items}) == 2


def test_a_pair_may_be_for_one_axis(phrased: Study) -> None:
    pick_pair(phrased, "good-0", "weak-0", axes=["humanness"])
    assert [item.factor for item in read_items(phrased.items_path)] == ["humanness"]
    problems = check_study(phrased.folder).problems
    assert len(problems) == 1
    assert "no pair for the axis engagingness" in problems[0]


def test_pairings_are_made_on_every_axis(phrased: Study) -> None:
    made = make_pairings(phrased)
    assert made.matchups == {"good__vs__weak": 2}
    assert check_study(phrased.folder).is_sound


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("good-0", "good-0"), "cannot be compared with itself"),
        (("good-0", "nobody"), "has no dialogue 'nobody'; there are good-0"),
    ],
)
def test_what_cannot_be_paired_is_refused(phrased: Study, arguments: tuple[str, str], words: str) -> None:
    with pytest.raises(DesignError, match=words):
        pick_pair(phrased, *arguments)


def test_a_pair_on_an_unknown_axis_or_in_a_study_of_bots_is_refused(phrased: Study, study: Study) -> None:
    with pytest.raises(DesignError, match="--axis charm: the axes"):
        pick_pair(phrased, "good-0", "weak-0", axes=["charm"])
    with pytest.raises(DesignError, match="compares bots"):
        pick_pair(study, "ann-0", "bob-0")


def test_without_pairs_the_study_says_how_to_pick_one(phrased: Study) -> None:
    (problem,) = check_study(phrased.folder).problems
    assert "duologue phrasings pair" in problem
    assert "Pairs: none yet." in describe_study(phrased)
    (phrased.folder / "dialogues" / "good.jsonl").unlink()
    (phrased.folder / "dialogues" / "weak.jsonl").unlink()
    assert "Dialogues: none yet." in describe_study(phrased)


def test_what_is_wrong_is_said(phrased: Study) -> None:
    pick_pair(phrased, "good-0", "weak-0")
    edited = edit(phrased, 'rule = "fixed"', 'rule = "sequential"')
    edited = edit(edited, '"one-per-factor"    #', '"each"    #')
    (phrased.folder / "dialogues" / "weak.jsonl").unlink()
    problems = "\n".join(check_study(edited.folder).problems)
    for words in ("needs dialogue 'weak-0'", "fixed number of judgments", 'per_annotator = "each"'):
        assert words in problems


def test_pairings_of_no_axis_are_a_problem(phrased: Study) -> None:
    pick_pair(phrased, "good-0", "weak-0")
    items = list(read_items(phrased.items_path))
    for factor, words in (("charm", "belongs to the axis 'charm'"), ("", "belongs to no axis")):
        lone = replace(items[0], id="lone", factor=factor)
        write_items([*items, lone], phrased.items_path)
        assert words in check_study(phrased.folder).problems[0]


def test_what_is_odd_is_said(phrased: Study) -> None:
    pick_pair(phrased, "good-0", "good-1")
    edited = edit(phrased, "annotations_per_pairing = 20", "annotations_per_pairing = 5")
    edited = edit(edited, "enabled = false", "enabled = true")
    warnings = "\n".join(check_study(edited.folder).warnings)
    for words in ("5 annotators for each phrasing", "onboarding asks for more", "two dialogues of good"):
        assert words in warnings


def test_one_arm_of_each_factor_needs_factors(study: Study) -> None:
    edited = edit(study, "[acute.pairings]", '[arms]\nper_annotator = "one-per-factor"\n\n[acute.pairings]')
    assert (
        "are not versions of several things ('main' has no factor)" in check_study(edited.folder).problems[0]
    )


def test_the_description_says_who_sees_what_and_what_it_can_tell(phrased: Study) -> None:
    pick_pair(phrased, "good-0", "weak-0")
    text = describe_study(phrased)
    assert "6 phrasings of 2 axes" in text
    assert "Judgments: 120 by at least 60 annotators." in text
    assert "one phrasing of each of 2 axes" in text
    assert "Every annotator sees one arm of each of 2 factors (engagingness, humanness)" in text
    one = edit(phrased, '"one-per-factor"    #', '"one"    #')
    assert "Judgments: 120 by at least 120 annotators." in describe_study(one)
    for number in range(3):
        for other in range(3):
            pick_pair(phrased, f"good-{number}", f"weak-{other}", axes=["humanness"])
    text = describe_study(load_study(phrased.folder))
    assert "and 4 more" in text
    write_items(
        [item for item in read_items(phrased.items_path) if item.factor == "humanness"], phrased.items_path
    )
    assert "  engagingness: none" in describe_study(phrased)


def test_what_can_be_told_with_few_and_with_many() -> None:
    assert told(20, tests=2, alpha=0.05) == (
        "With 20 judgments of each phrasing, 95 % agreement is told from coin flips with a power of 0.79; "
        "90 % agreement is told from coin flips with a power of 0.53."
    )
    assert told(100, tests=1, alpha=0.05).count("(power 0.8)") == 2


def test_the_plan_of_a_study_is_for_its_phrasings_and_axes(phrased: Study) -> None:
    assert request_from_study(phrased).judgments == 20
    for number in range(2):
        pick_pair(phrased, f"good-{number}", f"weak-{number}")
    request = request_from_study(phrased)
    assert request.options == AcutePlanOptions(collect="phrasings")
    assert (request.matchups, request.tests) == (6, 2)
    assert (request.judgments, request.per_annotator, request.gap) == (40, 2, 0.3)
    plan = make_plan(request)
    assert (plan.judgments, plan.sets, plan.sets_are) == (37, 6, "phrasings")
    assert plan.work.dialogues == 2
    assert any("Holm over 2 axes" in note for note in plan.notes)


def test_a_plan_without_a_study() -> None:
    plan = make_plan(PlanRequest(gap=0.35, options=AcutePlanOptions(collect="phrasings", base=0.95)))
    assert plan.judgments == 20
    (reading,) = plan.readings
    assert "95 % of annotators give the most chosen answer by one, 60 % by the other" in reading
    plain = make_plan(PlanRequest(tests=4, correction="none", options=AcutePlanOptions(collect="phrasings")))
    assert plain.judgments == make_plan(PlanRequest(options=AcutePlanOptions(collect="phrasings"))).judgments


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"verdicts": "pooled"}, "--verdicts has no meaning"),
        ({"bots": 3}, "--bots has no meaning"),
        ({"base": 0.7, "gap": 0.3}, "coin flips"),
        ({"base": 0.4, "gap": 0.1}, "coin flips"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(asked: dict[str, object], words: str) -> None:
    with pytest.raises(DesignError, match=words):
        make_plan(request_from_flags({"collect": "phrasings", **asked}))
