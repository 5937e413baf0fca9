"""Dialogues between two people, written for Duologue: what onboarding sets against the weak baseline."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from duologue.dialogues import Dialogue, Speaker, Turn

HUMAN = "human"
"""The name of people in the demo: a bot like any other."""


def human_dialogues() -> tuple[Dialogue, ...]:
    """The written dialogues; the second speaker of each is the one that is judged.

    Example:
        >>> len(human_dialogues())
        14
    """
    written = tomllib.loads(files("duologue.demo").joinpath("humans.toml").read_text("utf-8"))
    return tuple(
        _dialogue(number, dialogue["turns"]) for number, dialogue in enumerate(written["dialogues"], 1)
    )


def _dialogue(number: int, texts: list[str]) -> Dialogue:
    names = (f"{HUMAN}_1", f"{HUMAN}_2")
    return Dialogue(
        id=f"{HUMAN}-{number:02}",
        bot=HUMAN,
        kind="human-human",
        judged=names[1],
        speakers=tuple(Speaker(name, HUMAN) for name in names),
        turns=tuple(Turn(names[place % 2], text) for place, text in enumerate(texts)),
    )
