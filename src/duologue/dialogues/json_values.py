"""JSON out of a file, one value at a time: JSON lines, one list, or objects printed over many lines."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping

from duologue.dialogues.records import Json
from duologue.dialogues.sources import MAX_RECORD_BYTES, RecordLine, Source, broken_utf8, nul_byte
from duologue.errors import FormatError
from duologue.strict_json import SCANNER, DoubledField, read_fields_once, read_json

JsonValue = tuple[int, Json | FormatError]
"""The line a value begins on, and the value, or why there is none."""

_readable = json.JSONEncoder(ensure_ascii=False).encode
_CHUNK = 2**16
_SPACES = " \t\r\n"
_NEAR_THE_END = 16
"""A literal or an escape that a buffer's end cuts in two is reported this close to the end, or closer."""


def json_values(source: Source) -> Iterator[JsonValue]:
    """Yield every top-level JSON value of a file with the line it begins on.

    JSON lines are recovered line by line. A JSON list, and objects printed over several lines, are
    streamed through a buffer; a mistake in their syntax ends them, and the error says so.
    """
    return _streamed_values(source) if is_one_document(source) else _line_values(source)


def json_objects(source: Source) -> Iterator[tuple[int, dict[str, Json]]]:
    """Yield the JSON objects of a file, and leave out whatever else there is."""
    for line, value in json_values(source):
        if isinstance(value, dict):
            yield line, value
        else:
            source.leave_out(not_an_object(source, line, value))


def not_an_object(source: Source, line: int, value: Json | FormatError) -> FormatError:
    """Describe a value that should have been an object."""
    if isinstance(value, FormatError):
        return value
    return source.error(line, expected="a JSON object", got=json_name(value))


def json_members(source: Source) -> Iterator[tuple[int, str, Json | FormatError]]:
    """Yield the fields of the one JSON object that a file is: line, name and value, in bounded memory.

    A mistake in the syntax ends them, and the error says so.
    """
    try:
        yield from _Buffer(source).members()
    except FormatError as error:
        yield error.line or 1, "", _last(source, error)


def json_name(value: Json) -> str:
    """Say what a JSON value is, as a reader of the file would.

    Example:
        >>> json_name([1, 2]), json_name("hi"), json_name(None)
        ('a list', 'the text "hi"', 'null')
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        shown = value if len(value) <= 40 else value[:40] + "…"
        return f"the text {json.dumps(shown)}" if value else "an empty text"
    if isinstance(value, int | float):
        return "a number"
    return "an object" if isinstance(value, Mapping) else "a list"


def too_deep(source: Source, line: int) -> FormatError:
    """Describe lists or objects within each other beyond what Python follows."""
    return source.error(line, expected="JSON with fewer levels", got="lists or objects nested too deeply")


def dump_json(value: Json) -> str:
    """Write a value on one line, readable where it can be, escaped where UTF-8 has no place for it."""
    text = _readable(value)
    return text if text.isascii() or _is_encodable(text) else json.dumps(value)


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_one_document(source: Source) -> bool:
    """Whether the file is one JSON list, or objects that go over several lines, rather than JSON lines."""
    first, *rest = [text.strip() for _, text in source.head() if isinstance(text, str)] or [""]
    if first.startswith("["):
        return not (rest and _json_fault(first) is None)
    fault = _json_fault(first) if first.startswith("{") and rest else None
    return fault is not None and _is_cut(fault, len(first)) and _json_fault(rest[0]) is not None


_LIST = re.compile(r'\[[\[\s]*(?:$|[{"\]]|(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\s*(?:,|$))')
"""How a list begins on a line; a transcript may begin with ``[10:02]`` or ``[laughs]``."""


def begins_json(text: str) -> bool:
    """Whether a line is JSON, or the first of JSON over several lines, well-formed or not.

    Example:
        >>> begins_json('[{"id": 1},'), begins_json("[1, 2]"), begins_json("[10:02] Ann: hello")
        (True, True, False)
    """
    text = text.strip()
    if text.startswith("["):
        return _LIST.match(text) is not None or _json_fault(text) is None
    return text.startswith("{")


def is_json_line(text: str) -> bool:
    """Whether a line is JSON, or cut off where JSON goes on in the next one.

    Example:
        >>> is_json_line('{"id": 1}'), is_json_line("["), is_json_line("[1, 2] Ann: hi")
        (True, True, False)
    """
    text = text.strip()
    if not text.startswith(("[", "{")):
        return False
    fault = _json_fault(text)
    return fault is None or _is_cut(fault, len(text)) or text.startswith(('{"', "[{"))


def _json_fault(text: str) -> json.JSONDecodeError | None:
    try:
        read_json(text)
    except json.JSONDecodeError as error:
        return error
    except (ValueError, RecursionError):
        return None
    return None


def _line_values(source: Source) -> Iterator[JsonValue]:
    for line, text in source.lines():
        if isinstance(text, FormatError):
            yield line, text
        elif text and not text.isspace():
            yield line, _loaded(source, line, text)


def _loaded(source: Source, line: int, text: str) -> Json | FormatError:
    try:
        return read_fields_once(text)  # type: ignore[no-any-return]  # as JSON is
    except (ValueError, RecursionError) as error:
        return _not_json(source, line, error, is_cut=_is_cut(error, len(text.rstrip())))


def _is_cut(error: Exception, length: int) -> bool:
    """Whether the text would be JSON, were it not for its early end."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated string") or error.pos >= length


