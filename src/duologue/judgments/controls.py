"""Control items: rows of a table whose right answer is known, as a rule for who paid attention."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.columns import UNKNOWN, NameColumn

Flags = NDArray[np.bool_]

CONTROL_SHARE = 0.75
"""Who answers a smaller share of their control items right is excluded."""

CONTROL_RULE = "control-items"
"""The rule by which they are excluded."""


@dataclass(frozen=True, slots=True, eq=False)
class ControlScreening:
    """What is excluded for failed control items, and a sentence that says so."""

    excluded: NameColumn
    note: str


def screen_controls(
    annotator: NameColumn,
    excluded: NameColumn,
    is_control: Flags,
    is_right: Flags,
    *,
    share: float = CONTROL_SHARE,
) -> ControlScreening:
    """Exclude all judgments of annotators who answered too few of their control items right.

    Judgments that another rule has excluded stay with that rule. Annotators without control items, and rows
    that do not say whose they are, are not changed.

    Example:
        >>> who = NameColumn(("ann", "bob"), np.array([0, 0, 1, 1], dtype=np.int32))
        >>> none = NameColumn((), np.full(4, UNKNOWN, dtype=np.int32))
        >>> control, right = np.array([True, False, True, False]), np.array([True, False, False, False])
        >>> screen_controls(who, none, control, right).excluded.codes.tolist()
        [-1, -1, 0, 0]
    """
    checked = is_control & (annotator.codes != UNKNOWN)
    given = np.bincount(annotator.codes[checked], minlength=len(annotator.names))
    right = np.bincount(annotator.codes[checked & is_right], minlength=len(annotator.names))
    # Compared as counts: a share such as 3 of 4 must not fail by the last digit.
    has_failed = (given > 0) & (right < share * given - 1e-9)
    failed = np.append(has_failed, False)[annotator.codes]  # the code -1 finds the last one
    concerned = failed & (excluded.codes == UNKNOWN)
    note = (
        f"Control items: {_some(int(np.count_nonzero(given)), 'annotator')} answered {int(given.sum()):,} of "
        f"them; {_say_failed(int(has_failed.sum()), int((concerned & ~is_control).sum()), share)}."
    )
    if not concerned.any():
        return ControlScreening(excluded, note)
    names = (*excluded.names, CONTROL_RULE)
    codes = np.where(concerned, np.int32(len(names) - 1), excluded.codes).astype(np.int32)
    return ControlScreening(NameColumn(names, codes), note)


def _say_failed(failed: int, judgments: int, share: float) -> str:
    enough = f"fewer than {100 * share:g} % right"
    if not failed:
        return f"nobody answered {enough}"
    are = "is" if failed == 1 else "are"
    return f"{failed:,} answered {enough} and {are} excluded ({_some(judgments, 'judgment')})"


def _some(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
