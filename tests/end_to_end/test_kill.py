"""The server is killed, starved and multiplied, and loses nothing that it acknowledged."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx2
import pytest

from duologue.store import ensure_secret, fetch_annotators, fetch_judgments, invite_annotators, open_store
from duologue.studies import Study
from tests.end_to_end.loaded_server import Load, Server, check_nothing_is_amiss, wait_until_ended
from tests.server.studies import make_study
from tests.store.conftest import postgresql, quick_disk
from tests.waiting import PATIENCE, wait_until

__all__ = ["postgresql", "quick_disk"]

ANNOTATORS = 12
CAP = 6
RULES = f"[annotators]\nmax_judgments = {CAP}\n[onboarding]\nblock_on_fail = false\n"
ENGINES = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.slow])]
"""That a host can die on PostgreSQL is shown by test_two_hosts too."""
_names = count()


@pytest.fixture
def study(tmp_path: Path, request: pytest.FixtureRequest) -> Study:
    """A study with enough for everybody, on the engine the test names (SQLite when it names none)."""
    database = ""
    if getattr(request, "param", "sqlite") == "postgresql":
        address = f"{request.getfixturevalue('postgresql')}&study=served_{next(_names)}"
        database = f'database = "{address}"'
    return make_study(
        tmp_path / "study", bots=("ann", "bob", "cy"), per_matchup=60, study=database, rest=RULES
    )


@pytest.fixture
def server(study: Study) -> Iterator[Server]:
    with Server(study.folder) as server:
        yield server


def invite(study: Study, annotators: int = ANNOTATORS) -> list[str]:
    with open_store(study.database) as store:
        return [invitation.token for invitation in store.run(invite_annotators(annotators))]


def sign_in(server: Server, study: Study) -> dict[str, str]:
    """The researcher's cookie."""
    with open_store(study.database) as store:
        key = store.run(ensure_secret("researcher"))
    answer = httpx2.post(f"{server.address}/researcher/sign-in", data={"key": key}, timeout=PATIENCE)
    assert answer.status_code == 303
    return {"cookie": answer.headers["set-cookie"].partition(";")[0]}


def is_signed_in(server: Server, cookie: dict[str, str]) -> bool:
    return httpx2.get(f"{server.address}/researcher", headers=cookie, timeout=PATIENCE).status_code == 200


def test_killed_under_load_and_restarted_it_has_lost_nothing(study: Study, server: Server) -> None:
    server.start()
    tokens, cookie = invite(study), sign_in(server, study)
    load = Load(server.address)

    def kill_twice(load: Load) -> None:
        for moment in (15, 50):
            load.wait_for(moment)
            server.kill()
            server.start()

    asyncio.run(load.judge(tokens, kill_twice))
    assert load.thanked == set(tokens)
    assert is_signed_in(server, cookie)
    assert server.stop() == 0
    with open_store(study.database) as store:
        check_nothing_is_amiss(study, store, load.acknowledged)
        assert len(load.acknowledged) == ANNOTATORS * (CAP + 1)


@pytest.mark.parametrize("study", ENGINES, indirect=True)
def test_workers_behave_as_one_and_one_may_be_killed_but_not_the_first_process(
    study: Study, server: Server
) -> None:
    server.workers = 3
    server.start()
    tokens, cookie = invite(study), sign_in(server, study)
    load = Load(server.address)

    def kill_one(load: Load) -> None:
        load.wait_for(25)
        os.kill(server.worker_pids()[0], signal.SIGKILL)

    asyncio.run(load.judge(tokens, kill_one))
    assert load.thanked == set(tokens)
    assert is_signed_in(server, cookie)
    with open_store(study.database) as store:
        check_nothing_is_amiss(study, store, load.acknowledged)
    wait_until(lambda: len(server.worker_pids()) == 4, "another takes the place of the one that was killed")
    workers = server.worker_pids()
    server.kill()
    wait_until_ended(workers)
    server.workers = 1
    server.start()  # at the same port
    assert is_signed_in(server, cookie)
    assert server.stop() == 0


def test_asked_to_stop_it_finishes_what_it_began(study: Study, server: Server) -> None:
    server.start()
    (token,) = invite(study, 1)
    assert httpx2.post(f"{server.address}/a/{token}/consent", timeout=PATIENCE).status_code == 303
    assert server.stop() == 0
    with open_store(study.database) as store:
        assert store.run(fetch_annotators())[-1].consented_at is not None


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of four megabytes."""
    if os.geteuid() != 0:
        pytest.skip("NOT RUN: only root can mount a small disk; tests/server covers SQLite's own limit")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], check=False)
    if mounted.returncode != 0:
        pytest.skip("NOT RUN: this machine does not let us mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_on_a_full_disk_the_answer_is_kept_on_the_page_and_nothing_acknowledged_is_lost(
    small_disk: Path,
) -> None:
    study = make_study(
        small_disk / "study", per_matchup=30, onboarding=0, rest="[annotators]\nmax_judgments = 30\n"
    )
    with Server(study.folder) as server:
        server.start()
        (token,) = invite(study, 1)
        filler = small_disk / "filler"
        with httpx2.Client(base_url=server.address, follow_redirects=True, timeout=PATIENCE) as client:
            acknowledged, refused, answer = judge_until_refused(client, token, filler)
            assert "was not saved" in answer.text
            assert f"{refused['reason']}</textarea>" in answer.text
            assert refused["assignment"] in answer.text
            filler.unlink()
            assert client.post(f"/a/{token}/submit", data=refused).status_code == 200
        assert server.stop() == 0
    with open_store(study.database) as store:
        check_nothing_is_amiss(study, store, [*acknowledged, refused["assignment"]])
        assert len(list(store.stream(fetch_judgments()))) == len(acknowledged) + 1


def judge_until_refused(
    client: httpx2.Client, token: str, filler: Path
) -> tuple[list[str], dict[str, str], httpx2.Response]:
    """What was acknowledged, what was refused, and how."""
    acknowledged: list[str] = []
    page = client.post(f"/a/{token}/consent")
    for number in range(20):
        if number == 3:
            fill(filler)
        key = page.text.split('name="assignment" value="')[1].split('"')[0]
        reason = f"answer {number} " + "x" * 9_000
        fields = {"assignment": key, "key": key, "choice": "2", "reason": reason, "seconds": "1"}
        page = client.post(f"/a/{token}/submit", data=fields)
        if page.status_code == 503:
            return acknowledged, fields, page
        acknowledged.append(key)
    raise AssertionError("the disk never was full")


def fill(path: Path) -> None:
    """Take all the space there is."""
    with path.open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 512):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
