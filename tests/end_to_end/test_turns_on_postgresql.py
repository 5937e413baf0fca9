"""Parallel chats and chats read by others, rehearsed on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.per_turn.finished.study import reread_study
from duologue.rehearsal import rehearse
from tests.per_turn.test_design import study
from tests.server.chat_studies import make_chat_study
from tests.store.conftest import postgresql, quick_disk

__all__ = ["postgresql", "quick_disk"]

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


def keep_in(folder: Path, database: str) -> None:
    """Set where a study keeps its judgments."""
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("[study]\n", f'[study]\ndatabase = "{database}"\n', 1), encoding="utf-8")


def test_parallel_chats_are_rehearsed(tmp_path: Path, postgresql: str) -> None:
    made = make_chat_study(
        tmp_path / "s",
        bots=(("ann", "echo"), ("bob", "told")),
        chat="min_exchanges = 2\nmax_exchanges = 2\n",
        acute="",
        personas=(),
    )
    keep_in(made.folder, f"{postgresql}&study=parallel")
    found = rehearse(made.folder, annotators=6, seed=3, with_report=False)
    assert [check.rule for check in found.rules if not check.has_held] == []
    assert found.counted == found.wanted == 4


def test_chats_are_had_and_read_by_others(tmp_path: Path, postgresql: str) -> None:
    made = study(tmp_path / "had", chats_per_bot="4", min_exchanges="3", max_exchanges="3")
    keep_in(made.folder, f"{postgresql}&study=had")
    had = rehearse(made.folder, annotators=7, seed=5, with_report=False)
    assert had.rules_have_held
    reread_study(tmp_path / "again", had.folder, readers=2, seed=2)
    keep_in(tmp_path / "again", f"{postgresql}&study=again")
    found = rehearse(tmp_path / "again", annotators=6, seed=3, with_report=False)
    assert [check.rule for check in found.rules if not check.has_held] == []
    assert found.counted > 0
