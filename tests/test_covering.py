"""Lines and branches that no test has run are named, and those that one process has run are not."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from slipcover import FileMatcher, ImportManager

from tests import covering

CHOOSING = """
def choose(first, second):
    if first:
        return 1
    if second:
        print("both")
    return 2


def stub(): ...
"""


def test_only_what_no_process_has_run_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, seen = tmp_path / "src" / "choosing.py", tmp_path / "seen"
    file.parent.mkdir()
    seen.mkdir()
    file.write_text(CHOOSING, encoding="utf-8")
    monkeypatch.setattr(covering, "SOURCES", [str(file.parent)])
    monkeypatch.syspath_prepend(str(file.parent))
    (found,) = covering.uncovered(seen)
    assert found.endswith("choosing.py: 2, 3, 4, 5, 6, 7, 3->4, 3->5, 5->6, 5->7")
    for number, (given, left) in enumerate(
        [((True, False), "5, 6, 7, 3->5, 5->6, 5->7"), ((False, True), "5->7"), ((False, False), None)]
    ):
        watch = covering._watch()
        with ImportManager(watch, FileMatcher(sources=covering.SOURCES)):
            import choosing  # type: ignore[import-not-found]  # written above

            choosing.choose(*given)
        del sys.modules["choosing"]
        (seen / f"{number}.json").write_text(json.dumps(watch.get_coverage()), encoding="utf-8")
        assert [one.partition(": ")[2] for one in covering.uncovered(seen)] == [left] * (left is not None)


def test_every_room_that_is_to_be_covered_is_there() -> None:
    assert [source for source in covering.SOURCES if not Path(source).is_dir()] == []
    for room in covering.COVERED_TO_THE_LAST_BRANCH:
        assert importlib.util.find_spec(f"duologue.{room}")
