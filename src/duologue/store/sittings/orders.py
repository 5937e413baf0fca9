"""In which order the dialogues of an item are shown: random from the study's seed, and balanced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import permutations

from duologue.seeds import seed_sequence

Order = tuple[int, ...]


def random_number(seed: int, stage: str, key: str) -> int:
    """A 32-bit number for one random choice of a study, whatever else was drawn before it.

    Example:
        >>> random_number(7, "order", "pair-1") == random_number(7, "order", "pair-1")
        True
    """
    return int(seed_sequence(seed, stage, key).generate_state(1)[0])


def balanced_order(length: int, *, draw: Callable[[], int], straight: int, reversed_: int) -> Order:
    """The next shown order of a row of items: the rarer one of an order and its reverse.

    Where both are equally common the drawn number decides, so that orders come in random blocks of two and
    never differ by more than one.

    Args:
        length: Dialogues of the item.
        draw: Draws a random number; asked only where chance decides.
        straight: How often slot 0 came before the last slot so far.
        reversed_: How often it came after.

    Example:
        >>> balanced_order(2, draw=lambda: 5, straight=3, reversed_=2)
        (1, 0)
    """
    if length <= 2 and straight != reversed_:
        return _only_order(length, straight < reversed_)
    drawn = draw()
    wants_straight = straight < reversed_ if straight != reversed_ else drawn % 2 == 0
    if length <= 2:
        return _only_order(length, wants_straight)
    order = _permutation(length, drawn >> 1)
    return order if is_straight(order) == wants_straight else order[::-1]


def rarest_order(seen: Mapping[Order, int], drawn: int) -> Order:
    """The next shown order of three: one of those that came least often.

    All six come in random blocks, so that every slot is shown at every position equally often, and every two
    slots are shown in both orders equally often. Within a block the first slot comes before the last, and
    after it, in turns, as in `balanced_order`.

    Args:
        seen: How often each order has come.
        drawn: A random number.

    Example:
        >>> rarest_order({(0, 1, 2): 1, (0, 2, 1): 1, (1, 0, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1}, 7)
        (2, 1, 0)
    """
    straight = sum(count for order, count in seen.items() if is_straight(order))
    reversed_ = sum(seen.values()) - straight
    wants_straight = straight < reversed_ if straight != reversed_ else drawn % 2 == 0
    orders = [order for order in permutations(range(3)) if is_straight(order) == wants_straight]
    least = min(seen.get(order, 0) for order in orders)
    rarest = [order for order in orders if seen.get(order, 0) == least]
    return rarest[(drawn >> 1) % len(rarest)]


@lru_cache(maxsize=6)
def _only_order(length: int, is_straight: bool) -> Order:
    order = tuple(range(length))
    return order if is_straight else order[::-1]


@lru_cache(maxsize=1_000)
def is_straight(order: Order) -> bool:
    """Whether the first slot of the item is shown before its last."""
    return order.index(0) <= order.index(len(order) - 1)


def _permutation(length: int, drawn: int) -> Order:
    left = list(range(length))
    order = []
    while left:
        drawn, place = divmod(drawn, len(left))
        order.append(left.pop(place))
    return tuple(order)


def candidate_order(length: int, *, seed: int, arm: str, group: str, turn: int, position: int) -> Order:
    """In which order the candidates of a turn are shown.

    At every turn, each run of as many chats of a group as there are candidates shows each candidate at each
    place once; within one chat the orders of different turns have nothing to do with each other.

    Args:
        length: How many candidates.
        seed: The study's.
        arm: Of the chat.
        group: Of its item.
        turn: The turn's place in the chat.
        position: Which slot of its group the chat fills.

    Example:
        >>> chat = {"seed": 7, "arm": "main", "group": "g", "turn": 1}
        >>> orders = [candidate_order(3, position=position, **chat) for position in (3, 4, 5)]
        >>> sorted(order[0] for order in orders), sorted(order[2] for order in orders)
        ([0, 1, 2], [0, 1, 2])
    """
    block, place = divmod(position, length)
    drawn = seed_sequence(seed, "candidates", arm, group, str(turn), str(block)).generate_state(2)
    base, turns_round = _permutation(length, int(drawn[0])), _permutation(length, int(drawn[1]))
    shift = turns_round[place]
    return base[shift:] + base[:shift]
