"""Comparing results that were computed twice: floats within rounding, everything else exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass

import numpy as np
import pytest


def assert_alike(first: object, second: object, where: str = "it") -> None:
    """Two results are the same but for the rounding of their floats, which sums in another order change."""
    assert type(first) is type(second), where
    if isinstance(first, float):
        assert first == pytest.approx(second, rel=1e-9, abs=1e-12, nan_ok=True), where
    elif isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        np.testing.assert_allclose(first, second, rtol=1e-9, atol=1e-12, err_msg=where)
    elif is_dataclass(first):
        for field in fields(first):
            assert_alike(getattr(first, field.name), getattr(second, field.name), f"{where}.{field.name}")
    elif isinstance(first, Mapping) and isinstance(second, Mapping):
        assert list(first) == list(second), where
        for key in first:
            assert_alike(first[key], second[key], f"{where}[{key!r}]")
    elif isinstance(first, Sequence) and isinstance(second, Sequence) and not isinstance(first, str):
        assert len(first) == len(second), where
        for place, (one, other) in enumerate(zip(first, second, strict=True)):
            assert_alike(one, other, f"{where}[{place}]")
    else:
        assert first == second, where
