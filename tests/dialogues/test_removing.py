"""Dialogues taken out of a study with a reason, counted, and brought back."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from duologue.dialogues import (
    import_dialogues,
    index_dialogues,
    mask_dialogues,
    remove_dialogues,
    removed_dialogues,
    restore_dialogues,
    study_dialogues,
    write_dialogues,
)
from duologue.errors import FormatError
from tests.dialogues.test_masking import NAMED, PLAIN

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "study.toml").touch()
    write_dialogues([NAMED, PLAIN], tmp_path / "log.jsonl")
    import_dialogues([tmp_path / "log.jsonl"], tmp_path)
    return tmp_path


def test_what_is_taken_out_is_kept_with_its_reason(study: Path) -> None:
    assert remove_dialogues(study, ["d1"], reason="says its name", at=NOW) == {"ada": 1}
    assert [head.id for head in index_dialogues(study)] == ["d2"]
    (gone,) = removed_dialogues(study)
    assert (gone.dialogue, gone.reason, gone.at) == (NAMED, "says its name", "2026-05-01T12:00:00+00:00")


def test_an_import_does_not_bring_it_back_and_says_so(study: Path) -> None:
    mask_dialogues(study)
    remove_dialogues(study, ["d1"], reason="says its name", at=NOW)
    again = import_dialogues([study / "log.jsonl"], study)
    assert (again.added, again.already_there, again.removed) == (0, 1, 1)
    assert [dialogue.id for dialogue in study_dialogues(study)] == ["d2"]


def test_a_bot_can_lose_all_its_dialogues_and_get_them_back(study: Path) -> None:
    remove_dialogues(study, ["d1", "d2"], reason="all bad", at=NOW)
    assert list(study_dialogues(study)) == []
    assert index_dialogues(study) == ()
    assert restore_dialogues(study, ["d2"]) == {"ada": 1}
    assert list(study_dialogues(study)) == [PLAIN]
    assert [one.dialogue.id for one in removed_dialogues(study)] == ["d1"]
    assert restore_dialogues(study, ["nobody"]) == {}
    assert [one.dialogue.id for one in removed_dialogues(study)] == ["d1"]


def test_a_spoilt_file_of_removed_dialogues_is_named(study: Path) -> None:
    write_dialogues([NAMED], study / "dialogues" / "removed.ndjson")
    with pytest.raises(FormatError, match=r"removed\.ndjson, line 1, extras\.removed"):
        list(removed_dialogues(study))
