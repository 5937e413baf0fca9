"""`duologue serve` as a person runs it: what it prints, what it refuses, how it ends."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.server import BASE_URL_FACT
from duologue.store import fetch_fact, open_study
from duologue.studies import Study
from tests.processes import DUOLOGUE, finished, printed_until, running
from tests.server.studies import make_study
from tests.waiting import PATIENCE, wait_until


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study", rest="[annotators]\nopen_link = true\n")


@pytest.fixture
def server(study: Study) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running server, and what it printed."""
    with running([*DUOLOGUE, "serve", study.folder, "--port", "0"], stderr=subprocess.PIPE) as process:
        yield process, printed_until(process, "to stop")


def test_serve_prints_links_that_work_and_ends_quietly(
    server: tuple[subprocess.Popen[str], str], study: Study
) -> None:
    process, printed = server
    links = dict(re.findall(r"^  (annotator|open link|researcher) +(http\S+)$", printed, re.MULTILINE))
    assert httpx2.get(links["annotator"], timeout=PATIENCE).status_code == 200
    assert httpx2.get(links["open link"], timeout=PATIENCE).status_code == 303
    key = links["researcher"].partition("#key=")[2]
    base = links["researcher"].partition("/researcher")[0]
    answer = httpx2.get(f"{base}/api/study", headers={"authorization": f"Bearer {key}"}, timeout=PATIENCE)
    assert answer.json()["name"] == "tested"
    assert str(study.folder / "study.db") in printed
    assert "Ctrl+C" in printed
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Stopped." in out
    assert err == ""
    log = (study.folder / "logs" / "server.jsonl").read_text(encoding="utf-8")
    assert '"route": "/a/{token}"' in log
    assert links["annotator"].rsplit("/", 1)[1] not in log


def test_it_is_not_said_that_all_is_saved_when_the_database_is_gone(
    server: tuple[subprocess.Popen[str], str], study: Study
) -> None:
    process, _ = server
    (study.folder / "study.db").rename(study.folder / "elsewhere.db")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "Stopped." not in out
    assert "study.db: this file was deleted or replaced while it was in use" in err


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_in_the_background_ctrl_c_is_meant_for_others_and_sigterm_ends_it(study: Study, workers: str) -> None:
    command = [*DUOLOGUE, "serve", study.folder, "--port", "0", "--workers", workers]
    with running(command, is_interruptible=False) as process:
        link = re.findall(r"annotator +(http\S+)$", printed_until(process, "to stop"), re.MULTILINE)[0]
        assert httpx2.get(link, timeout=PATIENCE).status_code == 200
        os.killpg(process.pid, signal.SIGINT)
        assert httpx2.get(link, timeout=PATIENCE).status_code == 200
        log = study.folder / "logs" / "server.jsonl"
        wait_until(
            lambda: log.read_text(encoding="utf-8").count('"event": "start"') >= int(workers), "it runs"
        )
        os.killpg(process.pid, signal.SIGINT)
        assert httpx2.get(link, timeout=PATIENCE).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        assert "Stopped." in process.stdout.read()
        assert process.wait(PATIENCE) == 0
    assert log.read_text(encoding="utf-8").count('"event": "start"') == int(workers)


def run(*arguments: str) -> tuple[int, str]:
    done = finished([*DUOLOGUE, *arguments])
    return done.returncode, done.stderr


def test_a_folder_without_a_study_is_one_line_on_stderr(tmp_path: Path) -> None:
    code, err = run("serve", str(tmp_path / "nowhere"))
    assert code == 1
    assert "there is no study.toml here" in err
    assert "Traceback" not in err


def test_a_port_that_is_taken_is_one_line_on_stderr(study: Study) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, err = run("serve", str(study.folder), "--port", port)
    assert code == 1
    assert f"port {port}" in err
    assert "Traceback" not in err


def test_a_study_without_pairings_says_how_to_make_them(study: Study) -> None:
    study.items_path.unlink()
    code, err = run("serve", str(study.folder), "--port", "0")
    assert code == 1
    assert "duologue pairings make" in err


def test_false_texts_are_served_to_nobody_and_warned_of_once_somebody_has_judged(study: Study) -> None:
    file = study.folder / "study.toml"
    said = file.read_text(encoding="utf-8") + '[wording]\ninstructions = "You will chat with somebody."\n'
    file.write_text(said, encoding="utf-8")
    code, err = run("serve", str(study.folder), "--port", "0")
    assert code == 1
    assert 'instructions: this says "You will chat"' in err
    assert not list(study.folder.glob("study.db*")), "nothing was begun"
    (study.folder / "plan.json").write_text("{}", encoding="utf-8")
    arguments = [*DUOLOGUE, "serve", study.folder, "--port", "0", "--new-database"]
    with running(arguments, stderr=subprocess.PIPE) as process:
        printed_until(process, "to stop")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert err.startswith("warning: annotators read what is not true. ")


def test_a_log_in_a_folder_that_is_not_there_is_a_usage_error(study: Study, tmp_path: Path) -> None:
    log = tmp_path / "lgos" / "server.jsonl"
    result = CliRunner().invoke(app, ["serve", str(study.folder), "--log", str(log)])
    assert result.exit_code == 2
    assert "there is no folder" in " ".join(result.output.split())
    assert not (tmp_path / "lgos").exists()
    assert not (study.folder / "study.db").exists()


@pytest.mark.parametrize("base_url", ["study.example.org", "ftp://x", "https://x/below"])
def test_a_base_url_that_is_none_is_a_usage_error(study: Study, base_url: str) -> None:
    result = CliRunner().invoke(app, ["serve", str(study.folder), "--base-url", base_url])
    assert result.exit_code == 2
    assert "--base-url" in result.output


def test_a_second_server_of_a_study_says_that_there_is_another(
    server: tuple[subprocess.Popen[str], str], study: Study
) -> None:
    first = re.findall(r"researcher +(http\S+)/researcher", server[1])[0]
    with running([*DUOLOGUE, "serve", study.folder, "--port", "0"], stderr=subprocess.PIPE) as process:
        printed_until(process, "to stop")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert f"another server serves this study too, last at {first}." in err
    assert "start the other with --workers" in err
    with open_study(study) as store:
        assert store.run(fetch_fact(BASE_URL_FACT)) == first, "commands print the address of who still serves"
