"""Items as a file: one JSON object a line under a header, dialogues by id."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, get_args

from duologue.errors import FormatError, NewerFormat
from duologue.files import fits_utf8, replacing_by_name, sync
from duologue.judgments import Role
from duologue.protocols.chat import CHAT, chat_problem
from duologue.protocols.records import TURN_BY_TURN, Item
from duologue.strict_json import read_json

FORMAT = "duologue.items/1"


def write_items(items: Iterable[Item], path: Path, *, drawn_from: str = "") -> int:
    """Write items to a file, whole or not at all; returns how many.

    Args:
        items: The items.
        path: The file.
        drawn_from: A name for all they were drawn from, kept in the header.
    """
    with drafting_items(items, path, drawn_from=drawn_from) as count:
        return count


@contextmanager
def drafting_items(items: Iterable[Item], path: Path, *, drawn_from: str = "") -> Iterator[int]:
    """Write items beside a file, and put them in its place when the block ends well; gives how many.

    So that what belongs together is changed together: while the block runs nothing can go wrong with the
    items any more, and when it fails the file is what it was.

    Raises:
        ExportError: The file cannot be written, or an item holds lists within lists without end.
        StoreFull: The disk is full.
    """
    count = 0
    header = {"format": FORMAT} | ({"drawn_from": drawn_from} if drawn_from else {})
    with replacing_by_name(path) as draft:
        with draft.open("xb") as file:
            file.write(json.dumps(header).encode() + b"\n")
            for item in items:
                file.write(item_text(item).encode("utf-8") + b"\n")
                count += 1
            sync(file)
        yield count


def read_items(path: Path) -> Iterator[Item]:
    """Read items one by one.

    Raises:
        FormatError: A line is not an item; says which.
        NewerFormat: A later version of Duologue wrote the file.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise FormatError(
            path,
            expected="a file of items",
            got=error.strerror or "nothing",
        ) from error
    with file:
        for number, line in enumerate(file, 1):
            found = _TWO_SLOTS.fullmatch(line.decode("ascii")) if line.isascii() else None
            if found is not None and number > 1:
                key, group, bot, other, one, two, judged, against = found.groups()
                item = Item(key, group, (bot, other), (one, two), (judged, against))
                _set(item, "line", found.string[:-1])
                yield item
                continue
            record = _json_object(path, number, line)
            if number == 1:
                _check_header(path, record)
            else:
                item = _as_item(path, number, record)
                if b"\\u" in line:
                    _check_characters(path, number, item)
                yield item


def items_drawn_from(path: Path) -> str:
    """What the items of a file were drawn from; empty for a file that was made another way.

    Raises:
        FormatError: It is no file of items.
    """
    with path.open("rb") as file:
        record = _json_object(path, 1, file.readline())
    _check_header(path, record)
    return str(record.get("drawn_from", ""))


def item_text(item: Item) -> str:
    """An item as one line of JSON; what is as usual is left out.

    Put together by hand: a file and a store of a million items spend most of their time here.

    Example:
        >>> item_text(Item("p1", "ada__vs__bea", ("ada", "bea"), ("d1", "d2"), ("A", "B")))
        '{"id":"p1","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":["d1","d2"],"judged":["A","B"]}'
    """
    if item.line:
        return item.line
    is_unusual = item.role != "judged" or item.gold is not None or item.block or item.extras
    rest = _unusual(item) if is_unusual or item.slots or item.cohorts or item.factor else ""
    text = (
        f'{{"id":{encode_basestring(item.id)},"group":{encode_basestring(item.group)}'
        f',"bots":{_repeated_list(item.bots)},"dialogues":{_list_text(item.dialogues)}'
        f',"judged":{_repeated_list(item.judged)}{rest}}}'
    )
    if text.isascii() or fits_utf8(text):
        return text
    return json.dumps(read_json(text), separators=(",", ":"))  # extras are kept as they came


def _list_text(names: tuple[str, ...]) -> str:
    return f"[{','.join(map(encode_basestring, names))}]"


_repeated_list = lru_cache(maxsize=1_000)(_list_text)
"""The same for lists that many items share."""


def _unusual(item: Item) -> str:
    record: dict[str, object] = {}
    if not item.is_judged:
        record["role"] = item.role
    if not item.is_judged or item.gold is not None:
        record["gold"] = item.gold
    if item.block:
        record["block"] = item.block
    if item.cohorts:
        record["cohorts"] = item.cohorts
    if item.factor:
        record["factor"] = item.factor
    if item.slots:
        record["slots"] = item.slots
    if item.extras:
        record["extras"] = item.extras
    return "," + json.dumps(record, ensure_ascii=False, separators=(",", ":"))[1:-1]


def item_of(text: str) -> Item:
    """The item that `item_text` wrote."""
    fields: dict[str, Any] = _DECODER.raw_decode(text)[0]
    return Item(
        id=fields["id"],
        group=fields["group"],
        bots=tuple(fields["bots"]),
        dialogues=tuple(fields["dialogues"]),
        judged=tuple(fields["judged"]),
        role=fields.get("role", "judged"),
        gold=fields.get("gold"),
        block=fields.get("block", ""),
        cohorts=tuple(fields.get("cohorts", ())),
        factor=fields.get("factor", ""),
        slots=fields.get("slots", 0),
        extras=fields.get("extras", {}),
    )


