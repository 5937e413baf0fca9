"""What is added to the plan of a study after its first judgment: bots, and items that are asked again.

An item that is asked again, of other annotators, shows whether judgments have drifted since. It shows what an
earlier one shows, under an id and in a group of its own: its places are planned and filled by themselves, and
its judgments count in no verdict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from duologue.protocols.records import Item
from duologue.screening import ASKED_AGAIN


@dataclass(frozen=True, slots=True)
class KeptVerdict:
    """A verdict as it was when something was added to the plan."""

    part: str
    """The section and question that it belongs to, empty where there is only one."""
    first: str
    second: str
    n: int
    estimate: float | None
    """Of the first bot, as in `Outcome`."""
    better: str | None
    has_verdict: bool


@dataclass(frozen=True, slots=True)
class Addendum:
    """Bots that were added to a study: what was planned for them, and what had been found before."""

    number: int
    """From 1 up."""
    at: str
    hash: str
    """SHA-256 of the addendum, as of the plan itself."""
    adds: tuple[str, ...]
    """The bots."""
    groups: tuple[tuple[str, ...], ...]
    """The groups that were added, by the names of their bots in order: a family of their own."""
    judgments: int
    """Planned for them, in all arms."""
    asked_again: int
    """Judgments planned about items of earlier groups, asked again, in all arms."""
    verdicts: tuple[KeptVerdict, ...]
    """What the study said before."""
    is_interim: bool = False
    """Whether groups had not reached their planned number then."""


_MARK = "__again__"
_ENDING = re.compile(rf"{_MARK}([1-9][0-9]*)$")


def ask_again(item: Item, addendum: int) -> Item:
    """The same item, to be asked again under an addendum to the plan.

    Example:
        >>> item = Item("p1", "ada__vs__bea", ("ada", "bea"), ("d1", "d2"), ("A", "B"))
        >>> ask_again(item, 1).id, ask_again(item, 1).group
        ('p1-again-1', 'ada__vs__bea__again__1')
    """
    return replace(item, id=f"{item.id}-again-{addendum}", group=group_again(item.group, addendum))


def group_again(group: str, addendum: int) -> str:
    """The group of the items that ask a group again."""
    return f"{group}{_MARK}{addendum}"


def addendum_asking(group: str) -> int:
    """The addendum under which a group asks another one again; 0 for any other group.

    Example:
        >>> addendum_asking("ada__vs__bea__again__2"), addendum_asking("ada__vs__bea")
        (2, 0)
    """
    found = _ENDING.search(group)
    return int(found[1]) if found else 0


def group_asked(group: str) -> str:
    """The group that a group asks again; any other group itself.

    Example:
        >>> group_asked("ada__vs__bea__again__2"), group_asked("ada__vs__bea")
        ('ada__vs__bea', 'ada__vs__bea')
    """
    return _ENDING.sub("", group)


def rule_asked_again(group: str) -> str:
    """The rule under which judgments of a group count in no verdict; empty where they may.

    Example:
        >>> rule_asked_again("ada__vs__bea__again__2"), rule_asked_again("ada__vs__bea")
        ('asked-again-2', '')
    """
    number = addendum_asking(group)
    return f"{ASKED_AGAIN}{number}" if number else ""
