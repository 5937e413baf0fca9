"""Spreading work over processes or machines: the same workers, the same results, wherever they run."""

from __future__ import annotations

from duologue.engine.executor import ENGINES, Engine, open_executor
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
