"""Which turns do not count: the data cleaning of the paper, and rules of our own; each can be left out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from duologue.metrics import plain_words
from duologue.per_turn.rows import TurnRow
from duologue.per_turn.rules import (
    ALL_OR_NONE,
    COPIED,
    DUPLICATE,
    FEW_TOKENS,
    FIRST_TURN,
    FIXED_PATTERN,
    RULES,
    TOO_FAST_TURN,
)
from duologue.screening import count_words

FEWEST_PATTERN_TURNS = 5
"""In fewer turns any pattern comes about by chance."""

LARGEST_CHANCE = 0.02
"""Somebody who reads must select the same positions on all turns less often than so: positions are random."""

FEWEST_WORDS = 2.0
"""A message has this many on average, or the dialogue does not count."""

WORDS_A_SECOND = 15.0
"""Nobody reads faster."""

LEAST_COPIED_WORDS = 3
"""A shorter message may be said twice without copying."""

LEAST_SAME_WORDS = 10
"""Dialogues with fewer words may be the same by chance."""

Mask = NDArray[np.bool_]


def screen_turns(rows: Sequence[TurnRow]) -> dict[str, Mask]:
    """For each rule, which rows it excludes; whether it is applied is for others to say."""
    dialogues: defaultdict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        if not row.is_third_party:
            dialogues[row.dialogue].append(number)
    chats = {name: sorted(own, key=lambda number: rows[number].turn) for name, own in dialogues.items()}
    whole: dict[str, list[Sequence[int]]] = {
        FIXED_PATTERN: [own for own in chats.values() if _is_fixed([rows[one] for one in own])],
        ALL_OR_NONE: [own for own in chats.values() if _is_all_or_none([rows[one] for one in own])],
        FEW_TOKENS: [own for own in chats.values() if _has_few_words([rows[one] for one in own])],
        COPIED: [own for own in chats.values() if _is_copied([rows[one] for one in own])],
        DUPLICATE: list(_duplicates(rows, chats.values())),
    }
    single = {
        FIRST_TURN: [own for name in chats for own in chats[name] if rows[own].turn == 1],
        TOO_FAST_TURN: [own for name in chats for own in chats[name] if _is_too_fast(rows[own])],
    }
    found = {rule: _mask(len(rows), (one for own in hit for one in own)) for rule, hit in whole.items()}
    found |= {rule: _mask(len(rows), own) for rule, own in single.items()}
    return {rule: found[rule] for rule in RULES}


def _mask(size: int, numbers: Iterable[int]) -> Mask:
    mask = np.zeros(size, dtype=np.bool_)
    mask[list(numbers)] = True
    return mask


def _is_fixed(chat: Sequence[TurnRow]) -> bool:
    """Whether the same positions are selected on every turn, more than random positions bring about.

    Who selects all replies, or none, chooses no positions: whatever the order, it is the same pattern.
    """
    turns = _positions(chat)
    if len(turns) < FEWEST_PATTERN_TURNS or len({chosen for chosen, _ in turns}) > 1:
        return False
    return math.prod(1 / math.comb(cards, len(chosen)) for chosen, cards in turns[1:]) <= LARGEST_CHANCE


def _is_all_or_none(chat: Sequence[TurnRow]) -> bool:
    """Whether all replies are selected on every turn, or none is on every turn."""
    chosen = [[one.selected for one in row.candidates] for row in _of_several(chat)]
    alike = [all(turn) for turn in chosen], [not any(turn) for turn in chosen]
    return len(chosen) >= FEWEST_PATTERN_TURNS and any(map(all, alike))


def _positions(chat: Sequence[TurnRow]) -> list[tuple[frozenset[int], int]]:
    """Which positions are selected, of how many, on every turn; none where positions are not recorded."""
    shown = [[(one.position or 0, one.selected) for one in row.candidates] for row in _of_several(chat)]
    return [
        (frozenset(position for position, is_chosen in turn if is_chosen), max(turn)[0])
        for turn in shown
        if max(turn)[0]
    ]


def _of_several(chat: Sequence[TurnRow]) -> list[TurnRow]:
    """The turns on which all of several bots answered."""
    return [row for row in chat if row.is_complete and row.mechanism != "single"]


def _has_few_words(chat: Sequence[TurnRow]) -> bool:
    messages = [row.message for row in chat if row.message]
    return bool(messages) and sum(map(count_words, messages)) < FEWEST_WORDS * len(messages)


def _is_too_fast(row: TurnRow) -> bool:
    shown = {one.text.strip() for one in row.candidates}
    return row.seconds is not None and row.seconds < sum(map(count_words, shown)) / WORDS_A_SECOND


def _is_copied(chat: Sequence[TurnRow]) -> bool:
    """Whether half of the messages or more repeat a reply that was shown, or a message, of earlier turns."""
    said: set[str] = set()
    copies = messages = 0
    for row in chat:
        if row.message:
            words = plain_words(row.message)
            messages += 1
            copies += count_words(row.message) >= LEAST_COPIED_WORDS and words in said
            said.add(words)
        said.update(plain_words(one.text) for one in row.candidates)
    return messages > 1 and 2 * copies >= messages


def _duplicates(rows: Sequence[TurnRow], chats: Iterable[Sequence[int]]) -> Iterable[Sequence[int]]:
    """Chats whose messages, in their order, are those of one before them."""
    seen: set[tuple[str, ...]] = set()
    for own in chats:
        messages = tuple(plain_words(rows[one].message) for one in own)
        if sum(count_words(rows[one].message) for one in own) < LEAST_SAME_WORDS:
            continue
        if messages in seen:
            yield own
        seen.add(messages)
