"""Fronts of rooms whose names are looked up when they are first asked for: what is not used is not loaded.

A front writes its imports under ``if TYPE_CHECKING``, where type checkers and readers find them, and names
what is public in ``__all__``. `lazy_front` reads the same lines to know where a name comes from, as
``lazy_loader.attach_stub`` of scientific Python reads a stub.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module


def lazy_front(package: str) -> Callable[[str], object]:
    """The ``__getattr__`` of a package that imports a public name from its module when it is first asked for.

    Args:
        package: Its ``__name__``.

    Example:
        >>> lazy_front("duologue.stats")("holm").__module__
        'duologue.stats.multiplicity'
    """

    def look_up(name: str) -> object:
        module = None if name.startswith("__") else _modules(package).get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module), name)

    return look_up


@cache
def _modules(package: str) -> dict[str, str]:
    """The modules of the public names of a package, by name."""
    front = import_module(package)
    public = set(front.__all__)
    blocks = (block.body for block in ast.parse(inspect.getsource(front)).body if isinstance(block, ast.If))
    imports = (one for body in blocks for one in body if isinstance(one, ast.ImportFrom))
    return {alias.name: str(one.module) for one in imports for alias in one.names if alias.name in public}
