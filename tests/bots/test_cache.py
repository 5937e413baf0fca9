from __future__ import annotations

from pathlib import Path

import pytest

from duologue.bots import Message, Reply, ReplyCache
from duologue.bots.cache import reply_key

KEY = reply_key({"kind": "x"}, [Message("user", "Hi!")], 1)


def test_a_reply_comes_back_as_it_was(tmp_path: Path) -> None:
    reply = Reply("Grüß dich\n☺", 0.25, 3, {"finish": "stop"})
    ReplyCache(tmp_path).put(KEY, reply)
    assert ReplyCache(tmp_path).get(KEY) == reply
    assert ReplyCache(tmp_path).get(reply_key({"kind": "y"}, [], 1)) is None


@pytest.mark.parametrize("spoilt", [b"", b"{", b"[]", b'{"text": "x"}', b"\xff"])
def test_a_spoilt_file_counts_as_not_there(tmp_path: Path, spoilt: bytes) -> None:
    ReplyCache(tmp_path).put(KEY, Reply("x", 0.0))
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(spoilt)
    assert ReplyCache(tmp_path).get(KEY) is None


def test_a_folder_that_cannot_be_written_to_keeps_nothing_and_fails_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ReplyCache(tmp_path / "file")
    cache.put(KEY, Reply("x", 0.0))
    assert cache.get(KEY) is None


def test_who_said_it_is_part_of_the_name() -> None:
    assert reply_key({}, [Message("user", "Hi!")], 1) != reply_key({}, [Message("assistant", "Hi!")], 1)
