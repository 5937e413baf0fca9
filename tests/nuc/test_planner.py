"""How many answers are needed."""

import pytest

from duologue.errors import DesignError
from duologue.nuc import NucPlanner
from duologue.studies import PlanRequest


def test_a_standard_and_a_second_group_are_not_both_planned() -> None:
    with pytest.raises(DesignError, match="give one of them"):
        NucPlanner().planned_design(PlanRequest(null=0.2, base=0.5))
