"""The protocol in ``tests/best_worst`` installed as a distribution of its own, for processes that use it."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree, ignore_patterns

from tests.processes import DUOLOGUE, finished

PACKAGE = Path(__file__).parent / "best_worst"


def installed(folder: Path) -> dict[str, str]:
    """Install it into a folder, without a network; the variables of a process that finds it there."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    done = finished([*pip, "--no-index", "--target", folder, PACKAGE])
    assert done.returncode == 0, done.stderr
    return paths_to(folder)


def placed(folder: Path) -> dict[str, str]:
    """Lay it down as `installed` does, in a moment; the variables of a process that finds it there."""
    copytree(PACKAGE / "duologue_best_worst", folder / "duologue_best_worst", ignore=ignore_patterns("__py*"))
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = folder / f"duologue_best_worst-{project['version']}.dist-info"
    about.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(metadata, encoding="utf-8")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in named.items())
        for group, named in project["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")
    return paths_to(folder)


def make_threes(folder: Path, variables: Mapping[str, str], name: str, *, dialogues: int) -> Path:
    """Make a study of the protocol with so many dialogues of each bot; its study file."""
    for command in (
        f"study new {name} --protocol best-worst --seed 5",
        f"dialogues self-chat {name} -n {dialogues} --exchanges 2",
    ):
        done = finished([*DUOLOGUE, *command.split()], folder=folder, variables=variables)
        assert done.returncode == 0, done.stderr
    return folder / name / "study.toml"


def paths_to(folder: Path) -> dict[str, str]:
    """The variables of a process that finds it in a folder."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {"PYTHONPATH": str(folder), "PATH": path, "COLUMNS": "100"}
