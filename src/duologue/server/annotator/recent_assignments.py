"""Assignments this process has shown lately, so that an answer need not look its question up."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from duologue.protocols import AskedItem, StudyProtocol
from duologue.screening import count_words
from duologue.store import Assignment, Store, fetch_assignment

MAX_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class AskedAssignment:
    """What does not change about an assignment while it is in progress, without its dialogues."""

    key: str
    asked: AskedItem
    number: int
    total: int
    deadline_at: str | None = None
    skips_left: int = 0
    """How many items the annotator may still skip, this one included."""
    words: int = 0
    """How many are shown before it can be answered; those of a live chat once it is over."""


class RecentAssignments:
    """A short memory of facts that never change; what is not in it is read from the store."""

    def __init__(self, store: Store, protocol: StudyProtocol[Any]) -> None:
        self._store, self._protocol = store, protocol
        self._recent: OrderedDict[tuple[str, str], AskedAssignment] = OrderedDict()

    def remember(self, token: str, assignment: Assignment) -> AskedAssignment:
        """Note an assignment that is being shown."""
        handed = AskedAssignment(
            assignment.key,
            AskedItem(assignment.arm, assignment.item, assignment.order, annotator=assignment.annotator),
            assignment.number,
            assignment.total,
            assignment.deadline_at,
            assignment.skips_left,
            sum(map(count_words, self._protocol.texts_shown(assignment.asked))),
        )
        self._recent[token, assignment.key] = handed
        if len(self._recent) > MAX_REMEMBERED:
            self._recent.popitem(last=False)
        return handed

    async def find(self, token: str, key: str) -> AskedAssignment:
        """The assignment of that key, if it is this annotator's.

        Raises:
            LinkUnknown: Nobody has this link.
            NotFound: It is not theirs, or there is none.
        """
        handed = self._recent.get((token, key))
        if handed is None:
            handed = self.remember(token, await self._store.run_async(fetch_assignment(token, key)))
        return handed
