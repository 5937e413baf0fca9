"""What is said of several sections alike, said once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol


class SectionWithWarnings(Protocol):
    """A section of results."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before its numbers."""


def shared_warnings(sections: Sequence[SectionWithWarnings]) -> dict[str, str]:
    """The warnings of more than one section, with the words that say in how many they stand."""
    counts = Counter(warning for section in sections for warning in dict.fromkeys(section.warnings))
    return {
        warning: f"warning (in {count} of {len(sections)} sections): {warning}"
        for warning, count in counts.items()
        if count > 1
    }


def own_warnings(section: SectionWithWarnings, shared: Iterable[str]) -> tuple[str, ...]:
    """The warnings of one section that were not said before."""
    said = frozenset(shared)
    return tuple(f"warning: {warning}" for warning in section.warnings if warning not in said)
