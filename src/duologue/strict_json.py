"""The readers of JSON: nothing else reads any. Whatever cannot be read is a ``ValueError``.

Python's own reader ends with a ``RecursionError`` where lists or objects are nested deeply, takes the last of
two fields of one name, and reads ``NaN`` and ``Infinity``, which are no JSON. So `read_json` does too.
`read_strictly` is for files of people: no field twice in an object, and numbers that are numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

Pairs = list[tuple[str, Any]]


class DoubledField(ValueError):
    """An object has a field more than once."""

    def __init__(self, field: str) -> None:
        super().__init__(f"the field {field!r} more than once")
        self.field = field


class NotANumber(ValueError):
    """NaN, Infinity or -Infinity stands where JSON wants a number; in which field, if in one."""

    def __init__(self, constant: str, field: str | None = None) -> None:
        super().__init__(constant)
        self.constant, self.field = constant, field


class TooDeep(ValueError):
    """Lists or objects are nested within each other beyond what Python follows."""

    def __init__(self) -> None:
        super().__init__("lists or objects are nested too deeply")


def read_json(text: str | bytes) -> Any:
    """What a JSON text says.

    Raises:
        ValueError: It is no JSON or no UTF-8, is nested too deeply (`TooDeep`), or has a whole number of more
            digits than Python reads.

    Example:
        >>> read_json("[" * 5_000)
        Traceback (most recent call last):
            ...
        duologue.strict_json.TooDeep: lists or objects are nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise TooDeep from None


def _once(pairs: Pairs) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise DoubledField(next(name for name in names if names.count(name) > 1))
    return fields


def _refuse(constant: str) -> NoReturn:
    raise NotANumber(constant)


SCANNER = json.JSONDecoder(object_pairs_hook=_once)
"""Reads each field once, and NaN as Python does: unknown fields of dialogues are kept as they came."""

read_fields_once: Callable[[str], Any] = SCANNER.decode

_STRICT = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse)
_scan: Callable[[str, int], tuple[Any, int]] = _STRICT.scan_once  # type: ignore[attr-defined]  # not in stubs
_LINE_ENDS = frozenset(("\n", "", "\r\n"))


def read_strictly(text: str) -> Any:
    """What a JSON text says.

    Raises:
        DoubledField: An object has a field more than once.
        NotANumber: There is NaN or Infinity.
        TooDeep: Lists or objects are nested too deeply.
        json.JSONDecodeError: It is no JSON.

    Example:
        >>> read_strictly('{"rating": 1, "rating": 5}')
        Traceback (most recent call last):
            ...
        duologue.strict_json.DoubledField: the field 'rating' more than once
    """
    try:
        value, end = _scan(text, 0)  # without looking for blanks around it, which takes a fourth of the time
        return value if text[end:] in _LINE_ENDS else _STRICT.decode(text)
    except StopIteration:  # it does not begin with a value
        return _STRICT.decode(text)
    except RecursionError:
        raise TooDeep from None
    except NotANumber as error:
        raise NotANumber(error.constant, _field_of_constant(text)) from None


def entry_with_fault(text: str) -> int:
    """Which entry of a JSON list is not to be read, from 1: the list is read again, for a message.

    Example:
        >>> entry_with_fault('[{"a": 1}, {"a": 1, "a": 2}]')
        2
    """
    number, at = 0, text.index("[")
    while True:
        number += 1
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
        try:
            at = _STRICT.raw_decode(text, at)[1]
        except ValueError:
            return number


_BETWEEN = re.compile(r"[\s,\[]?[\s,]*")


class _Constant:
    """Stands for NaN and the like while their field is looked for."""


def _field_of_constant(text: str) -> str | None:
    """The first field that is such a constant, or a list with one; the text is read again, for a message."""
    found: list[str] = []

    def look(pairs: Pairs) -> None:
        found.extend(name for name, value in pairs if _has_constant(value))

    with suppress(RecursionError):  # such a list is told without its field
        json.JSONDecoder(object_pairs_hook=look, parse_constant=lambda _: _Constant()).decode(text)
    return found[0] if found else None


def _has_constant(value: object) -> bool:
    return isinstance(value, _Constant) or (isinstance(value, list) and any(map(_has_constant, value)))
