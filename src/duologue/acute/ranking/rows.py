"""A ranking in tables: one row for each of its pairs; and in columns, one row with a bot in the middle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from duologue.acute.settings import VERSUS
from duologue.dialogues import Json
from duologue.judgments import Judgment
from duologue.protocols import Item

NOT_OF_A_RANKING: Mapping[str, Json] = dict.fromkeys(
    ("ranking", "winner_rank", "loser_rank", "winner_position", "loser_position")
)
"""What a comparison of two says where rankings stand beside it."""


def pair_rows(
    row: Mapping[str, Json], item: Item, judgment: Judgment, slots: Sequence[int]
) -> Iterator[dict[str, Json]]:
    """The three pairs of a ranking, each as the row of a comparison of two.

    Side 1 is that of the two which was shown first. ``ranking`` is the same in all three.

    Args:
        row: What all three have in common, and the order of the columns.
        item: What was ranked.
        judgment: The ranking.
        slots: The slots of the item from the best to the worst.
    """
    for better, worse in combinations(range(len(slots)), 2):
        winner, loser = slots[better], slots[worse]
        position, behind = judgment.order.index(winner) + 1, judgment.order.index(loser) + 1
        yield {
            **row,
            "matchup": VERSUS.join(sorted((item.bots[winner], item.bots[loser]))),
            "winner": item.bots[winner],
            "loser": item.bots[loser],
            "winner_side": 1 if position < behind else 2,
            "winner_dialogue": item.dialogues[winner],
            "loser_dialogue": item.dialogues[loser],
            "ranking": judgment.id,
            "winner_rank": better + 1,
            "loser_rank": worse + 1,
            "winner_position": position,
            "loser_position": behind,
        }


def shown_positions(order: Sequence[int], slots: Sequence[int]) -> str:
    """Where the first, the second and the third of a ranking were shown.

    Example:
        >>> shown_positions((2, 0, 1), (0, 2, 1))
        '213'
    """
    return "".join(str(list(order).index(slot) + 1) for slot in slots)
