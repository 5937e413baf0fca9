"""Completion codes: who got which, and what they did for it, for whoever pays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Select, func, select

from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads
from duologue.store.database.schema import annotators, judgments
from duologue.store.sittings.crediting import credited_seconds

CodeState = Literal["finished", "unfinished", "unknown"]
"""The code was shown at the end; it belongs to somebody who has not been shown it; or to nobody."""


@dataclass(frozen=True, slots=True)
class CompletionCode:
    """A completion code, and what was done for it."""

    code: str
    state: CodeState
    annotator: str = ""
    """The id; empty when the code is nobody's."""
    label: str = ""
    kind: str = ""
    judgments: int = 0
    """Onboarding apart, whether or not they are excluded."""
    excluded: int = 0
    """Of those."""
    onboarding: int = 0
    """Onboarding items that were answered."""
    onboarding_right: int = 0
    credited: int = 0
    """Items that ended with credit: skipped, or a live chat that could not go on."""
    seconds: float = 0.0
    """Of work, onboarding and what ended with credit included."""
    is_blocked: bool = False
    finished_at: str | None = None


@reads
def check_codes(reading: Reading, codes: Sequence[str]) -> tuple[CompletionCode, ...]:
    """What is known of each code, in their order; blanks, dashes and small letters do not matter.

    A code that is given several times is one code (`repeated_codes` says which).
    """
    found: dict[str, CompletionCode] = {}
    typed = {spelled(code): code.strip() for code in reversed(codes)}
    given = list(dict.fromkeys(map(spelled, codes)))
    wanted = list(filter(None, given))
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        query = select(annotators.c.n).where(annotators.c.code.in_(some))
        found |= {one.code: one for one in codes_of(reading, query)}
    return tuple(found.get(code) or CompletionCode(typed[code], "unknown") for code in given)


def repeated_codes(codes: Sequence[str]) -> tuple[str, ...]:
    """The codes that are given more than once, however they are typed.

    Example:
        >>> repeated_codes(["0A1B", "2C3D", "0a-1b"])
        ('0A1B',)
    """
    return tuple(code for code, times in Counter(map(spelled, codes)).items() if code and times > 1)


_AT_ONCE = 500
"""Codes that one query looks for."""


def spelled(code: str) -> str:
    """A code as it is stored, however it was typed.

    Example:
        >>> spelled(" 0a1b-2c3d ")
        '0A1B2C3D'
    """
    return re.sub(r"[\s\-\0]", "", code).upper()


def codes_of(reading: Reading, numbers: Select[tuple[int]]) -> tuple[CompletionCode, ...]:
    """The codes of some annotators, in the order they were invited."""
    seconds = (
        select(judgments.c.annotator, func.sum(judgments.c.seconds).label("seconds"))
        .where(judgments.c.annotator.in_(numbers))
        .group_by(judgments.c.annotator)
        .subquery()
    )
    query = (
        select(
            annotators.c.n,
            annotators.c.code,
            annotators.c.finished_at,
            annotators.c.id,
            annotators.c.label,
            annotators.c.kind,
            annotators.c.judged,
            annotators.c.excluded,
            annotators.c.onboarding_asked,
            annotators.c.onboarding_right,
            annotators.c.credited,
            func.coalesce(seconds.c.seconds, 0.0).label("seconds"),
            annotators.c.block,
        )
        .select_from(annotators.outerjoin(seconds, seconds.c.annotator == annotators.c.n))
        .where(annotators.c.n.in_(numbers))
        .order_by(annotators.c.n)
    )
    credited = credited_seconds(reading, numbers)
    return tuple(
        CompletionCode(
            code=row.code,
            state="unfinished" if row.finished_at is None else "finished",
            annotator=row.id,
            label=row.label,
            kind=row.kind,
            judgments=row.judged,
            excluded=row.excluded,
            onboarding=row.onboarding_asked,
            onboarding_right=row.onboarding_right,
            credited=row.credited,
            seconds=float(row.seconds) + credited.get(row.n, 0.0),
            is_blocked=bool(row.block),
            finished_at=row.finished_at,
        )
        for row in reading.connection.execute(query)
    )
