"""What is wrong with the package of a protocol is said in one line."""

from __future__ import annotations

import sys
from abc import ABC
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pytest

from duologue.errors import ProtocolError
from duologue.protocols import StudyProtocol, protocol_named, protocol_names, registry, truth_options

PACKAGE = """
from abc import abstractmethod

from duologue.protocols import StudyProtocol


class Bare(StudyProtocol):
    name = "bare"
    parts = {
        "whole": "somebodys:Whole",
        "other": "somebodys:Other",
        "lost": "somebodys:Lost",
        "away": "somebodys_other:Lost",
    }


class Whole:
    pass


class Other:
    pass


SOMETHING = 3
"""

Add = Callable[..., None]


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Add]:
    """A package of somebody's, and entry points to things in it."""
    (tmp_path / "somebodys.py").write_text(PACKAGE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    ours = registry._found()

    def found(**points: str) -> None:
        made = {name: EntryPoint(name, place, registry.GROUP) for name, place in points.items()}
        monkeypatch.setattr(registry, "_found", lambda: {**ours, **made})
        protocol_named.cache_clear()

    yield found
    protocol_named.cache_clear()
    sys.modules.pop("somebodys", None)


def bare(add: Add) -> type[StudyProtocol[Any]]:
    add(bare="somebodys:Bare")
    return protocol_named("bare")


def test_a_protocol_of_somebodys_is_found_beside_ours(add: Add) -> None:
    assert bare(add).name == "bare"
    assert {"acute", "bare", "likert"} <= set(protocol_names())


def test_a_protocol_that_is_not_installed_is_answered_with_those_that_are() -> None:
    with pytest.raises(ProtocolError, match=r"'nothing' is not installed. The protocols are: acute, likert"):
        protocol_named("nothing")


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (
            "nowhere.at_all:Thing",
            r"'x' cannot be loaded \(No module named 'nowhere'\). Mend nowhere.at_all:Thing.",
        ),
        ("somebodys:Gone", r"'x' cannot be loaded \(module 'somebodys' has no attribute 'Gone'\)"),
        ("somebodys:SOMETHING", r"'x' is no StudyProtocol. Mend somebodys:SOMETHING."),
        ("somebodys:Whole", r"'x' is no StudyProtocol"),
    ],
)
def test_an_entry_point_that_leads_nowhere_is_named(add: Add, place: str, says: str) -> None:
    add(x=place)
    with pytest.raises(ProtocolError, match=says) as caught:
        protocol_named("x")
    assert "\n" not in str(caught.value)


def part(name: str) -> type[ABC]:
    class Kind(ABC):  # noqa: B024  as a room defines one, but for its methods
        part: ClassVar[str] = name

    return Kind


def test_a_part_is_loaded_when_it_is_asked_for(add: Add) -> None:
    import somebodys  # type: ignore[import-not-found]  # in a temporary folder

    somebodys.Whole.part = "whole"
    assert isinstance(bare(add).part(somebodys.Whole), somebodys.Whole)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("report", r"'bare' has no part 'report'. Name it in Bare.parts."),
        ("other", r"'bare' has a part 'other' that is no Kind. Mend somebodys:Other."),
        (
            "lost",
            r"'bare' has a part 'lost' that cannot be loaded \(module 'somebodys' has no attribute 'Lost'\)",
        ),
        ("away", r"'bare' has a part 'away' that cannot be loaded \(No module named 'somebodys_other'\)"),
    ],
)
def test_a_part_that_is_missing_or_of_the_wrong_class_is_named(add: Add, name: str, says: str) -> None:
    with pytest.raises(ProtocolError, match=says) as caught:
        bare(add).part(part(name))
    assert "\n" not in str(caught.value)


def test_what_can_be_stated_in_a_rehearsal_is_known_of_all_protocols() -> None:
    names = [option.name for option in truth_options()]
    assert {"prefer", "order", "mean"} <= set(names)
    assert len(names) == len(set(names))
