"""What a plan is asked for on the command line and by a study's file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from duologue.errors import DesignError
from duologue.studies.load import load_study
from duologue.studies.model import Study
from duologue.studies.planning.besides import onboarding_of_one_annotator, roles_of
from duologue.studies.planning.planner import planner_named, planner_names, read_plan_options
from duologue.studies.planning.request import (
    COMMON,
    Correction,
    PlannedTest,
    PlanRequest,
    number_of_matchups,
)
from duologue.studies.planning.timing import seconds_of_judgment, seconds_of_person


def request_from_flags(flags: Mapping[str, object], *, study: Path | str | None = None) -> PlanRequest:
    """A request from flags, on top of what a study says if one is given.

    Flags that are None are not given.

    Args:
        flags: What was asked for on the command line, by the names of `PlanRequest` and of the protocol's
            options.
        study: A study's folder; flags go before what its file says.

    Raises:
        DesignError: A flag is not one of its choices, is for another protocol, or contradicts the study.
        StudyError: There is no study, or its file is wrong.

    Example:
        >>> request_from_flags({"gap": 0.2, "power": None}).gap
        0.2
    """
    given = {name: value for name, value in flags.items() if value is not None}
    base = PlanRequest() if study is None else request_from_study(load_study(study))
    _require_choices(given)
    common = {name: value for name, value in given.items() if name in COMMON}
    own = {name: value for name, value in given.items() if name not in COMMON}
    if study is None:
        options = read_plan_options(str(common.get("protocol", base.protocol)), own)
        return PlanRequest(**common, options=options)  # type: ignore[arg-type]  # read by their types already
    return _overruled(base, common, own)


def _require_choices(given: Mapping[str, object]) -> None:
    choices = {
        "protocol": planner_names(),
        "test": get_args(PlannedTest),
        "correction": get_args(Correction),
    }
    for name, known in choices.items():
        if name in given and given[name] not in known:
            raise DesignError(f"--{name} is one of {', '.join(known)}; got {given[name]}.")


def _overruled(request: PlanRequest, given: dict[str, object], own: Mapping[str, object]) -> PlanRequest:
    """The study's own request where flags say nothing else."""
    if given.get("protocol", request.protocol) != request.protocol:
        raise DesignError(
            f"the study's protocol is {request.protocol}, not {given['protocol']}. Leave --protocol out."
        )
    if "bots" in given:
        given.setdefault("matchups", None)
    elif "matchups" in given:
        given.setdefault("bots", None)
    if "bots" in given or "matchups" in given or "arms" in given:
        given.setdefault("tests", _tests_sharing_alpha(request, given))
    if "seconds" in given:
        given.setdefault("seconds_from", "")
    if "budget" in given:
        given.setdefault("judgments", None)
    options = read_plan_options(request.protocol, own, stated=request.options)
    return dataclasses.replace(request, **given, options=options)  # type: ignore[arg-type]  # read by their types already


def _tests_sharing_alpha(request: PlanRequest, given: Mapping[str, object]) -> int | None:
    """With other bots as many tests for each matchup as before; with other arms that is not known."""
    if "arms" in given or not request.tests or not request.matchups:
        return None
    other = dataclasses.replace(request, **given)  # type: ignore[arg-type]  # read by their types already
    return round(request.tests / request.matchups * number_of_matchups(other))


def request_from_study(study: Study) -> PlanRequest:
    """What a study file says about its plan: protocol, matchups, level, pay and caps.

    The number of judgments for each matchup that the study has (or its file asks for) becomes the
    question "what gap can so many show?".

    Raises:
        DesignError: The study's protocol is one that cannot be planned.
    """
    pay, takes = study.file.pay, seconds_of_judgment(study)
    attention = study.caps.attention
    there = roles_of(study).get("attention", 0) if attention.is_on else 0
    common = PlanRequest(
        protocol=study.protocol.name,
        alpha=study.file.stopping.alpha,
        power=study.file.stopping.power,
        arms=len(study.arms),
        arms_each=study.caps.arms_per_annotator,
        seconds=takes.seconds if takes else None,
        seconds_from=takes.because if takes else "",
        person_seconds=seconds_of_person(study),
        pay=pay.per_judgment or None,
        currency=pay.currency,
        onboarding=onboarding_of_one_annotator(study),
        checks=0.0 if attention.every else min(attention.per_sitting or 0, there),
        checked=1 / attention.every if attention.every and there else 0.0,
        repeat=study.caps.repeat if study.caps.max_per_group is None else 0.0,
        judged_twice=study.caps.judged_twice,
    )
    return planner_named(study.protocol.name).request(study, common)
