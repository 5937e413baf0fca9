"""What a number came about with."""

from __future__ import annotations

from importlib.metadata import version


def packages() -> dict[str, str]:
    """The packages that numbers depend on, and their versions."""
    return {name: version(name) for name in ("numpy", "scipy")}
