"""What screening finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Screened:
    """An annotator whose judgments a rule sets aside, and why."""

    annotator: str
    rule: str
    reason: str
    judgments: tuple[str, ...]
    """The ids of those judgments that no other rule has set aside."""
