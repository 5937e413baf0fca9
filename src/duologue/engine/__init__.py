"""Spreading work over processes or machines: the same workers, the same results, wherever they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.engine.executor import open_executor
    from duologue.engine.names import ENGINES, Engine
    from duologue.engine.processes import LocalProcesses
    from duologue.engine.ray_cluster import RayCluster
    from duologue.engine.work import Executor, Worker

__all__ = [
    "ENGINES",
    "Engine",
    "Executor",
    "LocalProcesses",
    "RayCluster",
    "Worker",
    "open_executor",
]

__getattr__ = lazy_front(__name__)
