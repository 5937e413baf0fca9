"""The real command, in a process of its own."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.processes import DUOLOGUE, finished

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def duologue(tmp_path: Path) -> Run:
    """Runs ``duologue`` with arguments in an empty folder."""

    def run(*arguments: str | Path, expect: int = 0) -> "subprocess.CompletedProcess[str]":
        done = finished([*DUOLOGUE, *arguments], folder=tmp_path)
        assert done.returncode == expect, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return run
