"""A results.json read back as the results it holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from duologue.errors import FormatError, NewerFormat

FORMAT = "duologue.results/1"

R = TypeVar("R")


def read_results_file(path: Path, kind: TypeAdapter[R], *, holds: str) -> R:
    """The results in a file that `duologue analyse` wrote.

    Args:
        path: The file.
        kind: What the results are.
        holds: The same in words, for the message when they are something else.

    Raises:
        NewerFormat: A later version of Duologue wrote it.
        FormatError: It is not such a file.
    """
    text = path.read_text(encoding="utf-8")
    try:
        found = json.loads(text).get("format")
    except (json.JSONDecodeError, AttributeError) as error:
        raise FormatError(path, expected="a JSON object as `duologue analyse` writes it") from error
    name, _, version = str(found).partition("/")
    if name == FORMAT.partition("/")[0] and version.isdigit() and int(version) > 1:
        raise NewerFormat(path, str(found), FORMAT)
    try:
        return kind.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise FormatError(path, field=place, expected=f"{holds} in the format {FORMAT}") from error
