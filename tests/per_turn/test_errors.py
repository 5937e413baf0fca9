"""How often equal bots are told apart in few chats of unequal length."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from duologue.per_turn.analysis.deciding import TurnRule, decide_turns
from duologue.per_turn.analysis.tables import SectionKey, TurnTable
from duologue.per_turn.rows import Mechanism, Setting
from duologue.protocols import Family
from tests.error_rates import STUDIES, why_refused

CHATS = 14
ICC = 0.2
DESIGNS: Mapping[str, tuple[int, Setting | None]] = {
    "SM": (1, None),
    "PM-SOBA": (2, "soba"),
    "PM-SATA": (2, "sata-random"),
    "MM-SOBA": (4, "soba"),
    "MM-SATA": (4, "sata-random"),
}
"""How many bots, and what is selected."""


def equal_bots(
    design: str, rng: np.random.Generator, *, first: float = 0.0, turned: float | None = None
) -> TurnTable:
    """Fourteen chats of 4 to 20 turns with equal bots, whose selections correlate by .2 within a chat.

    ``turned`` is the share of chats in the second order, where each chat has one order; ``first`` is how much
    more often what is shown first is selected.
    """
    bots, setting = DESIGNS[design]
    rate = 0.8 if bots == 1 else 0.4
    dialogue = np.repeat(np.arange(CHATS), rng.integers(4, 21, CHATS))
    spread = 1 / ICC - 1
    felt = rng.beta(rate * spread, (1 - rate) * spread, (CHATS, bots))[dialogue]
    positions = rng.permuted(np.tile(np.arange(1, bots + 1), (len(dialogue), 1)), axis=1)
    if turned is not None:
        is_turned = (rng.random(CHATS) < turned)[dialogue]
        positions = np.where(is_turned[:, None], [2, 1], [1, 2])
    felt = np.clip(felt + first * (positions == 1), 0.0, 1.0)
    if setting == "soba":
        shares = np.maximum(felt, 1e-9).cumsum(axis=1)
        best = (rng.random(len(dialogue))[:, None] * shares[:, -1:] > shares[:, :-1]).sum(axis=1)
        selected: NDArray[np.bool_] = np.arange(bots) == best[:, None]
    else:
        selected = rng.random(felt.shape) < felt
    few: dict[int, Mechanism] = {1: "single", 2: "pairwise"}
    key = SectionKey("", "", 1, few.get(bots, "multi"), setting, tuple("abcd"[:bots]))
    turns = np.arange(len(dialogue))
    return TurnTable(key, turns, selected, positions, dialogue, dialogue, turns)


def errors(design: str, *, seed: int, is_randomised: bool = True, **fields: float) -> int:
    """How many of 4,000 studies that get a verdict get one that the bots differ."""
    rng = np.random.default_rng(seed)
    found = decided = 0
    while decided < STUDIES:
        table = equal_bots(design, rng, **fields)
        rule = TurnRule(seed=decided, is_randomised=is_randomised)
        (compared,) = decide_turns([table], [Family((0,), 0)], rule)
        # pairs of several bots follow only where all of them at once differ
        decided += compared[0].decision is not None
        found += compared[0].is_different
    print(f"{design}: {found} of {decided}")
    return found


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("design", "seed"),
    [
        ("SM", 2701),
        ("PM-SOBA", 2702),
        ("PM-SATA", 2703),
        ("MM-SOBA", 2704),
        ("MM-SATA", 2705),
    ],
)
def test_equal_bots_in_fourteen_unequal_chats_are_rarely_told_apart(design: str, seed: int) -> None:
    assert why_refused(errors(design, seed=seed)) == ""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_equal_bots_are_rarely_told_apart_where_one_is_mostly_shown_first() -> None:
    """What is shown first is selected .2 more often, and one bot is first in two of three chats."""
    found = errors("PM-SATA", seed=2707, is_randomised=False, first=0.2, turned=1 / 3)
    assert why_refused(found) == ""
