"""Where each bot's replies were shown: whether that favours a bot, and rates that are free of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from duologue.per_turn.analysis.tables import FEWEST_CLUSTERS, TurnTable
from duologue.protocols import say_percent
from duologue.stats import AdjustedRates, Evidence, adjusted_rates, are_positions_unbalanced

NOT_RECORDED = "--shown-order not-recorded"


@dataclass(frozen=True, slots=True)
class UnbalancedPositions:
    """Turns on which some bot was at some position more often than random orders bring about."""

    seen: str
    """Which bot was where how often."""
    naive: AdjustedRates | None
    """As if turns were independent; None where turns do not tell bots and positions apart."""
    clustered: tuple[AdjustedRates, ...]
    """By each kind of cluster in which turns repeat."""

    @property
    def why_none(self) -> str:
        """Why there is no verdict, and what to state where the table has another order; else empty."""
        if self.naive is not None:
            return ""
        return (
            f"{self.seen}, and turns do not tell what is the bot's and what the position's (state "
            f"{NOT_RECORDED} if the order in the table is not the one that was shown)"
        )

    def of_two(self, first: int, second: int) -> tuple[Evidence, ...]:
        """The tests of the difference of two bots: as if turns were independent, and clustered."""
        if self.naive is None:
            return ()
        found = [one.difference(first, second) for one in self.clustered]
        surest = max(found, key=lambda one: one.p_value, default=None)
        naive = self.naive.difference(first, second)
        return (naive,) if surest is None else (naive, surest)

    def of_all(self) -> tuple[float, ...]:
        """The p-values of equal rates: as if turns were independent, and clustered."""
        if self.naive is None:
            return ()
        clustered = max((one.p_value for one in self.clustered), default=None)
        return (self.naive.p_value,) if clustered is None else (self.naive.p_value, clustered)


def unbalanced_positions(table: TurnTable) -> UnbalancedPositions | None:
    """What is wrong with where bots were shown; None where it is balanced, not known, or there is one bot.

    Only turns on which every bot had a card of its own tell of positions.
    """
    if len(table.key.bots) < 2 or not len(table):
        return None
    own = table.own_cards
    positions, selected = table.positions[own], table.selected[own]
    if not are_positions_unbalanced(positions):
        return None
    kinds = [np.arange(len(positions)), *(codes[own] for codes in table.clusters.values())]
    found = [adjusted_rates(selected, positions, codes) for codes in kinds]
    known = [one for one in found if one is not None and one.clusters >= FEWEST_CLUSTERS]
    is_told = len(known) == len(found)
    return UnbalancedPositions(
        seen=_seen(table.key.bots, positions),
        naive=known[0] if is_told else None,
        clustered=tuple(known[1:]) if is_told else (),
    )


def _seen(bots: Sequence[str], positions: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> str:
    """The bot and the position that are furthest from an equal share."""
    share = np.stack([(positions == place).mean(axis=0) for place in range(1, len(bots) + 1)])
    place, bot = divmod(int(np.argmax(np.abs(share - 1 / len(bots)))), len(bots))
    often = float(share[place, bot])
    times = "every turn" if often == 1.0 else "no turn" if often == 0.0 else f"{say_percent(often)} of turns"
    return f"{bots[bot]} was at position {place + 1} on {times}"
