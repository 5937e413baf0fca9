import json
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import (
    Dialogue,
    Speaker,
    Turn,
    dialogue_record,
    import_dialogues,
    index_dialogues,
    study_dialogues,
    write_dialogues,
)
from duologue.errors import (
    ExportError,
    FormatError,
    MissingDetail,
    NewerFormat,
    StudyNotFound,
    UnreadableFile,
)
from tests.dialogues.conftest import Written
from tests.processes import PYTHON, finished, running
from tests.strategies import FAULTS, dialogues, with_files
from tests.waiting import PATIENCE


def by(dialogue: Dialogue, bot: str, key: str | None = None) -> Dialogue:
    speakers = tuple(Speaker(one.name, one.bot and bot) for one in dialogue.speakers)
    return replace(dialogue, id=key or f"{bot}-{dialogue.id}", bot=bot, speakers=speakers)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_each_bot_gets_a_file(study: Path, tmp_path: Path, tea: Dialogue) -> None:
    write_dialogues([by(tea, "ada"), by(tea, "bob"), by(tea, "ada", "2")], tmp_path / "log.jsonl")
    imported = import_dialogues([tmp_path / "log.jsonl"], study)
    assert (imported.added, imported.by_bot) == (3, {"ada": 2, "bob": 1})
    assert sorted(contents(study)) == ["dialogues/ada.jsonl", "dialogues/bob.jsonl", "study.toml"]
    assert [dialogue.id for dialogue in study_dialogues(study)] == ["ada-tea", "2", "bob-tea"]


def test_one_file_under_two_names_is_counted(study: Path, tmp_path: Path, tea: Dialogue) -> None:
    other = replace(tea, turns=(*tea.turns, Turn(tea.judged, "Good-bye!")))
    write_dialogues([by(tea, "ada"), by(other, "ada", "2")], tmp_path / "ada.jsonl")
    assert import_dialogues([tmp_path / "ada.jsonl"], study).repeated == {}
    partner = next(speaker.name for speaker in tea.speakers if speaker.name != tea.judged)
    judged_otherwise = by(replace(tea, judged=partner), "bob")
    write_dialogues([by(tea, "adda"), by(other, "adda", "3"), judged_otherwise], tmp_path / "log.jsonl")
    again = import_dialogues([tmp_path / "log.jsonl"], study)
    assert again.by_bot == {"adda": 2, "bob": 1}
    assert again.repeated == {("adda", "ada"): 2}
    assert import_dialogues([tmp_path / "log.jsonl"], study).repeated == {}


@given(records=st.lists(dialogues(), max_size=6, unique_by=lambda dialogue: dialogue.id))
@with_files
def test_what_goes_in_comes_out_and_goes_in_only_once(
    tmp_path_factory: pytest.TempPathFactory, records: list[Dialogue]
) -> None:
    study = tmp_path_factory.mktemp("study")
    (study / "study.toml").touch()
    files = [study / "one.log", study / "two.log"]
    for file, some in zip(files, (records[:3], records[3:]), strict=True):
        write_dialogues(some, file)
    given_files = [file for file in files if file.stat().st_size]
    first = import_dialogues(given_files, study)
    before = contents(study)
    second = import_dialogues(given_files, study)
    assert (first.added, first.already_there) == (len(records), 0)
    assert (second.added, second.already_there) == (0, len(records))
    assert contents(study) == before
    assert {one.id: one for one in study_dialogues(study)} == {one.id: one for one in records}
    assert {row.id for row in index_dialogues(study)} == {one.id for one in records}


def test_new_dialogues_are_added_to_those_that_are_there(
    study: Path, written: Written, tea: Dialogue
) -> None:
    import_dialogues([written([dialogue_record(tea)])], study)
    import_dialogues([written([dialogue_record(replace(tea, id="2")), dialogue_record(tea)])], study)
    assert [dialogue.id for dialogue in study_dialogues(study)] == ["tea", "2"]


def test_a_file_whose_last_line_somebody_left_open_is_added_to(
    study: Path, written: Written, tea: Dialogue
) -> None:
    import_dialogues([written([dialogue_record(tea)])], study)
    path = study / "dialogues" / "ada.jsonl"
    path.write_bytes(path.read_bytes().rstrip())
    import_dialogues([written([dialogue_record(replace(tea, id="2"))])], study)
    assert [dialogue.id for dialogue in study_dialogues(study)] == ["tea", "2"]


