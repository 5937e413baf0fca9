"""What makes turns depend on each other, or on where a reply is shown: cascading, anchoring, ties."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.per_turn.analysis.positions import unbalanced_positions
from duologue.per_turn.analysis.results import Anchoring, CascadingEffect, PositionRate
from duologue.per_turn.analysis.tables import TurnTable, limits_of
from duologue.protocols import say_list, say_p, say_percent
from duologue.stats import (
    ClusterCorrelation,
    clustered_equality,
    cochran_q,
    gathering_test,
    reselection_tests,
)

TIES = ""
"""The name under which ties stand among the bots that are re-selected."""


def cascading_of(table: TurnTable, rng: np.random.Generator, *, draws: int) -> tuple[CascadingEffect, ...]:
    """For each bot, and for ties, whether the next turn of a dialogue repeats it more often than chance.

    Only turns that follow each other are compared; where one of them does not count, a new run begins.
    """
    return tuple(_cascading(table, rng, draws))


def _cascading(table: TurnTable, rng: np.random.Generator, draws: int) -> Iterator[CascadingEffect]:
    names = list(table.key.bots)
    things = table.selected
    if table.key.mechanism != "single" and table.key.setting != "soba":
        names.append(TIES)
        things = np.column_stack([things, is_tie(table)])
    begins = np.append(True, (np.diff(table.dialogue) != 0) | (np.diff(table.turn) != 1))[: len(table)]
    try:
        found = reselection_tests(things.astype(np.int64), np.cumsum(begins), rng=rng, draws=draws)
    except NotEnoughJudgments:  # no two turns follow each other
        return
    yield from (CascadingEffect(name, one) for name, one in zip(names, found, strict=True) if one is not None)


def is_tie(table: TurnTable) -> NDArray[np.bool_]:
    """Turns on which all bots were selected, or none."""
    counts = table.selected.sum(axis=1)
    found: NDArray[np.bool_] = (counts == 0) | (counts == len(table.key.bots))
    return found


def gathered_ties(table: TurnTable, rng: np.random.Generator, *, draws: int) -> ClusterCorrelation | None:
    """Whether ties are concentrated in some annotators; None without ties or two annotators."""
    ties = is_tie(table)
    if table.key.mechanism == "single" or not ties.any() or len(np.unique(table.annotator)) < 2:
        return None
    return gathering_test(ties.astype(np.float64), table.annotator, rng=rng, draws=draws)


def anchoring_of(table: TurnTable, *, level: float, is_randomised: bool) -> Anchoring | None:
    """Selections by position, on turns on which every bot had a card of its own; None with fewer than two.

    Args:
        table: The turns.
        level: Confidence.
        is_randomised: Whether a study of ours drew the positions at random.
    """
    bots = len(table.key.bots)
    own = table.own_cards if len(table) else np.zeros(0, dtype=np.bool_)
    kept = np.zeros(int(table.rows.max()) + 1 if len(table) else 0, dtype=np.bool_)
    kept[table.rows[own]] = True
    turns = table.where(kept)
    if bots < 2 or turns.only:
        return None
    order = np.argsort(turns.positions, axis=1)
    by_position = np.take_along_axis(turns.selected, order, axis=1)
    counts = by_position.sum(axis=1)
    p_naive = p_clustered = None
    if ((counts > 0) & (counts < bots)).any():
        p_naive = cochran_q(by_position.astype(np.int64)).p_value
        kinds = [codes for codes in turns.clusters.values() if len(np.unique(codes)) >= bots]
        p_clustered = clustered_equality(by_position, kinds).p_value if kinds else None
    positions = tuple(
        PositionRate(
            place + 1,
            int(chosen.sum()),
            float(chosen.mean()),
            limits_of(turns.clustered_rate(chosen, level=level)),
        )
        for place, chosen in enumerate(by_position.T)
    )
    p_value = None if p_naive is None else max(p_naive, p_clustered or 0.0)
    said = _rates(positions, p_value)
    return Anchoring(
        len(turns),
        positions,
        p_naive,
        p_clustered,
        p_value,
        f"{said} {_favours(turns, p_value, is_randomised)}",
    )


def _rates(positions: tuple[PositionRate, ...], p_value: float | None) -> str:
    rates = say_list([f"{say_percent(one.rate)} at position {one.position}" for one in positions])
    tested = "" if p_value is None else f" ({say_p(p_value)})"
    return f"Replies were selected {rates}{tested}."


def _favours(turns: TurnTable, p_value: float | None, is_randomised: bool) -> str:
    """Whether that favours a bot, by what is known of the positions."""
    if is_randomised and p_value is not None and p_value <= 0.05:
        return (
            "Positions were drawn at random on every turn, so that this favours no bot; it makes differences "
            "between bots look slightly smaller."
        )
    if is_randomised:
        return "No effect of positions was detected. They were drawn at random on every turn."
    unbalanced = unbalanced_positions(turns)
    if unbalanced is None:
        return "No imbalance of the positions over the bots beyond chance is seen."
    if unbalanced.why_none:
        return f"{unbalanced.seen}: this may favour a bot, and turns do not tell by how much."
    return f"{unbalanced.seen}: this may favour a bot, so that position-adjusted rates are compared."


def position_adjusted(table: TurnTable, bot: int) -> float | None:
    """The mean of a bot's rates at each position; None where it was not at all of them, or is alone."""
    if len(table.key.bots) == 1:
        return None
    places = table.positions[:, bot]
    rates = [
        table.selected[places == place, bot]
        for place in range(1, len(table.key.bots) + 1)
        if (places == place).any()
    ]
    return float(np.mean([one.mean() for one in rates])) if len(rates) == len(table.key.bots) else None
