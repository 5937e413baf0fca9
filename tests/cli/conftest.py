"""The real command, in a process of its own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def duologue(tmp_path: Path) -> Run:
    """Runs ``duologue`` with arguments in an empty folder."""

    def run(*arguments: str | Path, expect: int = 0) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "duologue", *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        assert done.returncode == expect, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return run
