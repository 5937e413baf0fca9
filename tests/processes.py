"""Processes that tests start. Each ends with the block that started it, whatever happens there.

A process leads a group of its own: at the end of the block it is killed with all its children, it is waited
for, and its pipes are closed. Ctrl+C reaches it also when the tests run in the background, where the shell
has SIGINT ignored and children would inherit that.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

from tests.forked import SHARED, forked

PYTHON = (sys.executable, "-X", "forked")
"""Python, forked off a process that has imported everything where there is one (`tests.forked`)."""
DUOLOGUE = (*PYTHON, "-m", "duologue")
FROM_NOTHING = (sys.executable, "-m", "duologue")
"""The same, never forked: for what is found or imported only when a process begins."""


@contextmanager
def running(
    command: Sequence[object],
    *,
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
    takes_input: bool = False,
    captures: bool = True,
    stderr: int | None = None,
    is_interruptible: bool = True,
) -> Iterator[subprocess.Popen[str]]:
    """A process while the block runs.

    Args:
        command: What is run.
        folder: Where it is run.
        variables: Set in its environment, besides ours.
        takes_input: Its standard input is a pipe, written line by line; otherwise it is empty.
        captures: Its standard output is a pipe; otherwise it is dropped.
        stderr: Its standard error stream as `subprocess.Popen` takes it; ours by default.
        is_interruptible: SIGINT ends it; otherwise it is born ignoring SIGINT, as a background job is.
    """
    shared = os.environ.get(SHARED)
    if shared and is_interruptible and tuple(command[: len(PYTHON)]) == PYTHON:
        with forked(
            Path(shared),
            list(map(str, command[len(PYTHON) :])),
            folder=folder or Path.cwd(),
            variables={**os.environ, **(variables or {})},
            streams=[
                subprocess.PIPE if takes_input else subprocess.DEVNULL,
                subprocess.PIPE if captures else subprocess.DEVNULL,
                2 if stderr is None else stderr,
            ],
        ) as command_forked:
            yield cast("subprocess.Popen[str]", command_forked)
        return
    with _interrupts(signal.default_int_handler if is_interruptible else signal.SIG_IGN):
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            env={**os.environ, **(variables or {})},
            stdin=subprocess.PIPE if takes_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE if captures else subprocess.DEVNULL,
            stderr=stderr,
            text=True,
            bufsize=1,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def finished(
    command: Sequence[object],
    *,
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
    text: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """What a process that ends by itself printed, and its exit code; ``text`` is its standard input."""
    with running(
        command, folder=folder, variables=variables, takes_input=text is not None, stderr=subprocess.PIPE
    ) as process:
        out, err = process.communicate(text)
    return subprocess.CompletedProcess([str(part) for part in command], process.returncode, out, err)


def printed_until(process: subprocess.Popen[str], end: str) -> str:
    """What a process prints up to and with the line that holds ``end``; all of it when it ends before."""
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line
        if end in line:
            break
    return printed


@contextmanager
def interruptible() -> Iterator[None]:
    """While the block runs, SIGINT interrupts this process too, also in the background."""
    with _interrupts(signal.default_int_handler):
        yield


@contextmanager
def _interrupts(handler: signal._HANDLER) -> Iterator[None]:
    """Answer SIGINT so; a process born meanwhile ignores it if we do, and is ended by it if not."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may change it; what it set holds
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
