"""What commands do not do without consent: begin at zero, replace what was judged, show a name."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from duologue.acute import change_pairing, make_pairings
from duologue.cli.main import run
from duologue.protocols import read_items
from duologue.server import prepare_study
from duologue.store import (
    ItemStation,
    fetch_dialogues,
    fetch_judgments,
    give_consent,
    invite_annotators,
    open_study,
    serving,
)
from duologue.studies import Study, load_study, new_study
from tests.cli.conftest import Run
from tests.store.small_study import answer
from tests.studies.conftest import write_dialogues


@pytest.fixture
def duologue(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command as it is, but in this process: here it is run often."""

    def run_here(*arguments: str | Path, expect: int = 0) -> "subprocess.CompletedProcess[str]":
        monkeypatch.setattr(sys, "argv", ["duologue", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            run()
        said = capsys.readouterr()
        assert (end.value.code or 0) == expect, said.out + said.err
        return subprocess.CompletedProcess(arguments, expect, said.out, said.err)

    return run_here


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study in which one pairing has been judged; the bot ann says its name in all its dialogues."""
    made = new_study(tmp_path / "s", seed=3)
    write_dialogues(made.folder, "ann", 6, text="I am Ann.")
    write_dialogues(made.folder, "bob", 6)
    make_pairings(made, settings=change_pairing(made, {"per_matchup": 6}))
    with open_study(made) as store:
        prepare_study(made, store)
        (invited,) = store.run(invite_annotators(1))
        station = store.run(give_consent(invited.token, made.caps))
        assert isinstance(station, ItemStation)
        answer(store, invited.token, station, made.caps)
    return made


def judged(study: Study) -> tuple[str, str]:
    with open_study(study) as store:
        (judgment,) = store.stream(fetch_judgments())
    (item,) = [item for item in read_items(study.items_path) if item.id == judgment.item]
    first, second = item.dialogues
    return first, second


def test_pairings_that_were_judged_are_kept_without_consent(duologue: Run, study: Study) -> None:
    before = study.items_path.read_bytes()
    pair = ("pairings", "make", study.folder, "-n", "2", "--seed", "77")
    said = duologue(*pair).stdout
    assert "1 pairing that annotators have judged or hold would have been replaced" in said
    assert study.items_path.read_bytes() == before
    assert json.loads(duologue(*pair, "--replace", "--json").stdout)["matchups"] == {"ann__vs__bob": 2}


def test_a_study_is_moved_with_its_links(duologue: Run, study: Study) -> None:
    links = duologue("annotators", "list", study.folder, "--json").stdout
    moved = json.loads(duologue("study", "move", study.folder, "--to", "moved.db", "--json").stdout)
    assert (moved["judgments"], moved["annotators"], moved["is_named"]) == (1, 1, True)
    assert duologue("annotators", "list", study.folder, "--json").stdout == links
    refused = duologue("study", "move", study.folder, "--to", "moved.db", expect=1)
    assert "the study is there already" in refused.stderr


OPENING = [
    ("study", "check"),
    ("serve",),
    ("annotators", "list"),
    ("analyse",),
    ("pairings", "make"),
    ("dialogues", "mask", "--bot", "ann"),
    ("dialogues", "remove", "--naming", "--reason", "odd"),
]
"""Commands that ask the database, and what comes after the study's folder."""


def asking(command: tuple[str, ...], study: Study) -> tuple[str | Path, ...]:
    words = 1 if command[0] in ("serve", "analyse") else 2
    return (*command[:words], study.folder, *command[words:])


@pytest.mark.parametrize("command", OPENING)
def test_another_database_is_refused_by_every_command(
    duologue: Run, study: Study, command: tuple[str, ...]
) -> None:
    toml = study.folder / "study.toml"
    toml.write_text(toml.read_text().replace("[study]", '[study]\ndatabase = "new.db"'))
    before = {path: path.read_bytes() for path in study.folder.rglob("*.jsonl")}
    refused = duologue(*asking(command, study), expect=1)
    assert {path: path.read_bytes() for path in study.folder.rglob("*.jsonl")} == before
    assert "links and judgments are in study.db (1 link, 1 judgment)" in refused.stderr
    assert f"`duologue study move {study.folder}`" in refused.stderr
    assert not (study.folder / "new.db").exists()


@pytest.mark.parametrize("fate", ["missing", "empty"])
@pytest.mark.parametrize("command", OPENING)
def test_no_command_starts_at_zero_when_the_database_is_gone(
    duologue: Run, study: Study, command: tuple[str, ...], fate: str
) -> None:
    file = study.folder / "study.db"
    file.rename(study.folder / "kept.db")
    if fate == "empty":
        file.touch()
    refused = duologue(*asking(command, study), expect=1)
    assert "study.db: the database of this study is missing or empty" in refused.stderr
    assert f"`duologue serve {study.folder} --new-database`" in refused.stderr
    assert "-wal" not in refused.stderr
    assert (file.exists(), file.exists() and file.stat().st_size) == (fate == "empty", 0)


@pytest.mark.parametrize("consent", [(), ("--new-database",)])
def test_what_was_written_last_is_never_thrown_away(
    duologue: Run, study: Study, consent: tuple[str, ...]
) -> None:
    file, log = study.folder / "study.db", study.folder / "study.db-wal"
    with open_study(study) as store:
        store.run(invite_annotators(1))
        written = log.read_bytes()
    file.rename(study.folder / "kept.db")
    log.write_bytes(written)
    refused = duologue("serve", study.folder, *consent, expect=1)
    assert f"beside {log}, which holds what was written last" in refused.stderr
    assert log.read_bytes() == written
    (study.folder / "kept.db").rename(file)
    assert len(judged(study)) == 2


def test_names_are_masked_where_nobody_has_seen_them(
    duologue: Run, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "duologue dialogues mask" in duologue("study", "check", study.folder).stdout
    seen = next(key for key in judged(study) if key.startswith("ann"))
    mask = ("dialogues", "mask", study.folder, "--bot", "ann")
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    asked = duologue(*mask, "--json", expect=1)
    assert not asked.stdout.strip()
    assert (
        "Names would be hidden in 20 turns of 5 dialogues, shown as:\n  I am [name hidden]." in asked.stderr
    )
    assert "  \u2026 and 15 more\n" in asked.stderr
    assert json.loads(duologue("dialogues", "check", study.folder, "--json").stdout)["masked"] == 0
    done = duologue(*mask, "--yes")
    assert done.stdout == "ann: names hidden in 5 dialogues\n"
    assert f"annotators have seen them: {seen}" in done.stderr
    report = json.loads(duologue("dialogues", "check", study.folder, "--json").stdout)
    assert report["masked"] == 5
    assert [(leak["bot"], leak["dialogues"]) for leak in report["name_leaks"]] == [("ann", 1)]
    with open_study(study) as store:
        prepare_study(load_study(study.folder), store)
        texts = [
            turn.text
            for turn in store.run(fetch_dialogues([next(iter({"ann-0", "ann-1"} - {seen}))]))[0].turns
        ]
    assert all("[name hidden]" in text for text in texts)


def test_dialogues_are_taken_out_with_their_pairings_and_counted(duologue: Run, study: Study) -> None:
    seen = judged(study)
    remove = ("dialogues", "remove", study.folder)
    assert "annotators have seen 1" in duologue(*remove, seen[0], "--reason", "odd", expect=1).stderr
    assert "say why" in duologue(*remove, "ann-0", expect=1).stderr
    assert "'nobody'" in duologue(*remove, "nobody", "--reason", "odd", expect=1).stderr
    assert duologue(*remove, expect=2).stdout == ""
    done = json.loads(duologue(*remove, "--naming", "--reason", "odd", "--even-judged", "--json").stdout)
    assert (done["by_bot"], done["items"], done["shown"]) == ({"ann": 6}, 6, 1)
    assert "6 dialogues taken out: odd" in duologue("dialogues", "check", study.folder).stdout
    assert (
        "6 dialogues were taken out of the study (odd: 6)." in duologue("study", "show", study.folder).stdout
    )
    assert duologue("dialogues", "restore", study.folder, "ann-3").stdout == (
        "ann: 1 dialogue brought back\n"
    )
    assert (
        "removed dialogue 'ann-3'" in duologue("dialogues", "restore", study.folder, "ann-3", expect=1).stderr
    )


def test_nothing_is_changed_under_a_running_server(duologue: Run, study: Study) -> None:
    with serving(study.database):
        for command in (
            ("dialogues", "mask", study.folder),
            ("dialogues", "remove", study.folder, "bob-0", "--reason", "odd"),
            ("pairings", "make", study.folder),
            ("study", "move", study.folder, "--to", "other.db"),
        ):
            assert "a server is running" in duologue(*command, expect=1).stderr
