"""Some of the items of a study, of every group as many as of any other."""

from __future__ import annotations

from collections.abc import Mapping


def spread_over_groups(wanted: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """How many items of each group make so many in all: as evenly as can be, and no more than there are.

    Args:
        wanted: How many items in all.
        sizes: How many each group has.

    Example:
        >>> spread_over_groups(7, {"a": 10, "b": 1, "c": 10})
        {'a': 3, 'b': 1, 'c': 3}
    """
    shares, left = dict.fromkeys(sizes, 0), wanted
    by_size = sorted(sizes, key=lambda group: (sizes[group], group))
    for place, group in enumerate(by_size):
        shares[group] = min(sizes[group], left // (len(by_size) - place))
        left -= shares[group]
    return shares


def repeats_of(share: float, judged: int) -> int:
    """How many of so many judged items come a second time, rounded.

    Example:
        >>> repeats_of(0.1, 4), repeats_of(0.1, 5), repeats_of(0.5, 3)
        (0, 1, 2)
    """
    return int(share * judged + 0.5)


def judged_twice_of(share: float, items: int) -> int:
    """How many of so many items of a group are judged twice, rounded.

    Example:
        >>> judged_twice_of(0.1, 110), judged_twice_of(0.1, 4), judged_twice_of(0.0, 110)
        (11, 0, 0)
    """
    return int(share * items + 0.5)
