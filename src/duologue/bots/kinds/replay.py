"""``kind = "replay"``: answers with what the judged speaker said in recorded dialogues."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np

from duologue.bots.base import Message, Reply
from duologue.bots.settings import ReplayBot
from duologue.dialogues import Dialogue, detect_format, read_dialogues
from duologue.errors import BotError

Recorded = TypeVar("Recorded")
History = tuple[tuple[bool, str], ...]
"""What was said, and whether the bot itself said it."""


class ReplayBackend:
    """Recorded replies, by what was said before them and by dialogue."""

    def __init__(self, settings: ReplayBot, *, folder: Path) -> None:
        self._settings = settings
        self._after: dict[bytes, list[str]] = {}
        self._dialogues: list[tuple[str, ...]] = []
        self._saying: dict[tuple[int, str], list[int]] = {}
        for dialogue in _recorded(settings, folder):
            replies = tuple(text for _, text in _replies(dialogue, dialogue.judged))
            for place, text in enumerate(replies):
                self._saying.setdefault((place, text), []).append(len(self._dialogues))
            self._dialogues.append(replies)
            for speaker in dialogue.speakers:
                if dialogue.judged == speaker.name or dialogue.bot == speaker.bot:
                    for history, text in _replies(dialogue, speaker.name):
                        self._after.setdefault(_digest(history), []).append(text)
        if not self._dialogues:
            raise BotError(settings.name, f"there are no dialogues in {settings.file}.")

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """The recorded reply; where the same was said several times, the seed picks one."""
        start = perf_counter()
        said = tuple((one.role == "assistant", one.text) for one in messages if one.role != "system")
        text = self._same_history(said, seed) if self._settings.match == "history" else self._nth(said, seed)
        return Reply(text, perf_counter() - start)

    async def close(self) -> None:
        """Nothing is held."""

    def _same_history(self, said: History, seed: int) -> str:
        recorded = self._after.get(_digest(said))
        if recorded is None:
            why = f"in {self._settings.file} nobody answered these very {len(said)} turns."
            raise BotError(self._settings.name, f'{why} Set match = "turn" to answer whatever is said.')
        return _picked(recorded, seed)

    def _nth(self, said: History, seed: int) -> str:
        """The next reply of the dialogue that said what was said so far; before that, the seed picks one.

        Seeds differ from turn to turn, so the dialogue is known by what the bot itself said. A first turn
        that was given to it may be in none of them.
        """
        own = [text for is_own, text in said if is_own]
        agreeing = Counter(
            found for place, text in enumerate(own) for found in self._saying.get((place, text), ())
        )
        most = max(agreeing.values(), default=0)
        fitting = [found for found, times in agreeing.items() if times == most] or range(len(self._dialogues))
        number = len(own)
        going_on = [found for found in fitting if len(self._dialogues[found]) > number] or fitting
        replies = self._dialogues[_picked(going_on, seed)]
        if number >= len(replies):
            why = f"the dialogue picked from {self._settings.file} has only {len(replies)} replies."
            raise BotError(self._settings.name, why)
        return replies[number]


def _recorded(settings: ReplayBot, folder: Path) -> Iterator[Dialogue]:
    path = folder / settings.file
    format = settings.format or detect_format(path)
    if format == "duologue":
        return read_dialogues(path, format=format, judged=settings.judged)
    # Other formats do not say whose dialogues they hold.
    bot, judged = settings.name, settings.judged
    return read_dialogues(path, format=format, bot=bot, kind="live-chat", judged=judged)


def _replies(dialogue: Dialogue, speaker: str) -> Iterator[tuple[History, str]]:
    """Every turn of a speaker with what was said before it, as that speaker sees it."""
    history: list[tuple[bool, str]] = []
    for turn in dialogue.turns:
        is_own = turn.speaker == speaker
        if is_own and turn.text.strip():
            yield tuple(history), turn.text
        history.append((is_own, turn.text))


def _digest(history: History) -> bytes:
    return hashlib.sha256(repr(history).encode("utf-8", "surrogatepass")).digest()[:16]


def _picked(candidates: Sequence[Recorded], seed: int) -> Recorded:
    return candidates[int(np.random.default_rng(seed).integers(len(candidates)))]
