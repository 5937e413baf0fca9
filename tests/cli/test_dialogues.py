import json
import os
import pty
from pathlib import Path

import pytest

from duologue.dialogues import Dialogue, Json, Speaker, Turn, read_dialogues, write_dialogues
from tests.cli.conftest import Run
from tests.processes import DUOLOGUE, running


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").touch()
    return folder


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Two OpenAI conversations and a bad one between them."""
    path = tmp_path / "log.jsonl"
    talks: list[list[Json]] = [
        [
            {"role": "user", "content": f"Question {n}"},
            {"role": "assistant", "content": "" if n == 2 else "Tea!"},
        ]
        for n in (1, 2, 3)
    ]
    path.write_text("".join(json.dumps({"id": n, "messages": talk}) + "\n" for n, talk in enumerate(talks)))
    return path


def test_one_bad_record_stops_the_import_with_one_line(duologue: Run, study: Path, log: Path) -> None:
    done = duologue("dialogues", "import", study, log, "--bot", "ada", expect=1)
    assert done.stdout == ""
    assert done.stderr == (
        f"duologue: {log}, line 2, messages[1].content: expected what was said and found an empty text.\n"
    )
    assert not (study / "dialogues").exists()


def test_bad_records_can_be_left_out_and_are_listed(duologue: Run, study: Path, log: Path) -> None:
    done = duologue("dialogues", "import", study, log, "--bot", "ada", "--skip-bad")
    assert done.stdout == "ada: 2 dialogues added\n"
    assert "line 2, messages[1].content" in done.stderr
    assert done.stderr.endswith("1 record was left out.\n")


def test_an_import_says_what_it_did_to_machines(duologue: Run, study: Path, log: Path) -> None:
    import_it = ("dialogues", "import", study, log, "--bot", "ada", "--skip-bad", "--json")
    first, second = (json.loads(duologue(*import_it).stdout) for _ in range(2))
    assert (first["added"], first["already_there"], first["by_bot"]) == (2, 0, {"ada": 2})
    assert (second["added"], second["already_there"], second["by_bot"]) == (0, 2, {})
    assert [(bad["file"], bad["line"], bad["field"]) for bad in first["left_out"]] == [
        (str(log), 2, "messages[1].content")
    ]


def test_a_detail_the_file_does_not_say_is_asked_for(duologue: Run, study: Path, log: Path) -> None:
    assert "Say it with --bot NAME" in duologue("dialogues", "import", study, log, expect=1).stderr


def test_the_published_template_is_imported_with_a_speaker_map(
    duologue: Run, study: Path, tmp_path: Path
) -> None:
    talk = [{"id": "model1", "text": "Hi"}, {"id": "other", "text": "Hi back"}]
    sides = [{"speakers": [bot, "other"], "dialogue": talk} for bot in ("ada", "bob")]
    path = tmp_path / "pairings.jsonl"
    path.write_text(json.dumps({"speakers_to_eval": ["ada", "bob"], "dialogue_dicts": sides}))
    advice = duologue("dialogues", "import", study, path, expect=1).stderr
    assert "--speaker 'model1=<judged>'" in advice
    done = duologue("dialogues", "import", study, path, "--speaker", "model1=<judged>")
    assert done.stdout == "ada: 1 dialogue added\nbob: 1 dialogue added\n"


@pytest.mark.parametrize(
    ("option", "value"),
    [("--kind", "chat"), ("--format", "csv"), ("--speaker", "x"), ("--max-turn-chars", "0")],
)
def test_wrong_usage_exits_with_2(duologue: Run, study: Path, log: Path, option: str, value: str) -> None:
    done = duologue("dialogues", "import", study, log, option, value, expect=2)
    assert option in done.stderr


def test_a_folder_without_a_study_is_refused(duologue: Run, tmp_path: Path, log: Path) -> None:
    assert "no study.toml" in duologue("dialogues", "import", tmp_path, log, expect=1).stderr


def test_dialogues_are_taken_out_in_another_format(
    duologue: Run, study: Path, log: Path, tmp_path: Path
) -> None:
    duologue("dialogues", "import", study, log, "--bot", "ada", "--skip-bad")
    out = tmp_path / "out.json"
    done = duologue("dialogues", "export", study, "--out", out, "--format", "sharegpt", "--bot", "ada")
    assert done.stdout == f"{out}: 2 dialogues.\n"
    assert [turn.text for turn in next(read_dialogues(out, bot="ada")).turns] == ["Question 1", "Tea!"]
    assert "--overwrite" in duologue("dialogues", "export", study, "--out", out, expect=1).stderr
    facts = json.loads(duologue("dialogues", "export", study, "--out", out, "--overwrite", "--json").stdout)
    assert facts == {"file": str(out), "format": "duologue", "dialogues": 2}


def test_a_dialogue_is_shown_with_the_judged_speaker_marked(duologue: Run, study: Path, log: Path) -> None:
    duologue("dialogues", "import", study, log, "--bot", "ada", "--skip-bad")
    done = duologue("dialogues", "show", study, "ada:2")
    assert done.stdout == (
        "ada:2  (ada, live-chat, judged: assistant)\n  user: Question 3\n▶ assistant: Tea!\n\n"
    )
    shown = json.loads(duologue("dialogues", "show", study, "--json").stdout)
    assert (shown["format"], shown["id"]) == ("duologue.dialogue/1", "ada:0")
    assert "no dialogue 'eve'" in duologue("dialogues", "show", study, "eve", expect=1).stderr


def test_what_is_shown_cannot_command_the_terminal(duologue: Run, tmp_path: Path) -> None:
    sneaky = Turn("A", "[red]\x1b[2J\x9b1m" + "long " * 60)
    dialogue = Dialogue("1", "ada", "live-chat", "A", (Speaker("A"),), (sneaky,))
    write_dialogues([dialogue], tmp_path / "d.jsonl")
    shown = duologue("dialogues", "show", tmp_path / "d.jsonl").stdout
    assert "[red]␛[2J�1m" + "long " * 60 in shown
    assert "\x1b" not in shown


def test_a_check_reports_and_fails_on_bad_records(duologue: Run, log: Path) -> None:
    done = duologue("dialogues", "check", log, "--bot", "tea", expect=1)
    assert done.stdout.splitlines() == [
        "2 dialogues",
        "  tea: 2 live-chat; judged turns a dialogue: 1 to 1, median 1, half from 1 to 1",
        "characters a turn: 4 to 10, median 4, half from 4 to 10",
        "warning: the name of bot 'tea' occurs in 2 of its dialogues (first: 'tea:0', turn 2): "
        "annotators may learn who is speaking. Hide the name with `duologue dialogues mask STUDY "
        "--bot tea`, or take the dialogues out with `duologue dialogues remove STUDY --bot tea --naming "
        "--reason WHY`.",
        "repetition of tea: 0.0 % of turns repeated, 0.0 % of turns nearly repeated, 0.0 % of turns echoed, "
        "0.0 % of turns repeating themselves; words a turn: median 1, at most 1",
    ]
    assert done.stderr.endswith("1 record is bad.\n")
    facts = json.loads(duologue("dialogues", "check", log, "--bot", "tea", "--json", expect=1).stdout)
    assert (facts["dialogues"], len(facts["bad"])) == (2, 1)


def test_a_check_names_the_bot_whose_replies_were_cut_in_a_chat_of_several(
    duologue: Run, tmp_path: Path
) -> None:
    turns = (Turn("human", "Hi."), Turn("partner", "And then", extras={"bot": "bea", "cut": True}))
    speakers = (Speaker("human"), Speaker("partner", "soba"))
    chat = Dialogue("c1", "soba", "live-chat", "partner", speakers, turns)
    write_dialogues([chat], tmp_path / "chats.jsonl", format="duologue")
    said = duologue("dialogues", "check", tmp_path / "chats.jsonl").stdout
    assert "warning: bea: 1 turn in 1 of 1 dialogues cut at the bot's limit of tokens" in said


def test_a_check_of_a_study_that_is_sound_succeeds(duologue: Run, study: Path, log: Path) -> None:
    duologue("dialogues", "import", study, log, "--bot", "ada", "--skip-bad")
    assert duologue("dialogues", "check", study).stdout.startswith("2 dialogues\n")


@pytest.mark.parametrize("command", ["show", "check"])
def test_either_a_study_or_files_are_looked_at(duologue: Run, command: str) -> None:
    assert "Missing argument" in duologue("dialogues", command, expect=2).stderr


def test_turns_longer_than_the_study_allows_are_refused_on_import(
    duologue: Run, study: Path, log: Path
) -> None:
    (study / "study.toml").write_text("[study]\nmax_turn_chars = 9\n")
    import_it = ("dialogues", "import", study, log, "--bot", "ada", "--skip-bad")
    refused = duologue(*import_it)
    assert "line 1, messages[0].content: expected a turn of at most 9 characters" in refused.stderr
    assert "max_turn_chars in [study]" in refused.stderr
    assert refused.stdout == "Nothing was added.\n"
    assert duologue(*import_it, "--max-turn-chars", "10").stdout == "ada: 2 dialogues added\n"


def test_turns_that_are_longer_than_the_study_allows_are_counted(
    duologue: Run, study: Path, log: Path
) -> None:
    duologue("dialogues", "import", study, log, "--bot", "ada", "--skip-bad")
    assert "longer" not in duologue("dialogues", "check", study).stdout
    (study / "study.toml").write_text("[study]\nmax_turn_chars = 9\n")
    said = duologue("dialogues", "check", study).stdout
    assert "warning: 2 turns of more than 9 characters (max_turn_chars in [study])" in said
    assert json.loads(duologue("dialogues", "check", study, "--json").stdout)["long_turns"] == 2


def test_a_bar_is_shown_on_a_terminal_only(study: Path, log: Path) -> None:
    command = [*DUOLOGUE, "dialogues", "import", study, log, "--bot", "ada", "--skip-bad"]
    ours, theirs = pty.openpty()
    with running([*command, "--json"], stderr=theirs) as process:
        os.close(theirs)
        out, _ = process.communicate()
    seen = os.read(ours, 100_000)
    os.close(ours)
    assert b"Importing" in seen
    assert json.loads(out)["added"] == 2


def test_the_same_fault_of_many_records_is_said_three_times_and_counted(
    duologue: Run, tmp_path: Path
) -> None:
    good = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
    bad = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": ""}]}
    path = tmp_path / "log.json"
    path.write_text(json.dumps([good, *[bad] * 40]))
    ran = duologue("dialogues", "check", path, "--bot", "ada", expect=1)
    assert ran.stderr.count("what was said") == 3
    assert "And 37 more records with this fault." in ran.stderr
    assert "40 records are bad." in ran.stderr
