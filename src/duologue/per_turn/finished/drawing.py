"""A sample of collected chats as items: all turns of a chat, or a written reply beside those of the bots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from duologue.dialogues import Json
from duologue.errors import DesignError
from duologue.per_turn.finished.chat import FinishedChat, FinishedTurn
from duologue.per_turn.rows import TurnRow
from duologue.protocols import HUMAN, MOST_CANDIDATES, TURN_BY_TURN, Item
from duologue.seeds import seed_sequence


@dataclass(frozen=True, slots=True)
class SampledChats:
    """What to draw from collected chats."""

    seed: int
    chats: int | None = None
    """Of every arm (written replies likewise); all where None."""
    is_written: bool = False
    """Whether written replies are compared with those of bots, and not all turns annotated again."""


def draw_finished(rows: Sequence[TurnRow], wanted: SampledChats) -> tuple[Item, ...]:
    """The items of a study that reads these chats, in an order of the seed.

    Chats that do not count, and rows of other third parties, are left out.

    Raises:
        DesignError: There is no such chat.
    """
    chats: defaultdict[str, list[TurnRow]] = defaultdict(list)
    for row in rows:
        if not row.is_third_party and not row.excluded:
            chats[row.dialogue].append(row)
    ordered = [sorted(own, key=lambda row: row.turn) for own in chats.values()]
    make = _written if wanted.is_written else _annotated
    by_arm: defaultdict[str, list[Item]] = defaultdict(list)
    for chat in ordered:
        for item in make(chat):
            by_arm[item.group].append(item)
    if not by_arm:
        what = "no turn that the annotator wrote the reply of" if wanted.is_written else "no complete turn"
        raise DesignError(f"there is {what} among these {len(rows):,} turns.")
    found: list[Item] = []
    for arm in sorted(by_arm):
        rng = np.random.default_rng(seed_sequence(wanted.seed, "finished", arm))
        order = rng.permutation(len(by_arm[arm])).tolist()
        found += [by_arm[arm][place] for place in order[: wanted.chats]]
    return tuple(found)


def _annotated(chat: Sequence[TurnRow]) -> Iterator[Item]:
    """One item: every turn at which all bots answered is asked about."""
    bots = chat[0].bots
    turns = tuple(_turn(row, bots, is_asked=row.is_complete) for row in chat)
    if any(turn.texts for turn in turns):
        yield _item(f"read-{chat[0].dialogue}", chat[0], bots, turns)


def _written(chat: Sequence[TurnRow]) -> Iterator[Item]:
    """An item for each reply that was written: it is one more candidate of its turn."""
    for place, row in enumerate(chat):
        on = row.continuation
        if on is None or on.by != "annotator" or not row.is_complete:
            continue
        bots = (*row.bots, HUMAN)
        if HUMAN in row.bots or len(bots) > MOST_CANDIDATES:
            raise DesignError(
                f"dialogue {row.dialogue!r}: a written reply is shown as one more candidate called "
                f"{HUMAN!r}, of at most {MOST_CANDIDATES}; {', '.join(row.bots)} leave no place for it."
            )
        before = tuple(_turn(one, bots, is_asked=False) for one in chat[:place])
        asked = _turn(row, row.bots, is_asked=True)
        last = FinishedTurn(row.turn, row.message, (*asked.texts, on.text), (), "")
        yield _item(f"written-{row.dialogue}-{row.turn}", row, bots, (*before, last))


def _item(name: str, row: TurnRow, bots: tuple[str, ...], turns: tuple[FinishedTurn, ...]) -> Item:
    chat = FinishedChat(row.dialogue, row.annotator, turns)
    extras: dict[str, Json] = {TURN_BY_TURN: chat.record()}
    setting = "sata-random" if HUMAN in bots else row.setting
    if setting is not None:
        extras["setting"] = setting
    return Item(name, row.arm or "main", bots, (), (), extras=extras)


def _turn(row: TurnRow, bots: Sequence[str], *, is_asked: bool) -> FinishedTurn:
    texts = {one.bot: one.text for one in row.candidates}
    chosen = row.selected()
    return FinishedTurn(
        row.turn,
        row.message,
        tuple(texts[bot] for bot in bots) if is_asked else (),
        tuple(chosen[bot] for bot in bots) if is_asked else (),
        row.continuation.text if row.continuation is not None else "",
    )
