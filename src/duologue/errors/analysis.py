"""Data that do not allow the analysis asked for."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.errors.root import DuologueError


class AnalysisError(DuologueError):
    """The data do not allow the analysis asked for."""


class NotEnoughJudgments(AnalysisError):
    """There are too few judgments for the test asked for."""

    def __init__(self, test: str, *, needed: int, got: int, unit: str = "judgments") -> None:
        super().__init__(f"{test} needs at least {needed} {unit} and has {got}.")
        self.test, self.needed, self.got, self.unit = test, needed, got, unit


class BadNumber(AnalysisError):
    """A number given to an analysis cannot be what its name says."""

    def __init__(self, name: str, *, expected: str, got: object) -> None:
        super().__init__(f"{name}: expected {expected}, and got {got}.")
        self.name, self.expected, self.got = name, expected, got


class NotConverged(AnalysisError):
    """A solver gave no answer within its limit."""

    def __init__(self, method: str, *, steps: int, why: str = "") -> None:
        super().__init__(f"{method} did not converge in {steps} steps.{' ' + why if why else ''}")
        self.method, self.steps, self.why = method, steps, why


class Disconnected(AnalysisError):
    """Some bots were never compared with the others, directly or through a chain of bots."""

    def __init__(self, components: Sequence[Sequence[str]]) -> None:
        groups = "; ".join("{" + ", ".join(names) + "}" for names in components)
        super().__init__(
            f"the bots fall into {len(components)} groups that were never compared: {groups}. "
            "Add a matchup between the groups, or analyse them separately."
        )
        self.components = tuple(tuple(names) for names in components)
