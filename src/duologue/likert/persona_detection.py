"""Persona detection: afterwards, annotators say which of two personas their partner had (ConvAI2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duologue.dialogues import Dialogue, Json
from duologue.protocols import Item

DETECTION = "detection"
"""The extra of an item that says between which personas annotators choose, and where the true one is."""

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Detection:
    """Which of two personas was the partner's: the true one, another one, and the side of the true one."""

    persona: Lines
    other_persona: Lines
    true_side: int

    def record(self) -> dict[str, Json]:
        """The choice as it stands in an item's extras."""
        return {
            "persona": list(self.persona),
            "other_persona": list(self.other_persona),
            "true_side": self.true_side,
        }


def detection_of(item: Item) -> Detection | None:
    """The personas of an item between which annotators choose; None when they are not asked to.

    Example:
        >>> choice = Detection(("i like tea.",), ("i like rain.",), 2)
        >>> detection_of(Item("c", "ada", ("ada",), (), (), extras={DETECTION: choice.record()})) == choice
        True
    """
    record = item.extras.get(DETECTION)
    if not isinstance(record, Mapping):
        return None
    return Detection(
        persona=lines_of(record, "persona"),
        other_persona=lines_of(record, "other_persona"),
        true_side=2 if record.get("true_side") == 2 else 1,
    )


def lines_of(record: Mapping[str, Json], key: str) -> Lines:
    """The lines of a persona in a record; none when it has no such field."""
    lines = record.get(key, ())
    return tuple(str(line) for line in lines) if isinstance(lines, list | tuple) else ()


def personas_of(dialogue: Dialogue) -> tuple[Lines, Lines]:
    """The persona of the judged speaker and another one, as stored with dialogues that were held with one."""
    briefing = dialogue.extras.get("briefing")
    if not isinstance(briefing, Mapping):
        return (), ()
    return lines_of(briefing, "persona"), lines_of(briefing, "other_persona")
