import gc
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from duologue.errors import FormatError
from duologue.protocols import read_items, write_items
from duologue.server import prepare_study
from duologue.store import fetch_progress, open_store
from duologue.studies import load_study
from tests.server.studies import make_study

T = TypeVar("T")


class Counting:
    """Watches, and counts what goes by."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def __call__(self, things: Iterable[T], what: str, /) -> Iterable[T]:
        for thing in things:
            self.seen[what] = self.seen.get(what, 0) + 1
            yield thing


def test_everything_is_loaded_once_and_watched(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    watch, again = Counting(), Counting()
    with open_store(study.database) as store:
        first = prepare_study(study, store, watch=watch)
        second = prepare_study(study, store, watch=again)
    assert watch.seen == {"dialogues": 12, "items": 6}
    assert (first.dialogues, first.items, first.revision, first.was_loaded) == (12, 6, 1, False)
    assert again.seen == {}
    assert (second.dialogues, second.items, second.was_loaded) == (12, 6, True)


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with open_store(study.database) as store:
        prepare_study(study, store)
        kept = list(read_items(study.items_path))[:-1]
        write_items(kept, study.items_path)
        assert prepare_study(study, store).items == 5
        assert store.run(fetch_progress())[0].wanted == 3
        path = study.folder / "dialogues" / "ann.jsonl"
        os.utime(path, ns=(1, 1))
        assert not prepare_study(study, store).was_loaded


@pytest.fixture
def usual_threshold() -> Iterator[tuple[int, int, int]]:
    """The collector as Python sets it, whichever commands ran in this process before."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield gc.get_threshold()
    gc.set_threshold(*before)


def test_garbage_is_collected_as_before_afterwards(
    tmp_path: Path, usual_threshold: tuple[int, int, int]
) -> None:
    study, during = make_study(tmp_path / "study"), []

    def watch(things: Iterable[T], what: str, /) -> Iterable[T]:
        during.append(gc.get_threshold()[0])
        raise FormatError(study.items_path, expected="better times")

    with open_store(study.database) as store, pytest.raises(FormatError):
        prepare_study(study, store, watch=watch)
    assert during[0] > usual_threshold[0]
    assert gc.get_threshold() == usual_threshold


def test_a_changed_design_is_loaded_again(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with open_store(study.database) as store:
        prepare_study(study, store)
        text = (study.folder / "study.toml").read_text(encoding="utf-8")
        (study.folder / "study.toml").write_text(
            text + "[acute]\nannotations_per_pairing = 2\n", encoding="utf-8"
        )
        assert not prepare_study(load_study(study.folder), store).was_loaded
        assert store.run(fetch_progress())[0].wanted == 8


def test_a_spoilt_file_is_named_with_its_line_and_can_be_mended(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    good = study.items_path.read_text(encoding="utf-8")
    study.items_path.write_text(good + "{broken\n", encoding="utf-8")
    with open_store(study.database) as store:
        with pytest.raises(FormatError, match=r"line 8"):
            prepare_study(study, store)
        study.items_path.write_text(good, encoding="utf-8")
        assert prepare_study(study, store).items == 6