@pytest.mark.parametrize("is_there", [False, True])
def test_one_bad_record_in_the_last_file_means_that_nothing_changes(
    study: Path, written: Written, tea: Dialogue, is_there: bool
) -> None:
    if is_there:
        import_dialogues([written([dialogue_record(by(tea, "eve"))])], study)
    before = contents(study)
    folders = {path.name for path in study.iterdir()}
    good = written([dialogue_record(tea), dialogue_record(by(tea, "eve", "more"))], "good.jsonl")
    bad = written([dialogue_record(replace(tea, id="2")), {"format": "duologue.dialogue/1"}], "bad.jsonl")
    with pytest.raises(FormatError, match=r"bad\.jsonl, line 2, id"):
        import_dialogues([good, bad], study)
    assert contents(study) == before
    assert {path.name for path in study.iterdir()} == folders


@pytest.mark.parametrize("fault", FAULTS)
def test_bad_records_are_left_out_counted_and_listed_when_asked(
    study: Path, written: Written, tea: Dialogue, fault: str
) -> None:
    record = json.loads(json.dumps(dialogue_record(tea)))
    spoil, field = FAULTS[fault]
    spoil(record)
    path = written([dialogue_record(tea), record, dialogue_record(replace(tea, id="2"))])
    imported = import_dialogues([path], study, skip_bad=True)
    assert imported.added == 2
    assert [(error.path, error.line, error.field) for error in imported.left_out] == [(path, 2, field)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"format": "duologue.dialogue/1", "id": "cut\n',
        b'{"id": "\xff"}\n',
        b'{"id": "\0"}\n',
        b"[]\n",
        b'"text"\n',
        b"7\n",
        b"[" * 100_000 + b"\n",
        b'{"id": ' + b"9" * 5000 + b"}\n",
        b"{]\n",
    ],
    ids=["cut", "utf-8", "nul", "list", "text", "number", "deep", "huge", "syntax"],
)
def test_a_line_that_is_no_json_object_is_left_out(
    study: Path, written: Written, tea: Dialogue, line: bytes
) -> None:
    whole = json.dumps(dialogue_record(tea)).encode()
    path = written(line + b"\n" + whole + b"\r\n" + line)
    with pytest.raises(FormatError, match="line 1"):
        import_dialogues([path], study, format="duologue")
    imported = import_dialogues([path], study, skip_bad=True)
    assert imported.added == 1
    assert [error.line for error in imported.left_out] == [1, 4]


def test_extras_too_deep_to_be_written_are_left_out(study: Path, written: Written, tea: Dialogue) -> None:
    """Python follows about a thousand levels; at every depth a dialogue goes in whole or is described."""
    line = json.dumps({**dialogue_record(tea), "extras": {"deep": "here"}})
    depths = range(800, 1010)
    nested = {depth: "[" * depth + "]" * depth for depth in depths}
    lines = [line.replace('"tea"', f'"{depth}"').replace('"here"', nested[depth]) for depth in depths]
    imported = import_dialogues([written("\n".join(lines))], study, skip_bad=True)
    assert imported.added + len(imported.left_out) == len(depths)
    assert len(index_dialogues(study)) == imported.added > 0


def test_an_id_with_other_content_is_refused_and_both_places_are_named(
    study: Path, written: Written, tea: Dialogue
) -> None:
    other = replace(tea, turns=(Turn("A", "Milk!"),))
    first = written([dialogue_record(tea)], "first.jsonl")
    second = written([dialogue_record(replace(tea, id="2")), dialogue_record(other)], "second.jsonl")
    message = r"second\.jsonl, line 2, id: .*'tea', which is another dialogue in .*first\.jsonl, line 1"
    with pytest.raises(FormatError, match=message):
        import_dialogues([first, second], study)
    import_dialogues([first], study)
    with pytest.raises(FormatError, match=r"another dialogue in .*ada\.jsonl, line 1"):
        import_dialogues([second], study)
    imported = import_dialogues([second], study, skip_bad=True)
    assert (imported.added, len(imported.left_out)) == (1, 1)


def test_two_bots_that_answered_the_same_prompts_do_not_clash(study: Path, written: Written) -> None:
    for bot in ("ada", "bob"):
        talk = [{"from": "human", "value": "Tea?"}, {"from": "gpt", "value": f"I am {bot}."}]
        import_dialogues([written([{"id": "prompt-1", "conversations": talk}])], study, bot=bot)
    assert [row.id for row in index_dialogues(study)] == ["ada:prompt-1", "bob:prompt-1"]


def test_names_that_file_systems_confuse_get_files_of_their_own(
    study: Path, written: Written, tea: Dialogue
) -> None:
    bots = ["ada", "Ada", "ADA", "a/../../b", ".hidden", "бот", "x" * 300, "con.jsonl", "a b", "a-b"]
    import_dialogues([written([dialogue_record(by(tea, bot, bot)) for bot in bots])], study)
    files = [path.name for path in (study / "dialogues").iterdir()]
    assert len({name.casefold() for name in files}) == len(bots)
    assert {row.bot for row in index_dialogues(study)} == set(bots)


