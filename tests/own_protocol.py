"""The protocol in ``tests/best_worst`` installed as a distribution of its own, for processes that use it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.processes import finished

PACKAGE = Path(__file__).parent / "best_worst"


def installed(folder: Path) -> dict[str, str]:
    """Install it into a folder, without a network; the variables of a process that finds it there."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    done = finished([*pip, "--no-index", "--target", folder, PACKAGE])
    assert done.returncode == 0, done.stderr
    return paths_to(folder)


def paths_to(folder: Path) -> dict[str, str]:
    """The variables of a process that finds it in a folder."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {"PYTHONPATH": str(folder), "PATH": path, "COLUMNS": "100"}
