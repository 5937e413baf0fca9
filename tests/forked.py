"""Processes that are forked off the program of `tests.commands`, from the side of who asks for them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

SHARED = "DUOLOGUE_TEST_COMMANDS"
"""The variable with the folder of the program that all processes of `scripts/run_tests.py` share."""
SIZE_BYTES, PID_BYTES = 8, 8


def ask(
    program: Path, arguments: Sequence[str], *, folder: Path, variables: Mapping[str, str], streams: list[int]
) -> tuple[socket.socket, int]:
    """Have a process begun: where its exit code will come, and its number.

    Args:
        program: The folder of the program, as `tests.commands.program` gives it.
        arguments: Those of Python: ``-m`` and a module or ``-c`` and code, and what follows.
        folder: Where it is run.
        variables: Its environment.
        streams: Its standard input, output and error stream.
    """
    with ExitStack() as opened:  # the program waits for what a client says that has connected
        server = opened.enter_context(socket.socket(socket.AF_UNIX))
        server.connect(str(program / "socket"))
        asked = json.dumps([list(arguments), str(folder), dict(variables)]).encode()
        socket.send_fds(server, [len(asked).to_bytes(SIZE_BYTES, "big")], streams)
        server.sendall(asked)
        pid = int.from_bytes(server.recv(PID_BYTES), "big")
        opened.pop_all()
    return server, pid


class ForkedProcess:
    """What tests use of `subprocess.Popen`. The process can be killed as any other."""

    def __init__(self, server: socket.socket, pid: int, streams: Mapping[int, IO[str]]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdin, self.stdout, self.stderr = (streams.get(number) for number in range(3))
        self._server = server

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; the exit code, or the signal that ended it as a negative number."""
        if self.returncode is None:
            self._server.settimeout(timeout)
            try:
                self.returncode = int(self._server.recv(16) or 1)
            except (BlockingIOError, TimeoutError):
                raise subprocess.TimeoutExpired("a forked process", timeout or 0) from None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def communicate(self, text: str | None = None, timeout: float | None = None) -> tuple[str, str]:
        """Give it its input, and wait for its end; what it printed, and its errors."""
        if self.stdin is not None:
            with suppress(BrokenPipeError), self.stdin:
                self.stdin.write(text or "")
        with ThreadPoolExecutor(2) as readers:
            out, err = readers.map(_all_of, (self.stdout, self.stderr))
        self.wait(timeout)
        return out, err


def _all_of(stream: IO[str] | None) -> str:
    return "" if stream is None else stream.read()


@contextmanager
def forked(
    program: Path,
    arguments: Sequence[str],
    *,
    folder: Path,
    variables: Mapping[str, str],
    streams: Sequence[int],
) -> Iterator[ForkedProcess]:
    """A process while the block runs; it is killed with all its children when the block ends.

    Args:
        program: The folder of the program, as `tests.commands.program` gives it.
        arguments: Those of Python.
        folder: Where it is run.
        variables: Its environment.
        streams: Its standard streams as `subprocess.Popen` takes them: PIPE, DEVNULL or open files.
    """
    with ExitStack() as ours:
        with ExitStack() as theirs:
            pipes: dict[int, IO[str]] = {}
            given = []
            for number, stream in enumerate(streams):
                mode = "r" if number == 0 else "w"
                if stream == subprocess.PIPE:
                    there, here = os.pipe() if number == 0 else os.pipe()[::-1]
                    stream = theirs.enter_context(os.fdopen(there, mode)).fileno()
                    pipes[number] = ours.enter_context(
                        os.fdopen(here, "w" if number == 0 else "r", buffering=1, encoding="utf-8")
                    )
                elif stream == subprocess.DEVNULL:
                    stream = theirs.enter_context(Path(os.devnull).open(mode)).fileno()
                given.append(stream)
            server, pid = ask(program, arguments, folder=folder, variables=variables, streams=given)
        ours.enter_context(server)
        process = ForkedProcess(server, pid, pipes)
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            process.wait()
            for pipe in pipes.values():
                with suppress(BrokenPipeError):
                    pipe.close()
