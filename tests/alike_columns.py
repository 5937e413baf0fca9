"""Whether judgments as columns are the same, whichever way they came."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from duologue.judgments import NameColumn, Ratings, Votes


def assert_same_columns(ours: Votes | Ratings, theirs: Votes | Ratings) -> None:
    """Every field is equal: names in the same order, codes, numbers, and their types."""
    assert type(ours) is type(theirs)
    for field in fields(ours):
        one, other = getattr(ours, field.name), getattr(theirs, field.name)
        _assert_same(one, other, field.name)


def _assert_same(one: object, other: object, name: str) -> None:
    if isinstance(one, NameColumn) and isinstance(other, NameColumn):
        assert one.names == other.names, name
        _assert_same(one.codes, other.codes, name)
    elif isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        np.testing.assert_array_equal(one, other, err_msg=name)
        assert one.dtype == other.dtype, name
    elif isinstance(one, dict) and isinstance(other, dict) and name == "points":
        assert list(one) == list(other)
        for key in one:
            _assert_same(one[key], other[key], key)
    else:
        assert one == other, name
