"""Choosing where work is done."""

from __future__ import annotations

from duologue.engine.names import Engine
from duologue.engine.processes import LocalProcesses
from duologue.engine.ray_cluster import RayCluster
from duologue.engine.work import Executor


def open_executor(engine: Engine, *, workers: int) -> Executor:
    """An executor with so many workers.

    Raises:
        MissingExtra: Ray is asked for and not installed.
    """
    return RayCluster(workers) if engine == "ray" else LocalProcesses(workers)
