"""Protocols are found by entry points, and what is wrong with one is said by name."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from duologue.errors import ProtocolError
from duologue.protocols import protocol_named, registry


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found = {
        name: EntryPoint(name, value, registry.GROUP)
        for name, value in {"lost": "no_such_package:Lost", "odd": "builtins:int", "none": "math:pi"}.items()
    }
    monkeypatch.setattr(registry, "_found", lambda: found)
    protocol_named.cache_clear()
    yield
    protocol_named.cache_clear()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("chess", "is not installed"),
        ("lost", "cannot be loaded"),
        ("odd", "is no StudyProtocol"),
        ("none", "is no StudyProtocol"),
    ],
)
def test_what_is_no_protocol_is_refused(name: str, said: str) -> None:
    with pytest.raises(ProtocolError, match=said) as refused:
        protocol_named(name)
    assert refused.value.protocol == name
