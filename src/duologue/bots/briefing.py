"""What the speakers of a dialogue are told before it begins: personas, a topic, a first turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from duologue.bots.base import Message
from duologue.dialogues import MAX_TURN_CHARS, Dialogue, Json, detect_format, read_dialogues
from duologue.errors import FormatError, UnreadableFile
from duologue.files import fits_utf8
from duologue.strict_json import read_strictly

PERSONA, PARTNER, TOPIC = "your persona: ", "partner's persona: ", "topic: "
"""How the lines begin, as in PersonaChat."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """Personas, topic and first turn of one dialogue.

    ``persona`` is for the speaker who is judged, ``partner_persona`` for the other one.
    """

    persona: tuple[str, ...] = ()
    partner_persona: tuple[str, ...] = ()
    topic: str = ""
    opener: str = ""

    def lines(self, *, is_judged: bool = True) -> tuple[str, ...]:
        """What one of the speakers is told, line by line.

        Example:
            >>> Briefing(persona=("i like tea.",), topic="rain").lines()
            ('your persona: i like tea.', 'topic: rain')
        """
        persona = self.persona if is_judged else self.partner_persona
        topic = (f"{TOPIC}{self.topic}",) if self.topic else ()
        return (*(f"{PERSONA}{line}" for line in persona), *topic)

    def record(self) -> dict[str, Json]:
        """The briefing as it is stored with a dialogue; what is empty is left out."""
        whole: dict[str, Json] = {
            "persona": list(self.persona),
            "partner_persona": list(self.partner_persona),
            "topic": self.topic,
            "opener": self.opener,
        }
        return {key: value for key, value in whole.items() if value}


def prompted(messages: Sequence[Message], system_prompt: str) -> tuple[Message, ...]:
    """What was said so far, with all a bot is told gathered in one first message, if there is anything.

    ``{persona}`` and ``{topic}`` in the prompt are filled in. What it has no place for is added below it.

    Example:
        >>> told = (Message("system", "your persona: i like tea."), Message("user", "Hi!"))
        >>> prompted(told, "You are kind. About you: {persona}")[0].text
        'You are kind. About you: i like tea.'
    """
    told = [message.text for message in messages if message.role == "system"]
    said = tuple(message for message in messages if message.role != "system")
    text, left = system_prompt, told
    for place, beginning in (("{persona}", PERSONA), ("{topic}", TOPIC)):
        if place in text:
            fitting = [line.removeprefix(beginning) for line in told if line.startswith(beginning)]
            text = text.replace(place, "\n".join(fitting))
            left = [line for line in left if not line.startswith(beginning)]
    whole = "\n".join(filter(None, (text.strip(), *left)))
    return (Message("system", whole), *said) if whole else said


def read_briefings(path: Path | str, *, max_turn_chars: int = MAX_TURN_CHARS) -> tuple[Briefing, ...]:
    """Read briefings: JSON lines, or dialogues in the PersonaChat format.

    A JSON line may hold ``persona`` and ``partner_persona`` (a text or a list of texts), ``topic`` and
    ``opener``. Of a PersonaChat dialogue the personas and the first turn are taken.

    Args:
        path: The file.
        max_turn_chars: A longer opener is refused: it is a turn like any other.

    Raises:
        FormatError: A line is not like that.
        UnreadableFile: The file cannot be opened.
    """
    path = Path(path)
    read = _from_personachat(path) if _is_personachat(path) else _from_lines(path)
    briefings = []
    for line, field, briefing in read:
        if len(briefing.opener) > max_turn_chars:
            raise FormatError(
                path,
                line=line,
                field=field,
                expected=f"at most {max_turn_chars:,} characters (max_turn_chars in [study])",
                got=f"{len(briefing.opener):,}",
            )
        briefings.append(briefing)
    if not briefings:
        raise FormatError(path, expected="at least one briefing", got="none")
    return tuple(briefings)


_LocatedBriefing = tuple[int | None, str, Briefing]
"""A briefing, with the line it stands on and what its opener is called there."""


def _is_personachat(path: Path) -> bool:
    return next((not text.startswith("{") for _, text in _lines(path)), False)


def _from_personachat(path: Path) -> Iterator[_LocatedBriefing]:
    if detect_format(path) != "convai2":
        raise FormatError(path, expected="JSON lines, or a file in the PersonaChat format")
    found = read_dialogues(path, bot="human", kind="human-human", max_turn_chars=2**63)
    for number, dialogue in enumerate(found, 1):
        briefing = Briefing(
            persona=_persona(dialogue, PERSONA),
            partner_persona=_persona(dialogue, PARTNER),
            opener=dialogue.turns[0].text,
        )
        yield None, f"first turn of dialogue {number:,}", briefing


def _persona(dialogue: Dialogue, beginning: str) -> tuple[str, ...]:
    return tuple(line.removeprefix(beginning) for line in dialogue.context if line.startswith(beginning))


def _from_lines(path: Path) -> Iterator[_LocatedBriefing]:
    for line, text in _lines(path):
        try:
            entry = read_strictly(text)
        except ValueError:
            raise FormatError(path, line=line, expected="a JSON object", got=repr(text[:40])) from None
        if not isinstance(entry, dict):
            raise FormatError(path, line=line, expected="a JSON object", got=repr(text[:40]))
        if "\\u" in text and not fits_utf8(json.dumps(entry, ensure_ascii=False)):
            raise FormatError(path, line=line, expected="whole characters", got="half of a surrogate pair")
        if unknown := sorted(entry.keys() - _FIELDS):
            known = ", ".join(sorted(_FIELDS))
            raise FormatError(path, line=line, field=unknown[0], expected=f"one of the fields {known}")
        briefing = Briefing(
            persona=_texts(path, line, entry, "persona"),
            partner_persona=_texts(path, line, entry, "partner_persona"),
            topic=_text(path, line, entry, "topic"),
            opener=_text(path, line, entry, "opener"),
        )
        yield line, "opener", briefing


_FIELDS = frozenset({"persona", "partner_persona", "topic", "opener"})


def _texts(path: Path, line: int, entry: Mapping[str, Json], field: str) -> tuple[str, ...]:
    value = entry.get(field, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) and text.strip() for text in texts):
        raise FormatError(path, line=line, field=field, expected="a text, or a list of texts")
    return tuple(cast("list[str]", texts))


def _text(path: Path, line: int, entry: Mapping[str, Json], field: str) -> str:
    value = entry.get(field, "")
    if not isinstance(value, str):
        raise FormatError(path, line=line, field=field, expected="a text")
    return value


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if text:
                    yield number, text
    except OSError as error:
        raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
    except UnicodeDecodeError as error:
        raise FormatError(path, expected="text in UTF-8", hint="Save the file as UTF-8.") from error
