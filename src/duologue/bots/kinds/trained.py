"""``kind = "trained"``: a model of ours that writes replies word by word (extra ``neural``)."""

from __future__ import annotations

from asyncio import Lock
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from duologue.bots.base import Ability, Message, Reply
from duologue.bots.kinds.heard import reply_context
from duologue.bots.kinds.threads import in_thread
from duologue.bots.model_settings import TrainedBot
from duologue.errors import BotError
from duologue.models import Sampling, WritingModel, trained_model


class TrainedBackend:
    """Weights in this process, one reply at a time."""

    def __init__(self, settings: TrainedBot, *, folder: Path) -> None:
        model = trained_model(folder / settings.model, device=settings.device)
        if not isinstance(model, WritingModel):
            why = f"{model.name} chooses replies and writes none."
            raise BotError(settings.name, f'{why} Give it kind = "retrieval" and a corpus.')
        self._model = model
        self._sampling = Sampling(settings.max_words, settings.temperature, settings.top_p)
        self._alone = Lock()

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """It replies, scores candidates, and says how likely words are where its pieces are words."""
        return ("reply", "score", "words") if self._model.knows_words else ("reply", "score")

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """One reply; the same for the same messages and seed on the same machine."""
        start = perf_counter()
        context = reply_context(messages)
        async with self._alone:
            text, words, is_ended = await in_thread(
                lambda: self._model.reply(context, self._sampling, seed=seed)
            )
        return Reply(text, perf_counter() - start, words, {"finish": "stop" if is_ended else "length"})

    async def score(self, messages: Sequence[Message], candidates: Sequence[str], *, seed: int) -> object:
        """How well each candidate fits."""
        async with self._alone:
            scored = await in_thread(lambda: self._model.scores([reply_context(messages)], [candidates]))
        return scored[0]

    async def next_word_probabilities(
        self, messages: Sequence[Message], words: Sequence[str], *, seed: int
    ) -> object:
        """How likely each word is."""
        async with self._alone:
            return await in_thread(lambda: self._model.next_words(reply_context(messages), words))

    async def close(self) -> None:
        """The weights go with the bot."""
