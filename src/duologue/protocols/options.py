"""Options of ``duologue analyse``, ``report`` and ``study plan`` that a protocol has for itself.

Each field of a model is one option: its name with dashes, its type, and its description as the help text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from duologue.errors import DesignError
from duologue.expected import refusal
from duologue.judgments import JudgedBy


class ProtocolOptions(BaseModel):
    """What only this protocol can be asked for; nothing, unless a protocol adds fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def option_fields(cls) -> Mapping[str, FieldInfo]:
        """The fields that are options of the command line."""
        return cls.model_fields

    @classmethod
    def taken_from(cls, given: ProtocolOptions | None, *, of: str) -> Self:
        """What somebody gave, as the protocol has it; the options by default where nothing was given.

        Raises:
            DesignError: They are those of another protocol, and not ``of`` this one.
        """
        if given is None:
            return cls()
        if not isinstance(given, cls):
            raise DesignError(f"{type(given).__name__} are not options of {of}.")
        return given

    @classmethod
    def read(cls, given: Mapping[str, object]) -> Self:
        """The options, from what was given for the fields.

        Raises:
            DesignError: A value is not legal; says which are.
        """
        try:
            return cls.model_validate(dict(given))
        except ValidationError as error:
            raise DesignError(_refusal(error.errors()[0])) from error


def _refusal(problem: ErrorDetails) -> str:
    """What is wrong with what was given, in a sentence."""
    if not problem["loc"]:
        return refusal(problem)  # of several options at once
    flag = option_flag(str(problem["loc"][0]))
    return f"{flag} {problem['input']}: {refusal(problem)}"


class AnalysisOptions(ProtocolOptions):
    """What an analysis can be asked for: who judged a table, and what a protocol adds."""

    of_tables: ClassVar[frozenset[str]] = frozenset()
    """The fields that are for tables only: a study says it in its file, before it begins."""

    judged_by: JudgedBy | None = Field(
        default=None,
        description="Of a file: who judged, where its column judged_by does not say it; people by default.",
    )


class PlanOptions(ProtocolOptions):
    """What only plans of this protocol can be asked for; nothing, unless a protocol adds fields.

    What is None was not stated: the design fills it in.
    """

    of_studies: ClassVar[frozenset[str]] = frozenset()
    """The fields that only a study fills in; they are no options of the command line."""

    @classmethod
    def option_fields(cls) -> Mapping[str, FieldInfo]:
        """The fields that are options of the command line."""
        return {name: field for name, field in cls.model_fields.items() if name not in cls.of_studies}

    def fill(self, **defaults: object) -> Self:
        """The options with open choices filled in."""
        still_open = {name: value for name, value in defaults.items() if getattr(self, name) is None}
        return self.model_copy(update=still_open)


Options = TypeVar("Options", bound=AnalysisOptions)


def read_options(
    kind: type[Options], given: Mapping[str, object], *, protocol: str, of_table: bool
) -> Options:
    """The options of a protocol's analysis, from what somebody gave on the command line.

    Args:
        kind: The options that the protocol has.
        given: What was given, by the names of fields.
        protocol: The name of the protocol.
        of_table: Whether a table is analysed, and not a study.

    Raises:
        DesignError: The protocol has no such option, a study says it in its file, or the value is not legal.
    """
    for name in given:
        flag = option_flag(name)
        if name not in kind.model_fields:
            raise DesignError(f"{flag} has no meaning for the protocol {protocol}. Leave it out.")
        if name in {*kind.of_tables, "judged_by"} and not of_table:
            raise DesignError(f"{flag} is for tables: a study says it in its file, before it begins.")
    return kind.read(given)


def option_flag(name: str) -> str:
    """A field as it is written on the command line.

    Example:
        >>> option_flag("first_party")
        '--first-party'
    """
    return f"--{name.replace('_', '-')}"
