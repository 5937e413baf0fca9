"""Persona detection: afterwards, annotators say which of two personas their partner had (ConvAI2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from duologue.dialogues import Dialogue, Json
from duologue.protocols import Item

DETECTION = "detection"
"""The extra of an item that says between which personas annotators choose, and where the true one is."""

OTHER_PERSONA = "other_persona"
"""The extra of a live chat's plan, and so of its dialogue's briefing: the persona beside the true one."""

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Detection:
    """Which of two personas was the partner's: the true one, another one, and the side of the true one."""

    persona: Lines
    other_persona: Lines
    true_side: int
    spare_persona: Lines = ()
    """A third one, where the partner is human: they may have been given the other one, or the annotator."""

    def record(self) -> dict[str, Json]:
        """The choice as it stands in an item's extras."""
        return {
            "persona": list(self.persona),
            OTHER_PERSONA: list(self.other_persona),
            "true_side": self.true_side,
            **({"spare_persona": list(self.spare_persona)} if self.spare_persona else {}),
        }

    def as_held(self, dialogue: Dialogue | None) -> Detection:
        """The choice with the persona that the partner really had: a human partner brings their own.

        Beside it stands one that the annotator was not given as theirs, where there is one.
        """
        told = briefing_of(dialogue) if dialogue else {}
        held = lines_of(told, "persona")
        if not held or held == self.persona:
            return self
        known = (lines_of(told, OTHER_PERSONA), self.other_persona, self.persona, self.spare_persona)
        others = [one for one in known if one and one != held]
        other = next((one for one in others if one != lines_of(told, "annotator_persona")), others[0])
        return replace(self, persona=held, other_persona=other)


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
        other_persona=lines_of(record, OTHER_PERSONA),
        true_side=2 if record.get("true_side") == 2 else 1,
        spare_persona=lines_of(record, "spare_persona"),
    )


def lines_of(record: Mapping[str, Json], key: str) -> Lines:
    """The lines of a persona in a record; none when it has no such field."""
    lines = record.get(key, ())
    return tuple(str(line) for line in lines) if isinstance(lines, list | tuple) else ()


def briefing_of(dialogue: Dialogue) -> Mapping[str, Json]:
    """What the speakers of a dialogue were told, as stored with it; nothing when nothing is."""
    briefing = dialogue.extras.get("briefing")
    return briefing if isinstance(briefing, Mapping) else {}
