"""Do others who read a chat select what its participant selected?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from duologue.per_turn.analysis.results import ThirdParty
from duologue.per_turn.analysis.tables import SectionKey, is_of
from duologue.per_turn.rows import TurnRow
from duologue.stats import cohen_kappa, krippendorff_alpha


def third_party_of(rows: Sequence[TurnRow], key: SectionKey) -> tuple[ThirdParty, ...]:
    """Agreement of third parties with participants on a section's chats: all bots together, and each."""
    if key.question:
        return ()
    own = [row for row in rows if is_of(row, key) and row.is_complete and not row.excluded]
    participants = {(row.dialogue, row.turn): row for row in own if not row.is_third_party}
    others = [row for row in own if row.is_third_party and (row.dialogue, row.turn) in participants]
    if not others:
        return ()
    pairs = [(participants[row.dialogue, row.turn], row) for row in others]
    return tuple(_agreement(bot, pairs, key.bots) for bot in ("", *key.bots))


def _agreement(bot: str, pairs: Sequence[tuple[TurnRow, TurnRow]], bots: Sequence[str]) -> ThirdParty:
    judged = [one for one in bots if bot in ("", one)]
    participant = np.array([[row.selected()[one] for one in judged] for row, _ in pairs], dtype=np.int64)
    reader = np.array([[row.selected()[one] for one in judged] for _, row in pairs], dtype=np.int64)
    kappa = cohen_kappa(participant.ravel(), reader.ravel())
    return ThirdParty(bot, len(pairs), kappa.kappa, kappa.agreement, _alpha(pairs, participant, reader))


def _alpha(
    pairs: Sequence[tuple[TurnRow, TurnRow]],
    participant: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    reader: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
) -> float:
    """Krippendorff's: every card is an item, judged by its participant once and by each reader."""
    turns: dict[tuple[str, int], int] = {}
    numbers = [turns.setdefault((row.dialogue, row.turn), len(turns)) for _, row in pairs]
    width = reader.shape[1]
    items = np.array([[number * width + one for one in range(width)] for number in numbers])
    first = np.unique(numbers, return_index=True)[1]
    answers = np.concatenate([participant[first].ravel(), reader.ravel()])
    codes = np.concatenate([items[first].ravel(), items.ravel()])
    return krippendorff_alpha(answers.astype(np.float64), items=codes).value
