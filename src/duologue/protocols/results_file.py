"""Results as a results.json, and read back as what they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Self, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from duologue.errors import FormatError, NewerFormat
from duologue.protocols.conduct import Conduct
from duologue.protocols.provenance import Provenance
from duologue.strict_json import read_json

FORMAT = "duologue.results/1"


class SavedResults:
    """What every protocol's results can do: a base for dataclasses.

    They have the fields ``warnings``, ``provenance``, ``conduct``, ``protocol`` and ``format`` (`FORMAT`).
    """

    __slots__ = ()

    def to_json(self) -> str:
        """The results as the text of a results.json."""
        return to_json(self, indent=1, inf_nan_mode="null").decode() + "\n"

    def with_warnings(self, more: Sequence[str]) -> Self:
        """The same results, with further warnings."""
        mine = cast("Any", self)
        return cast("Self", replace(mine, warnings=(*mine.warnings, *more)))

    def with_conduct(self, conduct: Conduct) -> Self:
        """The same results, saying how the study was conducted."""
        return cast("Self", replace(cast("Any", self), conduct=conduct))

    def with_provenance(self, provenance: Provenance) -> Self:
        """The same results, saying where they come from."""
        return cast("Self", replace(cast("Any", self), provenance=provenance))

    @classmethod
    def read(cls, path: Path) -> Self:
        """The results in a file that `duologue analyse` wrote.

        Raises:
            NewerFormat: A later version of Duologue wrote it.
            FormatError: It is not such a file.
        """
        try:
            text = path.read_text(encoding="utf-8")
            found = read_json(text).get("format")
        except (ValueError, AttributeError) as error:
            raise FormatError(path, expected="a JSON object as `duologue analyse` writes it") from error
        name, _, version = str(found).partition("/")
        if name == FORMAT.partition("/")[0] and version.isdecimal() and int(version) > 1:
            raise NewerFormat(path, str(found), FORMAT)
        try:
            return cast("Self", _adapter(cast("Any", cls)).validate_json(text))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise FormatError(path, field=place, expected=f"results in the format {FORMAT}") from error


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
