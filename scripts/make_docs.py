"""Write the generated pages of the documentation: docs/commands.md, from the command line itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from duologue.cli.main import app

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
HEADER = """# Commands

*For everybody who looks up a command.*

Made from the command line itself by `make docs`; `duologue COMMAND --help` says the same.

Every long command shows a progress bar on a terminal and is silent in a pipe. A mistake gives one line on
stderr and exit code 1 (2 for wrong usage). A file that is there is replaced only with `--overwrite`; in a
folder that is named for results, they are written anew.
"""


def commands_page() -> str:
    """The page as it should be."""
    return HEADER + "".join(_section(path, command) for path, command in walk())


def walk() -> Iterator[tuple[str, Any]]:
    """Every command with its full name, groups left out; typer brings its own click, which has no types."""
    yield from _walk("duologue", typer.main.get_command(app))


def _walk(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "list_commands"):
        yield path, command
        return
    for name in sorted(command.list_commands(None)):
        yield from _walk(f"{path} {name}", command.get_command(None, name))


def _section(path: str, command: Any) -> str:
    with command.make_context(path, ["--help"], resilient_parsing=True) as context:  # with all options
        pieces = command.collect_usage_pieces(context)
        lines = [f"\n## {path}\n", f"`{' '.join([path, *pieces])}`\n", f"{(command.help or '').strip()}\n"]
        rows = [record for param in command.get_params(context) if (record := param.get_help_record(context))]
    if rows:
        lines.append("| | |\n|---|---|")
        lines += [f"| `{_cell(name)}` | {_cell(text)} |" for name, text in rows if name != "--help"]
        lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "¦").split())


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != commands_page())
    PAGE.write_text(commands_page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")
