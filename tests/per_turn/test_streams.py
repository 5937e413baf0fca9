"""Event streams of chats with three bots: no byte, its order or its time tells which bot answers when."""

from __future__ import annotations

import re
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from duologue.server.annotator import chat
from tests.per_turn.test_pages import NAMES, serving
from tests.server.chat_people import Person
from tests.waiting import PATIENCE, wait_until

WAYS = ("ash", "box", "cob")
GATED = """
import asyncio
from pathlib import Path

HERE = Path(__file__).parent

def gated(name):
    async def answer(messages):
        while not (HERE / name).exists():
            await asyncio.sleep(0.01)
        return name + " says " + messages[-1]["content"]

    return answer

ash, box, cob = map(gated, ("ash", "box", "cob"))
"""


class Listener:
    """Reads a stream as it comes over the wire, chunk by chunk, headers first."""

    def __init__(self, address: str, token: str) -> None:
        place = urlsplit(address)
        assert place.hostname
        assert place.port
        self._socket = socket.create_connection((place.hostname, place.port), timeout=PATIENCE)
        self._socket.sendall(f"GET /a/{token}/events HTTP/1.1\r\nhost: x\r\n\r\n".encode())
        self._file = self._socket.makefile("rb")
        self.chunks: list[str] = []
        self.headers = b"".join(iter(self._file.readline, b"\r\n")).decode()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while size := int(self._file.readline() or b"0", 16):
            self.chunks.append(self._file.read(size).decode())
            self._file.read(2)

    @property
    def beats(self) -> int:
        return sum(chunk.endswith("event: beat\ndata:\n\n") for chunk in self.chunks)

    @property
    def news(self) -> list[str]:
        return [chunk for chunk in self.chunks if "event: chat" in chunk]

    def wait_for_beats(self, more: int) -> None:
        wanted = self.beats + more
        wait_until(lambda: self.beats >= wanted, "the stream shows that it is alive")

    def close(self) -> None:
        with closing(self._socket), closing(self._file):
            with suppress(OSError):  # the server has closed it
                self._socket.shutdown(socket.SHUT_RDWR)
            self._thread.join(PATIENCE)


@contextmanager
def listening(person: Person, address: str) -> Iterator[Listener]:
    listener = Listener(address, person.token)
    try:
        yield listener
    finally:
        listener.close()


def test_streams_are_the_same_bytes_whichever_bot_is_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "BEAT_SECONDS", 0.1)
    heard = [_heard(tmp_path / "".join(order), order) for order in (WAYS, WAYS[::-1], ("box", "cob", "ash"))]
    assert heard[1] == heard[0]
    assert heard[2] == heard[0]
    texts = "".join(heard[0])
    assert all(f"{way} says hello" in texts for way in WAYS)
    assert not [secret for secret in (*NAMES, "chat_bots") if secret in texts]


def _heard(folder: Path, order: tuple[str, ...]) -> list[str]:
    """The lines that come when the bots answer in this order, without what is new on every page."""
    with serving(folder, code=GATED, ways=WAYS, arm="sata-random") as site:
        person = site.person().open().start().say("hello there friend")
        with listening(person, site.address) as listener:
            wait_until(lambda: len(listener.news) == 1, "the stream begins")
            for number, way in enumerate(order[:-1], 1):
                (folder / way).touch()
                wait_until(lambda: _given(folder) == number, f"{number} replies are given")  # noqa: B023
                listener.wait_for_beats(2)
                assert len(listener.news) == 1, "nothing is said of a reply that is not shown"
            (folder / order[-1]).touch()
            wait_until(lambda: len(listener.news) == 2, "the cards are shown")
            listener.wait_for_beats(2)
            assert all(chunk.count("event: ") == 1 for chunk in listener.chunks), "one chunk, one event"
            assert len(listener.news) + listener.beats == len(listener.chunks)
            known = (person.token, person.fields()["assignment"])
            return _plain("".join([listener.headers, *listener.news]), known).split("\\n")


def _given(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "study.db")) as database:
        given = "SELECT count(*) FROM wanted_replies WHERE state = 'given'"
        return int(database.execute(given).fetchone()[0])


def _plain(text: str, known: tuple[str, ...]) -> str:
    for secret in known:
        text = text.replace(secret, "x" * len(secret))
    text = re.sub(r"(?m)^date: .*$", "", text)
    return re.sub(r'(name=\\"key\\" value|data-offer-in)=\\"[^"]*"', "", text)
