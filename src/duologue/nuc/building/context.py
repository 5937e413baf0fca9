"""How many turns of a dialogue are shown before the next one is asked for."""

from __future__ import annotations

from typing import Literal, get_args

ContextRule = Literal["ubuntu", "ubuntu-1", "longest"]
"""How the number of turns is drawn.

``ubuntu``: version 2 of the Ubuntu corpus. With m the largest number possible, it is m where m is at most 2,
else uniform on 2 to m. ``ubuntu-1``: version 1 (Lowe et al. 2015a), which prefers short contexts.
``longest``: always m.
"""
CONTEXT_RULES: tuple[ContextRule, ...] = get_args(ContextRule)


def context_length(turns: int, u: float, *, rule: ContextRule, most: int) -> int:
    """The number of turns shown of a dialogue; the turn after them is the true reply.

    Args:
        turns: How many turns the dialogue has, at least 2.
        u: A number drawn uniformly from 0 up to 1.
        rule: How it is drawn.
        most: The largest number of turns that may be shown.

    Example:
        >>> [context_length(9, u, rule="ubuntu", most=6) for u in (0, 0.3, 0.7, 0.99)]
        [2, 3, 5, 6]
        >>> context_length(2, 0.5, rule="ubuntu", most=6)
        1
    """
    largest = min(most, turns - 1)
    if rule == "longest" or largest <= 2:
        return largest
    if rule == "ubuntu":
        return 2 + int(u * (largest - 1))
    eta = most / 2 + u * (10 * most - most / 2)
    return min(largest, int(10 * most / eta) + 1)


def context_lengths(turns: int, u: float, count: int, *, rule: ContextRule, most: int) -> list[int]:
    """Up to ``count`` different lengths, evenly spaced draws from the same rule, in ascending order.

    Example:
        >>> context_lengths(9, 0.5, 3, rule="ubuntu", most=6)
        [2, 4, 6]
    """
    draws = ((u + number / count) % 1 for number in range(count))
    return sorted({context_length(turns, draw, rule=rule, most=most) for draw in draws})
