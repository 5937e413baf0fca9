"""ACUTE-Eval ``pairings.jsonl``: two dialogues a line, one judged speaker in each (Li et al. 2019).

Beyond the published format a line may have three dialogues, which are ranked; of an onboarding line
``last_answer`` is then the number of the dialogue that should come last, from 0.

The order rule: ``speakers_to_eval[i]`` is judged in ``dialogue_dicts[i]``. A turn is that speaker's when its
``id`` is that name. Fields we do not use are kept at every level and written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from duologue.dialogues.checks import MAX_TURN_CHARS
from duologue.dialogues.extras import unknown_fields, with_extras
from duologue.dialogues.formats.acute_sides import read_side, side_record
from duologue.dialogues.json_values import dump_json, json_name, json_objects
from duologue.dialogues.reading import LocatedDialogue, ReadingOptions, check_agrees, objects_of
from duologue.dialogues.records import Dialogue, DialogueKind, Json
from duologue.dialogues.sources import OnBad, OnProgress, Source
from duologue.errors import ExportError, FormatError
from duologue.files import replacing

_FIELDS = frozenset({"is_onboarding", "speakers_to_eval", "dialogue_ids", "dialogue_dicts"})


@dataclass(frozen=True, slots=True)
class PairingLine:
    """One line of a pairings file.

    ``judged`` are the names in ``speakers_to_eval``, which are the bots' names: two, or three of a ranking.
    ``correct`` is the side (0 or 1) of an onboarding line's ``correct_answer``: two sides may bear the same
    name, so answers are kept by side. Of a ranking ``last`` is the side that should come last.
    ``dialogue_ids`` are the file's own, ``None`` where it has none.
    """

    dialogues: tuple[Dialogue, ...]
    judged: tuple[str, ...]
    is_onboarding: bool = False
    correct: int | None = None
    dialogue_ids: tuple[Json, ...] | None = None
    extras: Mapping[str, Json] = field(default_factory=dict)
    line: int | None = None
    last: int | None = None


def is_acute(record: Mapping[str, Json]) -> bool:
    """Whether an object is a line of a pairings file."""
    return "dialogue_dicts" in record and "speakers_to_eval" in record


def read_pairing_lines(
    path: Path | str,
    *,
    kind: DialogueKind | None = None,
    speaker_index: int | None = None,
    speaker_map: Mapping[str, str] | None = None,
    max_turn_chars: int = MAX_TURN_CHARS,
    on_bad: OnBad | None = None,
    on_progress: OnProgress | None = None,
) -> Iterator[PairingLine]:
    """Yield the lines of a pairings file, which may also be one JSON object over many lines.

    Args:
        path: The file.
        kind: What kind of dialogues these are; live chats unless said otherwise.
        speaker_index: Which side is judged (0 opens the dialogue) in self-chats whose turns all bear the
            bot's name; allowed with ``kind="self-chat"`` only.
        speaker_map: Who a turn's id means when it is not one of the speakers' names. ``"<judged>"`` and
            ``"<partner>"`` stand for the judged speaker of a dialogue and for the other one: the published
            template needs ``{"model1": "<judged>"}``.
        max_turn_chars: Longer turns are refused.
        on_bad: Told of every bad line; without it the first one raises.
        on_progress: Told now and then how many bytes were read, of how many.

    Raises:
        FormatError: A line breaks the rules of the format.
    """
    source = Source(Path(path), on_bad, on_progress)
    reading = ReadingOptions(
        kind=kind,
        speaker_index=speaker_index,
        speaker_map=speaker_map or {},
        max_turn_chars=max_turn_chars,
    )
    return pairing_lines(source, reading)


def pairing_lines(source: Source, reading: ReadingOptions) -> Iterator[PairingLine]:
    """Yield the lines of a pairings file that is being read."""
    for line, record in json_objects(source):
        try:
            pairing = _pairing(source, line, record, reading)
            for dialogue in pairing.dialogues:
                check_agrees(dialogue, source, line, reading)
        except FormatError as error:
            source.leave_out(error)
            continue
        yield pairing


def read_acute(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a pairings file, those of onboarding lines marked as such."""
    for pairing in pairing_lines(source, reading):
        for dialogue in pairing.dialogues:
            yield LocatedDialogue(pairing.line or 1, dialogue, pairing.is_onboarding)


def write_pairing_lines(lines: Iterable[PairingLine], path: Path | str) -> int:
    """Write a pairings file, whole or not at all, and return the number of lines.

    In each dialogue the judged speaker bears the bot's name, as the format wants it.

    Raises:
        ExportError: The format has no place for a line: turns that do not alternate, more than two
            speakers, ``judged`` that are not the bots.
    """
    count = 0
    with replacing(Path(path)) as file:
        for line in lines:
            file.write((dump_json(_record(line, Path(path))) + "\n").encode("utf-8"))
            count += 1
    return count


