"""Commands that packages of protocols add."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint
from typing import Any

import pytest
import typer
from typer.main import get_group
from typer.testing import CliRunner

from duologue.cli import added, main
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


def test_summaries_of_all_commands_are_whole_sentences_in_80_columns() -> None:
    root: Any = get_group(main.app)
    commands = {name: root.get_command(None, name) for name in root.list_commands(None)}
    nouns = {(name,): one for name, one in commands.items() if hasattr(one, "list_commands")}
    assert len(nouns) > 10
    for noun, group in {(): root, **nouns}.items():
        shown = CliRunner().invoke(main.app, [*noun, "--help"], env={"COLUMNS": "80"}).stdout
        assert max(map(len, shown.splitlines())) <= 80
        for name in group.list_commands(None):
            said = " ".join(group.get_command(None, name).help.split())
            first = re.split(r"(?<=\.) (?=[A-Z])", said)[0]
            assert f" {name} {first}" in " ".join(shown.split()), (*noun, name)
