"""A command loads and builds what it needs, and no more: that decides how long it takes to begin."""

import os
import sys
from pathlib import Path

import pytest

from duologue.cli.main import app, command_line, run
from tests.processes import finished

SCRIPT = """
import sys

from duologue.cli.main import run

sys.argv = ["duologue", "analyse", sys.argv[1], "--json"]
try:
    run()
except SystemExit:
    print(" ".join(sys.modules), file=sys.stderr)
"""


def test_a_small_table_is_analysed_without_what_it_does_not_need(tmp_path: Path) -> None:
    votes = tmp_path / "votes.csv"
    votes.write_text("winner,loser,annotator\na,b,x\na,b,y\nb,a,z\na,b,w\n", encoding="utf-8")
    done = finished([sys.executable, "-c", SCRIPT, votes])
    assert done.returncode == 0, done.stderr
    loaded = set(done.stderr.split())
    assert "scipy.special" in loaded
    assert "duologue.acute.analysis.votes" in loaded
    unneeded = {"scipy.stats", "scipy.linalg", "matplotlib", "sqlalchemy", "jinja2"}
    unneeded |= {"duologue.likert", "duologue.stats.strengths.pooled", "duologue.stats.stopping.sequential"}
    assert not unneeded & loaded


def test_matrices_are_not_shared_among_threads_unless_somebody_wants_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["duologue", "--version"])
    for given, taken in ((None, "1"), ("8", "8")):
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
        if given:
            monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)
        with pytest.raises(SystemExit):
            run()
        assert os.environ["OPENBLAS_NUM_THREADS"] == taken


HELP = """
import sys

from duologue.cli.main import run

sys.argv = ["duologue", *sys.argv[1:], "--help"]
try:
    run()
except SystemExit:
    print(" ".join(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "asked", [(), ("rehearse",), ("study", "plan"), ("nuc", "build"), ("pairings", "make"), ("turns",)]
)
def test_help_loads_nothing_heavy(asked: tuple[str, ...]) -> None:
    """`rehearse` and `study plan` list options of all protocols, and the others are commands of protocols."""
    done = finished([sys.executable, "-c", HELP, *asked])
    assert done.returncode == 0, done.stderr
    heavy = {"scipy", "matplotlib", "sqlalchemy", "jinja2", "fastapi", "duologue.server", "duologue.stats"}
    assert not heavy & set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("asked", ["analyse", "judgments"])
def test_only_the_command_that_is_named_is_built(asked: str) -> None:
    needed = command_line([asked, "--help"])
    assert len(needed.registered_commands) + len(needed.registered_groups) == 1


@pytest.mark.parametrize("arguments", [[], ["--help"], ["no-such-noun"], ["pairings", "make"]])
def test_all_are_there_where_none_of_ours_is_named(arguments: list[str]) -> None:
    assert command_line(arguments) is app
