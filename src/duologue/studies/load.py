"""Reading study.toml, and saying which line is wrong when one is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from duologue.bots import ANSWERING_KINDS
from duologue.errors import StudyFileError, StudyNotFound
from duologue.expected import did_you_mean, known_keys, refusal
from duologue.files import toml_fault
from duologue.protocols import DEFAULT_PROTOCOL, protocol_named, protocol_names
from duologue.studies.model import Study
from duologue.studies.tables import StudyFile

FILE_NAME = "study.toml"
Model = TypeVar("Model", bound=BaseModel)


def load_study(folder: Path | str) -> Study:
    """The study in a folder.

    Raises:
        StudyNotFound: There is no study.toml.
        StudyFileError: Something in it is wrong; the first such place, and how many more there are.
    """
    study, problems = read_study(folder)
    if study is None:
        first = problems[0]
        if len(problems) > 1:
            more = f"{len(problems) - 1} more problem{'s' if len(problems) > 2 else ''}"
            first.add_note(f"{more}: run `duologue study check {quote(str(folder))}`.")
        raise first
    return study


def read_study(folder: Path | str) -> tuple[Study | None, tuple[StudyFileError, ...]]:
    """The study in a folder, or every problem that keeps it from being one."""
    folder = Path(folder)
    path = folder / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise StudyNotFound(folder) from None
    except UnicodeDecodeError as error:
        raise StudyFileError(path, expected=f"the file must be UTF-8 text ({error}).") from error
    except OSError as error:
        raise StudyFileError(path, expected=f"the file cannot be read: {error.strerror}.") from error
    if fault := toml_fault(text):
        return None, (StudyFileError(path, line=fault[0], expected=fault[1]),)
    try:
        tables = tomllib.loads(text)
        holds_nul = _holds_nul(tables)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        return None, (
            StudyFileError(path, line=int(found[1]) if found else None, expected=f"not TOML: {error}."),
        )
    except RecursionError:
        return None, (StudyFileError(path, expected="lists or tables are nested too deeply."),)
    except ValueError:  # Python reads no whole number of more than 4300 digits
        return None, (StudyFileError(path, expected="a number has more than 4300 digits."),)
    if holds_nul:
        return None, (StudyFileError(path, expected="a text holds a NUL character (\\u0000); leave it out."),)
    return _checked(folder, path, text, tables)


def _holds_nul(value: object) -> bool:
    """Whether there is a character that no path, no database and no page can hold."""
    if isinstance(value, dict):
        return any(_holds_nul(key) or _holds_nul(inner) for key, inner in value.items())
    if isinstance(value, list):
        return any(map(_holds_nul, value))
    return isinstance(value, str) and "\0" in value


def _checked(
    folder: Path, path: Path, text: str, tables: dict[str, object]
) -> tuple[Study | None, tuple[StudyFileError, ...]]:
    head = tables.get("study")
    name = head.get("protocol", DEFAULT_PROTOCOL) if isinstance(head, dict) else DEFAULT_PROTOCOL
    if not isinstance(name, str) or name not in protocol_names():
        known = protocol_names()
        line = line_of(text, ("study", "protocol"))
        listed = f"the protocols are: {', '.join(known)}.{did_you_mean(name, known)}"
        expected = f"there is no protocol {name!r}; {listed}"
        return None, (StudyFileError(path, table="study", key="protocol", line=line, expected=expected),)
    settings_table = tables.pop(name, {})
    protocol = protocol_named(name)
    settings, more = _validated(protocol.settings_model, settings_table, path, text, (name,))
    tables = _worded(tables, protocol.wording if settings is None else protocol(settings).study_wording())
    file, problems = _validated(StudyFile, tables, path, text, ())
    if file is None or settings is None:
        return None, (*problems, *more)
    return Study(folder=folder, text=text, file=file, settings=settings), ()


def _worded(tables: dict[str, object], wording: Mapping[str, str]) -> dict[str, object]:
    """The tables with the protocol's own words where the file does not set them."""
    given = tables.get("wording", {})
    return tables | {"wording": {**wording, **given}} if wording and isinstance(given, dict) else tables


