"""A server as a researcher starts it, and annotators who do not give up when it dies."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx2

from duologue.store import Store, fetch_judgments
from duologue.studies import Study
from tests.ports import reserved_port
from tests.processes import DUOLOGUE, running
from tests.waiting import PATIENCE, wait_until

PART = {"duologue-part": "main"}


class Server:
    """`duologue serve` in a process of its own, always on the same port. It ends with its block."""

    def __init__(self, folder: Path, *, workers: int = 1, host: str = "127.0.0.1") -> None:
        self.folder, self.workers, self.host = folder, workers, host
        self._reserved = ExitStack()
        self.port = self._reserved.enter_context(reserved_port(host))
        self.address = f"http://{host}:{self.port}"
        self.process: subprocess.Popen[str] | None = None
        self._processes = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._processes.close()
        self._reserved.close()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._processes.close()
        place = ["--host", self.host, "--port", str(self.port)]
        command = [*DUOLOGUE, "serve", self.folder, *place, "--workers", str(self.workers)]
        self.process = self._processes.enter_context(running(command, captures=False))
        with httpx2.Client(timeout=PATIENCE, trust_env=False) as client:
            wait_until(lambda: self._answers(client), "the server answers")

    def _answers(self, client: httpx2.Client) -> bool:
        assert self.process
        assert self.process.poll() is None, "the server ended by itself"
        try:
            answer = client.get(f"{self.address}/healthz")
        except httpx2.TransportError:
            return False
        return answer.status_code == 200

    def worker_pids(self) -> list[int]:
        """All the processes that serve, as they have written themselves down in the log."""
        wait_until(lambda: len(self._started()) >= self.workers, "all workers start")
        return self._started()

    def _started(self) -> list[int]:
        lines = (self.folder / "logs" / "server.jsonl").read_text(encoding="utf-8").splitlines()
        return [entry["pid"] for entry in map(json.loads, lines) if entry["event"] == "start"]

    def kill(self) -> None:
        """End it as a power cut would: no signal is heard, nothing is tidied up."""
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Ask it to stop, and wait until it has."""
        assert self.process
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


@dataclass
class Load:
    """Annotators judging, and what the server acknowledged to them."""

    address: str
    verifies: bool = True
    """Whether the certificate of a proxy must be one that is known."""
    passing: tuple[int, ...] = (503,)
    """The statuses after which a person tries again."""
    acknowledged: list[str] = field(default_factory=list)
    finished: int = 0
    thanked: set[str] = field(default_factory=set)

    async def judge(self, tokens: list[str], disturb: Callable[[Load], object] | None = None) -> None:
        """Let everybody judge until they are thanked, with somebody disturbing."""
        tasks = [self._annotate(token) for token in tokens]
        if disturb is not None:
            tasks.append(asyncio.to_thread(disturb, self))  # type: ignore[arg-type]
        await asyncio.gather(*tasks)

    def wait_for(self, count: int) -> None:
        """Wait until so many answers have been acknowledged."""
        wait_until(lambda: len(self.acknowledged) >= count, f"{count} answers are acknowledged")

    async def _annotate(self, token: str) -> None:
        async with httpx2.AsyncClient(
            base_url=self.address, verify=self.verifies, timeout=PATIENCE, trust_env=False
        ) as client:
            await self._insist(client, "POST", f"/a/{token}/consent")
            page = await self._insist(client, "GET", f"/a/{token}")
            while found := re.search(r'name="assignment" value="([^"]+)"', page):
                key = found[1]
                fields = {
                    "assignment": key,
                    "key": key,
                    "choice": "1",
                    "reason": "it listens",
                    "seconds": "2",
                }
                page = await self._insist(client, "POST", f"/a/{token}/submit", fields)
                self.acknowledged.append(key)
            assert "<code" in page
            self.thanked.add(token)

    async def _insist(
        self, client: httpx2.AsyncClient, method: str, path: str, fields: dict[str, str] | None = None
    ) -> str:
        """Ask again and again until there is an answer, as a person would."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                answer = await client.request(method, path, data=fields, headers=PART)
                if answer.status_code in (200, 303):
                    return answer.text
                assert answer.status_code in self.passing, answer.text
            except httpx2.TransportError:
                pass
            assert time.monotonic() < end, "the server did not come back in time"
            await asyncio.sleep(0.05)


def check_nothing_is_amiss(study: Study, store: Store, acknowledged: list[str]) -> None:
    """Nothing acknowledged is lost, nothing is stored twice, no cap is exceeded."""
    judgments = list(store.stream(fetch_judgments()))
    stored = Counter(judgment.assignment for judgment in judgments)
    assert [key for key in acknowledged if key not in stored] == []
    assert [key for key, count in stored.items() if count > 1] == []
    counted = Counter(
        judgment.item for judgment in judgments if not judgment.excluded and not judgment.is_onboarding
    )
    assert max(counted.values()) <= study.caps.annotations_per_item
    cap = study.caps.max_judgments
    assert cap is not None
    each = Counter(judgment.annotator for judgment in judgments if not judgment.is_onboarding)
    assert max(each.values()) <= cap
    seen = Counter((judgment.annotator, judgment.item) for judgment in judgments)
    assert max(seen.values()) == 1


def wait_until_ended(pids: list[int]) -> None:
    """Wait until none of the processes runs any more."""
    wait_until(lambda: not any(map(is_running, pids)), "all processes end")


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
