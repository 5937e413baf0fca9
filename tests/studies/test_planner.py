"""Which protocols can be planned, those among them that cannot be run yet."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint
from typing import ClassVar

import pytest

from duologue.acute import AcutePlanOptions
from duologue.errors import DesignError, ProtocolError
from duologue.per_turn import PerTurnPlanOptions
from duologue.protocols import PlanOptions, StudyProtocol, protocol_named
from duologue.studies import (
    PlannedDesign,
    PlanRequest,
    ProtocolPlanner,
    Study,
    make_plan,
    plan_options,
    plan_record,
    planner_named,
    request_from_flags,
)
from duologue.studies.planning import planner


class Unplanned(StudyProtocol):  # type: ignore[type-arg]  # it has no settings
    """A protocol without a planner."""

    name: ClassVar[str] = "unplanned"
    parts: ClassVar[Mapping[str, str]] = {}


class Silent(ProtocolPlanner):
    """Knows nothing of studies."""

    def planned_design(self, request: PlanRequest) -> PlannedDesign:
        raise DesignError("nothing is planned.")


def test_every_protocol_and_every_design_that_cannot_be_run_is_planned() -> None:
    assert planner.planner_names() == ("acute", "likert", "nuc", "per-turn")
    plan = make_plan(
        PlanRequest(
            protocol="per-turn", gap=0.2, options=PerTurnPlanOptions(mechanism="pairwise", setting="soba")
        )
    )
    assert plan.paper is not None
    assert (plan.judgments, plan.paper.judgments) == (210, 196)


def test_a_protocol_without_a_planner_is_refused_with_those_that_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(planner, "protocol_names", lambda: ("unplanned",))
    monkeypatch.setattr(planner, "protocol_named", lambda name: Unplanned)
    monkeypatch.setattr(planner, "_alone", lambda: {"chess": EntryPoint("chess", "x:y", planner.GROUP)})
    with pytest.raises(DesignError, match="'unplanned' cannot be planned; those that can: chess"):
        planner_named("unplanned")


@pytest.mark.parametrize(
    ("value", "said"),
    [("no_such_package:Planner", "cannot be loaded"), ("builtins:object", "is no ProtocolPlanner")],
)
def test_a_planner_that_cannot_be_used_is_named(
    value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("chess", value, planner.GROUP)
    monkeypatch.setattr(planner, "_alone", lambda: {"chess": point})
    with pytest.raises(ProtocolError, match=f"'chess' has a planner that {said}"):
        planner_named("chess")


def test_a_planner_need_not_know_studies(study: Study) -> None:
    common = PlanRequest(protocol="silent", alpha=0.01)
    assert Silent().request(study, common) is common


class Taken(PlanOptions):
    """An option that every plan has."""

    gap: float = 0.1


class Counted(PlanOptions):
    """An option of a design without a protocol."""

    boards: int | None = None


class Chess(Silent):
    """A design without a protocol."""

    options: ClassVar[type[PlanOptions]] = Counted


def test_a_design_without_a_protocol_has_options_too(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("chess", f"{__name__}:Chess", planner.GROUP)
    monkeypatch.setattr(planner, "_alone", lambda: {"chess": point})
    asked = request_from_flags({"protocol": "chess", "boards": 3})
    assert asked == PlanRequest(protocol="chess", options=Counted(boards=3))
    with pytest.raises(DesignError, match="nothing is planned"):
        make_plan(asked)
    with pytest.raises(DesignError, match="--boards 3 belongs to --protocol chess, not to nuc"):
        request_from_flags({"protocol": "nuc", "boards": 3})


def test_an_option_that_every_plan_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol_named("nuc"), "plan_options", Taken)
    with pytest.raises(ProtocolError, match=r"'nuc' has a planning option that every plan has \(gap\)"):
        plan_options("nuc")


def test_the_record_has_the_options_among_what_was_asked_for() -> None:
    asked = PlanRequest(gap=0.5, bots=3, options=AcutePlanOptions(verdicts="pooled"))
    request = plan_record(make_plan(asked))["request"]
    assert isinstance(request, dict)
    assert (request["gap"], request["bots"], request["verdicts"]) == (0.5, 3, "pooled")
    assert not {"options", "mechanism", "sd"} & request.keys()


def test_several_matchups_of_turns_are_offered_without_holm_too() -> None:
    plan = make_plan(
        PlanRequest(
            protocol="per-turn",
            gap=0.2,
            bots=3,
            options=PerTurnPlanOptions(mechanism="pairwise", setting="soba"),
        )
    )
    assert [other.what for other in plan.alternatives] == [
        "mid-p binomial test",
        "each matchup on its own, without Holm's correction",
    ]
    assert plan.alternatives[1].judgments == 210