def _not_json(source: Source, line: int, error: Exception, *, is_cut: bool) -> FormatError:
    if isinstance(error, json.JSONDecodeError):
        got = f"at column {error.colno} something else ({error.msg[:1].lower()}{error.msg[1:]})"
        hint = "It stops too early: the file may have been cut off." if is_cut else None
        return source.error(line, expected="JSON", got=got, hint=hint)
    if isinstance(error, RecursionError):
        return too_deep(source, line)
    if isinstance(error, DoubledField):
        return source.error(
            line,
            error.field,
            expected="each field once in an object",
            got="it more than once",
            hint="Keep the one that is meant.",
        )
    return source.error(line, expected="JSON with shorter numbers", got="a number of more than 4300 digits")


def _streamed_values(source: Source) -> Iterator[JsonValue]:
    buffer = _Buffer(source)
    try:
        is_list = buffer.peek() == "["
        if is_list:
            buffer.skip(1)
        yield from buffer.listed() if is_list else buffer.concatenated()
    except FormatError as error:
        yield error.line or 1, _last(source, error)


def _last(source: Source, error: FormatError) -> FormatError:
    hint = f"{error.hint + ' ' if error.hint else ''}Nothing after this place can be read."
    return source.error(error.line, error.field, expected=error.expected, got=error.got, hint=hint)


class _Buffer:
    """The part of a document that is in memory: enough to hold the value being read."""

    _broken: FormatError | None

    def __init__(self, source: Source) -> None:
        self._source = source
        self._chunks = source.chunks(_CHUNK)
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._scan = SCANNER.raw_decode
        self._text, self._at, self._line, self._last_line = "", 0, 1, 1
        self._is_at_end, self._broken = False, None

    def listed(self) -> Iterator[JsonValue]:
        """Yield what stands between the brackets of a list."""
        number, began = 0, self._line
        while self.peek() != "]":
            if number:
                self._expect(",", "a comma or the end of the list")
            self.peek()
            number += 1
            yield RecordLine(began, f"record {number}") if self._line == began else self._line, self._value()
        self._end("list")

    def members(self) -> Iterator[tuple[int, str, Json]]:
        """Yield what stands between the braces of an object, each name once."""
        self._expect("{", "a JSON object")
        seen: set[str] = set()
        while self.peek() != "}":
            if seen:
                self._expect(",", "a comma or the end of the object")
            self.peek()
            began, name = self._line, self._value()
            if not isinstance(name, str):
                raise self._source.error(began, expected="a name in quotation marks", got=json_name(name))
            if name in seen:
                raise _not_json(self._source, began, DoubledField(name), is_cut=False)
            seen.add(name)
            self._expect(":", "a colon after the name")
            self.peek()
            yield began, name, self._value()
        self._end("object")

    def concatenated(self) -> Iterator[JsonValue]:
        """Yield one value after the other."""
        while self.peek():
            yield self._line, self._value()

    def peek(self) -> str:
        """Skip white space and show the next character, nothing at the end of the file."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACES:
                self.skip(1)
            if self._at < len(self._text) or not self._refill():
                return self._text[self._at : self._at + 1]

    def skip(self, count: int) -> None:
        """Step over some characters, counting lines."""
        self._line += self._text.count("\n", self._at, self._at + count)
        self._at += count

    def _expect(self, sign: str, expected: str) -> None:
        found = self.peek()
        if found != sign:
            got = json.dumps(found) if found else "the end of the file"
            raise self._source.error(self._line, expected=expected, got=got)
        self.skip(1)

    def _end(self, what: str) -> None:
        self.skip(1)
        if self.peek():
            expected = f"the end of the file after the {what}"
            raise self._source.error(self._line, expected=expected, got="more text")

    def _value(self) -> Json:
        while True:
            try:
                value, end = self._scan(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._may_go_on(error) and self._refill():
                    continue
                raise self._syntax_error(error) from error
            except (ValueError, RecursionError) as error:
                raise _not_json(self._source, self._line, error, is_cut=False) from error
            # A bare number may go on in the next chunk.
            if end == len(self._text) and self._refill():
                continue
            self.skip(end - self._at)
            return value

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _NEAR_THE_END

    def _syntax_error(self, error: json.JSONDecodeError) -> FormatError:
        line = self._line + self._text.count("\n", self._at, error.pos)
        if self._text[error.pos : error.pos + 1] == "\0":
            return nul_byte(self._source, line)
        return _not_json(self._source, line, error, is_cut=_is_cut(error, len(self._text.rstrip())))

    def _refill(self) -> bool:
        """Drop what was used and read about as much as is left over again; say whether there was more."""
        if self._broken is not None:
            raise self._broken
        if self._is_at_end:
            return False
        left = self._text[self._at :]
        if len(left) > MAX_RECORD_BYTES:
            raise self._source.error(
                self._line, expected=f"entries of at most {MAX_RECORD_BYTES} bytes", got="a longer one"
            )
        read, wanted = "", max(_CHUNK, len(left))
        while len(read) < wanted and not self._is_at_end:
            read += self._decoded(next(self._chunks, b""))
        self._text, self._at = left + read, 0
        return bool(read)

    def _decoded(self, chunk: bytes) -> str:
        """Decode a chunk, or as much of it as comes before a broken byte."""
        try:
            text = self._decode(chunk, final=not chunk)
            self._is_at_end = not chunk
        except UnicodeDecodeError as error:
            text = error.object[: error.start].decode("utf-8")
            line = self._last_line + text.count("\n")
            self._broken = broken_utf8(self._source, line, error.object, error.start)
            self._is_at_end = True
        self._last_line += text.count("\n")
        return text
