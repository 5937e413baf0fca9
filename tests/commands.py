"""The command ``duologue``, each time in a process of its own, without waiting for its imports each time.

Importing takes most of a command's time. A process that has imported everything waits for commands, as
``python -m tests.commands``, and forks itself for each: what runs is the real command with its own arguments,
folder, exit code and streams. Shells have it as a program (`program`). Servers and what is killed are started
from nothing, and so are commands whose imports are the point.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import duologue
from tests.processes import running

HEAVY = (
    "matplotlib.figure",
    "matplotlib.backends.backend_pdf",
    "matplotlib.backends.backend_svg",
    "scipy.stats",
)
"""What modules of ours import only when it is needed."""
ROOT = Path(__file__).parent.parent

CLIENT = """#!{python} -IS
import os, socket, sys
if os.environ.get("PYTHONPATH", "") != {paths!r}:
    os.execv({python!r}, [{python!r}, "-m", "duologue", *sys.argv[1:]])
import json
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    asked = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(asked).to_bytes(8, "big")], [0, 1, 2])
    server.sendall(asked)
    code = server.recv(16)
sys.exit(int(code or 1))
"""
"""A program that asks for a command; with modules in other places than ours it is the command itself."""


class Commands:
    """The process that waits for commands; it is started with the first one.

    Args:
        variables: Set in its environment, besides ours: where else modules are found, for instance.
    """

    def __init__(self, variables: Mapping[str, str] | None = None) -> None:
        self._variables = variables
        self._stack = ExitStack()
        self._process: subprocess.Popen[str] | None = None

    def finished(self, arguments: list[str], *, folder: Path) -> subprocess.CompletedProcess[str]:
        """What a command printed, and its exit code."""
        if self._process is None:
            command = [sys.executable, "-m", "tests.commands"]
            begun = running(command, folder=ROOT, variables=self._variables, takes_input=True)
            self._process = self._stack.enter_context(begun)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        streams = {name: folder / f".{name}" for name in ("out", "err")}
        try:
            asked = {"arguments": arguments, "folder": str(folder)}
            self._process.stdin.write(
                json.dumps(asked | {name: str(path) for name, path in streams.items()}) + "\n"
            )
            code = int(self._process.stdout.readline())
            out, err = (path.read_text(encoding="utf-8") for path in streams.values())
        except BaseException:
            self.close()  # it may still be busy with this command
            raise
        for path in streams.values():
            path.unlink()
        return subprocess.CompletedProcess(arguments, code, out, err)

    def close(self) -> None:
        """End it, with the command that it may be running."""
        self._process = None
        self._stack.close()


@contextmanager
def program(folder: Path) -> Iterator[Path]:
    """An empty folder with the program ``duologue`` for the path of a shell."""
    address = str(folder / "socket")
    duologue = folder / "duologue"
    text = CLIENT.format(python=sys.executable, paths=os.environ.get("PYTHONPATH", ""), address=address)
    duologue.write_text(text, encoding="utf-8")
    duologue.chmod(0o755)
    with running([sys.executable, "-m", "tests.commands", address], folder=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "listening\n"
        yield folder


def serve_program(address: str) -> None:
    """Run a command for each client, in its folder, with its variables and its streams."""
    _import()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        print("listening", flush=True)
        while True:
            client, _ = server.accept()
            if os.fork() == 0:
                server.close()
                _serve(client)
            client.close()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _serve(client: socket.socket) -> None:
    size, streams, *_ = socket.recv_fds(client, 8, 3)
    with client.makefile("rb") as file:
        arguments, folder, variables = json.loads(file.read(int.from_bytes(size, "big")))
    pid = os.fork()
    if pid == 0:
        client.close()
        os.environ.clear()
        os.environ.update(variables)
        os.chdir(folder)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        _run(arguments)
    client.sendall(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
    os._exit(0)


def serve_commands() -> None:
    """Run a command for each line of standard input; tell its exit code on standard output."""
    _import()
    for line in sys.stdin:
        asked = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _become(asked)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def _import() -> None:
    """Import everything, and let no child look through it for garbage."""
    for name in HEAVY:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(duologue.__path__, "duologue."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()


def _become(asked: dict[str, str]) -> None:
    """Be the command, as if started from nothing."""
    os.chdir(asked["folder"])
    for number, name in ((0, os.devnull), (1, asked["out"]), (2, asked["err"])):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(name, flags, 0o600), number)
    _run(asked["arguments"])


def _run(arguments: Sequence[str]) -> None:
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  what was read ahead belongs to the parent
    sys.argv = ["duologue", *arguments]
    code = 1
    try:
        from duologue.cli.main import run

        run()
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
    serve_program(sys.argv[1]) if sys.argv[1:] else serve_commands()
