"""Control items: rows of a table whose right answer is known, as a rule for who paid attention."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.columns import UNKNOWN, NameColumn

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Side = Literal["below", "above"]
SIDES: tuple[Side, ...] = get_args(Side)

CONTROL_SHARE = 0.75
"""Who answers a smaller share of their control items right is excluded."""

CONTROL_LEVEL = 0.05
"""Of the test of who ranks control items on the right side."""

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
    return ControlScreening(_with_rule(excluded, concerned), note)


def ranked_on_a_side(
    annotator: NameColumn, points: Sequence[Floats], of_each: Sequence[Flags], is_control: Flags, side: Side
) -> Flags:
    """Whether the annotator of each row rates the control items lower (or higher) than the rest.

    The published rule (Ji et al. 2022): all ratings that an annotator gave to a degraded bot, beside all that
    they gave to others on the same questions; one-sided Mann–Whitney test, p < 0.05. Who rates all alike
    fails; who has too few ratings for such a p-value passes.

    Args:
        annotator: Of each row.
        points: Of each question, one number for each row.
        of_each: Of each question, in which rows this rule is asked for.
        is_control: Which rows are control items.
        side: On which side of the rest.

    Example:
        >>> who = NameColumn(("ann",), np.zeros(8, dtype=np.int32))
        >>> points, rule = np.array([1.0, 2, 3, 50, 60, 70, 80, 90]), np.arange(8) < 3
        >>> ranked_on_a_side(who, [points], [rule], rule, "below").tolist() == [True] * 8
        True
    """
    given = [~np.isnan(one) for one in points]
    held = np.zeros(len(annotator.names) + 1, dtype=np.bool_)
    for code in np.unique(annotator.codes[np.logical_or.reduce(of_each)]).tolist():
        mine = annotator.codes == code
        asked = [one for one in zip(points, of_each, given, strict=True) if (mine & one[1]).any()]
        controls = np.concatenate([one[mine & rows & known] for one, rows, known in asked])
        others = np.concatenate([one[mine & ~is_control & known] for one, _, known in asked])
        held[code] = code != UNKNOWN and _is_on_side(controls, others, side)
    return held[annotator.codes]


def _is_on_side(controls: Floats, others: Floats, side: Side) -> bool:
    from scipy.stats import mannwhitneyu

    if not len(controls):
        return True  # the control items were not rated
    if 1 / comb(len(controls) + len(others), len(controls)) >= CONTROL_LEVEL:
        return True  # too few to tell, however they are rated
    if np.ptp(np.concatenate([controls, others])) == 0:
        return False
    lower, higher = (controls, others) if side == "below" else (others, controls)
    return bool(mannwhitneyu(lower, higher, alternative="less").pvalue < CONTROL_LEVEL)


def exclude_failed(
    annotator: NameColumn, excluded: NameColumn, *, checked: Collection[str], failed: Collection[str]
) -> ControlScreening:
    """Exclude all judgments of annotators who failed control items elsewhere.

    Args:
        annotator: Of each judgment.
        excluded: The rule that excluded it already.
        checked: Those who answered control items there.
        failed: Those of them who failed.
    """
    rows = np.append([name in failed for name in annotator.names], False)[annotator.codes]
    concerned = rows & (excluded.codes == UNKNOWN)
    known = sum(name in checked for name in annotator.names)
    here = sum(name in failed for name in annotator.names)
    note = (
        f"{known:,} of {_some(len(annotator.names), 'annotator')} answered them; {here:,} failed and "
        f"{'is' if here == 1 else 'are'} excluded ({_some(int(concerned.sum()), 'judgment')})."
    )
    return ControlScreening(_with_rule(excluded, concerned), note)


def _with_rule(excluded: NameColumn, concerned: Flags) -> NameColumn:
    """The exclusions, with the rule of control items for those concerned."""
    if not concerned.any():
        return excluded
    names = excluded.names if CONTROL_RULE in excluded.names else (*excluded.names, CONTROL_RULE)
    codes = np.where(concerned, np.int32(names.index(CONTROL_RULE)), excluded.codes).astype(np.int32)
    return NameColumn(names, codes)


def _say_failed(failed: int, judgments: int, share: float) -> str:
    enough = f"fewer than {100 * share:g} % right"
    if not failed:
        return f"nobody answered {enough}"
    are = "is" if failed == 1 else "are"
    return f"{failed:,} answered {enough} and {are} excluded ({_some(judgments, 'judgment')})"


def _some(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
