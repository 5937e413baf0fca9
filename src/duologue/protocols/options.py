"""Options of ``duologue analyse`` and ``report`` that a protocol has for itself.

Each field of the model is one option: its name with dashes, its type, and its description as the help text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from duologue.errors import DesignError


class AnalysisOptions(BaseModel):
    """What only this protocol's analysis can be asked for; nothing, unless a protocol adds fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    of_tables: ClassVar[frozenset[str]] = frozenset()
    """The fields that are for tables only: a study says it in its file, before it begins."""


Options = TypeVar("Options", bound=AnalysisOptions)


def read_options(
    kind: type[Options], given: Mapping[str, object], *, protocol: str, of_table: bool
) -> Options:
    """The options of a protocol, from what somebody gave on the command line.

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
        if name in kind.of_tables and not of_table:
            raise DesignError(f"{flag} is for tables: a study says it in its file, before it begins.")
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors()[0]
        raise DesignError(f"{option_flag(str(first['loc'][0]))}: {first['msg']}.") from error


def option_flag(name: str) -> str:
    """A field as it is written on the command line.

    Example:
        >>> option_flag("first_party")
        '--first-party'
    """
    return f"--{name.replace('_', '-')}"
