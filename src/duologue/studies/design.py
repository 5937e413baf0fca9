"""The seam between studies and protocols: what a protocol says of a study before anybody judges.

A `ProtocolDesign` looks a study of its protocol over and describes it. It is a part of the protocol's
package, named ``design`` in its ``parts``; how studies are planned is a part of its own (`ProtocolPlanner`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from duologue.studies.model import Study


@dataclass(frozen=True, slots=True)
class StudyCheck:
    """What was found: a study with problems cannot be served."""

    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing stands in the way of serving the study."""
        return not self.problems


class ProtocolDesign(ABC):
    """What a protocol says of a study before anybody judges."""

    part: ClassVar[str] = "design"
    noun: ClassVar[str] = "judgment"
    """What one judgment is called in sentences about the work: a comparison, a rating."""

    def noun_of(self, study: Study) -> str:
        """What one judgment of this study is called."""
        return self.noun

    @abstractmethod
    def check(self, study: Study) -> StudyCheck:
        """What is wrong, and what is only odd, about the material and the items of a study.

        Raises:
            DuologueError: Items or material cannot be read or drawn; it is reported as a problem.
        """

    @abstractmethod
    def describe(self, study: Study) -> Iterable[str]:
        """What will happen when the study is served, in lines: who is compared, how, how often, at what cost.

        What is the same for every protocol (links, leases, who sees results when) is added to it.

        Raises:
            DuologueError: Items or material cannot be read or drawn.
        """


def design_of(study: Study) -> ProtocolDesign:
    """The design of the study's protocol.

    Raises:
        ProtocolError: The protocol has none.
    """
    return type(study.protocol).part(ProtocolDesign)  # type: ignore[type-abstract]
