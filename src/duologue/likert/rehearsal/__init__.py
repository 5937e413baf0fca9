"""Rehearsing ratings: true means, who comes, what they rate, what was recovered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from duologue.likert.analysis.results import LikertResults
from duologue.likert.rehearsal.means import Means, draw_means, parse_means
from duologue.likert.rehearsal.rating import rate
from duologue.likert.rehearsal.recovery import rating_recoveries
from duologue.protocols import AskedItem, Item, chat_plan
from duologue.rehearsal import (
    Choices,
    Kind,
    Protocol,
    ProtocolRehearsal,
    Recovery,
    SimulatedAnnotator,
    Stated,
)


class LikertRehearsal(ProtocolRehearsal[Means, LikertResults]):
    """Annotators who rate bots around a true mean, each with a leniency of their own."""

    mix: ClassVar[Mapping[Kind, float]] = {
        "careful": 0.60,
        "careless": 0.05,
        "always-highest": 0.05,
        "never-a-reason": 0.05,
        "spammer": 0.10,
        "leaves-half-way": 0.05,
        "double-clicker": 0.10,
    }
    summaries: ClassVar[Mapping[Kind, str]] = {
        "careful": "rate by the bot's true mean and their own leniency, and say why",
        "careless": "rate at random",
        "always-highest": "always give the highest rating",
        "never-a-reason": "rate by the bot's true mean and their own leniency, and never say why",
        "spammer": "send the same word again and again and give the highest rating",
        "leaves-half-way": "are careful and leave in the middle of a conversation",
        "double-clicker": "are careful and send every message and every answer twice at once",
    }
    reading: ClassVar[Mapping[Kind, str]] = {
        **summaries,
        "spammer": "give the highest rating, and the same reason every time where one is asked for",
        "leaves-half-way": "are careful and leave half-way",
        "double-clicker": "are careful and send every answer twice at once",
    }
    without_reasons: ClassVar[Mapping[Kind, str]] = {
        "careful": "rate by the bot's true mean and their own leniency"
    }
    sought: ClassVar[str] = "rate higher"

    def summaries_of(self, items: Sequence[Item]) -> Mapping[Kind, str]:
        """What annotators of each kind do: nobody sends messages where dialogues are read."""
        return self.summaries if any(chat_plan(item) for item in items) else self.reading

    def noun(self, items: Sequence[Item]) -> str:
        """A live chat, or a finished dialogue."""
        return "chat" if any(chat_plan(item) for item in items) else "dialogue"

    def truth(self, items: Sequence[Item], stated: Stated, *, rng: np.random.Generator) -> Means:
        """The means stated, and for other bots places on the scale."""
        bots = sorted({bot for item in items for bot in item.bots})
        return draw_means(bots, stated=parse_means(stated.get("mean", ())), rng=rng)

    def simulate(
        self,
        annotator: SimulatedAnnotator,
        asked: AskedItem,
        choices: Choices,
        *,
        protocol: Protocol,
        truth: Means,
    ) -> Mapping[str, str]:
        """A point of every scale, and a persona."""
        return {
            name: rate(annotator, name, values, asked, protocol, truth) for name, values in choices.items()
        }

    def recoveries(self, results: LikertResults, truth: Means) -> Iterator[Recovery]:
        """Of every two bots, the true means and those that were found."""
        return (recovery.in_words() for recovery in rating_recoveries(results, truth))
