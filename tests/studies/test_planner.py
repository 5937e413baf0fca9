"""Which protocols can be planned, those among them that cannot be run yet."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint
from typing import ClassVar

import pytest

from duologue.errors import DesignError, ProtocolError
from duologue.protocols import StudyProtocol
from duologue.studies import PlannedDesign, PlanRequest, ProtocolPlanner, Study, make_plan, planner_named
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
    plan = make_plan(PlanRequest(protocol="per-turn", mechanism="pairwise", setting="soba", gap=0.2))
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


def test_several_matchups_of_turns_are_offered_without_holm_too() -> None:
    plan = make_plan(PlanRequest(protocol="per-turn", mechanism="pairwise", setting="soba", gap=0.2, bots=3))
    assert [other.what for other in plan.alternatives] == [
        "mid-p binomial test",
        "each matchup on its own, without Holm's correction",
    ]
    assert plan.alternatives[1].judgments == 210
