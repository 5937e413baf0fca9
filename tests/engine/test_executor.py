"""Work on processes and on a local Ray of two workers (skipped when Ray is absent): the same results."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from duologue.engine import ENGINES, Engine, open_executor
from duologue.errors import EngineError, MissingExtra, NotFound

HAS_RAY = find_spec("ray") is not None
ENGINES_HERE = [
    pytest.param(
        engine,
        marks=[
            pytest.mark.skipif(engine == "ray" and not HAS_RAY, reason="ray is not installed"),
            pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
        ],
    )
    for engine in ENGINES
]


@dataclass
class Doubler:
    """Doubles numbers, and remembers how many."""

    made_in: int
    count: int = 0

    def __call__(self, number: int) -> tuple[int, int, int]:
        self.count += 1
        if number == 13:
            raise NotFound("number", "13")
        if number == 666:
            os._exit(1)
        return 2 * number, self.made_in, self.count


def make_doubler() -> Callable[[int], tuple[int, int, int]]:
    return Doubler(os.getpid())


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_every_task_is_done_once_by_workers_made_once(engine: Engine) -> None:
    results = list(open_executor(engine, workers=2).run(make_doubler, range(12)))
    assert sorted(double for double, _, _ in results) == [2 * number for number in range(12)]
    counts: dict[int, list[int]] = {}
    for _, made_in, count in results:
        counts.setdefault(made_in, []).append(count)
    assert os.getpid() not in counts
    assert len(counts) <= 2
    assert all(sorted(seen) == list(range(1, len(seen) + 1)) for seen in counts.values())


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_what_a_worker_raises_stops_the_work_with_its_words(engine: Engine) -> None:
    with pytest.raises(EngineError, match="a worker raised NotFound: there is no number '13'"):
        list(open_executor(engine, workers=1).run(make_doubler, [13, 1, 2]))


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_worker_that_dies_is_said_so(engine: Engine) -> None:
    with pytest.raises(EngineError, match=r"died|lost"):
        list(open_executor(engine, workers=1).run(make_doubler, [666]))


TWO_NODES = """
from duologue.engine import open_executor
from tests.engine.test_executor import make_doubler

said = []
results = open_executor("ray", workers=2, say=said.append).run(make_doubler, range(12))
print(sorted(double for double, _, _ in results), *said)
import ray
print(len(ray.nodes()), "nodes")
"""


def on_ray(**variables: str) -> tuple[int, str]:
    """What a program prints that uses Ray with such variables, in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", TWO_NODES],
        env={**kept, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": TOKEN, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


TOKEN = "0123456789abcdef" * 4
DOUBLES = str([2 * number for number in range(12)])


@pytest.fixture
def two_nodes() -> Iterator[str]:
    """The address of a cluster of two nodes on this machine."""
    variables = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": TOKEN}
    ray = [sys.executable, "-m", "ray.scripts.scripts"]

    def start(*arguments: str) -> str:
        started = [*ray, "start", *arguments, "--num-cpus=1", "--disable-usage-stats"]
        return subprocess.run(started, env=variables, check=True, capture_output=True, text=True).stdout

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    try:
        start("--head", f"--port={port}", "--include-dashboard=false")
        start(f"--address=127.0.0.1:{port}")
        yield f"127.0.0.1:{port}"
    finally:
        end_ray(port)


def end_ray(port: int) -> None:
    """Kill what belongs to the cluster at a port; ``ray stop`` would end this process, too."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            if re.search(rf"[=:]{port}\b", (process / "cmdline").read_text("utf-8", "replace")):
                os.kill(int(process.name), signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(not HAS_RAY, reason="ray is not installed")
def test_a_cluster_on_this_machine_is_used_only_where_it_is_named(two_nodes: str) -> None:
    code, said = on_ray(RAY_ADDRESS=two_nodes)
    assert code == 0, said
    assert DOUBLES in said
    assert "Ray: using the cluster at" in said
    assert "2 nodes" in said
    code, said = on_ray()
    assert code == 0, said
    assert DOUBLES in said
    assert "of its own on this machine" in said
    assert "1 nodes" in said


@pytest.mark.slow
@pytest.mark.skipif(not HAS_RAY, reason="ray is not installed")
def test_the_address_of_a_cluster_that_is_gone_does_not_matter(two_nodes: str) -> None:
    end_ray(int(two_nodes.rpartition(":")[2]))
    code, said = on_ray()
    assert code == 0, said
    assert DOUBLES in said
    assert "of its own on this machine" in said
    code, said = on_ray(RAY_ADDRESS=two_nodes)
    assert code == 1
    assert f"Ray at '{two_nodes}' (RAY_ADDRESS) cannot be reached" in said


@pytest.mark.skipif(HAS_RAY, reason="ray is installed")
def test_without_ray_the_message_says_how_to_get_it() -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[ray\]'"):
        list(open_executor("ray", workers=2).run(make_doubler, [1]))
