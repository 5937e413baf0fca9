import os
from pathlib import Path

import pytest

from duologue.errors import ExportError, StoreFull
from duologue.files import replacing


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_text() == "new"


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    with replacing(tmp_path / "link.txt") as file:
        file.write(b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="its folder is not there"), replacing(tmp_path / "no" / "a.txt"):
        pass


def test_a_full_disk_is_said_and_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(StoreFull, match=str(path)), replacing(path):
        Path("/dev/full").write_bytes(b"new")
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("a.txt", "old")]


def test_what_is_written_has_the_usual_permissions(tmp_path: Path) -> None:
    with replacing(tmp_path / "a.txt"):
        pass
    umask = os.umask(0)
    os.umask(umask)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o666 & ~umask
