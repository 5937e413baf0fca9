"""Choosing where work is done."""

from __future__ import annotations

from collections.abc import Callable

from duologue.engine.names import Engine
from duologue.engine.processes import LocalProcesses
from duologue.engine.ray_cluster import RayCluster
from duologue.engine.work import Executor


def open_executor(
    engine: Engine, *, workers: int, say: Callable[[str], None] = lambda said: None
) -> Executor:
    """An executor with so many workers.

    Args:
        engine: Where work is done.
        workers: How many.
        say: Told which cluster is used, once it is known.

    Raises:
        MissingExtra: Ray is asked for and not installed.
    """
    return RayCluster(workers, say) if engine == "ray" else LocalProcesses(workers)
