"""The real command, in a process of its own."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Commands

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def commands(quick_duologue: Path) -> Commands:
    return Commands(quick_duologue)


@pytest.fixture
def duologue(commands: Commands, tmp_path: Path) -> Run:
    """Runs ``duologue`` with arguments in an empty folder."""

    def run(*arguments: str | Path, expect: int = 0) -> "subprocess.CompletedProcess[str]":
        done = commands.finished(list(map(str, arguments)), folder=tmp_path)
        assert done.returncode == expect, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return run
