"""The command ``duologue``, each time in a process of its own, without waiting for its imports each time.

Importing takes most of a command's time. A process that has imported everything waits for commands, as
``python -m tests.commands``, and forks itself for each: what runs is the real command with its own arguments,
folder, variables, exit code and streams. `Commands` runs it from a test, and shells have it as a program
(`program`). Servers are started so too, and can be killed as any process. Commands whose imports are the
point are started from nothing.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import typer.main
from typer.utils import get_params_from_function

import duologue
from tests.certificates import keep_certificates
from tests.forked import PID_BYTES, SHARED, SIZE_BYTES, ask
from tests.processes import running
from tests.templates import keep_compiled

HEAVY = (
    "matplotlib.figure",
    "matplotlib.backends.backend_pdf",
    "matplotlib.backends.backend_svg",
    "scipy.stats",
)
"""What modules of ours import only when it is needed."""
ROOT = Path(__file__).parent.parent

CLIENT = """#!{python} -IS
import json, os, signal, socket, sys

pid, early = 0, []


def pass_on(number, frame):
    os.kill(pid, number) if pid else early.append(number)


for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, pass_on)
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    asked = json.dumps([["-m", "duologue", *sys.argv[1:]], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(asked).to_bytes({size}, "big")], [0, 1, 2])
    server.sendall(asked)
    pid = int.from_bytes(server.recv({pid}), "big")
    for number in early:
        os.kill(pid, number)
    code = server.recv(16)
sys.exit(int(code or 1))
"""
"""The program: it asks for a command, and hands on the signals that are to end it."""


class Commands:
    """Runs commands in processes that are forked off the program in a folder.

    Args:
        folder: Of the program, as `program` gives it.
        variables: Set in the environment of each command, besides ours: where else modules are found.
    """

    def __init__(self, folder: Path, variables: Mapping[str, str] | None = None) -> None:
        self._program = folder
        self._variables = dict(variables or {})

    def finished(self, arguments: list[str], *, folder: Path) -> subprocess.CompletedProcess[str]:
        """What a command printed, and its exit code."""
        with (
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
            Path(os.devnull).open("rb") as nothing,
        ):
            server, _pid = ask(
                self._program,
                ["-m", "duologue", *arguments],
                folder=folder,
                variables={**os.environ, **self._variables},
                streams=[nothing.fileno(), out.fileno(), err.fileno()],
            )
            with server:
                code = int(server.recv(16) or 1)
            said = []
            for stream in (out, err):
                stream.seek(0)
                said.append(stream.read().decode())
        return subprocess.CompletedProcess(arguments, code, *said)


@contextmanager
def program() -> Iterator[Path]:
    """A folder with the program ``duologue``: the one that this test run shares, or one of our own."""
    if shared := os.environ.get(SHARED):
        yield Path(shared)
        return
    with tempfile.TemporaryDirectory() as folder:
        address, client = str(Path(folder) / "socket"), Path(folder) / "duologue"
        client.write_text(
            CLIENT.format(python=sys.executable, address=address, size=SIZE_BYTES, pid=PID_BYTES), "utf-8"
        )
        client.chmod(0o755)
        with running([sys.executable, "-m", "tests.commands", folder], folder=ROOT) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "listening\n"
            yield Path(folder)


def serve(folder: Path) -> None:
    """Run a command for each client, in its folder, with its variables and its streams."""
    _import()
    keep_compiled(str(folder))
    keep_certificates()
    from duologue.rehearsal import serving

    serving.DUOLOGUE = (str(folder / "duologue"),)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket"))
        server.listen(128)
        print("listening", flush=True)
        _Forking(server).run()


class _Forking:
    """Forks a process for each client, and tells each the exit code of its own."""

    def __init__(self, server: socket.socket) -> None:
        self._server = server
        self._clients: dict[int, socket.socket] = {}
        """Who waits for which process."""

    def run(self) -> None:
        ended, wakes = socket.socketpair()
        for end in (ended, wakes):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(wakes.fileno())
        while True:
            watched = {self._server, ended, *self._clients.values()}
            ready, _, _ = select.select(watched, [], [])
            if ended in ready:
                with suppress(BlockingIOError):
                    ended.recv(4096)
                self._tell_exit_codes()
            for pid in [pid for pid, client in self._clients.items() if client in ready]:
                self._end(pid)
            if self._server in ready:
                self._begin(self._server.accept()[0], (ended, wakes))

    def _begin(self, client: socket.socket, ours: Sequence[socket.socket]) -> None:
        size, streams, *_ = socket.recv_fds(client, SIZE_BYTES, 3)
        if not size:  # it went away without a word
            return client.close()
        with client.makefile("rb") as file:
            arguments, folder, variables = json.loads(file.read(int.from_bytes(size, "big")))
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for one in (self._server, client, *ours, *self._clients.values()):
                one.close()
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            _become(variables, folder, streams)
            _run(arguments)
        for stream in streams:
            os.close(stream)
        self._clients[pid] = client
        client.sendall(pid.to_bytes(PID_BYTES, "big"))

    def _tell_exit_codes(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                if (client := self._clients.pop(pid, None)) is not None:
                    with client, suppress(OSError):
                        client.sendall(str(os.waitstatus_to_exitcode(status)).encode())

    def _end(self, pid: int) -> None:
        """Kill a command with all that it started: nobody waits for it any more."""
        self._clients.pop(pid).close()
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


def _import() -> None:
    """Import everything, and let no child look through it for garbage."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does
    for name in HEAVY:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(duologue.__path__, "duologue."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
    _build_commands()
    gc.collect()
    gc.freeze()


def _build_commands() -> None:
    """Look at the parameters of every command once: in each process anew it takes half of a short one."""
    from duologue.cli.main import app

    setattr(typer.main, "get_params_from_function", cache(get_params_from_function))  # noqa: B010  not public
    typer.main.get_command(app)


def _become(variables: Mapping[str, str], folder: str, streams: Sequence[int]) -> None:
    """Be a process with these variables, in this folder, with these streams."""
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ.clear()
    os.environ.update(variables)
    added = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path not in before]
    sys.path[1:1] = added
    time.tzset()
    os.chdir(folder)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    if os.isatty(1):  # our own stream was made for a file, in which one can go back
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115  it lasts as long as the process
    if os.isatty(2):
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def _run(arguments: Sequence[str]) -> None:
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  what was read ahead belongs to the parent
    flag, what, *sys.argv[1:] = arguments
    sys.argv[0] = flag if flag == "-c" else what
    code = 1
    try:
        if flag == "-c":
            exec(what, {"__name__": "__main__"})
        elif what == "duologue":
            from duologue.cli.main import run

            run()
        else:
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
