import json
import logging
import os
from pathlib import Path

import pytest

from duologue.server import ServerLog
from duologue.server.running.logs import UvicornNotes


def test_lines_are_json_and_only_the_owner_may_read_them(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "server.jsonl")
    log.request(method="GET", route="/a/{token}", status=200, ms=1.5)
    log.note("stop")
    log.close()
    path = tmp_path / "server.jsonl"
    first, last = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert first["event"] == "request"
    assert first["pid"] == os.getpid()
    assert last["event"] == "stop"
    assert path.stat().st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_costs_lines_and_no_request(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "server.jsonl")
    os.close(log._file)
    log.note("start")
    assert log.lost == 1
    log._file = -1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_costs_lines_and_no_request() -> None:
    log = ServerLog(Path("/dev/full"))
    log.note("start")
    assert log.lost == 1
    log.close()


def test_a_failure_is_written_with_its_place_and_without_its_words(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "server.jsonl")
    try:
        raise ValueError("what somebody typed")
    except ValueError as error:
        log.failure(error, route="/a/{token}/submit")
    log.close()
    line = json.loads((tmp_path / "server.jsonl").read_text(encoding="utf-8"))
    assert (line["error"], line["route"]) == ("ValueError", "/a/{token}/submit")
    assert line["frames"][-1].startswith("test_logs.py:")
    assert "typed" not in json.dumps(line)


def test_uvicorns_warnings_come_in_the_same_shape(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "server.jsonl")
    logger = logging.getLogger("test.uvicorn")
    logger.propagate = False
    logger.handlers = [UvicornNotes(log)]
    logger.info("not this")
    logger.warning("Invalid HTTP request received.")
    try:
        raise RuntimeError("secret")
    except RuntimeError:
        logger.exception("Exception in ASGI application")
    log.close()
    lines = [
        json.loads(line) for line in (tmp_path / "server.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [line["event"] for line in lines] == ["uvicorn", "failure"]
    assert "secret" not in json.dumps(lines)
