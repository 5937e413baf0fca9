"""A study that two hosts serve from one PostgreSQL is one study, whichever of them is asked."""

import asyncio
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx2
import pytest

from duologue.store import ensure_secret, fetch_progress, open_store
from duologue.studies import Study
from tests.end_to_end.loaded_server import PART, Load, Server, check_nothing_is_amiss
from tests.end_to_end.test_kill import RULES, invite, is_signed_in, sign_in
from tests.server.studies import make_study
from tests.store.conftest import postgresql, quick_disk
from tests.waiting import PATIENCE

__all__ = ["postgresql", "quick_disk"]

_names = count()
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is not this machine"),
]


@pytest.fixture
def study(tmp_path: Path, postgresql: str) -> Study:
    database = f'database = "{postgresql}&study=two_hosts_{next(_names)}"'
    bots = ("ann", "bob", "cy")
    return make_study(tmp_path / "study", bots=bots, per_matchup=60, study=database, rest=RULES)


@pytest.fixture
def hosts(study: Study, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Two servers on addresses of their own, each with its own copy of the study's folder."""
    shutil.copytree(study.folder, tmp_path / "copy")
    with Server(study.folder) as one, Server(tmp_path / "copy", host="127.0.0.2") as other:
        one.start()
        other.start()
        yield one, other


def test_annotators_go_from_host_to_host_and_one_of_them_dies(
    study: Study, hosts: tuple[Server, Server]
) -> None:
    """Every request goes to the other host than the one before, as a proxy in front of them would do it."""
    one, other = hosts
    tokens = invite(study)
    acknowledged: list[str] = []

    async def annotate(client: httpx2.AsyncClient, token: str) -> None:
        page, turn = "", 0

        async def ask(method: str, path: str, fields: dict[str, str] | None = None) -> str:
            nonlocal turn
            turn += 1
            first = (one, other)[turn % 2]
            for host in (first, other):
                try:
                    answer = await client.request(method, f"{host.address}{path}", data=fields, headers=PART)
                except httpx2.TransportError:
                    continue
                assert answer.status_code in (200, 303), answer.text
                return answer.text
            raise AssertionError("no host answers")

        await ask("POST", f"/a/{token}/consent")
        page = await ask("GET", f"/a/{token}")
        while found := re.search(r'name="assignment" value="([^"]+)"', page):
            key = found[1]
            assert f'value="{key}"' in await ask("GET", f"/a/{token}")
            page = await ask("POST", f"/a/{token}/submit", _fields(key))
            acknowledged.append(key)
            if len(acknowledged) == 30:
                one.kill()
        assert "<code" in page

    async def annotate_all() -> None:
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
            await asyncio.gather(*(annotate(client, token) for token in tokens))

    asyncio.run(annotate_all())
    assert len(acknowledged) == len(set(acknowledged)) > 30
    with open_store(study.database) as store:
        check_nothing_is_amiss(study, store, acknowledged)
        assert all(group.done <= group.wanted for group in store.run(fetch_progress()))


def _fields(key: str) -> dict[str, str]:
    return {"assignment": key, "key": key, "choice": "1", "reason": "it listens", "seconds": "2"}


@pytest.mark.slow
def test_researcher_sees_the_same_at_both_hosts_and_signs_in_once(
    study: Study, hosts: tuple[Server, Server]
) -> None:
    one, other = hosts
    cookie = sign_in(one, study)
    assert is_signed_in(other, cookie)
    asyncio.run(Load(other.address).judge(invite(study, 2)))
    with open_store(study.database) as store:
        key = {"authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
        done = sum(group.done for group in store.run(fetch_progress()))
    shown = [
        httpx2.get(f"{host.address}/api/progress", headers=key, timeout=PATIENCE).json() for host in hosts
    ]
    assert shown[0] == shown[1]
    assert sum(group["done"] for group in shown[0]) == done > 0
