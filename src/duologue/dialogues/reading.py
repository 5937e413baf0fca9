"""What the reader of a file adds to it, and how a foreign record becomes a dialogue."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from duologue.dialogues.checks import MAX_TURN_CHARS, NameTurn, check_dialogue
from duologue.dialogues.json_values import dump_json, json_name, json_objects
from duologue.dialogues.records import Dialogue, DialogueKind, Json, Speaker, Turn
from duologue.dialogues.sources import Source
from duologue.errors import FormatError, MissingDetail

HUMAN_NAMES = frozenset({"human", "human_evaluator", "localhuman", "person1", "user", "worker"})
"""What published logs call the person in a live chat, in lower case."""


class LocatedDialogue(NamedTuple):
    """A dialogue and the line of its file on which it begins."""

    line: int
    dialogue: Dialogue
    is_onboarding: bool = False


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What is said about a file by whoever reads it, because the file itself may not say."""

    bot: str | None = None
    kind: DialogueKind | None = None
    judged: str | None = None
    speaker_index: int | None = None
    speaker_map: Mapping[str, str] = field(default_factory=dict)
    max_turn_chars: int = MAX_TURN_CHARS


@dataclass(frozen=True, slots=True)
class ForeignRecord:
    """What a foreign format says about one dialogue.

    ``names`` are the speakers in the file's order. ``judged`` is the speaker judged unless the reader
    says otherwise, ``None`` when the format does not tell. ``key`` is the dialogue's own id there.
    """

    line: int
    names: tuple[str, ...]
    turns: tuple[Turn, ...]
    judged: str | None
    kind: DialogueKind
    name_turn: NameTurn
    bot: str | None = None
    key: Json = None
    context: tuple[str, ...] = ()
    extras: Mapping[str, Json] = field(default_factory=dict)


class Assembler:
    """Turns the records of one foreign file into dialogues, with ids that no other bot's logs can have.

    The id is ``<bot>:<id in the file>``: two bots that answered the same prompts share the prompts' ids.
    An id that begins so already is left alone, as when a file we wrote comes back.
    Where the file has none, it is made from what is said, so that reading the file again gives it again;
    the second dialogue with the very same content gets ``-2``.
    """

    def __init__(self, source: Source, reading: ReadingOptions) -> None:
        self._source, self._reading = source, reading
        self._seen: Counter[bytes] = Counter()

    def dialogue(self, record: ForeignRecord) -> Dialogue:
        """Return the checked dialogue.

        Raises:
            FormatError: It cannot be shown or judged.
            MissingDetail: Neither the file nor the reader says whose dialogues these are.
        """
        bot = self._reading.bot or record.bot
        if bot is None:
            raise MissingDetail(
                self._source.path, missing="which bot its dialogues belong to", option="--bot NAME (bot=…)"
            )
        kind = self._reading.kind or record.kind
        judged = self._judged(record)
        dialogue = Dialogue(
            id=id_within(bot, record.key),
            bot=bot,
            kind=kind,
            judged=judged,
            speakers=make_speakers(record.names, bot=bot, judged=judged, kind=kind),
            turns=record.turns,
            context=record.context,
            extras=record.extras,
        )
        dialogue = check_dialogue(
            dialogue,
            self._source,
            record.line,
            max_turn_chars=self._reading.max_turn_chars,
            name_turn=record.name_turn,
        )
        return dialogue if has_key(record.key) else replace(dialogue, id=f"{bot}:{self._made_key(dialogue)}")

    def _judged(self, record: ForeignRecord) -> str:
        if self._reading.judged is not None:
            return self._reading.judged
        index = self._reading.speaker_index
        if index is not None:
            if not 0 <= index < len(record.names):
                raise self._source.error(
                    record.line,
                    "speakers",
                    expected=f"a speaker number {index}, counted from 0",
                    got=f"{len(record.names)} speakers ({', '.join(record.names)})",
                )
            return record.names[index]
        if record.judged is None:
            names = ", ".join(record.names)
            raise MissingDetail(
                self._source.path,
                missing=f"which of its speakers is judged ({names})",
                option="--speaker-index NUMBER, counted from 0",
            )
        return record.judged

    def _made_key(self, dialogue: Dialogue) -> str:
        digest = dialogue.content_hash
        short = bytes.fromhex(digest[:32])
        self._seen[short] += 1
        times = self._seen[short]
        return digest[:16] + (f"-{times}" if times > 1 else "")


