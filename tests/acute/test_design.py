"""A study of comparisons is looked over before anybody is paid, and described in plain words."""

import json
from pathlib import Path

import pytest

from duologue.acute import change_pairing, make_pairings
from duologue.errors import DesignError
from duologue.protocols import read_items
from duologue.studies import (
    Study,
    check_study,
    describe_study,
    make_plan,
    new_study,
    request_from_flags,
    request_from_study,
)
from duologue.studies.planning.besides import items_of_a_sitting
from tests.studies.conftest import edit, write_dialogues


def test_a_fresh_study_cannot_be_served_yet_and_says_what_is_next(tmp_path: Path) -> None:
    found = check_study(new_study(tmp_path / "s").folder)
    assert not found.is_sound
    assert any("no dialogues yet" in warning for warning in found.warnings)
    assert any("no pairings yet" in problem for problem in found.problems)


def test_a_pairing_without_its_dialogue_is_a_problem(study: Study) -> None:
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    (study.folder / "dialogues" / "ann.jsonl").unlink()
    found = check_study(study.folder)
    assert not found.is_sound
    assert "which is not there" in found.problems[0]


def test_a_broken_dialogue_file_is_a_problem_and_not_a_crash(study: Study) -> None:
    (study.folder / "dialogues" / "ann.jsonl").write_text("nonsense\n", encoding="utf-8")
    found = check_study(study.folder)
    assert not found.is_sound
    assert "line 1" in found.problems[0]


def test_missing_onboarding_is_a_warning(study: Study) -> None:
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    assert any("not be screened" in warning for warning in check_study(study.folder).warnings)
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4, "onboarding": ["human", "ann"]}))
    assert not any("be screened" in warning for warning in check_study(study.folder).warnings)


def test_a_bot_that_says_its_own_name_is_a_warning(study: Study) -> None:
    write_dialogues(study.folder, "kevin", 2, text="Hi, I am Kevin!")
    warnings = [warning for warning in check_study(study.folder).warnings if "kevin" in warning]
    assert len(warnings) == 1


def test_a_bot_that_is_named_but_has_no_dialogues_is_a_warning(study: Study) -> None:
    edit(study, "[stopping]", '[[bots]]\nname = "ghost"\n\n[stopping]')
    assert any("'ghost'" in warning for warning in check_study(study.folder).warnings)


def test_the_description_says_what_will_happen_and_what_it_costs(study: Study) -> None:
    study = edit(study, "per_judgment = 0.0", "per_judgment = 0.5")
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4, "onboarding": ["human", "ann"]}))
    text = describe_study(study)
    assert "ann (6 self-chat), bob (5 self-chat), human (4 human-human)" in text
    assert "Who would you prefer to talk to for a long conversation?" in text
    assert "ann against bob: 4 pairings" in text
    # 12 judgments, 3 per annotator: 4 annotators, one onboarding comparison each. With 4 pairings of 4 to
    # 6 dialogues nobody is shown a dialogue more than once per matchup, and each bot is in two matchups.
    assert "A dialogue is shown up to 2 times and never twice to one annotator" in text
    assert "Judgments: 12 (1 per pairing), at most 3 per annotator: at least 4 annotators." in text
    assert "Cost: 8.00 USD" in text
    assert "0.0 person-hours at 6 s a comparison (24 words to read, 238 a minute), onboarding incl" in text
    assert "can finish, but their answers are excluded" in text
    assert "The researcher's pages show no win rates before the planned number is reached;" in text


def test_the_description_promises_no_onboarding_that_is_not_there(study: Study) -> None:
    study = edit(study, "comparisons = 1", "comparisons = 5")
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    text = describe_study(study)
    assert "Onboarding: none. 5 comparisons asked for, and there are no onboarding pairings" in text
    assert "onboarding included" not in text
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4, "onboarding": ["human", "ann"]}))
    text = describe_study(study)
    assert "Onboarding: 3 comparisons first" in text
    assert "onboarding included" in text


def test_the_description_of_an_empty_study_is_short(tmp_path: Path) -> None:
    text = describe_study(new_study(tmp_path / "s"))
    assert "Dialogues: none yet." in text
    assert "Pairings: none yet." in text


def test_few_dialogues_need_more_annotators(study: Study) -> None:
    study = edit(study, "# max_judgments = 3", "max_judgments = 30")
    settings = change_pairing(study, {"per_matchup": 20, "matchups": [("ann", "bob")]})
    make_pairings(study, settings=settings)
    # 20 judgments could be one annotator's, but each of bob's 5 dialogues is in 4 pairings
    assert "at least 4 annotators" in describe_study(study)


