from __future__ import annotations

from pathlib import Path

import pytest

from duologue.demo import make_demo
from duologue.errors import FormatError, RehearsalError, StoreError, StudyExists
from duologue.rehearsal.copy import NOTE, copy_study, earlier_copy
from duologue.store import drop_scratch
from duologue.studies import Study, load_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_demo(tmp_path / "study").study


def with_text(study: Study, text: str) -> Study:
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    return load_study(study.folder)


def test_the_copy_asks_the_same_and_has_a_database_of_its_own(study: Study) -> None:
    copy = copy_study(study, seed=1, annotators=2)
    assert copy.folder == study.folder / "rehearsal"
    assert copy.design_hash == study.design_hash
    assert copy.database == f"sqlite:///{(copy.folder / 'study.db').resolve()}"
    assert copy.items_path.read_bytes() == study.items_path.read_bytes()
    assert (copy.folder / "dialogues" / "parrot.jsonl").is_file()


@pytest.mark.parametrize("database", ["../elsewhere.db", "sqlite:////x/y.db"])
def test_the_copy_never_uses_the_database_of_the_study(study: Study, database: str) -> None:
    elsewhere = with_text(study, study.text.replace("[study]\n", f'[study]\ndatabase = "{database}"\n'))
    assert elsewhere.database.endswith(database.removeprefix(".."))
    copy = copy_study(elsewhere, seed=1, annotators=2)
    assert copy.database == f"sqlite:///{(copy.folder / 'study.db').resolve()}"


def test_the_copy_of_a_study_in_postgresql_is_in_a_schema_of_its_own(study: Study) -> None:
    there = "postgresql://host/judgments?study=cats"
    moved = with_text(study, study.text.replace("[study]\n", f'[study]\ndatabase = "{there}"\n'))
    copy = copy_study(moved, seed=1, annotators=2)
    assert copy.database == "postgresql://host/judgments?study=cats_rehearsal"
    with pytest.raises(StoreError, match="no rehearsal"):
        drop_scratch(there)


def test_a_database_written_where_it_cannot_be_taken_out_is_refused(study: Study) -> None:
    head = study.text.partition("[acute]")[2]
    inline = f'study = {{ name = "x", seed = 1, database = "postgresql://host/judgments" }}\n[acute]{head}'
    with pytest.raises(RehearsalError, match="database of its own"):
        copy_study(with_text(study, inline), seed=1, annotators=2)


def test_logs_that_a_bot_answers_from_are_found_and_those_of_the_server_are_not(study: Study) -> None:
    logs = study.folder / "logs"
    logs.mkdir()
    for name in ("wizard.jsonl", "server.jsonl"):
        (logs / name).write_text(name, encoding="utf-8")
    for _ in range(2):  # the second replaces the first
        copied = copy_study(study, seed=1, annotators=2).folder / "logs"
        (copied / "server.jsonl").write_text("of the rehearsal", encoding="utf-8")
    assert (copied / "wizard.jsonl").read_text(encoding="utf-8") == "wizard.jsonl"
    assert (logs / "wizard.jsonl").is_file()
    assert (logs / "server.jsonl").read_text(encoding="utf-8") == "server.jsonl"


def test_an_earlier_rehearsal_is_replaced(study: Study) -> None:
    first = copy_study(study, seed=1, annotators=2)
    (first.folder / "study.db").write_bytes(b"judgments of simulated annotators")
    second = copy_study(study, seed=1, annotators=2)
    assert not (second.folder / "study.db").exists()
    assert (second.folder / NOTE).is_file()


def test_a_folder_that_is_not_a_rehearsal_is_left_alone(study: Study) -> None:
    kept = study.folder / "rehearsal" / "notes.txt"
    kept.parent.mkdir()
    kept.write_text("mine", encoding="utf-8")
    with pytest.raises(StudyExists):
        copy_study(study, seed=1, annotators=2)
    assert kept.read_text(encoding="utf-8") == "mine"


def test_a_study_without_pairings_is_refused_with_what_to_do(study: Study) -> None:
    study.items_path.unlink()
    with pytest.raises(FormatError, match="duologue pairings make"):
        copy_study(study, seed=1, annotators=2)


def test_a_copy_that_cannot_be_made_is_said_so(study: Study) -> None:
    (study.folder / "dialogues" / "gone.jsonl").symlink_to(study.folder / "nowhere")
    with pytest.raises(RehearsalError, match="could not be copied"):
        copy_study(study, seed=1, annotators=2)


def test_pairings_outside_the_folder_are_refused_and_not_touched(study: Study) -> None:
    outside = study.folder.parent / "shared.jsonl"
    study.items_path.rename(outside)
    elsewhere = with_text(study, study.text.replace('"pairings.jsonl"', '"../shared.jsonl"'))
    with pytest.raises(RehearsalError, match="in its own folder"):
        copy_study(elsewhere, seed=1, annotators=2)
    assert outside.is_file()


def test_an_earlier_copy_is_there_only_after_a_rehearsal(study: Study) -> None:
    with pytest.raises(RehearsalError, match="no copy"):
        earlier_copy(study)
    copy = copy_study(study, seed=1, annotators=2)
    assert earlier_copy(study) == copy


def test_what_bots_need_is_there_in_the_copy_too_and_results_are_not(study: Study) -> None:
    (study.folder / "my_bot.py").write_text("answer = len", encoding="utf-8")
    (study.folder / "weights").mkdir()
    (study.folder / "weights" / "model.gguf").write_bytes(b"weights")
    (study.folder / "results.json").write_text("{}", encoding="utf-8")
    (study.folder / "study.db").write_bytes(b"judgments of people")
    copy = copy_study(study, seed=1, annotators=2)
    assert (copy.folder / "my_bot.py").read_text(encoding="utf-8") == "answer = len"
    assert (copy.folder / "weights" / "model.gguf").read_bytes() == b"weights"
    assert not (copy.folder / "results.json").exists()
    assert not (copy.folder / "study.db").exists()


def test_what_bots_need_survives_the_next_rehearsal(study: Study) -> None:
    weights = study.folder / "weights" / "model.gguf"
    weights.parent.mkdir()
    weights.write_bytes(b"weights")
    for _ in range(2):
        copy_study(study, seed=1, annotators=2)
    assert weights.read_bytes() == b"weights"