def test_onboarding_lines_are_counted_and_taken_when_asked(study: Path, written: Written) -> None:
    side = {"speakers": ["ada", "human"], "dialogue": [{"id": "ada", "text": "Hi!"}]}
    other = {"speakers": ["bob", "human"], "dialogue": [{"id": "bob", "text": "Hi!"}]}
    record = {
        "is_onboarding": True,
        "speakers_to_eval": ["ada", "bob"],
        "correct_answer": "ada",
        "dialogue_dicts": [side, other],
    }
    passed_over = import_dialogues([written([record])], study)
    assert (passed_over.added, passed_over.onboarding) == (0, 2)
    assert import_dialogues([written([record])], study, with_onboarding=True).added == 2


def test_progress_is_told_over_all_files(study: Path, written: Written, tea: Dialogue) -> None:
    first = written([dialogue_record(tea)], "first.jsonl")
    second = written([dialogue_record(replace(tea, id="2"))], "second.jsonl")
    told: list[tuple[int, int]] = []
    import_dialogues([first, second], study, on_progress=lambda read, total: told.append((read, total)))
    size, total = first.stat().st_size, first.stat().st_size + second.stat().st_size
    assert told == [(size, total), (total, total)]


def test_a_folder_without_a_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyNotFound):
        import_dialogues([], tmp_path)
    with pytest.raises(StudyNotFound):
        study_dialogues(tmp_path)
    with pytest.raises(StudyNotFound):
        index_dialogues(tmp_path)


def test_errors_that_are_no_single_record_stop_even_when_bad_records_are_left_out(
    study: Path, written: Written, tea: Dialogue
) -> None:
    newer = written([{**dialogue_record(tea), "format": "duologue.dialogue/2"}])
    with pytest.raises(NewerFormat):
        import_dialogues([newer], study, skip_bad=True)
    with pytest.raises(MissingDetail):
        import_dialogues(
            [written([{"messages": [{"role": "assistant", "content": "Hi"}]}])], study, skip_bad=True
        )
    with pytest.raises(UnreadableFile):
        import_dialogues([study / "missing.jsonl"], study, skip_bad=True)
    assert list(study_dialogues(study)) == []


def test_a_folder_that_cannot_be_written_to_is_said(study: Path, written: Written, tea: Dialogue) -> None:
    (study / "dialogues").write_text("a file where a folder should be")
    with pytest.raises(ExportError):
        import_dialogues([written([dialogue_record(tea)])], study)


@pytest.fixture
def two_bots(tmp_path: Path, tea: Dialogue) -> Path:
    """A log of two bots, long enough that progress is told on the way."""
    path = tmp_path / "log.jsonl"
    long = replace(tea, turns=(Turn("A", "x" * 20_000),))
    write_dialogues((by(long, bot, f"{bot}{n}") for n in range(100) for bot in ("ada", "bob")), path)
    return path


KILLED = """
    import os, signal, sys
    from duologue.dialogues import import_dialogues

    log, study, moment = sys.argv[1:]
    renames = 0

    def on_progress(read, total):
        if moment == "reading" and read > total / 2:
            os.kill(os.getpid(), signal.SIGKILL)

    def on_event(event, arguments):
        global renames
        if event == "os.rename":
            renames += 1
            if moment == str(renames):
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(on_event)
    import_dialogues([log], study, on_progress=on_progress)
"""


@pytest.mark.parametrize(
    ("moment", "is_committed"), [("reading", False), ("1", False), ("2", True), ("3", True), ("never", True)]
)
def test_an_import_killed_at_any_moment_is_whole_or_not_there(
    study: Path, two_bots: Path, moment: str, is_committed: bool
) -> None:
    done = finished([*PYTHON, "-c", textwrap.dedent(KILLED), two_bots, study, moment])
    assert done.returncode == (0 if moment == "never" else -9), done.stderr
    assert len(index_dialogues(study)) == (200 if is_committed else 0)
    again = import_dialogues([two_bots], study)
    assert again.added == (0 if is_committed else 200)
    assert sorted(path.name for path in (study / "dialogues").iterdir()) == ["ada.jsonl", "bob.jsonl"]
    assert len(list(study_dialogues(study))) == 200


def test_two_imports_at_once_take_turns(study: Path, tmp_path: Path, tea: Dialogue) -> None:
    def logs() -> Iterator[Path]:
        for name in ("one", "two", "three"):
            path = tmp_path / f"{name}.jsonl"
            write_dialogues([replace(tea, id=f"{name}-{n}") for n in range(200)], path)
            yield path

    script = "import sys, duologue.dialogues as d; d.import_dialogues(sys.argv[1:2], sys.argv[2])"
    with ExitStack() as stack:
        importing = [stack.enter_context(running([*PYTHON, "-c", script, log, study])) for log in logs()]
        assert [process.wait(PATIENCE) for process in importing] == [0, 0, 0]
    assert len(index_dialogues(study)) == 600
