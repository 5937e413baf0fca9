"""Studies of rankings are made, checked, described, exported and imported."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from duologue.acute import export_pairings, import_pairings, make_pairings
from duologue.acute.design.numbers import comparisons_of_one_annotator, planned_pairings
from duologue.acute.design.planner import AcutePlanner
from duologue.dialogues import index_dialogues
from duologue.errors import DesignError
from duologue.protocols import read_items, write_items
from duologue.studies import Study, check_study, describe_study, load_study, request_from_study
from tests.acute.ranked_study import TEXT, new_ranked_study
from tests.studies.conftest import edit


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return new_ranked_study(tmp_path / "s")


def test_made_pairings_say_how_often_bots_meet(study: Study) -> None:
    made = make_pairings(study)
    assert made.matchups == {
        "ann__vs__bob__vs__cy": 12, "ann__vs__bob": 4, "ann__vs__cy": 4, "bob__vs__cy": 4,
    }  # fmt: skip
    assert made.meetings == "12 times"
    assert made.is_ranked("ann__vs__bob__vs__cy")
    assert not made.is_ranked("ann__vs__bob")
    four = edit(study, 'leave_out = ["human", "weak"]', 'leave_out = ["weak"]')
    four = edit(four, "per_matchup = 12", "per_matchup = 7")
    assert make_pairings(four).meetings == "7 to 8 times"
    two = edit(edit(four, "pairs_per_matchup = 4", ""), 'answer = "ranking"', "")
    assert make_pairings(two).meetings == ""


def test_a_study_of_rankings_is_described(study: Study) -> None:
    lines = describe_study(study)
    assert "Rankings of three: 12 of 1 different threes; every two of 3 bots meet 12 times." in lines
    assert "  ann, bob and cy: 12 rankings" in lines
    assert "  ann against bob: 4 pairings" in lines


def test_a_study_of_rankings_can_be_checked_and_planned(study: Study) -> None:
    found = check_study(study.folder)
    assert found.problems == ()
    assert any("less power than stated: 16 judgments of" in warning for warning in found.warnings)
    request = request_from_study(study)
    assert (request.matchups, request.judgments) == (3, 16)
    assert isinstance(AcutePlanner().planned_design(request).sets, int)


def test_rankings_without_a_cap_are_warned_of(study: Study) -> None:
    four = edit(study, 'leave_out = ["human", "weak"]', 'leave_out = ["weak"]')
    four = edit(four, "max_judgments = 4", "")
    make_pairings(four)
    assert any(
        "ranks as often as there are threes of bots, 4 times. Set it; 2 rankings" in warning
        for warning in check_study(four.folder).warnings
    )


def test_rankings_in_a_study_of_two_and_none_in_one_of_three_are_refused(study: Study) -> None:
    two = edit(edit(study, "pairs_per_matchup = 4", ""), 'answer = "ranking"', "")
    assert any("15 items have three dialogues" in problem for problem in check_study(two.folder).problems)
    items = [item for item in read_items(study.items_path) if len(item.dialogues) == 2]
    write_items(items, study.items_path)
    three = load_study(two.folder)
    three = edit(three, "[acute]\n", '[acute]\nanswer = "ranking"\n')
    assert any("no item has three dialogues" in problem for problem in check_study(three.folder).problems)


def test_stopping_early_is_refused(study: Study) -> None:
    early = edit(study, "[annotators]", '[stopping]\nrule = "sequential"\n\n[annotators]')
    assert any(
        "sequential stopping is for judgments of two" in one for one in check_study(early.folder).problems
    )


def test_a_known_answer_must_be_a_place(study: Study) -> None:
    text = study.items_path.read_text(encoding="utf-8").replace('{"last":2}', '{"last":5}')
    study.items_path.write_text(text, encoding="utf-8")
    problems = check_study(study.folder).problems
    assert any('gold is {"last": slot} or {"first": slot}' in problem for problem in problems)


@pytest.mark.parametrize(("verdicts", "least"), [("direct", 200), ("pooled", 100)])
def test_the_planner_says_how_often_bots_are_to_meet(study: Study, verdicts: str, least: int) -> None:
    planned = edit(study, 'answer = "ranking"', f'answer = "ranking"\nverdicts = "{verdicts}"')
    settings = planned.settings.pairings  # type: ignore[attr-defined]
    assert planned_pairings(planned, settings, index_dialogues(planned.folder)) >= least
    assert comparisons_of_one_annotator(planned, 3) == 12
    assert comparisons_of_one_annotator(edit(planned, "max_judgments = 4", ""), 6) == 12


def test_fewer_than_three_bots_cannot_be_planned(study: Study) -> None:
    two = edit(study, '"human", "weak"]\n\n', '"human", "weak", "cy"]\n\n')
    settings = two.settings.pairings.model_copy(update={"per_matchup": "plan"})  # type: ignore[attr-defined]
    with pytest.raises(DesignError, match="dialogues of three bots"):
        planned_pairings(two, settings, index_dialogues(two.folder))


def test_pairings_of_three_are_written_and_read_again(study: Study, tmp_path: Path) -> None:
    count = export_pairings(study, tmp_path / "out.jsonl")
    assert count == 27
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter(len(line["dialogue_dicts"]) for line in lines) == {3: 15, 2: 12}
    assert {line["last_answer"] for line in lines if line["is_onboarding"]} == {2}
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "study.toml").write_text(TEXT, encoding="utf-8")
    other = load_study(tmp_path / "other")
    made = import_pairings(other, tmp_path / "out.jsonl", kind="self-chat")
    assert made.matchups["ann__vs__bob__vs__cy"] == 12
    export_pairings(other, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()
    known = next(item for item in read_items(other.items_path) if not item.is_judged)
    assert known.gold == {"last": 2}


def test_a_known_first_place_has_no_field_in_the_published_format(study: Study, tmp_path: Path) -> None:
    text = study.items_path.read_text(encoding="utf-8").replace('{"last":2}', '{"first":2}')
    study.items_path.write_text(text, encoding="utf-8")
    with pytest.raises(DesignError, match="this one says who is first"):
        export_pairings(study, tmp_path / "out.jsonl")
