"""The seam between planning and protocols: which design a protocol's studies have, and what they ask of it.

A `ProtocolPlanner` turns a request into a planned design, and a study into a request. It is a part of the
protocol's package, named ``planner`` in its ``parts``. A design that can be sized but not run yet has a
planner without a protocol: it is found by an entry point of the group ``duologue.planners``.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, ClassVar

from duologue.errors import DesignError, ProtocolError
from duologue.protocols import PlanOptions, option_flag, protocol_named, protocol_names
from duologue.studies.planning.request import COMMON, PlanRequest

if TYPE_CHECKING:  # `study plan --help` lists the options of all protocols, and need not load designs
    from duologue.studies.model import Study
    from duologue.studies.planning.designs import PlannedDesign

GROUP = "duologue.planners"
"""The entry points of designs that are planned without a protocol that runs them."""


class ProtocolPlanner(ABC):
    """How studies of one protocol are planned."""

    part: ClassVar[str] = "planner"
    options: ClassVar[type[PlanOptions]] = PlanOptions
    """What only its plans can be asked for, of a planner without a protocol; a protocol names its
    ``plan_options`` itself, so that they can be listed without its planner."""

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


def plan_options(name: str) -> type[PlanOptions]:
    """What only plans of a protocol can be asked for.

    Raises:
        DesignError: Its studies cannot be planned.
        ProtocolError: Its package cannot be used, or has an option that every plan has.
    """
    is_run = name in protocol_names() and _has_planner(name)
    kind = protocol_named(name).plan_options if is_run else planner_named(name).options
    if taken := sorted(COMMON & kind.model_fields.keys()):
        raise ProtocolError(
            name, f"has a planning option that every plan has ({', '.join(taken)})", "Give it another name."
        )
    return kind


def read_plan_options(
    protocol: str, given: Mapping[str, object], *, stated: PlanOptions | None = None
) -> PlanOptions:
    """The options of a protocol's plans, from what somebody gave.

    Args:
        protocol: The name of the protocol.
        given: What was given, by the names of its options.
        stated: What is known already; what was given goes before it.

    Raises:
        DesignError: The protocol has no such option, or a value is not legal.
    """
    kind = plan_options(protocol)
    for name, value in given.items():
        if name not in kind.option_fields():
            raise DesignError(_of_others(name, value, protocol))
    return kind.read({**dict(stated or ()), **given})


def _of_others(name: str, value: object, protocol: str) -> str:
    """That an option is not one of this protocol, and whose it is."""
    owners = " or ".join(other for other in planner_names() if name in plan_options(other).option_fields())
    if not owners:
        return f"there is no option {option_flag(name)} of plans."
    said = option_flag(name) if value is True else f"{option_flag(name)} {value}"
    return f"{said} belongs to --protocol {owners}, not to {protocol}."


def planned_design(request: PlanRequest) -> PlannedDesign:
    """The design that a request means, by the planner of its protocol.

    Raises:
        DesignError: The request contradicts itself; says what to change.
    """
    return planner_named(request.protocol).planned_design(_with_options(request))


def compared_requests(request: PlanRequest) -> tuple[PlanRequest, ...]:
    """Designs that answer the same question, by the planner of its protocol; none where it has one only.

    Raises:
        DesignError: The request contradicts itself; says what to change.
    """
    return planner_named(request.protocol).compared(_with_options(request))


def _with_options(request: PlanRequest) -> PlanRequest:
    """The request with the options of its protocol, even where none of them was stated."""
    return dataclasses.replace(request, options=request.options_as(plan_options(request.protocol)))


def _has_planner(name: str) -> bool:
    return ProtocolPlanner.part in protocol_named(name).parts


@cache
def _alone() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
