"""Dialogues that a text file tells line by line: what the partner says, then the reply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from duologue.dialogues.reading import Assembler, ForeignRecord, LocatedDialogue
from duologue.dialogues.records import DialogueKind, Turn
from duologue.dialogues.sources import Source
from duologue.errors import FormatError

PARTNER, REPLY = "partner", "you"
"""The two speakers. Persona lines call them so: "your persona", "partner's persona"."""

PERSONAS = ("your persona:", "partner's persona:")


def read_persona_line(line: str) -> tuple[str, str]:
    """The speaker whom a persona line is about, and what it says; of other lines no speaker, and all of it.

    Example:
        >>> read_persona_line("your persona: i like tea."), read_persona_line("It rains.")
        (('you', 'i like tea.'), ('', 'It rains.'))
    """
    for speaker, beginning in zip((REPLY, PARTNER), PERSONAS, strict=True):
        if line.startswith(beginning):
            return speaker, line.removeprefix(beginning).strip()
    return "", line


_SILENCE = "__SILENCE__"
"""What ParlAI writes for the partner when the other side opens the dialogue."""


@dataclass(slots=True)
class Episode:
    """A dialogue while its lines are still coming in."""

    line: int
    context: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    is_left_out: bool = False

    def say(self, line: int, turn: Turn) -> None:
        """Add a turn, unless nobody spoke."""
        if turn.speaker == PARTNER and turn.text == _SILENCE:
            return
        self.turns.append(turn)
        self.lines.append(line)

    def foreign_record(self, kind: DialogueKind) -> ForeignRecord:
        """Return the finished dialogue; the one who replies is judged."""
        return ForeignRecord(
            line=self.line,
            names=(PARTNER, REPLY),
            turns=tuple(self.turns),
            judged=REPLY,
            kind=kind,
            name_turn=lambda number: f"turn of {self.turns[number].speaker!r} on line {self.lines[number]}",
            context=tuple(self.context),
        )


def finished(
    source: Source, assembler: Assembler, episode: Episode, kind: DialogueKind
) -> Iterator[LocatedDialogue]:
    """Yield the dialogue an episode makes, or leave it out; nothing for one that was left out before."""
    if episode.is_left_out:
        return
    try:
        dialogue = assembler.dialogue(episode.foreign_record(kind))
    except FormatError as error:
        source.leave_out(error)
    else:
        yield LocatedDialogue(episode.line, dialogue)


def leave_out_episode(source: Source, episode: Episode, error: FormatError) -> None:
    """Leave out a whole dialogue for one bad line of it, once."""
    if not episode.is_left_out:
        begin = f"The dialogue it belongs to begins on line {episode.line}."
        hint = f"{error.hint} {begin}" if error.hint else begin
        source.leave_out(
            source.error(error.line, error.field, expected=error.expected, got=error.got, hint=hint)
        )
    episode.is_left_out = True
