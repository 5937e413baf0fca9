"""The seam between rehearsals and protocols: what is true, who comes, how they answer, what was recovered.

A `ProtocolRehearsal` is a part of the protocol's package. The rehearsal itself walks pages, holds live chats,
checks rules and counts; nothing here knows what is asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

import numpy as np

from duologue.dialogues import Json
from duologue.errors import DesignError
from duologue.protocols import AskedItem, FieldValue, Item, StudyProtocol, protocol_named
from duologue.rehearsal.kinds import Kind, SimulatedAnnotator
from duologue.reports import Results

Finding = Literal["recovered", "undecided", "wrong"]
"""The verdict names what is truly better, nothing, or something else."""

Stated = Mapping[str, Sequence[str]]
"""What somebody says is true, by the name of the option: ``{"prefer": ["A:B=0.7"]}``."""

Choices = Mapping[str, tuple[str, ...]]
"""The questions of a page to choose an answer for, with the answers in the order they are shown."""

Protocol = StudyProtocol[Any]


@dataclass(frozen=True, slots=True)
class Recovery:
    """One thing that is true of careful annotators, and what the analysis says of it."""

    finding: Finding
    said: str
    """What is true and what was estimated, in one line."""
    sentence: str
    """The verdict in words."""
    record: Mapping[str, Json]
    """The same for machines."""


Truth = TypeVar("Truth")
Found = TypeVar("Found", bound=Results)


class ProtocolRehearsal(ABC, Generic[Truth, Found]):
    """How a study of one protocol is rehearsed.

    ``Truth`` is what careful annotators go by, ``Found`` the results of the protocol.
    """

    part: ClassVar[str] = "rehearsal"
    mix: ClassVar[Mapping[Kind, float]]
    """The share of each kind of annotator that comes. Some kinds also walk in their own way, see `kinds`."""
    summaries: ClassVar[Mapping[Kind, str]]
    """What annotators of each kind do, in words."""
    without_reasons: ClassVar[Mapping[Kind, str]] = {}
    """What those of some kinds do where nobody is asked for a reason."""
    sought: ClassVar[str]
    """What the analysis should find, in words that go on "what careful annotators …"."""

    def noun(self, items: Sequence[Item]) -> str:
        """What an item is called."""
        return "item"

    def summaries_of(self, items: Sequence[Item]) -> Mapping[Kind, str]:
        """What annotators of each kind do with these items."""
        return self.summaries

    @abstractmethod
    def truth(self, items: Sequence[Item], stated: Stated, *, rng: np.random.Generator) -> Truth:
        """What is true: as stated, and drawn where nothing is.

        Args:
            items: What is to be judged, without onboarding.
            stated: What was given to the protocol's `truth_options`.
            rng: Where the rest is drawn from.

        Raises:
            DesignError: It cannot be true of this study; says which option is wrong.
        """

    def truth_of(
        self, protocol: Protocol, items: Sequence[Item], stated: Stated, *, rng: np.random.Generator
    ) -> Truth:
        """The same, for those to whom the settings of the study matter too; what `truth` says by default.

        Args:
            protocol: Bound to the settings of the study.
            items: What is to be judged, without onboarding.
            stated: What was given to the protocol's `truth_options`.
            rng: Where the rest is drawn from.

        Raises:
            DesignError: It cannot be true of this study; says which option is wrong.
        """
        return self.truth(items, stated, rng=rng)

    @abstractmethod
    def simulate(
        self,
        annotator: SimulatedAnnotator,
        asked: AskedItem,
        choices: Choices,
        *,
        protocol: Protocol,
        truth: Truth,
    ) -> Mapping[str, FieldValue]:
        """What an annotator chooses on one screen: a value for every question of ``choices``.

        Where several may be chosen, any number of them. A field to type into (a number, a slider) is filled
        with what is given here under its name; one that nothing is given for is filled with a reason.
        """

    def set_aside(self, results: Found) -> Iterable[str]:
        """What the analysis leaves out of judgments that count, a line for each reason with its count."""
        return ()

    def used(self, results: Found) -> str:
        """What the analysis uses of judgments that count, where that may be less than all of them."""
        return ""

    @abstractmethod
    def recoveries(self, results: Found, truth: Truth) -> Iterable[Recovery]:
        """What was true, and whether the analysis has found it."""


Part = ProtocolRehearsal[Any, Any]


def rehearsal_of(protocol: str) -> Part:
    """How studies of a protocol are rehearsed.

    Raises:
        ProtocolError: It is not installed, or has no such part.
    """
    return protocol_named(protocol).part(ProtocolRehearsal)  # type: ignore[type-abstract]


def check_stated(stated: Stated, *, protocol: str) -> None:
    """Refuse what a protocol has no option for.

    Raises:
        DesignError: Something was stated that is never true of this protocol.
    """
    known = {option.name: option for option in protocol_named(protocol).truth_options}
    for name, texts in stated.items():
        if texts and name not in known:
            ways = " or ".join(f"--{option.name} {option.example}" for option in known.values())
            hint = f"say {ways}" if ways else "nothing can be stated about it"
            raise DesignError(f"--{name}: this is a study of the protocol {protocol}; {hint}.")
