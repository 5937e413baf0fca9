"""The real server of a rehearsal, in a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from duologue.errors import RehearsalError
from duologue.studies import Study

PATIENCE_SECONDS = 600.0
"""How long the server may take to load the study."""

LOG = "server.log"

DUOLOGUE: tuple[str, ...] = (sys.executable, "-m", "duologue")
"""The command."""


@contextmanager
def served_copy(study: Study) -> Iterator[str]:
    """Serve a copied study with ``duologue serve`` while the block runs; gives its address.

    Raises:
        RehearsalError: The server ended at once, or is not ready after a long time.
    """
    log, port = study.folder / LOG, _free_port()
    command = [*DUOLOGUE, "serve", str(study.folder), "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603  our own command
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_ready(address, process, log)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except BaseException as error:  # it does not end in time, or somebody does not want to wait for it
            process.kill()
            process.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_until_ready(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    with httpx2.Client(trust_env=False, timeout=60) as client:
        while True:
            try:
                if client.get(f"{address}/healthz").status_code == 200:
                    return
            except httpx2.TransportError:
                pass
            if process.poll() is not None:
                raise RehearsalError(f"the server did not start. {_last_words(log)}", log=log)
            if time.monotonic() > deadline:
                raise RehearsalError(f"the server was not ready after {PATIENCE_SECONDS:g} s.", log=log)
            time.sleep(0.05)


def _last_words(log: Path) -> str:
    """The last line the server printed: why it ended."""
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].removeprefix("duologue: ") if lines else "It said nothing."