def read_foreign(
    source: Source,
    reading: ReadingOptions,
    record_of: Callable[[Source, int, Mapping[str, Json]], ForeignRecord],
) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a file with one JSON object for each; ``record_of`` says what it holds."""
    assembler = Assembler(source, reading)
    for line, record in json_objects(source):
        try:
            dialogue = assembler.dialogue(record_of(source, line, record))
        except FormatError as error:
            source.leave_out(error)
            continue
        yield LocatedDialogue(line, dialogue)


def check_agrees(dialogue: Dialogue, source: Source, line: int, reading: ReadingOptions) -> None:
    """Check a dialogue of a format that says everything itself against what its reader says.

    Raises:
        FormatError: They differ.
    """
    for field_name, said, found in (
        ("bot", reading.bot, dialogue.bot),
        ("kind", reading.kind, dialogue.kind),
        ("judged", reading.judged, dialogue.judged),
    ):
        if said is not None and said != found:
            hint = f"This format says it itself: leave --{field_name} out."
            raise source.error(line, field_name, expected=repr(said), got=repr(found), hint=hint)


def make_speakers(names: Sequence[str], *, bot: str, judged: str, kind: DialogueKind) -> tuple[Speaker, ...]:
    """Say which speakers are the bot: the judged one, and in a self-chat both."""
    return tuple(Speaker(name, bot if name == judged or kind == "self-chat" else None) for name in names)


def has_key(key: Json) -> bool:
    """Whether a file's own id is one: a text that is not empty, a number, anything but null."""
    return key is not None and key != ""


def id_within(bot: str, key: Json) -> str:
    """Return the id of a dialogue among all bots' dialogues, from its id among one bot's.

    Example:
        >>> id_within("ada", 7), id_within("ada", "ada:7")
        ('ada:7', 'ada:7')
    """
    written = key if isinstance(key, str) else dump_json(key)
    return written if written.startswith(f"{bot}:") else f"{bot}:{written}"


def digest_of(text: str) -> bytes:
    """Return 16 bytes that stand for a text of any length."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def text_of(source: Source, line: int, record: Mapping[str, Json], key: str, field: str) -> str:
    """Return a text out of a record.

    Raises:
        FormatError: It is missing or something else.
    """
    value = record.get(key)
    if isinstance(value, str):
        return value
    got = json_name(value) if key in record else "no such field"
    raise source.error(line, f"{field}{key}", expected="a text", got=got)


def read_speaker(source: Source, line: int, place: str, entry: Mapping[str, Json]) -> Speaker:
    """Return a speaker as our own fields say who it is.

    Raises:
        FormatError: A field is missing or something else.
    """
    bot = entry.get("bot")
    if bot is not None and not isinstance(bot, str):
        raise source.error(line, f"{place}.bot", expected="a text or null", got=json_name(bot))
    return Speaker(text_of(source, line, entry, "name", f"{place}."), bot)


def objects_of(source: Source, line: int, value: Json, field: str) -> list[dict[str, Json]]:
    """Return a list of objects.

    Raises:
        FormatError: It is not a list, or something in it is not an object.
    """
    if not isinstance(value, list):
        got = "no such field" if value is None else json_name(value)
        raise source.error(line, field, expected="a list", got=got)
    for number, entry in enumerate(value):
        if not isinstance(entry, dict):
            raise source.error(line, f"{field}[{number}]", expected="an object", got=json_name(entry))
    return value
