"""``duologue rehearse`` as a user types it: a real server in a process of its own."""

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from duologue.demo import make_demo
from tests.cli.conftest import Run
from tests.processes import DUOLOGUE, running
from tests.waiting import PATIENCE, wait_until


def test_a_study_is_rehearsed_and_the_verdict_is_the_planted_one(duologue: Run, tmp_path: Path) -> None:
    make_demo(tmp_path / "s")
    done = duologue(
        "rehearse", "s", "--annotators", "40", "--seed", "3", "--prefer", "companion:parrot=1", "--json"
    )
    assert done.stderr == ""
    record = json.loads(done.stdout)
    assert record["rehearsal"] is True
    assert record["rules_have_held"] is True
    found = {(one["first"], one["second"]): one for one in record["recoveries"]}
    assert found["companion", "parrot"]["true_rate"] == 1
    assert found["companion", "parrot"]["finding"] == "recovered"
    assert Path(tmp_path / record["report"]).is_file()
    silent = next(one for one in record["kinds"] if one["kind"] == "never-a-reason")
    assert silent["excluded"] == {"no-reason": silent["judgments"]}


def test_a_mistake_is_one_line(duologue: Run, tmp_path: Path) -> None:
    make_demo(tmp_path / "s")
    for arguments, words in (
        (("rehearse", "nowhere"), "nowhere: there is no study.toml here"),
        (("rehearse", "s", "--prefer", "companion:parrot"), "--prefer companion:parrot: expected"),
        (
            ("rehearse", "s", "--mean", "companion=3"),
            "--mean: this is a study of the protocol acute; say --prefer A:B=0.7",
        ),
        (("rehearse", "s", "--order", "companion"), "--order companion: expected bots"),
    ):
        said = duologue(*arguments, expect=1).stderr
        assert words in said
        assert len(said.splitlines()) == 1


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["to the command alone", "as a terminal does"])
def test_interrupted_it_says_so_in_one_line_and_leaves_no_server(
    tmp_path: Path, send: Callable[[int, int], None]
) -> None:
    make_demo(tmp_path / "s")
    before = (tmp_path / "s" / "study.toml").read_bytes()
    log = tmp_path / "s" / "rehearsal" / "server.log"
    command = [*DUOLOGUE, "rehearse", tmp_path / "s", "--annotators", "5000"]
    with running(command, stderr=subprocess.PIPE) as process:
        wait_until(lambda: log.is_file() and "to stop" in log.read_text(encoding="utf-8"), "annotators walk")
        send(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert (
        err
        == "Interrupted. Nothing of it is in the study itself; run the same command for a new rehearsal.\n"
    )
    port = re.findall(r"127\.0\.0\.1:(\d+)", log.read_text(encoding="utf-8"))[0]
    with socket.socket() as caller, pytest.raises(ConnectionRefusedError):
        caller.connect(("127.0.0.1", int(port)))
    assert (tmp_path / "s" / "study.toml").read_bytes() == before
