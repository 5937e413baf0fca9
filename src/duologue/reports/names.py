"""Names of files, one set for each section of the results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol


class TitledSection(Protocol):
    """A section of results: what may be pooled, and never more."""

    @property
    def arm(self) -> str:
        """The arm it belongs to."""

    @property
    def title(self) -> str:
        """What tells it apart; empty when there is nothing to."""


def plain_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that can be part of a file's name, each different.

    Example:
        >>> plain_names(["fluency", "Uses Knowledge", "uses/knowledge"])
        ('fluency', 'Uses-Knowledge', 'uses-knowledge')
    """
    found: list[str] = []
    for name in names:
        plain = base = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "question"
        number = 2
        while plain in found:
            plain, number = f"{base}-{number}", number + 1
        found.append(plain)
    return tuple(found)


def file_endings(sections: Sequence[TitledSection]) -> tuple[str, ...]:
    """What is put behind the name of a file of each section: nothing when there is only one.

    Letters that do not belong into file names become dashes; a number tells apart what is then the same.
    """
    if len(sections) == 1:
        return ("",)
    endings: list[str] = []
    for section in sections:
        words = section.title or f"arm {section.arm or 'main'}"
        plain = re.sub(r"[^A-Za-z0-9]+", "-", words).strip("-").lower()
        ending, number = f".{plain}", 2
        while ending in endings:
            ending, number = f".{plain}-{number}", number + 1
        endings.append(ending)
    return tuple(endings)
