"""Do others who read a chat select what its participant selected?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.per_turn.analysis.results import ThirdParty
from duologue.per_turn.analysis.tables import SectionKey, is_of
from duologue.per_turn.rows import TurnRow
from duologue.stats import Interval, clustered_rate, cohen_kappa, jackknife_interval, krippendorff_alpha


def third_party_of(rows: Sequence[TurnRow], key: SectionKey, *, level: float) -> tuple[ThirdParty, ...]:
    """Agreement of third parties with participants on a section's chats: all bots together, and each."""
    if key.question:
        return ()
    own = [row for row in rows if row.is_complete and not row.excluded]
    participants = {
        (row.dialogue, row.turn): row
        for row in own
        if not row.is_third_party and is_of(row, key._replace(revision=row.revision))
    }
    others = [
        row
        for row in own
        if row.is_third_party and is_of(row, key) and (row.dialogue, row.turn) in participants
    ]
    if not others:
        return ()
    pairs = [(participants[row.dialogue, row.turn], row) for row in others]
    return tuple(_agreement(bot, _cards(bot, pairs, key.bots), level) for bot in ("", *key.bots))


@dataclass(frozen=True, slots=True, eq=False)
class _Cards:
    """Every card that a participant and a reader judged: one entry for each reader of each bot's reply."""

    turns: int
    participant: NDArray[np.int64]
    reader: NDArray[np.int64]
    card: NDArray[np.int64]
    """Which card it is: several readers may have had the same."""
    dialogue: NDArray[np.int64]

    def kappa(self, kept: NDArray[np.bool_]) -> float | None:
        return cohen_kappa(self.participant[kept], self.reader[kept]).kappa

    def alpha(self, kept: NDArray[np.bool_]) -> float:
        """Krippendorff's: every card is an item, judged by its participant once and by each reader."""
        cards, first = np.unique(self.card[kept], return_index=True)
        answers = np.concatenate([self.participant[kept][first], self.reader[kept]])
        items = np.concatenate([cards, self.card[kept]])
        return krippendorff_alpha(answers.astype(np.float64), items=items).value


def _cards(bot: str, pairs: Sequence[tuple[TurnRow, TurnRow]], bots: Sequence[str]) -> _Cards:
    judged = [one for one in bots if bot in ("", one)]
    cards: dict[tuple[str, int, str], int] = {}
    dialogues: dict[str, int] = {}
    found = [
        (
            row.selected()[one],
            read.selected()[one],
            cards.setdefault((row.dialogue, row.turn, one), len(cards)),
            dialogues.setdefault(row.dialogue, len(dialogues)),
        )
        for row, read in pairs
        for one in judged
    ]
    participant, reader, card, dialogue = np.array(found, dtype=np.int64).T
    return _Cards(len(pairs), participant, reader, card, dialogue)


def _agreement(bot: str, cards: _Cards, level: float) -> ThirdParty:
    all_of_them = np.ones(len(cards.card), dtype=np.bool_)
    kappa = cohen_kappa(cards.participant, cards.reader)
    dialogues = len(np.unique(cards.dialogue))
    agreed = (cards.participant == cards.reader).astype(np.float64)
    spans: tuple[Interval | None, Interval | None, Interval | None] = (None, None, None)
    if dialogues > 1:
        spans = (
            jackknife_interval(cards.kappa, cards.dialogue, level=level),
            clustered_rate(agreed, [cards.dialogue], level=level).interval,
            jackknife_interval(cards.alpha, cards.dialogue, level=level),
        )
    return ThirdParty(
        bot=bot,
        turns=cards.turns,
        kappa=kappa.kappa,
        agreement=kappa.agreement,
        alpha=cards.alpha(all_of_them),
        dialogues=dialogues,
        kappa_interval=spans[0],
        agreement_interval=spans[1],
        alpha_interval=spans[2],
        participant_rate=float(cards.participant.mean()),
        reader_rate=float(cards.reader.mean()),
    )
