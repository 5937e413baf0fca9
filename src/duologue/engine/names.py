"""What the engines are called."""

from __future__ import annotations

from typing import Literal

Engine = Literal["processes", "ray"]
"""Processes on this machine, or a Ray cluster."""

ENGINES: tuple[Engine, ...] = ("processes", "ray")
