"""Connections that never finish a request are closed, and lock nobody out."""

from __future__ import annotations

import contextlib
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
from tests.waiting import PATIENCE, wait_until

HALF_OPEN = 1_500
AT_ONCE = 64
"""How many strangers connect at the same time: one who is not heard waits a second to try again."""
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
    return socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)


def half_open(address: str) -> socket.socket:
    """A connection whose request never ends; the server may have closed it already."""
    connection = connected(address)
    with contextlib.suppress(ConnectionError):
        connection.sendall(UNFINISHED["headers without end"])
    return connection


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
def patient(study: Study, store: Store) -> Iterator[str]:
    """A server that waits as long as it does for annotators."""
    with served(create_app(study, store)) as address:
        yield address


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


def test_a_second_request_that_is_never_finished_ends_the_connection_too(
    patient: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(patient) as connection:
        assert answer_to(connection, GET).startswith(b"HTTP/1.1 200")
        monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.2)
        connection.sendall(b"GET /heal")
        assert is_closed(connection)


BEFORE_ENDLESS_HEADERS = {
    "the first request": b"",
    "a later one": GET,
    "trailers": b"POST /researcher/sign-in HTTP/1.1\r\nhost: study\r\ntransfer-encoding: chunked\r\n"
    b"content-type: application/x-www-form-urlencoded\r\n\r\n5\r\nkey=a\r\n0\r\n",
    "while an answer is awaited": b"POST /researcher/sign-in HTTP/1.1\r\nhost: study\r\ncontent-length: 5\r\n"
    b"content-type: application/x-www-form-urlencoded\r\n\r\nkey=a",
}


@pytest.mark.parametrize("where", BEFORE_ENDLESS_HEADERS)
def test_headers_without_end_are_not_kept(study: Study, store: Store, where: str) -> None:
    """Nobody has to wait for the time limit, and little of them was taken."""
    with served(create_app(study, store)) as address, connected(address) as connection:
        earlier = BEFORE_ENDLESS_HEADERS[where]
        if earlier == GET:
            answer_to(connection, GET)
        else:
            connection.sendall(earlier)
        if where != "trailers":
            connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: study\r\n")
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 1_000 * patience.MOST_HEAD_BYTES:
                connection.sendall(b"x: " + b"y" * 4_000 + b"\r\n")
                sent += 4_000
        assert sent < 1_000 * patience.MOST_HEAD_BYTES
        assert is_closed(connection)
        assert not patience.PatientProtocol.unfinished


def test_body_of_many_parts_is_no_head(patient: str) -> None:
    body = b"key=" + b"a" * 3 * patience.MOST_HEAD_BYTES
    parts = b"".join(
        b"3e8\r\n%s\r\n" % body[start : start + 1000].ljust(1000) for start in range(0, len(body), 1000)
    )
    head = b"POST /researcher/sign-in HTTP/1.1\r\nhost: study\r\ntransfer-encoding: chunked\r\n"
    kind = b"content-type: application/x-www-form-urlencoded\r\n\r\n"
    with connected(patient) as connection:
        connection.sendall(head + kind)
        for start in range(0, len(parts), 5000):
            connection.sendall(parts[start : start + 5000])
        connection.sendall(b"0\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 401")


def test_head_as_long_as_browsers_send_is_read(patient: str) -> None:
    head = b"GET /healthz HTTP/1.1\r\nhost: study\r\ncookie: " + b"c" * 8_000 + b"\r\n\r\n"
    with connected(patient) as connection:
        for _ in range(3):
            assert answer_to(connection, head).startswith(b"HTTP/1.1 200")


def test_two_requests_in_one_packet_are_both_answered(patient: str) -> None:
    with connected(patient) as connection:
        connection.sendall(GET)
        assert answer_to(connection, GET).startswith(b"HTTP/1.1 200")


def test_an_answer_may_take_longer_than_its_request(hurried: str) -> None:
    """A request that did not arrive in time, on a busy machine, is sent again."""

    def is_refused() -> bool:
        try:
            return client.post("/researcher/sign-in", data={"key": "wrong"}).status_code == 401
        except httpx2.TransportError:
            return False

    with httpx2.Client(base_url=hurried, timeout=PATIENCE, trust_env=False) as client:
        for _ in range(6):  # the last one is held back for half a second
            wait_until(is_refused, "a wrong key is refused")


def test_a_connection_that_has_asked_is_counted_no_longer(patient: str) -> None:
    with connected(patient) as connection:
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
        with ThreadPoolExecutor(AT_ONCE) as strangers:
            for connection in strangers.map(half_open, [link] * HALF_OPEN):
                stack.enter_context(connection)
        page = httpx2.get(link, timeout=PATIENCE, trust_env=False)
        assert page.status_code == 200
        assert "</html>" in page.text
    noted = (study.folder / "logs" / "server.jsonl").read_text(encoding="utf-8")
    assert "_accept_connection" not in noted, f"{len(noted):,} bytes of the server's log"


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
