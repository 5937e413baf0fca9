"""Dialogues that began alike: which they are, and pairings that put them side by side.

Two dialogues about the same thing differ less for reasons that have nothing to do with the bots. What counts
is what the judged speaker was given before its first turn: a persona, a topic, a prompt, the first turn of
the other speaker. What it says itself never counts: pairs would be selected by what is judged.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from duologue.dialogues import Dialogue, Json, dump_json
from duologue.protocols import Item, say_list

Indices = NDArray[np.int64]

Start = tuple[bytes | None, ...]
"""What a dialogue began with: a hash for each of ``TRAITS``, None where it has none."""

TRAITS = ("persona", "topic", "prompt", "opener")
"""What dialogues can share, in words."""

NOTHING: Start = (None,) * len(TRAITS)

MOST_TRIES = 20
"""So many dialogues are tried as the partner of one that has none it shares anything with."""


def starts_of(dialogues: Iterable[Dialogue]) -> dict[str, Start]:
    """What each dialogue began with, by id; those that began with nothing that others differ in are left out.

    What all dialogues have in common, or all lack, matches nothing, and counts as nothing.
    """
    found = {dialogue.id: _start(dialogue) for dialogue in dialogues}
    values: list[set[bytes | None]] = [set() for _ in TRAITS]
    for start in found.values():
        for seen, value in zip(values, start, strict=True):
            seen.add(value)
    tells = [len(seen) > 1 for seen in values]
    kept = (
        (name, tuple(value if told else None for value, told in zip(start, tells, strict=True)))
        for name, start in found.items()
    )
    return {name: start for name, start in kept if start != NOTHING}


def _start(dialogue: Dialogue) -> Start:
    briefing = dialogue.extras.get("briefing")
    told: Mapping[str, Json] = briefing if isinstance(briefing, Mapping) else {}
    persona = [told.get(key) or "" for key in ("persona", "partner_persona", "annotator_persona")]
    opener = told.get("opener") or ""
    is_made_up = (
        "self_chat" in dialogue.extras
    )  # held by us: its opener, if one was given, is in the briefing
    if not opener and not is_made_up and dialogue.turns and dialogue.turns[0].speaker != dialogue.judged:
        opener = dialogue.turns[0].text
    return (
        _hash(persona if any(persona) else ""),
        _hash(told.get("topic") or ""),
        _hash(list(dialogue.context) or ""),
        _hash(" ".join(str(opener).casefold().split())),
    )


def _hash(value: Json) -> bytes | None:
    return hashlib.blake2b(dump_json(value).encode(), digest_size=16).digest() if value else None


def likeness(one: Start, other: Start) -> int:
    """How many things two dialogues share.

    Example:
        >>> likeness((b"p", None, None, b"hi"), (b"p", None, None, b"hello"))
        1
    """
    return sum(mine is not None and mine == its for mine, its in zip(one, other, strict=True))


def align(
    one: Indices,
    other: Indices,
    starts: tuple[Sequence[Start], Sequence[Start]],
    *,
    is_grouped: bool = False,
) -> tuple[Indices, Indices]:
    """Two decks of dialogues with those that share most at the same places, before all others.

    Otherwise both keep their order; so decks that share nothing stay as they are. Where they are walked
    through several times, those that began alike follow each other (``is_grouped``).
    """
    left, right = one.tolist(), other.tolist()
    firsts: list[int] = []
    seconds: list[int] = []
    for traits in _subsets(starts):
        key = _key_of(traits)
        waiting: defaultdict[Start, deque[int]] = defaultdict(deque)
        for place in right:
            if None not in (its := key(starts[1][place])):
                waiting[its].append(place)
        rest, taken = [], set()
        for place in left:
            if found := waiting.get(key(starts[0][place])):
                firsts.append(place)
                seconds.append(found.popleft())
                taken.add(seconds[-1])
            else:
                rest.append(place)
        left, right = rest, [place for place in right if place not in taken]
    if is_grouped:
        rank: dict[Start, int] = {}
        ranks = [rank.setdefault(starts[0][place], len(rank)) for place in firsts]
        order = np.argsort(ranks, kind="stable").tolist()
        firsts, seconds = [firsts[place] for place in order], [seconds[place] for place in order]
    return np.array(firsts + left, dtype=np.int64), np.array(seconds + right, dtype=np.int64)


def _subsets(starts: tuple[Sequence[Start], Sequence[Start]]) -> Iterator[tuple[int, ...]]:
    """The traits that dialogues of both sides have, all together first, then fewer of them."""
    both = [
        number
        for number in range(len(TRAITS))
        if {start[number] for start in starts[0]} & {start[number] for start in starts[1]} - {None}
    ]
    for size in range(len(both), 0, -1):
        yield from combinations(both, size)


def _key_of(traits: tuple[int, ...]) -> Callable[[Start], Start]:
    return lambda start: tuple(start[number] for number in traits)


def rematch(
    first: Indices, second: Indices, decks: Sequence[Indices], starts: tuple[Sequence[Start], Sequence[Start]]
) -> tuple[Indices, Indices]:
    """The pairings with partners exchanged wherever more is shared afterwards.

    No two dialogues meet twice, and every dialogue is used as often as before, or one that was used once less
    than another takes its place.
    """
    if not any(_subsets(starts)):
        return first, second
    mine, theirs = first.tolist(), second.tolist()
    one, other = (
        [side[place] if place in dealt else NOTHING for place in range(len(side))]
        for side, dealt in zip(starts, (set(deck.tolist()) for deck in decks), strict=True)
    )
    for _ in range(2):
        _rematch(mine, theirs, (one, other))
        _rematch(theirs, mine, (other, one))
    return np.array(mine, dtype=np.int64), np.array(theirs, dtype=np.int64)


def _rematch(mine: list[int], theirs: list[int], starts: tuple[Sequence[Start], Sequence[Start]]) -> None:
    met = set(zip(mine, theirs, strict=True))
    pairs_of: defaultdict[int, set[int]] = defaultdict(set)
    for pair, place in enumerate(theirs):
        pairs_of[place].add(pair)
    having = _having(starts[1])

    def alike(one: int, other: int) -> int:
        return likeness(starts[0][one], starts[1][other])

    def put(pair: int, place: int) -> None:
        pairs_of[theirs[pair]].discard(pair)
        pairs_of[place].add(pair)
        met.discard((mine[pair], theirs[pair]))
        met.add((mine[pair], place))
        theirs[pair] = place

    for pair, one in enumerate(mine):
        for better in _partners(starts[0][one], having, alike(one, theirs[pair]), turn=pair):
            now = theirs[pair]
            gain = alike(one, better) - alike(one, now)
            if gain <= 0 or (one, better) in met:
                continue
            if len(pairs_of[better]) < len(pairs_of[now]):
                put(pair, better)
                continue
            for its in sorted(pairs_of[better]):
                two = mine[its]
                if (two, now) not in met and gain + alike(two, now) > alike(two, better):
                    put(pair, better)
                    put(its, now)
                    break


def _having(starts: Sequence[Start]) -> dict[tuple[int, bytes], list[int]]:
    """The dialogues that have each thing."""
    found: defaultdict[tuple[int, bytes], list[int]] = defaultdict(list)
    for place, start in enumerate(starts):
        for number, value in enumerate(start):
            if value is not None:
                found[number, value].append(place)
    return found


def _partners(
    start: Start, having: Mapping[tuple[int, bytes], Sequence[int]], least: int, *, turn: int
) -> list[int]:
    """Dialogues that share more than so many things with one that began so, the most alike first.

    Of very many some, others each ``turn``.
    """
    if least == sum(value is not None for value in start):
        return []
    shared: Counter[int] = Counter()
    for number, value in enumerate(start):
        if value is not None and (some := having.get((number, value))):
            first = turn * MOST_TRIES % len(some) if len(some) > 4 * MOST_TRIES else 0
            shared.update(some[first : first + 4 * MOST_TRIES])
    return [place for place, count in shared.most_common(MOST_TRIES) if count > least]


def count_shared(items: Iterable[Item], starts: Mapping[str, Start]) -> dict[str, dict[str, int]]:
    """For each group how many of its judged items show dialogues that share what."""
    found: dict[str, Counter[str]] = {}
    for item in items:
        if item.is_judged and len(item.dialogues) > 1:
            shown = [starts.get(name, NOTHING) for name in item.dialogues]
            for trait, values in zip(TRAITS, zip(*shown, strict=True), strict=True):
                if values[0] is not None and len(set(values)) == 1:
                    found.setdefault(item.group, Counter())[trait] += 1
    return {group: dict(counts) for group, counts in found.items()}


def say_shared(shared: Mapping[str, int]) -> str:
    """How many pairings share what.

    Example:
        >>> say_shared({"persona": 84, "opener": 84}), say_shared({"persona": 110, "opener": 84})
        ('84 share their persona and opener', '110 share their persona, 84 their opener')
    """
    by_count: defaultdict[int, list[str]] = defaultdict(list)
    for trait in TRAITS:
        if count := shared.get(trait, 0):
            by_count[count].append(trait)
    return ", ".join(
        f"{count:,} {'their' if number else 'share their'} {say_list(traits)}"
        for number, (count, traits) in enumerate(sorted(by_count.items(), reverse=True))
    )


def beside(shared: Mapping[str, int]) -> str:
    """The same after a number of pairings; empty where nothing is shared."""
    return f" ({say_shared(shared)})" if shared else ""
