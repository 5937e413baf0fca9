"""A study before anybody chats: checked, described, planned, and compared with other designs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.errors import DesignError
from duologue.per_turn import PerTurnPlanOptions
from duologue.per_turn.design import PerTurnDesign
from duologue.per_turn.design.table import per_turn_settings
from duologue.studies import (
    PlanRequest,
    Study,
    check_study,
    compare_plans,
    load_study,
    make_plan,
    new_study,
    request_from_flags,
    request_from_study,
)

SECOND = """\
[[per-turn.arms]]
name = "all"
bots = ["companion", "parrot", "small-talk"]
setting = "soba"
chats = 5
"""
ONE = '[[per-turn.arms]]\nname = "one"\nbots = ["parrot"]\n'


def study(folder: Path, *arms: str, **changes: str) -> Study:
    new_study(folder, protocol="per-turn", seed=3)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    for before, after in changes.items():
        text = text.replace(f"{before} = ", f"{before} = {after} # ", 1)
    text = text.replace("[screening]", "\n".join([*arms, "[screening]"]))
    path.write_text(text, encoding="utf-8")
    return load_study(folder)


def test_a_new_study_can_be_served_and_reaches_its_power(tmp_path: Path) -> None:
    found = check_study(study(tmp_path / "s").folder)
    assert (found.problems, found.warnings) == ((), ())


def test_a_pilot_goes_before_the_gap_of_a_study_and_the_plan_says_so(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", SECOND).folder
    path = folder / "study.toml"
    path.write_text(path.read_text().replace("[per-turn]\n", '[per-turn]\nprimary = "all"\n'))
    plan = make_plan(request_from_flags({"pilot": "60,20,40"}, study=folder))
    assert plan.gap > 0.1
    assert "the study's gap of 0.1 is not used: the pilot says how large a gap is." in plan.notes
    with pytest.raises(DesignError, match="--gap and --pilot both say how large the difference is"):
        make_plan(request_from_flags({"pilot": "60,20,40", "gap": 0.2}, study=folder))


def test_an_arm_with_too_few_turns_is_warned_of(tmp_path: Path) -> None:
    warnings = check_study(study(tmp_path / "s", SECOND, ONE).folder).warnings
    assert [warning.split(":")[0] for warning in warnings] == ["arm all", "arm pairs"]
    assert "45 turns find a gap of 0.1 with a power of 0.0" in warnings[0]
    assert "alpha shared by 3 tests" in warnings[0]


def test_the_study_is_described_arm_by_arm(tmp_path: Path) -> None:
    lines = list(
        PerTurnDesign().describe(study(tmp_path / "s", SECOND, ONE, rules='["few-tokens", "copied"]'))
    )
    said = "\n".join(lines)
    assert "Arm pairs (pairwise): 134 chats with companion, small-talk; all that apply are selected" in said
    assert "Arm all (multi): 5 chats" in said
    assert "Arm one (single): 134 chats with parrot; the reply is selected or not" in said
    assert "10 to 12 exchanges; at least 10 turns count" in said
    short = study(tmp_path / "short", min_exchanges="1", max_exchanges="1", rules='["none"]')
    assert "A chat: 1 to 1 exchanges; at least 1 turn counts." in list(PerTurnDesign().describe(short))
    assert "Chats: 273, at most 3 per annotator, 1 of an arm: at least 91 annotators." in said
    assert (
        "Screening of turns: few-tokens, copied (not applied: fixed-pattern, all-or-none, first-turn" in said
    )


def test_words_that_are_not_there_and_questions_after_the_chat_are_said(tmp_path: Path) -> None:
    asking = '[[per-turn.questions]]\nname = "fun"\ntext = "Fun?"\nlabels = ["No", "Yes"]\n'
    made = study(tmp_path / "s", asking)
    two = study(tmp_path / "d", dimensions='["engaging"]')
    (asked,) = [line for line in PerTurnDesign().describe(two) if "every turn" in line]
    first, further = asked.removeprefix("Asked at every turn: ").split(" / ")
    settings = per_turn_settings(two)
    assert first == settings.words_for("appropriate", "sata-random")
    assert further == settings.words_for("engaging", "sata-random")
    assert "Asked after the chat: Fun?" in list(PerTurnDesign().describe(made))
    text = made.text.replace("[screening]", '[screening]\noffensive_words = "words.txt"')
    (made.folder / "study.toml").write_text(text, encoding="utf-8")
    assert "words.txt" in check_study(made.folder).problems[0]


def test_a_study_is_planned_as_it_is_declared(tmp_path: Path) -> None:
    request = request_from_study(study(tmp_path / "s"))
    assert request.options == PerTurnPlanOptions(
        mechanism="pairwise", setting="sata", turns_per_dialogue=9, study_gap=0.1, bots_in_all=2
    )
    assert (request.gap, request.icc, request.judgments, request.tests) == (0.1, 0.1, 134 * 9, 1)
    plan = make_plan(request)
    assert plan.judgments == 1205  # 665 times 1.8, and the degrees of freedom of 134 dialogues
    assert plan.work.dialogues == 134
    chats = "live chats of 9 turns, and a first one that is screened: 1,339 are asked in all"
    assert plan.work.dialogues_are == chats
    # A whole chat takes 300 s, all turns of it, and everybody 120 s beside it.
    assert plan.work.hours == pytest.approx((1205 / 9 * 300 + 134 * 120) / 3600)
    several = request_from_study(study(tmp_path / "t", SECOND, ONE, **{"# primary": '"x"'}))
    assert several.tests == 3
    other = study(tmp_path / "u", SECOND, ONE)
    text = other.text.replace("[per-turn]", '[per-turn]\nprimary = "all"', 1)
    (other.folder / "study.toml").write_text(text, encoding="utf-8")
    primary = request_from_study(load_study(other.folder))
    assert (primary.bots, primary.judgments) == (3, 45)
    asked = primary.options_as(PerTurnPlanOptions)
    assert (asked.mechanism, asked.setting) == ("multi", "soba")
    (other.folder / "study.toml").write_text(text.replace('"all"', '"one"', 1), encoding="utf-8")
    single = request_from_study(load_study(other.folder)).options_as(PerTurnPlanOptions)
    assert (single.mechanism, single.setting, single.null) == ("single", None, 0.8)


def test_where_first_turns_count_all_turns_are_asked(tmp_path: Path) -> None:
    request = request_from_study(study(tmp_path / "s", rules='["none"]'))
    plan = make_plan(request)
    assert request.options_as(PerTurnPlanOptions).first_counts
    assert plan.work.dialogues_are == "live chats of 10 turns"
    one = PerTurnPlanOptions(mechanism="pairwise", setting="soba", turns_per_dialogue=1, first_counts=True)
    assert (
        make_plan(PlanRequest(protocol="per-turn", options=one)).work.dialogues_are == "live chats of 1 turn"
    )
    for counts, seconds in ((True, 30.0), (False, 33.0)):
        options = PerTurnPlanOptions(mechanism="pairwise", setting="soba", first_counts=counts)
        assert make_plan(PlanRequest(protocol="per-turn", options=options)).work.seconds == seconds


@pytest.mark.parametrize(("setting", "shared"), [('"soba"', True), ('"sata-user"', False)])
def test_an_arm_beside_others_is_planned_as_it_is_checked(tmp_path: Path, setting: str, shared: bool) -> None:
    bots = '["companion", "parrot", "small-talk"]'
    arms = study(tmp_path / "s", ONE, SECOND, bots=bots, chats_per_bot="9", setting=setting)
    plan = make_plan(request_from_study(arms))
    warning = next(one for one in check_study(arms.folder).warnings if one.startswith("arm pairs"))
    assert f"{plan.judgments:,} would have it" in warning
    assert ("Holm's strictest step" in warning) == shared
    assert "this is the arm pairs alone: one, all are not in these numbers" in plan.notes[0]


@pytest.mark.parametrize(("link", "each"), [("false", 3), ("false\nmax_judgments = 2", 2)])
def test_annotators_are_planned_with_the_chats_that_the_study_gives_them(
    tmp_path: Path, link: str, each: int
) -> None:
    several = study(tmp_path / "s", chats_per_annotator="3", open_link=link)
    work = make_plan(request_from_study(several)).work
    turns = several.file.chat.min_exchanges - 1  # the first one is screened
    assert work.per_annotator == each * turns
    assert work.annotators == -(-work.judgments // (each * turns))


def test_a_single_bot_beside_others_is_planned_at_its_share_of_alpha() -> None:
    alone = PlanRequest(protocol="per-turn", alpha=0.05 / 3, options=PerTurnPlanOptions(mechanism="single"))
    shared = PlanRequest(protocol="per-turn", tests=3, options=PerTurnPlanOptions(mechanism="single"))
    assert make_plan(shared).judgments == make_plan(alone).judgments


def test_a_pilot_is_text_or_a_row_of_counts() -> None:
    assert PerTurnPlanOptions(pilot=(5, 85, 10)) == PerTurnPlanOptions.read({"pilot": "5,85,10"})


def test_designs_are_compared_at_the_same_gap_and_power(tmp_path: Path) -> None:
    plans = compare_plans(PlanRequest(protocol="per-turn", bots=4, icc=0.1))
    assert [plan.gap for plan in plans] == [0.1] * 5
    assert [plan.sets for plan in plans] == [6, 6, 1, 1, 6]
    assert all(plan.achieved >= 0.8 for plan in plans)
    two = compare_plans(request_from_study(study(tmp_path / "s")))
    assert [plan.judgments for plan in two][1] == 1205
    assert len(two) == 3
    three = compare_plans(request_from_study(study(tmp_path / "t", ONE, SECOND)))
    assert [plan.sets for plan in three] == [3, 3, 1, 1, 3], "for the bots of all arms"
    with pytest.raises(DesignError, match="leave --compare out"):
        compare_plans(PlanRequest(protocol="likert"))


def test_the_command_line_prints_the_table(tmp_path: Path) -> None:
    folder = study(tmp_path / "s").folder
    said = CliRunner().invoke(app, ["study", "plan", str(folder), "--compare", "--pay", "0.1"])
    assert said.exit_code == 0, said.output
    assert "A gap of 0.1, alpha 0.05, power 0.8" in said.output
    assert "(PM-SATA)" in said.output
    assert "Turns of one dialogue are assumed to correlate by 0.1 (--icc)." in said.output
    flags = ["--protocol", "per-turn", "--bots", "3", "--compare", "--json"]
    found = json.loads(CliRunner().invoke(app, ["study", "plan", *flags]).output)
    said = CliRunner().invoke(app, ["study", "plan", *flags[:-1]])
    assert "taken as independent, which they seldom are: state --icc." in said.output
    assert [row["sets"] for row in found] == [3, 3, 1, 1, 3]


def test_another_protocol_has_no_such_table(tmp_path: Path) -> None:
    new_study(tmp_path / "x", protocol="likert", seed=1)
    with pytest.raises(DesignError, match="not one of turns"):
        per_turn_settings(load_study(tmp_path / "x"))
