"""Kinds of bots are found by entry points; what is wrong with one is said, and leaves the others alone."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from duologue.bots import ANSWERING_KINDS, AnsweringSettings, BuiltinBot
from duologue.bots.known import GROUP, kinds_at
from duologue.errors import BotError


def points(**places: str) -> list[EntryPoint]:
    return [EntryPoint(name, place, GROUP) for name, place in places.items()]


def test_our_own_kinds_are_found_as_those_of_others_are() -> None:
    assert {"builtin", "command", "gguf", "openai", "python", "replay", "transformers"} <= set(
        ANSWERING_KINDS
    )


def test_a_kind_that_cannot_be_used_is_told_of_beside_those_that_can() -> None:
    found, broken = kinds_at(
        points(
            mine="duologue.bots.settings:BuiltinBot",
            away="nowhere.at_all:Bot",
            gone="duologue.bots.settings:Gone",
            other="pathlib:Path",
        )
    )
    assert found == {"mine": BuiltinBot}
    assert broken == {
        "away": "cannot be loaded (No module named 'nowhere')",
        "gone": "cannot be loaded (module 'duologue.bots.settings' has no attribute 'Gone')",
        "other": "is no AnsweringSettings (pathlib:Path)",
    }


def test_a_kind_that_does_not_say_how_it_is_opened_is_named() -> None:
    class Silent(AnsweringSettings):
        """Forgot it."""

    with pytest.raises(BotError, match="Silent does not say how it is opened"):
        Silent(name="ada").backend(Path(), is_live=False)
