"""A protocol that no line of ours knows, with everything in one study, rehearsed on both databases.

Live chats, candidates, selections, written replies, forms, cohorts by an answer, attention checks, deadlines.
Annotators in a browser are in ``tests/browser/test_everything_at_once.py``.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.everything import make_everything
from tests.own_protocol import placed
from tests.processes import DUOLOGUE, finished
from tests.store.conftest import postgresql, quick_disk

__all__ = ["postgresql", "quick_disk"]

_names = count()


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param("sqlite", marks=pytest.mark.slow),
        pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.slow]),
    ],
)
def test_everything_at_once_is_rehearsed_exported_and_reported(
    tmp_path: Path, engine: str, request: pytest.FixtureRequest
) -> None:
    variables = placed(tmp_path / "lib")

    def run(*arguments: str) -> str:
        done = finished([*DUOLOGUE, *arguments], folder=tmp_path, variables=variables)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    server = request.getfixturevalue("postgresql") if engine == "postgresql" else ""
    name = f"all_{next(_names)}"
    make_everything(tmp_path, variables, database=f"{server}&study={name}" if server else "")
    shown = run("study", "show", "all")
    for said in ("About you", "1 of them for each of 4 items", "Attention checks: 1", "900 s"):
        assert said in shown
    found = json.loads(run("rehearse", "all", "--annotators", "20", "--seed", "3", "--json"))
    assert found["rules_have_held"] is True
    assert (found["wanted"], found["counted"]) == (12, 12)
    run("judgments", "export", "all/rehearsal", "--out", "judgments.csv")
    rows = rows_of(tmp_path / "judgments.csv")
    counting = Counter(row["cohort"] for row in rows if not row["excluded"])
    assert counting == {"expert": 4, "novice": 8}
    assert "attention-check" in {row["excluded"] for row in rows}
    run("report", "all/rehearsal")
    tables = tmp_path / "all" / "rehearsal" / "report" / "tables"
    assert [row["cohort"] for row in rows_of(tables / "cohorts.csv")] == ["expert", "novice"]
    steps = [row["step"] for row in rows_of(tables / "participants.csv")]
    assert "found no place after the forms" in steps or "never began" in steps
    answers = {one["question"]: one for one in json.loads(run("forms", "show", "all/rehearsal", "--json"))}
    assert answers["work"]["answered"] >= 6
    if server:
        assert schemas(server) & {name, f"{name}_rehearsal"} == set(), "nothing is left behind"
        assert "postgresql" not in (tmp_path / "all" / "rehearsal" / "study.toml").read_text("utf-8")
        for place in (f"{server}&study={name}_there", "back.db"):
            run("study", "move", "all/rehearsal", "--to", place)
            run("judgments", "export", "all/rehearsal", "--out", "moved.csv", "--overwrite")
            assert rows_of(tmp_path / "moved.csv") == rows
            counts = json.loads(run("forms", "show", "all/rehearsal", "--json"))
            assert {one["question"]: one for one in counts} == answers


def schemas(server: str) -> set[str]:
    """The schemas of the database, those that were renamed by their first name."""
    engine = create_engine(server.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        names = connection.execute(text("SELECT schema_name FROM information_schema.schemata")).scalars()
        found = {name.partition("_moved_")[0] for name in names}
    engine.dispose()
    return found
