"""A terminal is shown names; it is never commanded by them."""

from __future__ import annotations

import io
import os
import pty
import sys
from pathlib import Path

import pytest

from duologue.cli.main import run
from duologue.cli.terminal import VisibleStream, guard_terminal
from duologue.cli.terminal.console import VisibleConsole

RED = "\x1b[31mred\x07"


class Terminal(io.TextIOWrapper):
    """What says that it is a terminal, and keeps what is written."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> str:
        self.flush()
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue().decode()


def guarded_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", Terminal())
    guard_terminal()
    return terminal


def test_control_characters_are_shown_and_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = guarded_terminal(monkeypatch)
    print(f"{RED}\ta\r\x9bb")
    sys.stdout.flush()
    assert terminal.shown == "␛[31mred␇\ta␍�b\n"


def test_rich_may_colour_words_and_passes_no_control_character_of_them_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = guarded_terminal(monkeypatch)
    console = VisibleConsole(force_terminal=True, color_system="standard", highlight=False, _environ={})
    console.print("\x1b[31mred", style="bold", markup=False)
    assert terminal.shown == "\x1b[1m␛[31mred\x1b[0m\n"


def test_a_pipe_gets_every_character_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stdout", pipe)
    monkeypatch.setattr(sys, "stderr", pipe)
    guard_terminal()
    print(RED)
    assert pipe.getvalue() == f"{RED}\n"


def test_a_command_shows_the_name_of_a_file_and_does_not_obey_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "argv", ["duologue", "study", "check", str(tmp_path / RED)])
        with pytest.raises(SystemExit):
            run()
        assert isinstance(sys.stderr, VisibleStream)
        assert isinstance(sys.stdout, VisibleStream)
        sys.stderr.flush()
        said = ""
        while not said.endswith("\n"):
            said += os.read(ours, 4096).decode()
        sys.stderr.detach()
        sys.stdout.detach()
    os.close(ours)
    assert "␛[31mred␇" in said
    assert "\x1b" not in said
