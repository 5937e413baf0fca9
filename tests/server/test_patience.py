"""Connections that never finish a request are closed, and lock nobody out."""

from __future__ import annotations

import contextlib
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from duologue.server import create_app, served
from duologue.server.running import patience
from duologue.store import Store
from duologue.studies import Study
from tests.processes import DUOLOGUE, printed_until, running
from tests.server.studies import make_study

HALF_OPEN = 1_500
GET = b"GET /healthz HTTP/1.1\r\nhost: study\r\n\r\n"
UNFINISHED = {
    "nothing": b"",
    "half a line": b"GET /heal",
    "headers without end": b"GET /healthz HTTP/1.1\r\nhost: study\r\nx: y\r\n",
    "half a body": b"POST /researcher/sign-in HTTP/1.1\r\nhost: study\r\ncontent-length: 100\r\n"
    b"content-type: application/x-www-form-urlencoded\r\n\r\nkey=",
}


def connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=60)


def is_closed(connection: socket.socket) -> bool:
    """Wait until the other side closes the connection; its last answer is passed over."""
    with contextlib.suppress(ConnectionResetError):
        while connection.recv(65536):
            pass
    return True


def answer_to(connection: socket.socket, request: bytes) -> bytes:
    connection.sendall(request)
    answer = b""
    while b'{"status":"ok"}' not in answer:
        some = connection.recv(65536)
        assert some, "the connection was closed"
        answer += some
    return answer


@pytest.fixture
def hurried(study: Study, store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server with very little patience."""
    monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.2)
    with served(create_app(study, store)) as address:
        yield address


@pytest.mark.parametrize("begun", UNFINISHED)
def test_a_request_that_is_never_finished_ends_with_its_connection(hurried: str, begun: str) -> None:
    with connected(hurried) as connection:
        connection.sendall(UNFINISHED[begun])
        assert is_closed(connection)


def test_a_second_request_that_is_never_finished_ends_the_connection_too(hurried: str) -> None:
    with connected(hurried) as connection:
        assert answer_to(connection, GET).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET /heal")
        assert is_closed(connection)


def test_an_answer_may_take_longer_than_its_request(hurried: str) -> None:
    with httpx2.Client(base_url=hurried, timeout=60, trust_env=False) as client:
        for _ in range(6):  # the last one is held back for half a second
            assert client.post("/researcher/sign-in", data={"key": "wrong"}).status_code == 401


def test_a_connection_that_has_asked_is_counted_no_longer(hurried: str) -> None:
    with connected(hurried) as connection:
        answer_to(connection, GET)
        assert not patience.PatientProtocol.unfinished


def test_as_many_descriptors_as_the_system_allows_are_taken() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    script = (
        "from duologue.server.running.patience import *; print(raise_descriptor_limit(), most_unfinished())"
    )
    found = subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard)),
        capture_output=True,
        text=True,
        check=True,
    )
    now, waiting = map(int, found.stdout.split())
    assert now == hard
    assert waiting == hard // 2


@pytest.mark.parametrize("may_raise", [True, False], ids=["raises its limit", "may not raise its limit"])
def test_1500_half_open_connections_lock_no_annotator_out(tmp_path: Path, may_raise: bool) -> None:
    study = make_study(tmp_path / "study")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with serving(study, soft=256, hard=hard if may_raise else 256) as link, ExitStack() as stack:
        lift_own_limit(stack, HALF_OPEN + 500)
        for _ in range(HALF_OPEN):
            stack.enter_context(connected(link)).sendall(UNFINISHED["headers without end"])
        page = httpx2.get(link, timeout=60, trust_env=False)
        assert page.status_code == 200
        assert "</html>" in page.text


@contextlib.contextmanager
def serving(study: Study, *, soft: int, hard: int) -> Iterator[str]:
    """The link of an annotator of a study that another process serves."""
    most = "unlimited" if hard == resource.RLIM_INFINITY else hard
    limited = ["sh", "-c", f'ulimit -Sn {soft} && ulimit -Hn {most} && exec "$@"', "sh"]
    with running([*limited, *DUOLOGUE, "serve", study.folder, "--port", "0"]) as process:
        printed = printed_until(process, "annotator ")
        yield printed.split()[-1]


def lift_own_limit(stack: ExitStack, wanted: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"this machine lets a process have {hard} connections only")
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
