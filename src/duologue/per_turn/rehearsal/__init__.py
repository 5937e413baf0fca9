"""Rehearsing per-turn chats: how appropriate bots are, who comes, what they select, what was recovered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from duologue.errors import DesignError
from duologue.per_turn.analysis.results import PerTurnResults
from duologue.per_turn.finished.chat import FinishedTurn, finished_chat
from duologue.per_turn.finished.page import moment_of
from duologue.per_turn.protocol import DIMENSION, NONE_VALUE, setting_of
from duologue.protocols import (
    CHOSEN_FIELD,
    NONE_FIELD,
    AskedItem,
    AtTurn,
    FieldValue,
    Item,
    chat_plan,
    say_count,
)
from duologue.rehearsal import (
    Choices,
    Finding,
    Kind,
    Protocol,
    ProtocolRehearsal,
    Recovery,
    SimulatedAnnotator,
    Stated,
)

TASTE = 0.3
"""How far annotators differ in how a bot pleases them: the standard deviation in logits."""


@dataclass(frozen=True, slots=True)
class Appropriateness:
    """How often the replies of each bot are appropriate, and what being shown first adds to that."""

    rates: Mapping[str, float]
    first: float = 0.0
    same: float = 0.7
    """Of finished chats: how often a reader selects a reply or not just because its participant did."""


class PerTurnRehearsal(ProtocolRehearsal[Appropriateness, PerTurnResults]):
    """Annotators who select replies as often as they are appropriate, each with a taste of their own."""

    mix: ClassVar[Mapping[Kind, float]] = {
        "careful": 0.65,
        "careless": 0.05,
        "always-first": 0.1,
        "spammer": 0.05,
        "leaves-half-way": 0.05,
        "double-clicker": 0.1,
    }
    summaries: ClassVar[Mapping[Kind, str]] = {
        "careful": "select a reply as often as its bot's are appropriate",
        "careless": "select at random",
        "always-first": "always select what is shown first",
        "spammer": "send the same word again and again and select everything",
        "leaves-half-way": "are careful and leave in the middle of a conversation",
        "double-clicker": "are careful and send every message and every selection twice at once",
    }
    reading: ClassVar[Mapping[Kind, str]] = {
        **summaries,
        "careful": "select a reply as the participant did, or as often as its bot's are appropriate",
        "spammer": "select everything",
        "leaves-half-way": "are careful and leave half-way",
        "double-clicker": "are careful and send every selection twice at once",
    }
    writing: ClassVar[Mapping[Kind, str]] = {
        **summaries,
        "careful": "select a reply as often as its bot's are appropriate, and write one where they must",
    }
    sought: ClassVar[str] = "select more often"

    def summaries_of(self, items: Sequence[Item]) -> Mapping[Kind, str]:
        """What annotators of each kind do: nobody sends messages where chats are read, or writes replies."""
        plans = [plan for item in items if (plan := chat_plan(item))]
        if not plans:
            return self.reading
        return self.writing if any(plan.goes_on == "annotator" for plan in plans) else self.summaries

    def noun(self, items: Sequence[Item]) -> str:
        """A chat, had or read."""
        return "chat"

    def truth(self, items: Sequence[Item], stated: Stated, *, rng: np.random.Generator) -> Appropriateness:
        """The rates stated, and for other bots places between .35 and .75."""
        bots = sorted({bot for item in items for bot in item.bots})
        places = rng.permutation(len(bots)).tolist()
        rates = {
            bot: 0.35 + 0.4 * place / max(1, len(bots) - 1) for bot, place in zip(bots, places, strict=True)
        }
        for text in stated.get("appropriate", ()):
            bot, _, number = text.partition("=")
            if bot not in rates:
                raise DesignError(f"--appropriate {text}: the bots of this study are {', '.join(bots)}.")
            rates[bot] = _share(f"--appropriate {text}", number)
        numbers = {
            name: _share(f"--{name} {given[-1]}", given[-1])
            for name in ("anchoring", "same")
            if (given := list(stated.get(name, ())))
        }
        return Appropriateness(rates, numbers.get("anchoring", 0.0), numbers.get("same", 0.7))

    def simulate(
        self,
        annotator: SimulatedAnnotator,
        asked: AskedItem,
        choices: Choices,
        *,
        protocol: Protocol,
        truth: Appropriateness,
    ) -> Mapping[str, FieldValue]:
        """The cards of a turn, or a point of every scale after the chat."""
        chat = finished_chat(asked.item)
        moment = asked.moment if chat is None else moment_of(asked, chat)
        if isinstance(moment, AtTurn):
            turns = {turn.turn: turn for turn in chat.asked} if chat is not None else {}
            chosen = _selected(annotator, asked, moment, truth, turns.get(moment.turn))
            further = {
                name: _selected(annotator, asked, moment, truth, question=name) or (NONE_VALUE,)
                for name in choices
                if name.startswith(DIMENSION)
            }
            return {CHOSEN_FIELD: chosen, **further} if chosen else {NONE_FIELD: "1", **further}
        return {name: _point(annotator, name, values, asked.item, truth) for name, values in choices.items()}

    def set_aside(self, results: PerTurnResults) -> Iterator[str]:
        """The turns that the rules of screening exclude."""
        for rule in results.screening.rules:
            if rule.is_applied and rule.turns:
                dialogues = say_count(rule.dialogues, "dialogue")
                yield f"{rule.rule}: {say_count(rule.turns, 'turn')} of {dialogues}"

    def used(self, results: PerTurnResults) -> str:
        """The turns that are left after screening, and their dialogues."""
        main = [section for section in results.sections if not section.question]
        turns, dialogues = (sum(one.turns for one in main), sum(one.dialogues for one in main))
        all_dialogues = sum(one.cost.dialogues for one in main)
        return (
            f"Of these the analysis uses {dialogues:,} of {say_count(all_dialogues, 'dialogue')}, "
            f"{turns:,} of {say_count(results.screening.collected, 'turn')}."
        )

    def recoveries(self, results: PerTurnResults, truth: Appropriateness) -> Iterator[Recovery]:
        """Of every two bots of an arm, how often their replies are appropriate and were selected."""
        for section in results.sections:
            rates = {bot.bot: bot.rate for bot in section.bots}
            for pair in section.pairs if not section.question else ():
                true = truth.rates[pair.first], truth.rates[pair.second]
                better = None if true[0] == true[1] else pair.first if true[0] > true[1] else pair.second
                found = pair.verdict.better
                finding: Finding = (
                    "undecided" if found is None else "recovered" if found == better else "wrong"
                )
                if better is None and found is None:
                    finding = "recovered"
                yield Recovery(
                    finding=finding,
                    said=(
                        f"{pair.first} and {pair.second} (arm {section.arm}), true rates {true[0]:.2f} "
                        f"and {true[1]:.2f}, selected {rates[pair.first]:.2f} and {rates[pair.second]:.2f}"
                    ),
                    sentence=pair.verdict.sentence,
                    record={
                        "arm": section.arm,
                        "first": pair.first,
                        "second": pair.second,
                        "true_rates": list(true),
                        "rates": [rates[pair.first], rates[pair.second]],
                        "turns": pair.turns,
                    },
                )


def _share(option: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise DesignError(f"{option}: expected a share from 0 to 1, such as 0.7.")
    return number


def _selected(
    annotator: SimulatedAnnotator,
    asked: AskedItem,
    moment: AtTurn,
    truth: Appropriateness,
    finished: FinishedTurn | None = None,
    *,
    question: str = "",
) -> list[str]:
    """The numbers of the cards that an annotator selects; of a finished turn, often as its participant.

    Further questions have the same truth, and each is drawn on its own.
    """
    cards = [str(card) for card in range(1, len(moment.candidates) + 1)]
    rng = annotator.rng("/".join(filter(None, (asked.item.id, str(moment.turn), question))))
    is_one = setting_of(asked.item) == "soba"
    if annotator.kind == "always-first":
        return cards[:1]
    if annotator.kind == "spammer":
        return cards[:1] if is_one else cards
    rates = np.array([_felt(annotator, asked.item, behind[0], truth) for behind in moment.behind])
    if annotator.kind == "careless":
        rates[:] = 0.5
    elif finished is not None and finished.selected:
        said = np.array([finished.selected[behind[0]] for behind in moment.behind], dtype=np.float64)
        rates = truth.same * said + (1 - truth.same) * rates
    rates[0] += truth.first
    if is_one:
        weights = np.clip(rates, 1e-3, None)
        return [cards[int(rng.choice(len(cards), p=weights / weights.sum()))]]
    return [card for card, rate in zip(cards, rates.tolist(), strict=True) if rng.random() < rate]


MOOD = 0.2
"""How far answers about conversations with the same bots differ, as a share of the scale."""


def _point(
    annotator: SimulatedAnnotator, name: str, values: Sequence[str], item: Item, truth: Appropriateness
) -> str:
    """What an annotator answers about the whole conversation: the better its bots, the higher the point."""
    rng = annotator.rng(f"{item.id}/{name}")
    if annotator.kind == "careless":
        return values[int(rng.integers(len(values)))]
    rates = [_felt(annotator, item, slot, truth) for slot in range(len(item.bots))]
    share = float(np.clip(np.mean(rates) + MOOD * rng.standard_normal(), 0, 1))
    return values[round(share * (len(values) - 1))]


def _felt(annotator: SimulatedAnnotator, item: Item, slot: int, truth: Appropriateness) -> float:
    """How often an annotator finds a bot's reply appropriate, in one chat."""
    bot = item.bots[slot]
    rate = float(np.clip(truth.rates[bot], 1e-3, 1 - 1e-3))
    taste = TASTE * annotator.rng(f"{item.id}/{bot}").standard_normal()
    return float(1 / (1 + np.exp(-(np.log(rate / (1 - rate)) + taste))))
