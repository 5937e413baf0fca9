"""Fronts of rooms whose names are looked up when they are first asked for: what is not used is not loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def lazy_front(package: str, names: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The ``__getattr__`` of a package that imports names from its modules when they are first asked for.

    Args:
        package: Its ``__name__``.
        names: The names of each module.

    Example:
        >>> front = lazy_front("json", {"decoder": ("JSONDecoder",)})
        >>> front("JSONDecoder").__name__
        'JSONDecoder'
    """
    module_of = {name: module for module, some in names.items() for name in some}

    def look_up(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return look_up
