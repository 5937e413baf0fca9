"""Items as a file: one JSON object a line under a header, dialogues by id."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from duologue.errors import FormatError, NewerFormat
from duologue.protocols.chat import CHAT
from duologue.protocols.records import Item

FORMAT = "duologue.items/1"


def write_items(items: Iterable[Item], path: Path, *, drawn_from: str = "") -> int:
    """Write items to a file, whole or not at all; returns how many.

    Args:
        items: The items.
        path: The file.
        drawn_from: A name for all they were drawn from, kept in the header.
    """
    count = 0
    header = {"format": FORMAT} | ({"drawn_from": drawn_from} if drawn_from else {})
    draft = path.with_name(path.name + ".tmp")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(header) + "\n")
            for item in items:
                file.write(_as_line(item))
                count += 1
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return count


def read_items(path: Path) -> Iterator[Item]:
    """Read items one by one.

    Raises:
        FormatError: A line is not an item; says which.
        NewerFormat: A later version of Duologue wrote the file.
    """
    try:
        file = path.open(encoding="utf-8")
    except OSError as error:
        raise FormatError(
            path,
            expected="a pairings file",
            got=error.strerror or "nothing",
            hint="Make one with `duologue pairings make`.",
        ) from error
    with file:
        for number, line in enumerate(file, 1):
            record = _json_object(path, number, line)
            if number == 1:
                _check_header(path, record)
            else:
                yield _as_item(path, number, record)


def items_drawn_from(path: Path) -> str:
    """What the items of a file were drawn from; empty for a file that was made another way.

    Raises:
        FormatError: It is no file of items.
    """
    with path.open(encoding="utf-8") as file:
        record = _json_object(path, 1, file.readline())
    _check_header(path, record)
    return str(record.get("drawn_from", ""))


def _as_line(item: Item) -> str:
    record: dict[str, object] = {
        "id": item.id,
        "group": item.group,
        "bots": item.bots,
        "dialogues": item.dialogues,
        "judged": item.judged,
    }
    if item.is_onboarding:
        record |= {"is_onboarding": True, "gold": item.gold}
    if item.extras:
        record["extras"] = item.extras
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _json_object(path: Path, number: int, line: str) -> dict[str, object]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise FormatError(path, line=number, expected="a JSON object", got=str(error)) from error
    if not isinstance(record, dict):
        raise FormatError(path, line=number, expected="a JSON object", got=type(record).__name__)
    return record


def _check_header(path: Path, record: dict[str, object]) -> None:
    found = record.get("format")
    if found == FORMAT:
        return
    if isinstance(found, str) and found.startswith("duologue.items/"):
        raise NewerFormat(path, found, FORMAT)
    raise FormatError(
        path,
        line=1,
        field="format",
        expected=f'a header {{"format": "{FORMAT}"}}',
        hint="A published pairings file is brought in with `duologue pairings import FILE --study DIR`.",
    )


_STRINGS = frozenset({str})


def _as_item(path: Path, number: int, record: dict[str, object]) -> Item:
    def text(key: str) -> str:
        value = record.get(key)
        if not isinstance(value, str) or not value:
            raise FormatError(path, line=number, field=key, expected="a string")
        return value

    def texts(key: str) -> tuple[str, ...]:
        value = record.get(key)
        if not isinstance(value, list) or not _STRINGS.issuperset(map(type, value)):
            raise FormatError(path, line=number, field=key, expected="a list of strings")
        return tuple(value)

    gold = record.get("gold")
    if gold is not None and (not isinstance(gold, int) or isinstance(gold, bool)):
        raise FormatError(path, line=number, field="gold", expected="the number of a slot")
    bots, dialogues, judged = texts("bots"), texts("dialogues"), texts("judged")
    extras = record.get("extras", {})
    if not isinstance(extras, dict):
        raise FormatError(path, line=number, field="extras", expected="an object")
    shown = () if CHAT in extras else bots  # a live chat has no dialogue until it is held
    if not len(shown) == len(dialogues) == len(judged) or not bots:
        raise FormatError(path, line=number, expected="as many bots as dialogues and judged speakers")
    if gold is not None and not 0 <= gold < len(bots):
        raise FormatError(path, line=number, field="gold", expected=f"a slot from 0 to {len(bots) - 1}")
    return Item(
        id=text("id"),
        group=text("group"),
        bots=bots,
        dialogues=dialogues,
        judged=judged,
        is_onboarding=bool(record.get("is_onboarding", False)),
        gold=gold,
        extras=extras,
    )
