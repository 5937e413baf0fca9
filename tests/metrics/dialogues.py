"""Dialogues for tests of metrics, made of what is said in turn."""

from __future__ import annotations

from duologue.dialogues import Dialogue, Speaker, Turn


def self_chat(*texts: str, bot: str = "ada", key: str = "d1") -> Dialogue:
    names = (f"{bot}_1", f"{bot}_2")
    turns = tuple(Turn(names[number % 2], text) for number, text in enumerate(texts))
    return Dialogue(key, bot, "self-chat", names[1], tuple(Speaker(name, bot) for name in names), turns)


def live_chat(*texts: str, bot: str = "ada", key: str = "d1") -> Dialogue:
    """The human begins."""
    turns = tuple(Turn(bot if number % 2 else "human", text) for number, text in enumerate(texts))
    return Dialogue(key, bot, "live-chat", bot, (Speaker("human"), Speaker(bot, bot)), turns)