def _validated(
    model: type[Model], value: object, path: Path, text: str, prefix: tuple[str, ...]
) -> tuple[Model | None, tuple[StudyFileError, ...]]:
    try:
        valid = model.model_validate(value)
        details = _of_another_type(model, value)
    except ValidationError as error:
        details = error.errors()
    at: dict[tuple[int | str, ...], list[ErrorDetails]] = {}
    for detail in details:
        at.setdefault(tuple(filter(_is_place, _untagged(detail["loc"]))), []).append(detail)
    problems: dict[tuple[int | str, ...], StudyFileError] = {}
    for inner, (first, *others) in at.items():
        if any(other != inner and other[: len(inner)] == inner for other in at):
            continue  # what is wrong deeper inside says more
        place = (*prefix, *inner)
        message = _said(first, others, known_keys(model, first["loc"][:-1]), str(place[-1]) if place else "")
        while named := re.match(r"([a-z0-9_]+): ", message):  # a check of a whole table names the key
            place, message = (*place, named[1]), message[named.end() :]
        problems.setdefault(place, _problem(path, text, place, message))
    found = tuple({str(problem): problem for problem in problems.values()}.values())
    return (None, found) if found else (valid, ())


_OTHER_TYPES = ("bool_type", "float_type", "int_type", "string_type")


def _of_another_type(model: type[BaseModel], value: object) -> list[ErrorDetails]:
    """Values that could be read as what is wanted and are something else: "yes" for true, true for 1."""
    try:
        model.model_validate(_with_tuples(value), strict=True)
    except ValidationError as error:
        return [detail for detail in error.errors() if _is_scalar_of_another_type(detail)]
    return []


def _is_scalar_of_another_type(detail: ErrorDetails) -> bool:
    """Lists were looked at before, and are tuples only for comparison."""
    return detail["type"] in _OTHER_TYPES and not isinstance(detail["input"], tuple)


def _with_tuples(value: object) -> object:
    """A value of TOML with its lists as the tuples that our settings are."""
    if isinstance(value, dict):
        return {key: _with_tuples(inner) for key, inner in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


def _untagged(loc: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """The location without the kind of bot, by which pydantic says which settings it compared with."""
    return (*loc[:2], *loc[3:]) if loc[:1] == ("bots",) and len(loc) > 2 else loc


def _is_place(part: int | str) -> bool:
    """Whether a part of pydantic's location is a place in the file, not a member of a union."""
    return isinstance(part, int) or re.fullmatch(r"[A-Za-z0-9_-]+", part) is not None


_SPELT = {
    "extra_forbidden": "docs/study-file.md has them all.",
    "string_type": "in quotes",
    "tuple_type": "in square brackets",
    **dict.fromkeys(("int_type", "float_type", "bool_type"), "without quotes"),
    **dict.fromkeys(("int_parsing", "float_parsing", "bool_parsing"), "without quotes"),
}
"""How what was expected is written in TOML; where the known keys are."""


def _said(detail: ErrorDetails, others: Sequence[ErrorDetails], known: Sequence[str], key: str) -> str:
    """What pydantic found wrong, in our words."""
    kind, given = detail["type"], detail["input"]
    if kind == "tuple_type" and isinstance(given, dict):
        return f"there may be several, so write [[{key}]] with two brackets."
    if kind == "model_type":
        return f"this is a table, so write [{key}], with its settings on the lines below."
    if kind == "extra_forbidden" and len(detail["loc"]) == 1 and "study" in known:
        if key in protocol_names():
            return (
                f"this is the table of another protocol: leave it out, or set protocol = {key!r} in [study]."
            )
        known = (*known, *protocol_names())
    if kind == "unknown_kind":
        return refusal(detail) + did_you_mean(given["kind"], (*ANSWERING_KINDS, "logs"))
    return refusal(detail, *others, known=known, hint=_SPELT.get(kind, ""))


def _problem(path: Path, text: str, place: Sequence[int | str], message: str) -> StudyFileError:
    names = [str(part) for part in place if not isinstance(part, int)]
    if not names:
        return StudyFileError(path, expected=message)
    table = ".".join(names[:-1]) or names[0]
    key = names[-1] if len(names) > 1 else ""
    return StudyFileError(path, table=table, key=key, line=line_of(text, place), expected=message)


_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")


def line_of(text: str, place: Sequence[int | str]) -> int | None:
    """The line on which a setting stands (or its table, when it is missing); None when neither is there.

    Example:
        >>> line_of('[study]\\nname = "x"\\nseed = -1\\n', ("study", "seed"))
        3
    """
    lines: dict[tuple[int | str, ...], int] = {}
    table: tuple[int | str, ...] = ()
    copies: dict[tuple[int | str, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = ()
            parts = [part.strip().strip("\"'") for part in header[2].split(".")]
            for depth, part in enumerate(parts, 1):
                table = (*table, part)
                if header[1] == "[[" and depth == len(parts):
                    lines.setdefault(table, number)
                    copies[table] = copies.get(table, -1) + 1
                if table in copies:  # of a list of tables, the one that was begun last
                    table = (*table, copies[table])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, key[1]), number)
    for end in range(len(place), 0, -1):
        if tuple(place[:end]) in lines:
            return lines[tuple(place[:end])]
    return None
