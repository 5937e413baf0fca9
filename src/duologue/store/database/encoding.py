"""Dialogues, items and times as text in a row, the ids of rows, and the last few that were decoded."""

from __future__ import annotations

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from json.encoder import encode_basestring as quoted
from typing import Any, Generic, TypeVar

from duologue.dialogues import Dialogue, Json, Speaker, Turn
from duologue.files import fits_utf8
from duologue.protocols import FormValues
from duologue.strict_json import read_json

_READABLE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_ASCII = json.JSONEncoder(separators=(",", ":"))

K = TypeVar("K")
V = TypeVar("V")


def new_id() -> str:
    """A random id for a row."""
    return secrets.token_hex(8)


def new_token() -> str:
    """A random capability that nobody can guess."""
    return secrets.token_hex(16)


def json_text(value: Json) -> str:
    """A value as one line of JSON that any database can hold.

    Example:
        >>> json_text({"side": 1, "said": "Grüezi"})
        '{"side":1,"said":"Grüezi"}'
    """
    text = _READABLE.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair is legal in Python and JSON, not in UTF-8
        return _ASCII.encode(value)
    return text


def dialogue_text(dialogue: Dialogue) -> str:
    """A dialogue as one line of JSON, put together by hand: loading a study does it for every dialogue.

    Example:
        >>> hello = Dialogue("d1", "ada", "live-chat", "A", (Speaker("A", "ada"),), (Turn("A", "Hi!"),))
        >>> print(dialogue_text(hello)[:82])
        {"id":"d1","bot":"ada","kind":"live-chat","judged":"A","speakers":[["A","ada"]],"t
    """
    speakers = ",".join([f"[{quoted(one.name)},{_or_null(one.bot)}]" for one in dialogue.speakers])
    turns = ",".join(
        [
            f"[{quoted(turn.speaker)},{quoted(turn.text)},{_or_null(turn.image)},{_object(turn.extras)}]"
            for turn in dialogue.turns
        ]
    )
    text = (
        f'{{"id":{quoted(dialogue.id)},"bot":{quoted(dialogue.bot)},"kind":{quoted(dialogue.kind)}'
        f',"judged":{quoted(dialogue.judged)},"speakers":[{speakers}],"turns":[{turns}]'
        f',"context":[{",".join(map(quoted, dialogue.context))}],"extras":{_object(dialogue.extras)}}}'
    )
    return text if text.isascii() or fits_utf8(text) else _ASCII.encode(read_json(text))


def _or_null(text: str | None) -> str:
    return "null" if text is None else quoted(text)


def _object(fields: Mapping[str, Json]) -> str:
    return _READABLE.encode(dict(fields)) if fields else "{}"


def dialogue_of(text: str) -> Dialogue:
    """The dialogue that `dialogue_text` wrote."""
    fields: dict[str, Any] = read_json(text)
    return Dialogue(
        id=fields["id"],
        bot=fields["bot"],
        kind=fields["kind"],
        judged=fields["judged"],
        speakers=tuple([Speaker(*speaker) for speaker in fields["speakers"]]),
        turns=tuple([Turn(*turn) for turn in fields["turns"]]),
        context=tuple(fields["context"]),
        extras=fields["extras"],
    )


@lru_cache(maxsize=1_000)
def order_text(order: tuple[int, ...]) -> str:
    """A shown order as it is stored.

    Example:
        >>> order_text((1, 0))
        '1,0'
    """
    return ",".join(map(str, order))


@lru_cache(maxsize=1_000)
def order_of(text: str) -> tuple[int, ...]:
    """The shown order that `order_text` wrote."""
    return tuple(map(int, text.split(",")))


@lru_cache(maxsize=1_000)
def answer_of(text: str) -> Mapping[str, object]:
    """The values of an answer; equal answers share them."""
    values: dict[str, object] = read_json(text)
    return values


def draft_of(text: str) -> FormValues:
    """What was answered on earlier screens, by the names of the form's fields."""
    return FormValues(read_json(text)) if text else FormValues()


def can_be_stored(text: str) -> bool:
    """Whether every database can hold a text: NUL and half surrogate pairs it cannot.

    Example:
        >>> can_be_stored("Grüezi"), can_be_stored("a\\0b")
        (True, False)
    """
    return "\0" not in text and fits_utf8(text)


class LruCache(Generic[K, V]):
    """The values used last, up to a number of them. Any thread may ask."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, made when it is not at hand."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Keep a value at hand."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._values.popitem(last=False)


def seconds_between(earlier: str, later: str) -> float:
    """The seconds from one stored time to another; none when the clock was set back.

    Example:
        >>> seconds_between("2026-01-01T00:00:00.000000+00:00", "2026-01-01T00:00:02.500000+00:00")
        2.5
    """
    return max(0.0, (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds())


@lru_cache(maxsize=100)  # what shares a transaction happens at the same time
def later(now: str, seconds: float) -> str:
    """A time some seconds after a stored one, as it is stored.

    Example:
        >>> later("2026-01-01T00:00:00.000000+00:00", 90)
        '2026-01-01T00:01:30.000000+00:00'
    """
    return (datetime.fromisoformat(now) + timedelta(seconds=seconds)).isoformat(timespec="microseconds")