def test_arms_are_described(study: Study) -> None:
    arms = '[[acute.questions]]\nname = "e"\n[[acute.questions]]\nname = "h"\nquestion = "humanness"\n\n'
    arms += "[acute.pairings]"
    study = edit(study, "[acute.pairings]", arms)
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    text = describe_study(study)
    assert "2 arms, launched together" in text
    assert "Judgments: 24 (1 per pairing and arm, 2 arms)" in text


def test_bots_whose_dialogues_are_twice_as_long_are_warned_of(study: Study) -> None:
    assert not [one for one in check_study(study.folder).warnings if "much longer" in one]
    file = study.folder / "dialogues" / "bob.jsonl"
    short = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps(one | {"turns": one["turns"] * 2}) + "\n" for one in short))
    (warning,) = [one for one in check_study(study.folder).warnings if "much longer" in one]
    turns = sum(turn["speaker"] == short[0]["judged"] for turn in short[0]["turns"])
    assert warning.startswith("the dialogues of bot 'bob' are much longer than those of bot 'ann': ")
    assert f"{2 * turns} turns of the judged speaker (median) against {turns}." in warning


def test_turns_longer_than_the_study_allows_are_warned_of(study: Study) -> None:
    path = study.folder / "study.toml"
    path.write_text(path.read_text().replace("[study]", "[study]\nmax_turn_chars = 5"))
    (warning,) = [one for one in check_study(study.folder).warnings if "max_turn_chars" in one]
    assert warning.startswith("60 turns are longer")
    assert "first in 'ann-0'" in warning
    assert f"`duologue dialogues remove {study.folder} ID" in warning


def test_sequential_stopping_is_refused_where_dialogues_repeat_within_a_matchup(study: Study) -> None:
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    sequential = edit(study, 'rule = "fixed"', 'rule = "sequential"')
    assert not any("sequential" in problem for problem in check_study(sequential.folder).problems)
    edit(sequential, "annotations_per_pairing = 1", "annotations_per_pairing = 2")
    (problem,) = check_study(sequential.folder).problems
    assert problem.startswith(
        "[stopping] rule: sequential stopping needs dialogues that occur once in a matchup"
    )
    assert "(each pairing is judged 2 times)" in problem
    assert 'set rule = "fixed"' in problem


def test_pooled_verdicts_are_refused_with_sequential_stopping(study: Study) -> None:
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    pooled = edit(study, "annotations_per_pairing = 1", 'annotations_per_pairing = 1\nverdicts = "pooled"')
    assert not any("pooled" in problem for problem in check_study(pooled.folder).problems)
    edit(pooled, 'rule = "fixed"', 'rule = "sequential"')
    assert any("verdicts: pooled verdicts need a fixed" in one for one in check_study(pooled.folder).problems)


def test_a_file_without_anything_to_judge_is_a_problem_and_has_no_plan(study: Study) -> None:
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 1, "onboarding": ["human", "ann"]}))
    lines = study.items_path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if '"group"' not in line or '"role":"onboarding"' in line]
    study.items_path.write_text("".join(kept), encoding="utf-8")
    assert check_study(study.folder).problems == ("pairings.jsonl: there is no pairing to judge.",)
    asked = request_from_study(study)
    assert (asked.matchups, asked.judgments) == (3, None)


def test_a_gold_answer_that_is_no_slot_is_a_problem(study: Study) -> None:
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 1, "onboarding": ["human", "ann"]}))
    text = study.items_path.read_text(encoding="utf-8")
    study.items_path.write_text(text.replace('"gold":1', '"gold":"left"', 1), encoding="utf-8")
    (problem,) = check_study(study.folder).problems
    assert "gold is the slot that should win, from 0 to 1, and not 'left'" in problem


def test_attention_pairings_stay_until_they_are_made_anew(study: Study) -> None:
    wanted: dict[str, object] = {"per_matchup": 1, "onboarding": ["human", "ann"], "attention_count": 2}
    make_pairings(study, settings=change_pairing(study, wanted))

    def attention() -> list[str]:
        return [item.id for item in read_items(study.items_path) if item.role == "attention"]

    first = attention()
    assert len(first) == 2
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 2}))
    assert attention() == first
    make_pairings(study, settings=change_pairing(study, wanted | {"attention_count": 1}))
    assert len(attention()) == 1


def test_a_bot_that_meets_itself_needs_no_power(study: Study) -> None:
    settings = change_pairing(study, {"per_matchup": 1, "matchups": [["ann", "bob"]], "same_bot": ["ann"]})
    make_pairings(study, settings=settings)
    (said,) = [said for said in check_study(study.folder).warnings if "less power" in said]
    assert said.startswith("1 of 1 matchups")


def test_pooled_verdicts_and_onboarding_that_is_off_are_described(study: Study) -> None:
    study = edit(
        edit(study, '# verdicts = "pooled"', 'verdicts = "pooled"'), "enabled = true", "enabled = false"
    )
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 1, "matchups": [["ann", "bob"]]}))
    text = describe_study(study)
    assert "Verdicts: pooled; strengths from all matchups together decide." in text
    assert "Onboarding: off." in text
    assert "A dialogue is shown" not in text


