"""Plain transcripts: ``Name: text`` a line, and a blank line or a marker between dialogues."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from duologue.dialogues.json_values import is_json_line
from duologue.dialogues.reading import HUMAN_NAMES, Assembler, ForeignRecord, LocatedDialogue, ReadingOptions
from duologue.dialogues.records import DialogueKind, Turn
from duologue.dialogues.sources import Source, is_blank
from duologue.errors import FormatError

_TURN = re.compile(
    r"(?:\[[^\]]{0,40}?\d:\d\d[^\]]{0,40}\] ?)?(?!\[[^\]]{0,40}?\d:\d)"
    r"([^\s:：.?!,;][^:：.?!,;\t]{0,39}?) ?[:：](?!//) ?(.*)",
    re.DOTALL,
)
"""A name has no punctuation, so that a sentence with a colon in it is no turn. A time may stand
before it: ``[10:02]``."""

_RULE = re.compile(r"[-=*_#~]{3,}")
_HUMANS = HUMAN_NAMES | {"person", "participant", "evaluator", "annotator", "tester"}


def is_transcript(lines: Sequence[str]) -> bool:
    """Whether lines look like turns with a name in front: most of them do, and the names come again.

    Example:
        >>> is_transcript(["Conversation 1", "Ann: Hi!", "Bot: Hello.", "Ann: Tea?"])
        True
        >>> is_transcript(["Dear all: the tea is ready.", "Note: it is hot."])
        False
    """
    names = [turn[1] for line in lines if (turn := _TURN.fullmatch(line)) is not None]
    return len(names) >= max(2, len(lines) / 2) and len(set(names)) < len(names)


def read_transcripts(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a plain transcript.

    A file whose first line is no turn has such a line, apart from numbers, before every dialogue, and blank
    lines mean nothing. In other files a blank line ends a dialogue. A line of dashes or the like always
    does. A line without a name goes on with the turn above it.
    """
    first = next((text for _, text in source.head() if isinstance(text, str) and text.strip()), "")
    if is_json_line(first):
        hint = "Leave the format out: it is found by what stands in the file."
        raise source.error(None, expected="a plain transcript (Name: text)", got="JSON", hint=hint)
    assembler = Assembler(source, reading)
    marker = _marker(source)
    dialogue: _Transcript | None = None
    for line, text in source.lines():
        is_end = is_blank(text) and marker is None
        is_start = isinstance(text, str) and _is_marker(text, marker)
        if (is_end or is_start) and dialogue is not None:
            yield from dialogue.finished(source, assembler, reading)
            dialogue = None
        if is_start:
            dialogue = _Transcript(
                line, title="" if _RULE.fullmatch(str(text).strip()) else str(text).strip()
            )
        elif not is_blank(text):
            dialogue = dialogue or _Transcript(line)
            dialogue.add(source, line, text)
    if dialogue is not None:
        yield from dialogue.finished(source, assembler, reading)


def _marker(source: Source) -> str | None:
    """What stands before every dialogue, apart from numbers; None where blank lines divide them."""
    first = next((text for _, text in source.head() if isinstance(text, str)), "")
    return None if _TURN.fullmatch(first) else _without_numbers(first)


def _is_marker(text: str, marker: str | None) -> bool:
    return bool(_RULE.fullmatch(text.strip())) or (
        marker is not None and not is_blank(text) and _without_numbers(text) == marker
    )


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "0", text.strip())


@dataclass(slots=True)
class _Transcript:
    """A dialogue while its lines are still coming in."""

    line: int
    title: str = ""
    turns: list[Turn] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    fault: FormatError | None = None

    def add(self, source: Source, line: int, text: str | FormatError) -> None:
        if isinstance(text, FormatError):
            self.fault = self.fault or text
            return
        turn = _TURN.fullmatch(text)
        if turn is None:
            self._go_on(source, line, text)
            return
        names = dict.fromkeys(turn.speaker for turn in self.turns)
        if turn[1] not in names and len(names) == 2:
            self.fault = self.fault or source.error(
                line,
                expected=f"a turn by one of the speakers ({', '.join(names)})",
                got=f"one by {turn[1]!r}",
                hint="A transcript has two speakers in a dialogue, and a blank line or a marker after it. "
                f"The dialogue begins on line {self.line}.",
            )
        self.turns.append(Turn(turn[1], turn[2]))
        self.lines.append(line)

    def _go_on(self, source: Source, line: int, text: str) -> None:
        if self.turns:
            self.turns[-1] = replace(self.turns[-1], text=f"{self.turns[-1].text}\n{text}")
        else:
            self.fault = self.fault or source.error(
                line, expected="a name, a colon and what was said", got=f"the text {text[:40]!r}"
            )

    def finished(
        self, source: Source, assembler: Assembler, reading: ReadingOptions
    ) -> Iterator[LocatedDialogue]:
        """Yield the dialogue, or leave it out; nothing when nobody spoke, as after two markers."""
        try:
            if self.fault is not None:
                raise self.fault
            if self.turns:
                yield LocatedDialogue(self.line, assembler.dialogue(self._record(source, reading)))
        except FormatError as error:
            source.leave_out(error)

    def _record(self, source: Source, reading: ReadingOptions) -> ForeignRecord:
        names = tuple(dict.fromkeys(turn.speaker for turn in self.turns))
        mapped = {name: reading.speaker_map[name] for name in names if name in reading.speaker_map}
        if reading.speaker_map and not mapped:
            known = ", ".join(reading.speaker_map)
            raise source.error(
                self.line, expected=f"a speaker that --speaker names ({known})", got=", ".join(names)
            )
        judged, kind = _judged(names, mapped)
        judged = reading.judged or judged
        return ForeignRecord(
            line=self.line,
            names=names,
            turns=tuple(self.turns),
            judged=judged,
            kind=kind,
            name_turn=lambda number: f"turn of {self.turns[number].speaker!r} on line {self.lines[number]}",
            bot=mapped.get(judged or "", None if judged is None or _is_human(judged) else judged),
            extras={"title": self.title} if self.title else {},
        )


def _judged(names: Sequence[str], mapped: dict[str, str]) -> tuple[str | None, DialogueKind]:
    """Who is judged, and what kind of dialogue it is: the one that is mapped, or the one that is no human."""
    if len(mapped) == 2 and len(set(mapped.values())) == 1:
        return names[0], "self-chat"
    kind: DialogueKind = "human-human" if all(map(_is_human, names)) else "live-chat"
    bots = list(mapped) or [name for name in names if not _is_human(name)]
    return (bots[0] if len(bots) == 1 else None), kind


def _is_human(name: str) -> bool:
    return re.sub(r"[\s_]*\d+$", "", name).lower() in _HUMANS
