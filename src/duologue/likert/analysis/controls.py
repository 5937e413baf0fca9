"""Who failed the control items of one table is excluded from another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duologue.errors import FormatError
from duologue.judgments import CONTROL_RULE, NameColumn, Ratings, exclude_failed, read_ratings


def exclude_by_controls(ratings: Ratings, source: Path) -> Ratings:
    """The ratings, without those of annotators who failed the control items of another table.

    Args:
        ratings: What is analysed.
        source: A table of ratings with control items (a column ``gold``), by some of the same annotators.

    Raises:
        InputError: The table cannot be used; says why.
    """
    controls = read_ratings(source)
    is_control = controls.is_onboarding & (controls.annotator.codes >= 0)
    checked = _names(controls.annotator, is_control)
    if not checked:
        raise FormatError(source, expected="control items (a column gold) of known annotators", got="none")
    by_rule = [code for code, rule in enumerate(controls.excluded.names) if rule == CONTROL_RULE]
    failed = _names(controls.annotator, is_control & np.isin(controls.excluded.codes, by_rule))
    found = exclude_failed(ratings.annotator, ratings.excluded, checked=checked, failed=failed)
    note = f"Control items of {source.name}: {found.note}"
    return replace(ratings, excluded=found.excluded, notes=(*ratings.notes, note))


def _names(annotator: NameColumn, rows: NDArray[np.bool_]) -> set[str]:
    return {annotator.names[code] for code in np.unique(annotator.codes[rows]).tolist()}
