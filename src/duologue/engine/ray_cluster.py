"""Work on a Ray cluster (extra ``ray``)."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from duologue.engine.work import Result, Task, TaskOutcome, Worker, attempt
from duologue.errors import EngineError, MissingExtra

PATIENCE_SECONDS = 10
"""How long a cluster may take to take a connection."""


@dataclass(frozen=True, slots=True)
class RayCluster:
    """So many Ray actors, each with a worker of its own.

    Uses the cluster that ``RAY_ADDRESS`` names, or one of its own on this machine that lasts as long as the
    program, whatever else runs here.
    """

    workers: int
    say: Callable[[str], None] = lambda said: None
    """Told which cluster it is."""

    def run(self, make_worker: Callable[[], Worker[Task, Result]], tasks: Sequence[Task]) -> Iterator[Result]:
        """Yield the results as they come.

        Raises:
            EngineError: A worker died, or raised something.
            MissingExtra: Ray is not installed.
        """
        ray = _library()
        if not ray.is_initialized():
            self.say(_connect(ray, self.workers))
        # Not bound to a processor: on a busy cluster they share, instead of waiting for ever.
        actor = ray.remote(scheduling_strategy="SPREAD")(_Actor)
        actors = [actor.remote(make_worker) for _ in range(min(self.workers, len(tasks)))]
        waiting = deque(tasks)
        try:
            running = {one.do.remote(waiting.popleft()): one for one in actors}
            while running:
                done, _ = ray.wait(list(running), num_returns=1)
                one = running.pop(done[0])
                result = _result(ray, done[0])
                if waiting:
                    running[one.do.remote(waiting.popleft())] = one
                yield result
        finally:
            for one in actors:
                ray.kill(one)


class _Actor:
    """A worker on some machine of the cluster."""

    def __init__(self, make_worker: Callable[[], Worker[Any, Any]]) -> None:
        self._worker = make_worker()

    def do(self, task: object) -> TaskOutcome[object]:
        return attempt(self._worker, task)


def _connect(ray: Any, workers: int) -> str:
    """Connect to a cluster, or start one; which it is."""
    named = os.environ.get("RAY_ADDRESS", "")
    try:
        if named:
            _reach(named)
            found = ray.init(log_to_driver=False, logging_level="ERROR").address_info["address"]
            return f"Ray: using the cluster at {found} (RAY_ADDRESS)."
        # "local" starts one even where another runs, or the address of one that is gone is left behind.
        ray.init(
            "local", num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="ERROR"
        )
    except (ConnectionError, RuntimeError, OSError, ValueError) as error:
        what = f"at {named!r} (RAY_ADDRESS) cannot be reached" if named else "cannot be started"
        raise EngineError(f"Ray {what}: {str(error).splitlines()[0]}") from error
    return "Ray: a cluster of its own on this machine (RAY_ADDRESS=auto: one that runs here already)."


def _reach(address: str) -> None:
    """See that somebody listens there: Ray itself waits for minutes.

    Raises:
        OSError: Nobody does.
    """
    host, _, port = address.rpartition(":")
    if port.isdecimal() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE_SECONDS).close()


def _result(ray: Any, reference: Any) -> Any:
    try:
        done: TaskOutcome[Any] = ray.get(reference)
    except ray.exceptions.RayError as error:
        raise EngineError(f"a worker was lost: {str(error).splitlines()[0]}") from error
    return done.result()


def _library() -> Any:
    try:
        return import_module("ray")
    except ImportError as error:
        raise MissingExtra("ray", "ray") from error