_NAME = r'"([^"\\\x00-\x1f]+)"'
_TWO = rf"\[{_NAME},{_NAME}\]"
_TWO_SLOTS = re.compile(
    rf'\{{"id":{_NAME},"group":{_NAME},"bots":{_TWO},"dialogues":{_TWO},"judged":{_TWO}\}}\n'
)
"""An item of two slots as `item_text` writes it, with plain names: read in half the time."""

_set = object.__setattr__  # what an item is made of is known before anybody else has it

_DECODER = json.JSONDecoder()


def _value(text: str) -> object:
    """What ``json.loads`` gives, in half its time for a line as we write it."""
    value, end = _DECODER.raw_decode(text) if text.startswith("{") else (None, 0)
    return value if text[end:] in {"\n", ""} and end else read_json(text)


def _json_object(path: Path, number: int, line: bytes) -> dict[str, object]:
    try:
        record = _value(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise FormatError(path, line=number, expected="UTF-8 text", hint="Save it as UTF-8.") from error
    except RecursionError as error:
        raise FormatError(path, line=number, expected="a JSON object", got="one nested too deeply") from error
    except ValueError as error:
        raise FormatError(path, line=number, expected="a JSON object", got=str(error)) from error
    if not isinstance(record, dict):
        raise FormatError(path, line=number, expected="a JSON object", got=type(record).__name__)
    return record


def _check_characters(path: Path, number: int, item: Item) -> None:
    """Refuse names that no database can hold; only JSON's escapes can spell them."""
    lists = (*item.cohorts, *item.bots, *item.dialogues, *item.judged)
    names = "".join((item.id, item.group, item.block, item.factor, *lists))
    if "\0" in names or not fits_utf8(names):
        raise FormatError(path, line=number, expected="names without NUL and without half characters")


def _check_header(path: Path, record: dict[str, object]) -> None:
    found = record.get("format")
    if found == FORMAT:
        return
    if isinstance(found, str) and found.startswith("duologue.items/"):
        raise NewerFormat(path, found, FORMAT)
    header = f'{{"format": "{FORMAT}"}}'
    hint = "What others have published is brought in by a command of the protocol: see `duologue --help`."
    if "id" in record and "dialogues" in record:
        hint = f"The first line is an item already: write {header} on a line of its own above it."
    raise FormatError(path, line=1, field="format", expected=f"a header {header}", hint=hint)


def _as_item(path: Path, number: int, record: dict[str, object]) -> Item:
    def text(key: str) -> str:
        value = record.get(key)
        if not isinstance(value, str) or not value:
            raise FormatError(path, line=number, field=key, expected="a string")
        return value

    def texts(key: str) -> tuple[str, ...]:
        value = record.get(key)
        if isinstance(value, list):
            try:
                "".join(value)  # nothing else finds a value that is no string as fast
            except TypeError:
                pass
            else:
                return tuple(value)
        raise FormatError(path, line=number, field=key, expected="a list of strings")

    block, factor = record.get("block", ""), record.get("factor", "")
    if not isinstance(block, str):
        raise FormatError(path, line=number, field="block", expected="a string")
    if not isinstance(factor, str):
        raise FormatError(path, line=number, field="factor", expected="a string")
    bots, dialogues, judged = texts("bots"), texts("dialogues"), texts("judged")
    extras = record.get("extras", {})
    if not isinstance(extras, dict):
        raise FormatError(path, line=number, field="extras", expected="an object")
    slots = _slots(path, number, record)
    has_none = CHAT in extras or TURN_BY_TURN in extras  # a live chat has no dialogue until it is held
    shown = () if has_none else bots
    if not len(shown) == len(dialogues) == len(judged) or bool(bots) == bool(slots):
        raise FormatError(path, line=number, expected="as many bots as dialogues and judged speakers")
    item = Item(
        id=text("id"),
        group=text("group"),
        bots=bots,
        dialogues=dialogues,
        judged=judged,
        role=_role(path, number, record),
        gold=record.get("gold"),
        block=block,
        cohorts=texts("cohorts") if "cohorts" in record else (),
        factor=factor,
        slots=slots,
        extras=extras,
    )
    if problem := chat_problem(item):
        raise FormatError(path, line=number, field=CHAT, expected="a live chat that can be held", got=problem)
    return item


def _slots(path: Path, number: int, record: dict[str, object]) -> int:
    """How many things an item without bots shows; 0 for any other."""
    slots = record.get("slots", 0)
    if not isinstance(slots, int) or isinstance(slots, bool) or slots < 0:
        raise FormatError(path, line=number, field="slots", expected="a number of things to show")
    return slots


def _role(path: Path, number: int, record: dict[str, object]) -> Role:
    """What an item is for."""
    if "is_onboarding" in record:  # a column of tables and of ParlAI's files; left unread, it would be judged
        raise FormatError(
            path, line=number, field="is_onboarding", expected='"role": "onboarding" in its place'
        )
    given = record.get("role", "judged")
    role: Role | None = next((known for known in get_args(Role) if known == given), None)
    if role is None:
        raise FormatError(path, line=number, field="role", expected=f"one of {', '.join(get_args(Role))}")
    return role