def _pairing(source: Source, line: int, record: Mapping[str, Json], reading: ReadingOptions) -> PairingLine:
    judged = _names(source, line, record.get("speakers_to_eval"))
    count = len(judged)
    sides = objects_of(source, line, record.get("dialogue_dicts"), "dialogue_dicts")
    if len(sides) != count:
        raise source.error(
            line, "dialogue_dicts", expected=f"{_COUNTS[count]} dialogues", got=f"{len(sides)}"
        )
    is_onboarding = record.get("is_onboarding", False)
    if not isinstance(is_onboarding, bool):
        raise source.error(line, "is_onboarding", expected="true or false", got=json_name(is_onboarding))
    ids = _dialogue_ids(source, line, record, count)
    dialogues = tuple(
        read_side(
            source, line, side, sides[side], judged=judged[side], key=ids and ids[side], reading=reading
        )
        for side in range(count)
    )
    answer = "correct_answer" if count == 2 else "last_answer"
    known = _FIELDS | {answer} if is_onboarding else _FIELDS
    return PairingLine(
        dialogues=dialogues,
        judged=judged,
        is_onboarding=is_onboarding,
        correct=_correct(source, line, record, judged) if is_onboarding and count == 2 else None,
        dialogue_ids=ids,
        extras=unknown_fields(record, known),
        line=line,
        last=_last(source, line, record) if is_onboarding and count > 2 else None,
    )


_COUNTS = {2: "two", 3: "three"}


def _names(source: Source, line: int, value: Json) -> tuple[str, ...]:
    if isinstance(value, list) and len(value) in _COUNTS:
        names = tuple(name for name in value if isinstance(name, str))
        if len(names) == len(value):
            return names
    got = "no such field" if value is None else json_name(value)
    raise source.error(line, "speakers_to_eval", expected="two names, or three", got=got)


def _dialogue_ids(
    source: Source, line: int, record: Mapping[str, Json], count: int
) -> tuple[Json, ...] | None:
    value = record.get("dialogue_ids")
    if "dialogue_ids" not in record:
        return None
    if not isinstance(value, list) or len(value) != count:
        raise source.error(line, "dialogue_ids", expected=f"{_COUNTS[count]} ids", got=json_name(value))
    return tuple(value)


def _last(source: Source, line: int, record: Mapping[str, Json]) -> int:
    last = record.get("last_answer")
    if not isinstance(last, int) or isinstance(last, bool) or not 0 <= last < max(_COUNTS):
        got = json_name(last) if "last_answer" in record else "no such field"
        expected = "the number of the dialogue that should come last, from 0 to 2"
        raise source.error(line, "last_answer", expected=expected, got=got)
    return last


def _correct(source: Source, line: int, record: Mapping[str, Json], judged: tuple[str, ...]) -> int:
    answer = record.get("correct_answer")
    if not isinstance(answer, str) or answer not in judged:
        got = json_name(answer) if "correct_answer" in record else "no such field"
        expected = f"one of the speakers to evaluate ({', '.join(judged)})"
        raise source.error(line, "correct_answer", expected=expected, got=got)
    if judged[0] == judged[1]:
        hint = "Give the two sides different names: an answer by name cannot say which side is right."
        raise source.error(
            line, "correct_answer", expected="a name that only one side has", got=json_name(answer), hint=hint
        )
    return judged.index(answer)


def _record(line: PairingLine, path: Path) -> dict[str, Json]:
    for name, dialogue in zip(line.judged, line.dialogues, strict=True):
        if name != dialogue.bot:
            raise ExportError(
                path, f"{name!r} is not the bot of dialogue {dialogue.id!r} ({dialogue.bot!r})."
            )
    record: dict[str, Json] = {"is_onboarding": line.is_onboarding, "speakers_to_eval": list(line.judged)}
    if line.correct is not None:
        if line.judged[0] == line.judged[1]:
            raise ExportError(path, f"a correct answer by name cannot tell {line.judged[0]!r} from itself.")
        record["correct_answer"] = line.judged[line.correct]
    if line.last is not None:
        record["last_answer"] = line.last
    if line.dialogue_ids is not None:
        record["dialogue_ids"] = list(line.dialogue_ids)
    record["dialogue_dicts"] = [side_record(dialogue, path) for dialogue in line.dialogues]
    return with_extras(record, line.extras)
