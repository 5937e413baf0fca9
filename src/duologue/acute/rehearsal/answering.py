"""What a simulated annotator wants to say of a pairing, and the answer on the page that says so."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from duologue.acute.answers import LEADS, Strength
from duologue.acute.gold import gold_slot
from duologue.acute.rehearsal.preferences import Preferences
from duologue.errors import AnswerError
from duologue.protocols import Answer, AskedItem, FormValues, Item, addendum_asking
from duologue.rehearsal import FAILS_ONBOARDING, Protocol, SimulatedAnnotator

TIES = 0.5
"""Davidson's ν: where ties are offered, careful annotators call every fifth pairing of equal bots a tie, and
those of unequal ones less often. The rate among the others stays the true preference."""

CLEARLY = math.log(3)
"""How far apart two dialogues must be, in log-odds, to say "clearly": half of the pairings of equal bots."""

OWN_CLEARLY = 0.4
"""By how much annotators differ in that (standard deviation of its logarithm)."""


@dataclass(frozen=True, slots=True)
class IntendedAnswer:
    """What an annotator wants to say."""

    slot: int
    """The slot of the item that is better."""
    is_tie: bool = False
    """Whether it would rather say that there is no difference, where that is offered."""
    strength: Strength = "clearly"
    """Whether clearly or slightly so, where that is asked."""


SAME_FEELING = 0.4
"""How often an annotator answers a further question about the same dialogues by the same feeling: so far
answers to two questions correlate, as they did in Ji et al. (2022)."""


def feeling_about(annotator: SimulatedAnnotator, item: Item, question: str) -> str:
    """Where an annotator's feeling comes from: that of the leading question has an empty name."""
    if not question or annotator.rng(f"{item.id}/{question}/same").random() < SAME_FEELING:
        return item.id
    return f"{item.id}/{question}"


def wanted_answer(
    annotator: SimulatedAnnotator, item: Item, preferences: Preferences, *, arm: str = "", question: str = ""
) -> IntendedAnswer | None:
    """What an annotator wants to say of an item; None when it takes the first answer unread.

    Args:
        annotator: Who it is.
        item: The pairing.
        preferences: What careful annotators truly prefer.
        arm: By which phrasing they are asked, where phrasings are compared.
        question: Which further question it is about the same dialogues.
    """
    rng = annotator.rng(feeling_about(annotator, item, question))
    if annotator.kind == "always-left":
        return None
    if annotator.kind == "careless":
        slot = int(rng.integers(len(item.bots)))
        return IntendedAnswer(slot, strength="clearly" if rng.random() < 0.5 else "slightly")
    gold = gold_slot(item)
    if gold is not None:
        return IntendedAnswer(1 - gold if annotator.kind == FAILS_ONBOARDING else gold)
    true_rate = preferences.rate_again if addendum_asking(item.group) else preferences.rate
    rate = true_rate(item.bots[0], item.bots[1])
    if arm in preferences.clarity:
        clear = preferences.clarity[arm]
        rate = clear if rate >= 0.5 else 1 - clear
    drawn = rng.random()
    better = 0 if drawn < rate else 1
    even = TIES * math.sqrt(rate * (1 - rate))
    return IntendedAnswer(
        1 - better if annotator.kind == FAILS_ONBOARDING else better,
        is_tie=rng.random() < even / (1 + even),
        strength=_strength(annotator, rate, drawn),
    )


def _strength(annotator: SimulatedAnnotator, rate: float, drawn: float) -> Strength:
    """How clearly the better one is better: by the distance whose sign says which it is."""
    apart = abs(_log_odds(rate) - _log_odds(drawn))
    own = CLEARLY * math.exp(annotator.rng("clearly").normal(0.0, OWN_CLEARLY))
    return "clearly" if apart > own else "slightly"


def _log_odds(share: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(share) - np.log1p(-share))


def value_for(
    wanted: IntendedAnswer, name: str, values: tuple[str, ...], asked: AskedItem, protocol: Protocol
) -> str:
    """The answer that says what is wanted, whatever the question's polarity and the shown order.

    A tie is said where it is offered; a slight preference where clear and slight ones are.

    Raises:
        AnswerError: None of the answers speaks for the slot.
    """
    gold = replace(asked, item=replace(asked.item, gold=wanted.slot))
    found: str | None = None
    for value in values:
        answer = protocol.read(gold, FormValues({name: value, "reason": "."}))
        assert isinstance(answer, Answer)  # noqa: S101  a comparison is one screen
        if wanted.is_tie and answer.values["side"] is None:
            return value
        if protocol.is_correct(gold, answer) and (
            found is None or answer.values.get("lead") == LEADS[wanted.strength]
        ):
            found = value
    if found is None:
        raise AnswerError(
            f"no answer to {name} speaks for slot {wanted.slot}: the page offers {values}.", field=name
        )
    return found
