"""A study of ratings is described in plain words, and looked over before anybody is paid."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from duologue.dialogues import mask_dialogues
from duologue.errors import DesignError
from duologue.likert import analyse_ratings
from duologue.likert.design.table import likert_settings
from duologue.likert.report.methods import _asked, _screened, methods_paragraph
from duologue.studies import (
    Study,
    changed_material,
    check_study,
    describe_study,
    draw_items,
    load_study,
    new_study,
    request_from_study,
)
from tests.studies.conftest import edit, write_dialogues


@pytest.fixture
def likert(tmp_path: Path) -> Study:
    return new_study(tmp_path / "s", protocol="likert", seed=3)


def test_a_fresh_study_is_sound_and_has_no_warnings(likert: Study) -> None:
    found = check_study(likert.folder)
    assert (found.problems, found.warnings) == ((), ())
    assert not likert.items_path.exists()


def test_the_description_says_who_what_how_often_and_at_what_cost(likert: Study) -> None:
    study = edit(likert, "per_judgment = 0.0", "per_judgment = 0.5")
    study = edit(study, "human_partner = false", "human_partner = true")
    study = edit(study, "exclude = []", 'exclude = ["offensive"]')
    text = describe_study(study)
    assert "Live chats: 235 with parrot, 235 with small-talk, 235 with companion, 235 with human." in text
    assert "A chat: 4 to 6 exchanges, the annotator begins, no personas." in text
    assert "without a partner after 5 minutes they go on with credit" in text
    assert "1 to 4 (Not at all / A little / Somewhat / A lot)" in text
    assert (
        "Ratings: 940, at most 4 per annotator, at most 1 with the same bot: at least 235 annotators." in text
    )
    assert (
        "Time: about 78.3 person-hours at 300 s a chat (a guess: set seconds_per_judgment in [pay])." in text
    )
    assert "Cost: 470.00 USD at 0.5 a chat" in text
    assert "a rating is excluded for: offensive" in text
    assert "comparison" not in text
    assert (
        "The researcher's pages show no win rates; `analyse` and `report` show results at any time, and "
        "record each look."
    ) in text


def test_what_annotators_are_told_before_they_agree_is_described(likert: Study) -> None:
    said = describe_study(likert)
    assert "Annotators are asked for consent first; [consent] does not state who is responsible." in said
    assert "Content warning" not in said
    assert "Deception" not in said
    told = 'content_warning = "Rude replies."\ndeception = true\napproval = "12/2026"'
    said = describe_study(edit(likert, 'contact = ""', f'contact = "a@talk.example"\n{told}'))
    assert "Annotators are asked for consent first; [consent] states contact and approval." in said
    assert "Content warning, before they agree: \u201cRude replies.\u201d" in said
    assert "Deception: annotators are told only at the end whether computer programs took part" in said
    assert "(approval: 12/2026)." in said


def test_no_more_ratings_of_one_annotator_are_stated_than_there_are_bots_to_meet(likert: Study) -> None:
    study = edit(likert, "# max_judgments = 3", "max_judgments = 9")
    assert "at most 3 per annotator, at most 1 with the same bot" in describe_study(study)


def test_finished_dialogues_are_described_too(likert: Study) -> None:
    write_dialogues(likert.folder, "ann", 3, text="I am Ann, hello")
    study = edit(likert, 'source = "live"', 'source = "dialogues"\nannotations_per_dialogue = 2')
    text = describe_study(study)
    assert "Finished dialogues to rate: 3 of ann, each by 2 annotators." in text
    assert "Ratings: 6, at most 1 per annotator: at least 6 annotators." in text
    assert "without a reason" not in text
    assert "Deception" not in text
    required = describe_study(edit(study, 'reason = "optional"', 'reason = "required"'))
    assert "No answer is taken without a reason." in required
    hidden = 'institution = ""\ndeception = true\napproval = "EB 1"'
    said = describe_study(edit(study, 'institution = ""', hidden))
    assert "Deception: annotators are told only at the end whether computer programs took part" in said
    assert said.count("Deception") == 1
    assert "nothing is paid" in text
    assert any("ann" in warning for warning in check_study(study.folder).warnings)


def test_the_points_that_have_a_label_are_named(likert: Study) -> None:
    question = '[[likert.questions]]\nname = "sense"\ntext = "Sense?"\nlabels = ["None", "", "", "", "A lot"]'
    text = describe_study(edit(likert, "[screening]", f"{question}\n[screening]"))
    assert "Question: Sense? 1 to 5 (1 None, 5 A lot)" in text


def test_one_annotator_is_not_several(likert: Study) -> None:
    write_dialogues(likert.folder, "ann", 3)
    text = describe_study(edit(likert, 'source = "live"', 'source = "dialogues"'))
    assert "each by 1 annotator." in text
    assert "240 s" not in text
    assert "300 s" not in text  # what is read takes as long as its words


@pytest.mark.parametrize("protocol", ["likert", "per-turn"])
def test_onboarding_without_a_known_answer_is_odd(protocol: str, tmp_path: Path) -> None:
    study = edit(new_study(tmp_path / "s", protocol=protocol, seed=3), "enabled = false", "enabled = true")
    assert any("[onboarding] is enabled, and no item" in said for said in check_study(study.folder).warnings)
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    for left in ("enabled = false", ""):  # switched off, or not mentioned
        path.write_text(text.replace("enabled = true", left, 1), encoding="utf-8")
        assert not any("[onboarding]" in said for said in check_study(study.folder).warnings)


@pytest.mark.parametrize("protocol", ["likert", "per-turn"])
def test_sequential_stopping_is_refused_where_no_test_is_sequential(protocol: str, tmp_path: Path) -> None:
    study = new_study(tmp_path / "s", protocol=protocol, seed=3)
    assert not check_study(study.folder).problems
    edit(study, 'rule = "fixed"', 'rule = "sequential"')
    (problem,) = check_study(study.folder).problems
    assert problem.startswith(f"[stopping] rule: {protocol} has no sequential test")


def test_a_protocol_without_right_answers_has_no_attention_checks(tmp_path: Path) -> None:
    study = edit(
        new_study(tmp_path / "s", protocol="per-turn", seed=3),
        "[annotators]",
        "[attention]\nevery = 3\n[annotators]",
    )
    draw_items(study)
    header, first, *rest = study.items_path.read_text(encoding="utf-8").splitlines()
    first = f'{first[:-1]},"role":"attention","gold":1}}'
    study.items_path.write_text("\n".join([header, first, *rest]) + "\n", encoding="utf-8")
    (problem,) = check_study(study.folder).problems
    assert problem == "[attention]: per-turn has no right answers, and so no attention checks."


def checked(likert: Study, gold: str) -> Study:
    """A study of read dialogues whose file has an attention check, added by hand."""
    for bot in ("kaspar", "lena"):
        write_dialogues(likert.folder, bot, 3)
    study = edit(likert, 'source = "live"', 'source = "dialogues"\nper_bot = 2')
    study = edit(study, "[annotators]", "[attention]\nevery = 3\n[annotators]")
    draw_items(study)
    text = study.items_path.read_text(encoding="utf-8")
    key = next(f"lena-{number}" for number in range(3) if f'"lena-{number}"' not in text)
    check = (
        f'{{"id":"c","group":"lena","bots":["lena"],"dialogues":["{key}"],"judged":["lena"],'
        f'"role":"attention"{gold}}}\n'
    )
    study.items_path.write_text(text + check, encoding="utf-8")
    return study


@pytest.mark.parametrize(
    ("gold", "problem"),
    [
        (',"gold":{"enjoyment":1}', ""),
        (',"gold":{"enjoyment":"3 to 4"}', ""),
        ("", "attention check c has no gold"),
        (',"gold":4', "gold is 4: write each question with its right rating"),
        (',"gold":{}', 'gold is {}: write each question with its right rating, such as {"enjoyment": 4}'),
        (',"gold":{}', 'or {"enjoyment": "3 to 4"}.'),
        (',"gold":{"joy":4}', "gold names 'joy', which is no question (there are: enjoyment)"),
        (',"gold":{"enjoyment":5}', "gold of enjoyment is 5, and the scale goes from 1 to 4"),
        (',"gold":{"enjoyment":"4 to 3"}', "gold of enjoyment is '4 to 3'"),
        (',"gold":{"enjoyment":"high"}', "gold of enjoyment is 'high'"),
        (',"gold":{"enjoyment":true}', "gold of enjoyment is True"),
    ],
)
def test_attention_checks_need_ratings_that_are_right(likert: Study, gold: str, problem: str) -> None:
    found = check_study(checked(likert, gold).folder)
    assert all("no item has the role attention" not in said for said in found.warnings)
    if not problem:
        assert found.problems == ()
    else:
        (said,) = found.problems
        assert problem in said


def test_masked_names_are_counted_among_the_dialogues_to_be_judged_too(likert: Study) -> None:
    write_dialogues(likert.folder, "kaspar", 3, text="I am Kaspar")
    write_dialogues(likert.folder, "lena", 3)
    study = edit(likert, 'source = "live"', 'source = "dialogues"\nper_bot = 2')
    mask_dialogues(study.folder)
    said = "Names are masked in 3 of the 6 dialogues that were imported, and in 2 of the 4 to be judged."
    assert changed_material(study) == (said,)


def test_fewer_dialogues_than_per_bot_are_said(likert: Study) -> None:
    write_dialogues(likert.folder, "kaspar", 3)
    write_dialogues(likert.folder, "lena", 5)
    study = edit(likert, 'source = "live"', 'source = "dialogues"\nper_bot = 5')
    said = "per_bot asks for 5 dialogues of each bot, and there are only 3 of kaspar: these are rated."
    assert any(said in warning for warning in check_study(study.folder).warnings)


def test_a_check_is_no_dialogue_to_rate(likert: Study) -> None:
    study = checked(likert, ',"gold":{"enjoyment":1}')
    text = describe_study(study)
    assert "Attention checks: one in every 3 items" in text
    *rest, _check = study.items_path.read_text(encoding="utf-8").splitlines(keepends=True)
    study.items_path.write_text("".join(rest), encoding="utf-8")
    assert "Attention checks: none, as no item has the role attention." in describe_study(study)
    assert "Finished dialogues to rate: 2 of kaspar, 2 of lena, each by 1 annotator." in text


def test_second_ratings_of_finished_dialogues_are_described_and_priced(likert: Study) -> None:
    for bot in ("kaspar", "lena"):
        write_dialogues(likert.folder, bot, 10)
    study = edit(likert, 'source = "live"', 'source = "dialogues"')
    study = edit(study, "lease_minutes = 30", "lease_minutes = 30\njudged_twice = 0.2")
    text = describe_study(study)
    assert "Second ratings: 4, of dialogues that two annotators rate." in text
    assert "at least 12 annotators" in text


def test_personas_and_who_begins_are_told(likert: Study) -> None:
    lines = [json.dumps({"persona": f"i am number {n}."}) for n in range(3)]
    (likert.folder / "personas.jsonl").write_text("\n".join(lines), encoding="utf-8")
    study = edit(likert, "# personas =", "personas =")
    study = edit(study, 'first = "annotator"', 'first = "balanced"')
    study = edit(study, "max_exchanges = 6", "max_exchanges = 4")
    study = edit(study, "persona_detection = false", "persona_detection = true")
    text = describe_study(study)
    assert "A chat: 4 exchanges, each begins in half of the chats, personas from personas.jsonl." in text
    assert "Then: Which of these two characters was your partner?" in text
    assert any("personas come up again" in warning for warning in check_study(study.folder).warnings)


def test_one_bot_alone_is_a_warning(likert: Study) -> None:
    study = edit(likert, '# bots = ["companion"]', 'bots = ["companion"]')
    assert check_study(study.folder).warnings == (
        "there is only one bot to chat with: nothing can be compared.",
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("persona_detection = false", "persona_detection = true", "at least two different personas"),
        ('source = "live"', 'source = "dialogues"', "no dialogues to rate"),
        ("# offensive_words =", "offensive_words =", "words.txt"),
        ('# bots = ["companion"]', 'bots = ["nobody"]', "no such bot"),
        ("exclude = []", 'exclude = ["shouting"]', "there is no flag 'shouting'"),
    ],
)
def test_what_keeps_a_study_from_being_served_is_a_problem(
    likert: Study, old: str, new: str, message: str
) -> None:
    path = likert.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert message in check_study(likert.folder).problems[0]


def test_an_empty_file_of_items_is_a_problem(likert: Study) -> None:
    likert.items_path.write_text('{"format": "duologue.items/1"}\n', encoding="utf-8")
    assert check_study(likert.folder).problems == ("chats.jsonl: there is nothing to rate.",)


def test_a_drawn_file_changes_nothing(likert: Study) -> None:
    before = describe_study(likert)
    draw_items(likert)
    assert describe_study(likert) == before
    assert check_study(likert.folder).is_sound


def test_a_study_of_one_bot_says_nothing_of_a_comparison(likert: Study) -> None:
    study = edit(likert, '# bots = ["companion"]', 'bots = ["companion"]')
    asked = request_from_study(study)
    assert (asked.bots, asked.judgments, asked.gap) == (None, None, 0.3)


def test_a_study_of_another_protocol_has_no_ratings(study: Study) -> None:
    with pytest.raises(DesignError, match="not one of ratings"):
        likert_settings(study)


@pytest.mark.parametrize(
    ("source", "exclude", "said"),
    [
        ("live", "[]", "No judgment was excluded by a rule of screening."),
        ("live", '["offensive"]', "Screening: chats flagged for offensive were excluded."),
        ("dialogues", '["too-fast"]', "Screening: judgments flagged for too-fast were excluded."),
    ],
)
def test_the_methods_name_the_flags_that_exclude(likert: Study, source: str, exclude: str, said: str) -> None:
    study = edit(likert, 'source = "live"', f'source = "{source}"')
    study = edit(study, 'reason = "optional"', 'reason = "required"')
    study = edit(study, "exclude_without_reason = false", "exclude_without_reason = true")
    study = edit(study, "exclude = []", f"exclude = {exclude}")
    assert _screened(study, analyse_ratings([])) == said


def test_the_methods_join_the_questions_with_an_and(tmp_path: Path) -> None:
    study = new_study(tmp_path / "two", protocol="likert", seed=1)
    more = '[[likert.questions]]\nname = "sense"\ntext = "Did it make sense?"\nlabels = ["No", "Yes"]\n'
    first = '[[likert.questions]]\nname = "fun"\ntext = "Was it fun?"\nlabels = ["No", "Yes"]\n'
    (study.folder / "study.toml").write_text(study.text + first + more, encoding="utf-8")
    said = _asked(load_study(study.folder), is_complete=True)
    read = edit(load_study(study.folder), 'source = "live"', 'source = "dialogues"')
    assert "(each was read by 1 annotator) without" in _asked(read, is_complete=True)
    assert "(each was to be read by 1 annotator) without" in _asked(read, is_complete=False)
    whole = analyse_ratings([])
    early = replace(whole, warnings=("this is an interim look.",))
    found = ["was to be read" in methods_paragraph(one, read) for one in (whole, early)]
    assert found == [False, True], "a plan is told as a fact only once it is one"
    assert "answered, one question at a time, “Was it fun?”" in said
    assert "one question" not in _asked(
        new_study(tmp_path / "one", protocol="likert", seed=1), is_complete=True
    )
    assert "“Was it fun?” (1 No, 2 Yes) and “Did it make sense?” (1 No, 2 Yes). They" in said
