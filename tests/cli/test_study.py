"""``duologue study`` and ``duologue pairings`` as a user types them."""

import json
from pathlib import Path

from tests.acute.test_growing import dialogues_of, finish, three_bots
from tests.cli.conftest import Run
from tests.studies.conftest import write_dialogues


def test_a_study_goes_from_new_to_described(duologue: Run, tmp_path: Path) -> None:
    said = duologue("study", "new", "s", "--protocol", "acute").stdout
    assert "duologue pairings make s" in said
    write_dialogues(tmp_path / "s", "ann", 4)
    write_dialogues(tmp_path / "s", "bob", 4)
    assert "ann against bob: 3 pairings" in duologue("pairings", "make", "s", "-n", "3").stdout
    assert "the study can be served" in duologue("study", "check", "s").stdout
    assert "Judgments: 3" in duologue("study", "show", "s").stdout


def test_a_study_is_not_made_twice(duologue: Run) -> None:
    duologue("study", "new", "s")
    assert duologue("study", "new", "s", expect=1).stderr.startswith(
        "duologue: s: there is a study here already"
    )


def test_problems_go_to_stderr_and_the_exit_code(duologue: Run, tmp_path: Path) -> None:
    duologue("study", "new", "s")
    path = tmp_path / "s" / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("lease_minutes = 30", "lease_minutes = 0"))
    done = duologue("study", "check", "s", expect=1)
    assert "[annotators] lease_minutes" in done.stderr
    found = json.loads(duologue("study", "check", "s", "--json", expect=1).stdout)
    assert len(found["problems"]) == 1


def test_the_questions_are_listed(duologue: Run) -> None:
    questions = json.loads(duologue("study", "questions", "--json").stdout)
    assert len(questions) == 13
    assert "87.5 % agreement" in duologue("study", "questions").stdout


def test_pairings_are_made_as_asked(duologue: Run, tmp_path: Path) -> None:
    duologue("study", "new", "s", "--seed", "4")
    for bot in ("ann", "bob", "cy", "human"):
        write_dialogues(tmp_path / "s", bot, 4)
    options = ("--matchup", "bob:ann", "--same-bot", "cy", "--onboarding", "human:ann", "-n", "2", "--json")
    made = json.loads(duologue("pairings", "make", "s", *options).stdout)
    assert made["matchups"] == {"ann__vs__bob": 2, "cy__vs__cy": 2}
    assert made["onboarding"] == 3
    more = json.loads(
        duologue("pairings", "make", "s", "--against", "cy", "-n", "2", "--keep", "--json").stdout
    )
    assert more["matchups"] == {
        "ann__vs__bob": 2,
        "ann__vs__cy": 2,
        "bob__vs__cy": 2,
        "cy__vs__cy": 2,
        "cy__vs__human": 2,
    }
    assert (more["kept"], more["replaced"], more["onboarding"]) == (7, 0, 3)


def test_an_impossible_pairing_is_one_line(duologue: Run, tmp_path: Path) -> None:
    duologue("study", "new", "s")
    write_dialogues(tmp_path / "s", "ann", 2)
    write_dialogues(tmp_path / "s", "bob", 3)
    done = duologue("pairings", "make", "s", "-n", "7", expect=1)
    assert done.stderr.count("\n") == 1
    assert "7 pairings were asked for and 6 are possible" in done.stderr


def test_a_matchup_that_is_no_pair_is_wrong_usage(duologue: Run) -> None:
    duologue("study", "new", "s")
    assert "--matchup" in duologue("pairings", "make", "s", "--matchup", "ann", expect=2).stderr


def test_pairings_go_out_and_come_into_another_study(duologue: Run, tmp_path: Path) -> None:
    duologue("study", "new", "one", "--seed", "4")
    write_dialogues(tmp_path / "one", "ann", 4)
    write_dialogues(tmp_path / "one", "bob", 4)
    path = tmp_path / "one" / "study.toml"
    text = path.read_text(encoding="utf-8").replace("# attention_count = 10", "attention_count = 2")
    path.write_text(text, encoding="utf-8")
    made = duologue("pairings", "make", "one", "-n", "4", "--onboarding", "ann:bob").stdout
    assert "onboarding: 3 pairings\nattention checks: 2 pairings\n" in made
    path.write_text(text.replace("attention_count = 2", ""), encoding="utf-8")
    made = duologue("pairings", "make", "one", "-n", "4", "--onboarding", "ann:bob").stdout
    assert "attention checks" not in made
    assert "7 pairings" in duologue("pairings", "export", "one", "--out", "p.jsonl").stdout
    duologue("study", "new", "two")
    said = duologue("pairings", "import", "two", "p.jsonl", "--kind", "self-chat").stdout
    assert "ann against bob: 4 pairings" in said
    assert "onboarding: 3 pairings" in said
    duologue("pairings", "import", "two", "p.jsonl", "--kind", "robots", expect=2)


def test_the_version_is_said(duologue: Run) -> None:
    assert duologue("--version").stdout.startswith("duologue 0.")


def test_keys_are_shown_and_changed(duologue: Run) -> None:
    duologue("study", "new", "s")
    before = json.loads(duologue("study", "keys", "s", "--json").stdout)
    assert before["open_link"] is None
    assert before["researcher_link"].endswith(f"#key={before['researcher_key']}")
    said = duologue("study", "keys", "s", "--new", "researcher").stdout
    assert "every sign-in has ended" in said
    after = json.loads(duologue("study", "keys", "s", "--json").stdout)
    assert after["researcher_key"] != before["researcher_key"]
    assert after["researcher_key"] in said
    assert "admits nobody new" in duologue("study", "keys", "s", "--new", "open-link").stdout


def test_a_bot_is_added_after_it_was_shown_what_that_takes(duologue: Run, tmp_path: Path) -> None:
    study = three_bots(tmp_path / "s", per_matchup=3, dialogues=6)
    assert "no judgments yet" in duologue("study", "grow", "s", "--bot", "dee", expect=1).stderr
    finish(study)
    dialogues_of(study.folder, "dee", 6)
    shown = duologue("study", "grow", "s", "--bot", "dee").stdout
    assert "ann against dee: 3 judgments" in shown
    assert shown.endswith("Nothing has been changed. Say --yes to add what is written here.\n")
    asked = ("study", "grow", "s", "--bot", "dee", "--against", "ann", "-n", "2", "--recheck", "0")
    done = json.loads(duologue(*asked, "--yes", "--json").stdout)
    assert done["matchups"] == {"ann__vs__dee": 2}
    assert (done["judgments"], done["judgments_asked_again"], done["is_done"]) == (2, 0, True)
    assert (tmp_path / done["file"]).is_file()
    assert "2 pairings" in duologue("pairings", "make", "s").stdout
