"""What pydantic expected of a value, in our words; and which name somebody may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails


def refusal(detail: ErrorDetails, *others: ErrorDetails, known: Iterable[str] = (), hint: str = "") -> str:
    """What is wrong with a value and what to do, in sentences; the place is said by the caller.

    Args:
        detail: What pydantic found.
        others: What it found where it compared the value with something else that can stand there.
        known: The keys that can stand where one was found that cannot.
        hint: Where to find the known keys, or how what was expected is written.

    Example:
        >>> refusal({"type": "int_type", "loc": ("seed",), "msg": "", "input": "x"}, hint="without quotes")
        'give a whole number, without quotes.'
    """
    kind = detail["type"]
    if kind not in _NOUNS and not _choices(detail):  # a check of ours has said it
        message = detail["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
        return message if message.endswith("?") else message.rstrip(".") + "."
    if kind == "extra_forbidden":
        return f"there is no such setting.{did_you_mean(detail['loc'][-1], known)}{hint and ' ' + hint}"
    if kind == "missing":
        last = detail["loc"][-1]
        what = f"entry {last + 1} of this list" if isinstance(last, int) else "this setting"
        return f"{what} is needed and is missing."
    nouns = [expected(detail) + (hint and ", " + hint), *map(expected, others)]
    possible = [choice for one in (detail, *others) for choice in _choices(one)]
    tag = detail.get("ctx", {}).get("tag", detail["input"])
    return f"give {' or '.join(dict.fromkeys(nouns))}.{did_you_mean(tag, possible)}"


def expected(detail: ErrorDetails) -> str:
    """What pydantic expected of a value, as a noun with its article.

    Example:
        >>> expected({"type": "less_than", "loc": (), "msg": "", "input": 3, "ctx": {"lt": 1}})
        'a number less than 1'
    """
    kind, facts = detail["type"], detail.get("ctx", {})
    if choices := _choices(detail):
        return ("one of " if len(choices) > 1 else "") + ", ".join(f'"{choice}"' for choice in choices)
    if kind == "string_pattern_mismatch" and facts["pattern"] in _SPELT:
        return _SPELT[facts["pattern"]]
    if facts.get("min_length") == 1:
        return "a text that is not empty" if kind == "string_too_short" else "a list that is not empty"
    return _NOUNS[kind].format_map(facts) if kind in _NOUNS else refusal(detail).rstrip(".")


def _choices(detail: ErrorDetails) -> tuple[str, ...]:
    """The values that are possible, where only some are."""
    facts = detail.get("ctx", {})
    listed = facts.get("expected") or facts.get("expected_tags") or facts.get("expected_schemes") or ""
    return tuple(match[1] or match[2] for match in _CHOICE.finditer(str(listed)))


_CHOICE = re.compile(r"'([^']*)'|\b(?!or\b)([\w.-]+)")

_NOUNS = {
    "json_invalid": "JSON that can be read ({error})",
    "recursion_depth_exceeded": "lists and tables that are nested less deeply",
    "recursion_loop": "a value that does not hold itself",
    "missing": "a value",
    "extra_forbidden": "a known setting",
    "invalid_key": "keys that are texts",
    "none_required": "no value",
    "greater_than": "a number greater than {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number less than {lt}",
    "less_than_equal": "a number of at most {le}",
    "multiple_of": "a multiple of {multiple_of}",
    "finite_number": "a number that is not infinite",
    "int_parsing_size": "a smaller whole number",
    "too_short": "a list of at least {min_length} entries",
    "too_long": "a list of at most {max_length} entries",
    "string_too_short": "a text of at least {min_length} characters",
    "string_too_long": "a text of at most {max_length} characters",
    "string_pattern_mismatch": "a text of the form {pattern}",
    "string_not_ascii": "a text without accents and other letters beyond ASCII",
    "union_tag_not_found": "a table with the key {discriminator}",
    "date_past": "a date in the past",
    "date_future": "a date in the future",
    "date_from_datetime_inexact": "a date without a time of day",
    "datetime_past": "a time in the past",
    "datetime_future": "a time in the future",
    "timezone_naive": "a time without a time zone",
    "timezone_aware": "a time with a time zone, such as 2031-05-30T12:00:00Z",
    "timezone_offset": "a time in the time zone {tz_expected}",
    "bytes_too_short": "a text of at least {min_length} bytes",
    "bytes_too_long": "a text of at most {max_length} bytes",
    "bytes_invalid_encoding": "a text in {encoding}",
    "url_too_long": "an address of at most {max_length} characters",
    "uuid_version": "a UUID of version {expected_version}",
    "decimal_max_digits": "a number of at most {max_digits} digits",
    "decimal_max_places": "a number with at most {decimal_places} digits after the point",
    "decimal_whole_digits": "a number with at most {whole_digits} digits before the point",
} | {
    kind: noun
    for noun, kinds in {
        "a text": "string_type string_unicode bytes_type",
        "true or false": "bool_type bool_parsing",
        "a whole number": "int_type int_parsing int_from_float",
        "a number": "float_type float_parsing decimal_type decimal_parsing fraction_type fraction_parsing "
        "complex_type complex_str_parsing",
        "a number of seconds": "time_delta_type time_delta_parsing",
        "a list": "list_type tuple_type set_type frozen_set_type deque_type iterable_type iteration_error",
        "a list of texts or numbers": "set_item_not_hashable",
        "a table of keys": "dict_type frozen_dict_type ordered_dict_type counter_type mapping_type "
        "model_type model_attributes_type dataclass_type named_tuple_type",
        "a date such as 2031-05-30": "date_type date_parsing date_from_datetime_parsing",
        "a time of day such as 12:30:00": "time_type time_parsing",
        "a time such as 2031-05-30T12:00:00Z": "datetime_type datetime_parsing datetime_object_invalid "
        "datetime_from_date_parsing",
        "an address such as https://example.org": "url_type url_parsing url_syntax_violation",
        "a UUID": "uuid_type uuid_parsing",
        "JSON": "json_type",
    }.items()
    for kind in kinds.split()
}
"""What is wanted, by what pydantic calls its mistake."""
_SPELT = {
    r"^[a-z][a-z0-9_-]{0,39}$": "at most 40 small letters, digits, - and _, beginning with a letter",
    r"^[a-z][a-z0-9_]{0,39}$": "at most 40 small letters, digits and _, beginning with a letter",
    r"^[a-z0-9][a-z0-9-]{0,39}$": "at most 40 small letters, digits and -",
    r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$": "at most 64 letters from A to Z, digits, -, _ and dots",
    r"^[^\r\n]*$": "one line",
    r"^[^:]+:[A-Za-z_][\w.]*$": '"module:callable"',
    r"^https?://[^/\s]+": "an address that begins with http:// or https://",
}
"""What a text must look like, by its pattern."""


def did_you_mean(given: object, known: Iterable[str]) -> str:
    """A question that names the known name most like the one given; empty when none is like it.

    Example:
        >>> did_you_mean("per_match", ["per_matchup", "matchups"])
        ' Did you mean "per_matchup"?'
        >>> did_you_mean("xyz", ["per_matchup"])
        ''
    """
    found = get_close_matches(str(given), list(known), n=1) if isinstance(given, str) else []
    return f' Did you mean "{found[0]}"?' if found else ""


def known_keys(model: type[BaseModel], place: Sequence[int | str]) -> tuple[str, ...]:
    """The keys that the table at a place can have; ``place`` is where pydantic found a problem.

    Example:
        >>> from pydantic import create_model
        >>> pay = create_model("Pay", currency=(str, ""))
        >>> known_keys(create_model("File", pay=(pay, pay())), ("pay",))
        ('currency',)
    """
    models = [model]
    for part in place:
        if tagged := [one for one in models if len(models) > 1 and part in _tags(one)]:
            models = tagged
        elif annotations := [one.model_fields[part].annotation for one in models if part in one.model_fields]:
            models = [one for annotation in annotations for one in _models_in(annotation)]
    return tuple(dict.fromkeys(key for one in models for key in one.model_fields))


def _tags(model: type[BaseModel]) -> Iterator[int | str]:
    """The names by which a model is told from others beside it."""
    yield model.__name__
    for field in model.model_fields.values():
        if get_origin(field.annotation) is Literal:
            yield from get_args(field.annotation)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if hasattr(annotation, "model_fields"):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)
