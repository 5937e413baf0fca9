"""The protocols there are: found by entry points, ours and those of others alike, loaded when named."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from duologue.errors import ProtocolError
from duologue.protocols.base import StudyProtocol, TruthOption
from duologue.protocols.options import AnalysisOptions

GROUP = "duologue.protocols"
"""The entry points by which a package says what protocols it has."""

DEFAULT_PROTOCOL = "acute"
"""Of a study file that names none, and of a new study for which none is named."""


@cache
def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def protocol_names() -> tuple[str, ...]:
    """The protocols that are installed, by their names in study files."""
    return tuple(sorted(_found()))


@cache
def protocol_named(name: str) -> type[StudyProtocol[Any]]:
    """The protocol of that name, to be bound to the settings of a study.

    Raises:
        ProtocolError: There is none, or its package cannot be used.
    """
    point = _found().get(name)
    if point is None:
        known = ", ".join(protocol_names())
        raise ProtocolError(name, "is not installed", f"The protocols are: {known}.")
    try:
        found = point.load()
    except (ImportError, AttributeError) as error:
        raise ProtocolError(name, f"cannot be loaded ({error})", f"Mend {point.value}.") from error
    if not (isinstance(found, type) and issubclass(found, StudyProtocol)):
        raise ProtocolError(name, "is no StudyProtocol", f"Mend {point.value}.")
    return found


def truth_options() -> tuple[TruthOption, ...]:
    """How somebody says what is true in a rehearsal, of all protocols; what several have is taken once."""
    options = (option for name in protocol_names() for option in protocol_named(name).truth_options)
    return tuple({option.name: option for option in options}.values())


def analysis_options() -> tuple[type[AnalysisOptions], ...]:
    """What the analyses of single protocols can be asked for, of all protocols."""
    return tuple(protocol_named(name).analysis_options for name in protocol_names())
