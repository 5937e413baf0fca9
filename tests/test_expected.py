"""What pydantic says of data becomes our own words."""

import re
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, _pydantic_core

from duologue.expected import did_you_mean, expected, known_keys, refusal

OF_PYTHON_OBJECTS = {
    *("no_such_attribute", "get_attribute_error", "needs_python_object", "frozen_field", "frozen_instance"),
    *("dataclass_exact_type", "default_factory_not_called", "missing_sentinel_error", "ellipsis_error"),
    *("is_instance_of", "is_subclass_of", "callable_type", "arguments_type", "missing_argument"),
    *("unexpected_keyword_argument", "missing_keyword_only_argument", "unexpected_positional_argument"),
    *("missing_positional_only_argument", "multiple_argument_values"),
}
"""What only calls and objects of Python can do wrong; no file and no request can."""
OF_OUR_CHECKS = {"value_error", "assertion_error"}
CHOICES = {"expected": "'a' or 'b'", "expected_tags": "'a', 'b'", "expected_schemes": "'http' or 'https'"}
PYDANTIC = re.compile(r"[Ii]nput|should|valid\b|permitted|Field|pars|tagged|dict", re.ASCII)


def every_error() -> list[ErrorDetails]:
    listed = _pydantic_core.list_all_errors()
    return [
        ErrorDetails(
            type=one["type"],
            loc=("key",),
            msg=one["example_message_python"],
            input="x",
            ctx={**(one.get("example_context") or {}), **CHOICES},
        )
        if one["type"] in ("enum", "literal_error", "union_tag_invalid", "url_scheme")
        else ErrorDetails(
            type=one["type"],
            loc=("key",),
            msg=one["example_message_python"],
            input="x",
            ctx=one.get("example_context") or {},
        )
        for one in listed
        if one["type"] not in OF_PYTHON_OBJECTS | OF_OUR_CHECKS
    ]


@pytest.mark.parametrize("detail", every_error(), ids=lambda one: one["type"])
def test_whatever_data_can_do_wrong_is_said_in_our_words(detail: ErrorDetails) -> None:
    for said in (expected(detail), refusal(detail)):
        assert detail["msg"] not in said
        assert not PYDANTIC.search(said)
    assert re.fullmatch(r"(give|this|there is no) .*\.", refusal(detail))


class Wish(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: Literal["wish"] = "wish"
    colour: Literal["red", "blue"] = "red"
    number: Literal["all"] | int = "all"
    size: tuple[str, str] = ("a", "b")


class Hope(BaseModel):
    kind: Literal["hope"] = "hope"
    depth: int = 1


class File(BaseModel):
    wishes: tuple[Wish | Hope, ...] = ()
    by_name: dict[str, Hope] | None = None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"colour": "rde"}, 'give one of "red", "blue". Did you mean "red"?'),
        ({"colour": 3}, 'give one of "red", "blue".'),
        ({"number": "al"}, 'give "all" or a whole number. Did you mean "all"?'),
        ({"size": ["x"]}, "entry 2 of this list is needed and is missing."),
        ({"colou": "red"}, 'there is no such setting. Did you mean "colour"?'),
    ],
)
def test_a_mistake_is_said_with_what_was_meant(given: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Wish.model_validate(given)
    assert refusal(*caught.value.errors(), known=Wish.model_fields) == says


def test_the_keys_of_a_place_are_those_of_the_tables_that_can_stand_there() -> None:
    assert known_keys(File, ()) == ("wishes", "by_name")
    assert known_keys(File, ("wishes", 0)) == ("kind", "colour", "number", "size", "depth")
    assert known_keys(File, ("wishes", 0, "hope")) == ("kind", "depth")
    assert known_keys(File, ("wishes", 0, "Wish")) == ("kind", "colour", "number", "size")
    assert known_keys(File, ("by_name", "x")) == ("kind", "depth")


def test_nothing_is_meant_where_nothing_is_alike() -> None:
    assert did_you_mean("zebra", ["colour"]) == ""
    assert did_you_mean(7, ["7"]) == ""
