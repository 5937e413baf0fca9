import json
from dataclasses import replace
from pathlib import Path

import pytest

from duologue.dialogues import WRITABLE, Dialogue, Speaker, Turn, read_dialogues, write_dialogues
from duologue.errors import ExportError

FOREIGN = [name for name in WRITABLE if name != "duologue"]


def test_four_formats_are_written() -> None:
    assert WRITABLE == ("duologue", "parlai", "openai", "sharegpt")


@pytest.mark.parametrize("format", FOREIGN)
def test_formats_that_name_no_bot_take_one_bot(tmp_path: Path, tea: Dialogue, format: str) -> None:
    other = replace(tea, bot="bob", speakers=(Speaker("A", "bob"), Speaker("B")))
    with pytest.raises(ExportError, match=r"several \(ada, bob\)"):
        write_dialogues([tea, other], tmp_path / "out", format=format)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", ["openai", "sharegpt"])
def test_formats_with_two_roles_take_one_partner(tmp_path: Path, tea: Dialogue, format: str) -> None:
    crowd = replace(tea, speakers=(*tea.speakers, Speaker("C")), turns=(*tea.turns, Turn("C", "Hi!")))
    with pytest.raises(ExportError, match=r"has several \(B, C\)"):
        write_dialogues([crowd], tmp_path / "out", format=format)


@pytest.mark.parametrize("format", ["acute", "convai2", "csv"])
def test_other_formats_are_not_written(tmp_path: Path, tea: Dialogue, format: str) -> None:
    with pytest.raises(ExportError, match="Duologue writes duologue, parlai, openai, sharegpt"):
        write_dialogues([tea], tmp_path / "out", format=format)


@pytest.mark.parametrize("format", FOREIGN)
@pytest.mark.parametrize("key", [{"id": "c1"}, {}])
def test_a_dialogue_taken_out_and_brought_back_has_the_same_id(
    tmp_path: Path, format: str, key: dict[str, str]
) -> None:
    log, again = tmp_path / "log.jsonl", tmp_path / "again.jsonl"
    log.write_text(json.dumps({"messages": [{"role": "assistant", "content": "Tea!"}], **key}))
    (read,) = read_dialogues(log, bot="ada")
    write_dialogues([read], again, format=format)
    (back,) = read_dialogues(again, bot="ada")
    assert back.id == read.id


@pytest.mark.parametrize("format", FOREIGN)
def test_an_id_of_our_own_is_kept_behind_the_bots_name(tmp_path: Path, tea: Dialogue, format: str) -> None:
    write_dialogues([tea], tmp_path / "out", format=format)
    (back,) = read_dialogues(tmp_path / "out", bot="ada", speaker_index=1)
    assert back.id == "ada:tea"


def test_an_error_on_the_way_leaves_the_old_file(tmp_path: Path, tea: Dialogue) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("precious")

    def interrupted() -> "list[Dialogue]":
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dialogues((one for some in ([tea], interrupted()) for one in some), path)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("out.jsonl", "precious")]


def test_extras_too_deep_to_write_are_an_error_of_ours(tmp_path: Path, tea: Dialogue) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ExportError, match="nested too deeply"):
        write_dialogues([replace(tea, extras={"deep": deep})], tmp_path / "out.jsonl")
