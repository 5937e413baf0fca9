"""How a simulated annotator ranks three dialogues: by the strengths of the bots, and chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from duologue.acute.ranking.answers import PLACES, SLOTS, gold_place, place_field
from duologue.acute.rehearsal.answering import feeling_about
from duologue.acute.rehearsal.preferences import Preferences
from duologue.protocols import Answer, AskedItem, FormValues, Item
from duologue.rehearsal import FAILS_ONBOARDING, Protocol, SimulatedAnnotator

Slots = tuple[int, ...]


def ranking_form(
    annotator: SimulatedAnnotator,
    asked: AskedItem,
    protocol: Protocol,
    preferences: Preferences,
    *,
    question: str = "",
) -> Mapping[str, str]:
    """The places that an annotator gives, whatever the question's polarity and the shown order.

    Args:
        annotator: Who ranks.
        asked: The three dialogues.
        protocol: Reads the form.
        preferences: What careful annotators truly prefer.
        question: Which further question it is about the same dialogues.
    """
    wanted = wanted_order(annotator, asked.item, preferences, question=question)
    if wanted is None:  # the first place to the first one, and so on
        return _form(PLACES)
    ends = {"first": wanted[0], "last": wanted[-1]}
    for positions in permutations(PLACES):
        form = _form(positions)
        if all(_puts(end, slot, asked, protocol, form) for end, slot in ends.items()):
            return form
    raise AssertionError("one of the six orders has any two ends")  # pragma: no cover


def _form(positions: Sequence[int]) -> dict[str, str]:
    """The form that gives the places, from the first on, to what is shown at these positions."""
    return {place_field(place): str(position) for place, position in zip(PLACES, positions, strict=True)}


def _puts(end: str, slot: int, asked: AskedItem, protocol: Protocol, form: Mapping[str, str]) -> bool:
    """Whether a form puts a slot first or last, as the protocol reads it."""
    known = replace(asked, item=replace(asked.item, gold={end: slot}))
    answer = protocol.read(known, FormValues({**form, "reason": "."}))
    return isinstance(answer, Answer) and bool(protocol.is_correct(known, answer))


def wanted_order(
    annotator: SimulatedAnnotator, item: Item, preferences: Preferences, *, question: str = ""
) -> Slots | None:
    """The slots of a ranking from the best to the worst, as an annotator feels; None when it is not read."""
    rng = annotator.rng(feeling_about(annotator, item, question))
    if annotator.kind == "always-left":
        return None
    if annotator.kind == "careless":
        return tuple(rng.permutation(SLOTS).tolist())
    known = gold_place(item)
    if known is not None:
        slot, place = known
        others = [other for other in range(SLOTS) if other != slot]
        order = (slot, *others) if place == 1 else (*others, slot)
    else:
        chances = order_chances(item.bots, preferences)
        order = tuple(permutations(range(SLOTS)))[int(rng.choice(len(chances), p=chances))]
    return order[::-1] if annotator.kind == FAILS_ONBOARDING else order


ROUNDS = 200
"""So often the chances are brought to each pair's rate; they stop changing much sooner."""


def order_chances(bots: Sequence[str], preferences: Preferences) -> list[float]:
    """How likely each order of three bots is, so that every two are in order as often as is true of them.

    Among all chances that do this, the most even ones (by iterative proportional fitting). Preferences that
    no ranking can have, such as A over B over C over A without exception, are met as far as possible.

    Example:
        >>> chances = order_chances("abc", Preferences({"a": 2.0, "b": 1.0, "c": 0.0}))
        >>> a_before_b = sum(chances[place] for place in (0, 1, 4))
        >>> round(a_before_b, 3)
        0.731
    """
    orders = list(permutations(range(SLOTS)))
    weights = np.full(len(orders), 1 / len(orders))
    pairs = [
        (
            np.array([order.index(one) < order.index(other) for order in orders]),
            preferences.rate(bots[one], bots[other]),
        )
        for one, other in combinations(range(SLOTS), 2)
    ]
    for _ in range(ROUNDS):
        for before, rate in pairs:
            share = float(weights[before].sum())
            if 0 < share < 1:
                weights = np.where(before, weights * rate / share, weights * (1 - rate) / (1 - share))
    chances: list[float] = (weights / weights.sum()).tolist()
    return chances