def test_many_matchups_are_not_all_listed(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s", seed=1)
    for number in range(7):
        write_dialogues(study.folder, f"bot{number}", 1)
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 1}))
    text = describe_study(study)
    assert "Matchups: 21" in text
    assert "  … and 1 more" in text


def test_a_study_of_another_protocol_has_no_pairings(tmp_path: Path) -> None:
    rated = new_study(tmp_path / "s", protocol="likert", seed=1)
    with pytest.raises(DesignError, match="only acute studies have pairings"):
        make_pairings(rated)


@pytest.mark.parametrize(
    ("settings", "said", "noun"),
    [
        ('answer = "choice"', "", "A comparison"),
        ('answer = "choice"\nties = true', "Answers: one side, or no difference.", "A comparison"),
        ('answer = "graded"', "Answers: four points, clearly or slightly for one side.", "A comparison"),
        (
            'answer = "graded"\nties = true',
            "Answers: four points, clearly or slightly for one side, or no difference.",
            "A comparison",
        ),
        ('answer = "ranking"', "Answers: an order of three, without ties.", "A ranking"),
    ],
)
def test_what_can_be_answered_is_described(study: Study, settings: str, said: str, noun: str) -> None:
    study = edit(study, "ties = false", "")
    text = describe_study(edit(study, 'answer = "choice"', settings))
    assert said in text
    assert ("Answers:" in text) == bool(said)
    assert f"{noun} that is not finished is handed out again" in text


def test_everybody_who_goes_through_all_arms_is_counted_once(study: Study) -> None:
    arms = '[[acute.questions]]\nname = "a"\n\n[[acute.questions]]\nname = "b"\nquestion = "humanness"\n\n'
    study = edit(study, "[onboarding]", f"{arms}[onboarding]")
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    said = describe_study(study)
    assert "2 arms, launched together, one per annotator, never pooled:" in said
    assert "2 arms), at most 3 per annotator: at least 8 annotators." in said
    study = edit(study, "[stopping]", '[arms]\nper_annotator = "each"\n\n[stopping]')
    said = describe_study(study)
    assert "2 arms, launched together, every annotator goes through all, never pooled:" in said
    assert "2 arms), at most 6 per annotator (3 in each arm): at least 4 annotators." in said
    work = make_plan(request_from_study(study)).work
    assert (work.per_annotator, work.annotators) == (6, work.judgments // 6)


def test_a_plan_counts_no_onboarding_where_there_are_no_such_pairings(study: Study) -> None:
    assert request_from_study(study).onboarding == 1  # there are no pairings yet
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    assert request_from_study(study).onboarding == 0
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4, "onboarding": ["human", "ann"]}))
    assert request_from_study(study).onboarding == 1


def test_the_plan_of_a_graded_study_says_that_it_is_sized_as_a_choice(study: Study) -> None:
    def notes(study: Study) -> str:
        return " ".join(make_plan(request_from_study(study)).notes)

    assert "graded" not in notes(study)
    study = edit(study, 'answer = "choice"', 'answer = "graded"')
    assert "the study's answers are graded, and this is the number for a choice between two bots" in notes(
        study
    )
    by_model = request_from_flags({"answer": "graded"}, study=study.folder)
    assert "number for a choice between two bots" not in " ".join(make_plan(by_model).notes)


@pytest.mark.parametrize(
    ("stated", "is_odd"),
    [
        ("4.00 USD", True),
        ("$4", True),
        ("1.50 USD", False),
        ("1,50 EUR", False),
        ("0.50 USD a comparison", False),
        ("12 USD an hour, 1.50 USD in all", False),
        ("", False),
    ],
)
def test_a_sum_that_is_not_what_is_paid_is_odd(study: Study, stated: str, is_odd: bool) -> None:
    study = edit(study, "per_judgment = 0.0", "per_judgment = 0.5")
    study = edit(study, 'pay = ""', f'pay = "{stated}"')
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    found = [warning for warning in check_study(study.folder).warnings if "[consent] pay" in warning]
    assert bool(found) == is_odd
    if is_odd:
        assert f'says "{stated}", and 3 items at 0.5 (per_judgment in [pay], ' in found[0]
        assert "are 1.50 USD." in found[0]


def test_what_is_asked_besides_is_paid_too(study: Study) -> None:
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4, "onboarding": ["human", "ann"]}))
    study = edit(study, "lease_minutes = 30", "lease_minutes = 30\nmax_judgments = 4\nrepeat = 0.5")
    assert items_of_a_sitting(study) == 4 + 1 + 2
    study.items_path.unlink()
    assert items_of_a_sitting(study) is None, "nothing is asked yet"
