"""Write what is generated in the documentation.

- docs/commands.md, from the command line itself;
- the pictures whose page has changed since they were taken (`--pictures`: all of them);
- what commands print: an ```output block holds what the block of commands before it printed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from duologue.cli.main import app

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGE = DOCS / "commands.md"
COMMANDS = re.compile(r"^```(?:sh|console)\n(.*?)^```\n(\n```output\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
END_OF_BLOCK = "\036"
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


def script(page: str) -> str:
    """The commands of a page, up to the first that serves; the shell says which line failed."""
    blocks = [found[1] for found in COMMANDS.finditer(page)]
    ends = next((n for n, block in enumerate(blocks) if block.startswith("duologue serve ")), len(blocks))
    return "set -eu\n" + "".join(f"{block}printf '{END_OF_BLOCK}'\n" for block in blocks[:ends])


def outputs(page: str, printed: str) -> Iterator[tuple[str, str]]:
    """Of every block of commands with an ```output block: what stands there, and what it printed."""
    for found, text in zip(COMMANDS.finditer(page), printed.split(END_OF_BLOCK), strict=False):
        if found[2]:
            yield found[3], "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def same(page: str, stands: str, printed: str) -> bool:
    """Whether a command prints what stands there; simulated annotators race: numbers may differ."""
    if "duologue rehearse" in script(page):
        stands, printed = (re.sub(r"\d+(?:[.,:]\d+)*", "#", text) for text in (stands, printed))
        stands, printed = (re.sub(r"[<=] #( each| and #)?", "= #", text) for text in (stands, printed))
    return stands == printed


def write_outputs(page: Path) -> None:
    """Run the commands of a page, and write what they print where it differs."""
    text = page.read_text(encoding="utf-8")
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    variables = os.environ | {"PATH": path, "COLUMNS": "100", "DUOLOGUE_SOURCE": str(ROOT)}
    with tempfile.TemporaryDirectory() as folder:
        command = ["bash", "-c", script(text)]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{page.name}: {done.stderr[-2000:]}")
    for stands, printed in outputs(text, done.stdout):
        if not same(text, stands, printed):
            text = text.replace(f"```output\n{stands}```\n", f"```output\n{printed}```\n", 1)
    page.write_text(text, encoding="utf-8")


def main() -> None:
    """Write all of it."""
    import pictures  # beside this script

    PAGE.write_text(commands_page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")
    pictures.take_pictures(list(pictures.PICTURES) if "--pictures" in sys.argv else pictures.stale_pictures())
    for page in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]:
        if "```output\n" in page.read_text(encoding="utf-8"):
            print(f"running the commands of {page.name}", flush=True)
            write_outputs(page)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != commands_page())
    main()
