"""The seam between planning and protocols: which design a protocol's studies have, and what they ask of it.

A `ProtocolPlanner` turns a request into a planned design, and a study into a request. It is a part of the
protocol's package, named ``planner`` in its ``parts``. A design that can be sized but not run yet has a
planner without a protocol: it is found by an entry point of the group ``duologue.planners``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import ClassVar

from duologue.errors import DesignError, ProtocolError
from duologue.protocols import protocol_named, protocol_names
from duologue.studies.model import Study
from duologue.studies.planning.designs import PlannedDesign
from duologue.studies.planning.request import PlanRequest

GROUP = "duologue.planners"
"""The entry points of designs that are planned without a protocol that runs them."""


class ProtocolPlanner(ABC):
    """How studies of one protocol are planned."""

    part: ClassVar[str] = "planner"
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """What only this protocol can be asked for, by the names of `PlanRequest`, and the choices there are."""

    @abstractmethod
    def planned_design(self, request: PlanRequest) -> PlannedDesign:
        """The design that a request means, with every open choice filled in.

        Raises:
            DesignError: The request contradicts itself; says what to change.
        """

    def request(self, study: Study, common: PlanRequest) -> PlanRequest:
        """What a study asks of its plan.

        Args:
            study: The study.
            common: What its file says whatever the protocol: level, power, arms, pay, onboarding.
        """
        return common

    def compared(self, request: PlanRequest) -> tuple[PlanRequest, ...]:
        """Other designs that answer the same question, to be planned beside this one; none by default.

        They are for the same gap, level and power.
        """
        return ()


def planner_names() -> tuple[str, ...]:
    """The protocols whose studies can be planned."""
    return tuple(sorted({name for name in protocol_names() if _has_planner(name)} | _alone().keys()))


def planner_named(name: str) -> ProtocolPlanner:
    """How studies of a protocol are planned.

    Raises:
        DesignError: They cannot be.
        ProtocolError: The package that plans them cannot be used.
    """
    if name in protocol_names() and _has_planner(name):
        return protocol_named(name).part(ProtocolPlanner)  # type: ignore[type-abstract]
    if name not in _alone():
        known = ", ".join(planner_names())
        raise DesignError(f"studies of the protocol {name!r} cannot be planned; those that can: {known}.")
    point = _alone()[name]
    try:
        found = point.load()()
    except (ImportError, AttributeError) as error:
        problem = f"has a planner that cannot be loaded ({error})"
        raise ProtocolError(name, problem, f"Mend {point.value}.") from error
    if not isinstance(found, ProtocolPlanner):
        raise ProtocolError(name, "has a planner that is no ProtocolPlanner", f"Mend {point.value}.")
    return found


def planned_design(request: PlanRequest) -> PlannedDesign:
    """The design that a request means, by the planner of its protocol.

    Raises:
        DesignError: The request contradicts itself; says what to change.
    """
    planner = planner_named(request.protocol)
    for name in request.protocol_choices():
        if name not in planner.choices:
            owners = " or ".join(other for other in planner_names() if name in planner_named(other).choices)
            flag = f"--{name} {getattr(request, name)}"
            raise DesignError(f"{flag} belongs to --protocol {owners}, not to {request.protocol}.")
    return planner.planned_design(request)


def _has_planner(name: str) -> bool:
    return ProtocolPlanner.part in protocol_named(name).parts


@cache
def _alone() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
