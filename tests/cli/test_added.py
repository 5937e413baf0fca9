"""Commands that packages of protocols add."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest
import typer
from typer.testing import CliRunner

from duologue.cli import added
from duologue.errors import ProtocolError
from tests.cli.conftest import Run

OURS = typer.Typer(name=added.ROOT, cls=added.GroupWithAdded)
NOUN = typer.Typer(help="Chess, of all things.")


@OURS.callback()
def ours() -> None:
    """Our own."""


@OURS.command()
def plain() -> None:
    """A command of ours."""
    typer.echo("ours")


@NOUN.command()
def moves() -> None:
    """A verb of an added noun."""
    typer.echo("e4")


@NOUN.command()
def mates() -> None:
    """Another verb."""


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> None:
    here = "tests.cli.test_added"
    found = tuple(
        EntryPoint(name, value, added.GROUP)
        for name, value in {
            "chess": f"{here}:NOUN",
            "plain": f"{here}:moves",
            "study.openings": f"{here}:moves",
            "lost": "no_such_package.commands:app",
        }.items()
    )
    monkeypatch.setattr(added, "_points", lambda: found)


@pytest.mark.usefixtures("points")
def test_a_noun_is_added_with_its_verbs_and_ours_stay_ours() -> None:
    run = CliRunner()
    assert run.invoke(OURS, ["chess", "moves"]).stdout == "e4\n"
    assert run.invoke(OURS, ["plain"]).stdout == "ours\n"
    assert run.invoke(OURS, ["openings"]).exit_code == 2


@pytest.mark.usefixtures("points")
def test_a_package_that_cannot_be_loaded_is_named() -> None:
    found = CliRunner().invoke(OURS, ["lost"]).exception
    assert isinstance(found, ProtocolError)
    assert "no_such_package" in str(found)
    assert "'lost'" in str(found)


def test_the_commands_of_acute_are_there(duologue: Run) -> None:
    assert "pairings " in duologue("--help").stdout
    assert "questions " in duologue("study", "--help").stdout
    assert "import " in duologue("pairings", "--help").stdout
