"""What every dialogue must be, whichever file it came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from duologue.dialogues.records import DIALOGUE_KINDS, Dialogue, Turn
from duologue.dialogues.sources import Source
from duologue.errors import FormatError

MAX_TURN_CHARS = 100_000
"""A longer turn is refused unless the caller allows it: nobody reads it, and it may be an accident."""

NameTurn = Callable[[int], str]
"""How the file calls turn number n (counted from 0), for messages."""


def turn_of_ours(number: int) -> str:
    """Name a turn as Duologue's own format does."""
    return f"turns[{number}].text"


def check_dialogue(
    dialogue: Dialogue,
    source: Source,
    line: int,
    *,
    max_turn_chars: int = MAX_TURN_CHARS,
    name_turn: NameTurn = turn_of_ours,
) -> Dialogue:
    """Return the dialogue if it can be shown and judged.

    Raises:
        FormatError: A name is empty, the judged speaker is unknown or never speaks, a turn is empty, too
            long or by nobody known, or some text cannot be stored (NUL, half a surrogate pair).
    """
    for field, expected, got in _faults(dialogue, max_turn_chars, name_turn):
        raise _explained(source, line, field, expected, got)
    return dialogue


def _explained(source: Source, line: int, field: str, expected: str, got: str) -> FormatError:
    hint = None
    if expected.startswith("a turn of at most"):
        hint = "Allow longer turns with max_turn_chars in [study] (or --max-turn-chars), or split the turn."
    elif expected.startswith("an image"):
        hint = "Embed the image: pages load nothing from other hosts."
    return source.error(line, field, expected=expected, got=got, hint=hint)


Fault = tuple[str, str, str]
"""The field, what was expected there, and what was found."""


def _faults(dialogue: Dialogue, max_turn_chars: int, name_turn: NameTurn) -> Iterator[Fault]:
    yield from _faults_of_names(dialogue)
    names = {speaker.name for speaker in dialogue.speakers}
    has_spoken = False
    for number, turn in enumerate(dialogue.turns):
        if turn.speaker not in names:
            yield (
                name_turn(number),
                f"a turn by one of the speakers ({_listed(names)})",
                f"one by {turn.speaker!r}",
            )
        has_spoken = has_spoken or turn.speaker == dialogue.judged
        if not turn.text or turn.image is not None or len(turn.text) > max_turn_chars or turn.text.isspace():
            yield from _faults_of_turn(turn, name_turn(number), max_turn_chars)
    if not dialogue.turns:
        yield "turns", "at least one turn", "none"
    elif not has_spoken:
        yield "judged", f"at least one turn by the judged speaker {dialogue.judged!r}", "none"
    yield from _faults_of_text(dialogue, name_turn)


def _faults_of_names(dialogue: Dialogue) -> Iterator[Fault]:
    for field, value in (("id", dialogue.id), ("bot", dialogue.bot), ("judged", dialogue.judged)):
        if not value or value.isspace():
            yield field, "a name", "an empty text"
    if dialogue.kind not in DIALOGUE_KINDS:
        yield "kind", f"one of {', '.join(DIALOGUE_KINDS)}", repr(dialogue.kind)
    names = [speaker.name for speaker in dialogue.speakers]
    if len(set(names)) < len(names):
        yield "speakers", "speakers with different names", _listed(names)
    if dialogue.judged not in names:
        yield "judged", f"one of the speakers ({_listed(names)})", repr(dialogue.judged)
    for speaker in dialogue.speakers:
        if not speaker.name or speaker.name.isspace():
            yield "speakers", "speakers with names", "an empty text"
        if speaker.name == dialogue.judged and speaker.bot not in (None, dialogue.bot):
            yield "speakers", f"the judged speaker to be the bot {dialogue.bot!r}", repr(speaker.bot)


def _faults_of_turn(turn: Turn, field: str, max_turn_chars: int) -> Iterator[Fault]:
    if turn.image is None and (not turn.text or turn.text.isspace()):
        yield field, "what was said", "an empty text"
    if len(turn.text) > max_turn_chars:
        yield field, f"a turn of at most {max_turn_chars} characters", f"one of {len(turn.text)}"
    if turn.image is not None and not turn.image.startswith("data:image/"):
        yield field, "an image that is a data:image/… address", repr(turn.image[:40])


def _faults_of_text(dialogue: Dialogue, name_turn: NameTurn) -> Iterator[Fault]:
    """Find text that UTF-8, a database or a page cannot hold; one look at all of it is usually enough."""
    texts = [turn.text for turn in dialogue.turns]
    names = [dialogue.id, dialogue.bot, *(speaker.name for speaker in dialogue.speakers)]
    if _unstorable("".join([*names, *dialogue.context, *texts])) is None:
        return
    for field, text in (
        ("id", dialogue.id),
        ("bot", dialogue.bot),
        *(("speakers", speaker.name) for speaker in dialogue.speakers),
        *((f"context[{number}]", text) for number, text in enumerate(dialogue.context)),
        *((name_turn(number), text) for number, text in enumerate(texts)),
    ):
        if found := _unstorable(text):
            yield field, "text that can be stored", found


def _unstorable(text: str) -> str | None:
    if "\0" in text:
        return f"a NUL character at character {text.index(chr(0)) + 1}"
    if text.isascii():
        return None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"half of a surrogate pair (U+{ord(text[error.start]):04X}) at character {error.start + 1}"
    return None


def _listed(names: set[str] | list[str]) -> str:
    return ", ".join(sorted(names)) if names else "none are listed"
