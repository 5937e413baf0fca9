"""Commands that packages of protocols add: found by entry points, loaded when they are asked for.

An entry point of the group ``duologue.commands`` names a noun (``pairings``: a `typer.Typer` with its verbs),
or a verb of one of our nouns (``study.questions``: a function). Its module is loaded for ``--help``, so it
imports nothing heavy before a command runs.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from duologue.errors import ProtocolError

GROUP = "duologue.commands"
ROOT = "duologue"
_NO_LIMIT = 10_000


class GroupWithAdded(TyperGroup):
    """Our commands, and those that packages add to them."""

    def list_commands(self, ctx: Any) -> list[str]:  # Typer has no public name for the class
        """The names of all of them."""
        return [*super().list_commands(ctx), *sorted(_added_to(self.name).keys() - self.commands.keys())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of them; our own go before those that are added."""
        own = super().get_command(ctx, cmd_name)
        added = _added_to(self.name)
        return _loaded(added[cmd_name], cmd_name) if own is None and cmd_name in added else own

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands, each with the whole first sentence of its help."""
        named = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, one.get_short_help_str(_NO_LIMIT)) for name, one in named if not one.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@cache
def _points() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def _added_to(noun: str | None) -> dict[str, EntryPoint]:
    """What is added to a noun, or to the whole command line, by name."""
    found = {}
    for point in _points():
        of, _, name = point.name.rpartition(".")
        if of == ("" if noun == ROOT else noun):
            found[name] = point
    return found


@cache
def _loaded(point: EntryPoint, name: str) -> Any:
    try:
        found = point.load()
    except (ImportError, AttributeError) as error:
        problem = f"adds a command {name!r} that cannot be loaded ({error})"
        raise ProtocolError(point.module.partition(".")[0], problem, f"Mend {point.value}.") from error
    around = typer.Typer(rich_markup_mode=None, add_completion=False)
    if isinstance(found, typer.Typer):
        around.add_typer(found, name=name, cls=GroupWithAdded)
    else:
        around.command(name)(found)
    return get_group(around).commands[name]
