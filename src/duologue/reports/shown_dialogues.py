"""Dialogues as examples in a report show them. The study is over, so bots are named."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.dialogues import Dialogue

TURNS_SHOWN = 14


@dataclass(frozen=True, slots=True)
class ExampleTurn:
    """A turn as shown: its text, and whether the judged speaker said it."""

    text: str
    is_judged: bool


@dataclass(frozen=True, slots=True)
class ExampleDialogue:
    """A dialogue, the bot it belongs to, and how many of its turns are not shown."""

    bot: str
    turns: tuple[ExampleTurn, ...]
    left_out: int


def shown_dialogue(dialogue: Dialogue) -> ExampleDialogue:
    """The first turns of a dialogue, the judged speaker marked."""
    turns = tuple(ExampleTurn(turn.text, turn.speaker == dialogue.judged) for turn in dialogue.turns)
    return ExampleDialogue(dialogue.bot, turns[:TURNS_SHOWN], max(0, len(turns) - TURNS_SHOWN))
