"""``kind = "retrieval"``: the reply of a whole corpus that a model finds best, save forbidden ones."""

from __future__ import annotations

import re
from asyncio import Lock
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from duologue.bots.base import Ability, Message, Reply
from duologue.bots.kinds.heard import reply_context
from duologue.bots.kinds.threads import in_thread
from duologue.bots.model_settings import RetrievalBot
from duologue.dialogues import read_corpus, turn_limit
from duologue.errors import BotError, UnreadableFile
from duologue.metrics import plain_words
from duologue.models import open_model


class RetrievalBackend:
    """All replies of a corpus that may be given, and a model that scores them."""

    def __init__(self, settings: RetrievalBot, *, folder: Path) -> None:
        self._settings = settings
        files = [folder / name for name in settings.corpus]
        turns = [turn for path in files for turn in _turns(path)]
        is_allowed = _ReplyFilter(settings, folder)
        unique = dict.fromkeys(text for is_reply, text in turns if is_reply and is_allowed(text))
        self._replies = list(unique)
        if not self._replies:
            raise BotError(settings.name, "its corpus has no reply that it may give.")
        self._said_as = [plain_words(text) for text in self._replies]
        where = folder / settings.model
        vectors = folder / settings.vectors if settings.vectors else None
        name = where if where.is_dir() else Path(settings.model)
        self._model = open_model(name, (text for _, text in turns), vectors=vectors)
        self._index = self._model.index(self._replies)
        self._alone = Lock()

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """It replies, and scores candidates."""
        return ("reply", "score")

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """The best reply that it has not given before; among equally good ones the seed picks."""
        start = perf_counter()
        async with self._alone:
            scores = await in_thread(lambda: self._index.scores(reply_context(messages)))
        return Reply(self._best(scores, messages, seed), perf_counter() - start)

    async def score(self, messages: Sequence[Message], candidates: Sequence[str], *, seed: int) -> object:
        """How well each candidate fits; one that must never be given is scored all the same."""
        async with self._alone:
            scored = await in_thread(lambda: self._model.scores([reply_context(messages)], [candidates]))
        return scored[0]

    async def close(self) -> None:
        """Nothing is held open."""

    def _best(self, scores: NDArray[np.float64], messages: Sequence[Message], seed: int) -> str:
        if not self._settings.may_repeat:
            said = {plain_words(one.text) for one in messages if one.role == "assistant"}
            again = [place for place, words in enumerate(self._said_as) if words in said] if said else []
            scores = scores.copy()
            scores[again] = -np.inf
        best = np.flatnonzero(scores == scores.max())
        if scores[best[0]] == -np.inf:
            raise BotError(self._settings.name, "it has given every reply of its corpus in this dialogue.")
        return self._replies[int(np.random.default_rng(seed).choice(best))]


class _ReplyFilter:
    """Whether a reply may be given."""

    def __init__(self, settings: RetrievalBot, folder: Path) -> None:
        listed = [*settings.never, *(_lines(folder / settings.never_file) if settings.never_file else ())]
        self._never = {plain_words(text) for text in listed}
        self._patterns = [re.compile(pattern, re.IGNORECASE) for pattern in settings.never_patterns]
        self._longest = turn_limit(folder)

    def __call__(self, text: str) -> bool:
        return (
            bool(text.strip())
            and len(text) <= self._longest
            and plain_words(text) not in self._never
            and not any(pattern.search(text) for pattern in self._patterns)
        )


def _turns(path: Path) -> Iterator[tuple[bool, str]]:
    """Every turn of a corpus, and whether it is a reply."""
    for dialogue in read_corpus(path):
        for place, turn in enumerate(dialogue.turns):
            yield place > 0, turn.text


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(
            path, str(getattr(error, "strerror", "") or "it is not UTF-8").lower()
        ) from error
