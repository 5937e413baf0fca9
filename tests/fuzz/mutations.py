"""Good inputs made bad in the ways that files go bad: cut, mixed up, with values that nobody expects."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from random import Random

AWKWARD_BYTES: tuple[bytes, ...] = (
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\r",
    b"\r\n",
    b"\n\n",
    b'"',
    b"'",
    b",",
    b"\t",
    b"\\",
    b"\\ud800",
    b"\\u0000",
    b"{",
    b"}",
    b"[",
    b"]",
    b"=",
    b"null",
    b"NaN",
    b"-Infinity",
    b"1e400",
    b"9" * 5000,
    b"[" * 3000,
    b'{"a":' * 3000,
    b"\xe2\x80\xa8",
    b"\x1c",
    b"\x85",
)

AWKWARD_VALUES: tuple[object, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    1.5,
    1e30,
    -1e308,
    10**400,
    2**31,
    2**63,
    float("nan"),
    float("inf"),
    "",
    " ",
    "x",
    "\ud800",
    "a\udfffb",
    "\x00",
    "=1+1",
    "'=1+1",
    "9" * 400,
    "1e30",
    "-1e400",
    "nan",
    "tie",
    "1 to 5",
    "5 to 1",
    "1 to 1" + "0" * 30,
    "2026-05-04T12:30:00+00:00",
    "9999-12-31T23:59:59-23:59",
    "0001-01-01T00:00:00+14:00",
    "data:image/png;base64,AAAA",
    "duologue.dialogue/2",
    "x" * 200_000,
    [],
    {},
    [None],
    [[]],
    [{}],
    {"": None},
    {"id": 1},
    {"text": "x", "speaker": "A"},
    [1, "a", None, {"b": [2]}],
    {"a": {"b": {"c": [[[{}]]]}}},
)

AWKWARD_TOML: tuple[str, ...] = (
    "nan",
    "-inf",
    "1e30",
    "-1",
    "0",
    "9" * 400,
    "9" * 5000,
    "99999999999999999999",
    '""',
    '"x"',
    '"\\u0000"',
    '"../../../etc"',
    "'''\n'''",
    "[]",
    "{}",
    "[1, 'a']",
    "[[]]",
    "{a = 1}",
    "[" * 3000,
    "[" * 300 + "]" * 300,
    "[" * 2000 + "]" * 2000,
    "{a = " * 500 + "1" + "}" * 500,
    "true",
    "2026-05-04",
    "2026-05-04T12:00:00Z",
    "12:00:00",
    '["a", "a"]',
    '"postgresql://"',
    '"sqlite://"',
)

Mutation = Callable[[bytes, Random], bytes]


def mutated(content: bytes, rng: Random, *, kind: str) -> bytes:
    """A bad copy of a good file, by one to three mutations fit for its kind (json, csv, toml, xlsx, text)."""
    choices: list[Mutation] = [_bytes_changed, _bytes_changed]
    choices += {
        "json": [_json_changed] * 5,
        "csv": [_csv_changed] * 4,
        "toml": [_toml_changed] * 4,
        "xlsx": [_sheet_changed] * 6,
    }.get(kind, [_lines_changed] * 3)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        content = rng.choice(choices)(content, rng)
    return content


def _bytes_changed(content: bytes, rng: Random) -> bytes:
    if not content:
        return rng.choice(AWKWARD_BYTES)
    at, to = sorted((rng.randrange(len(content) + 1), rng.randrange(len(content) + 1)))
    match rng.randrange(6):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + content[to:]
        case 2:
            return content[:to] + content[at:]
        case 3:
            return content[:at] + rng.randbytes(1) + content[at + 1 :]
        case 4:
            return content[:at] + rng.choice(AWKWARD_BYTES) + content[at:]
        case _:
            return content[:at] + rng.choice(AWKWARD_BYTES) + content[at + 1 :]


def _lines_changed(content: bytes, rng: Random) -> bytes:
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, rng.choice(lines))
        case 2:
            rng.shuffle(lines)
        case _:
            lines[at] = _bytes_changed(lines[at], rng)
    return b"\n".join(lines)


def _json_changed(content: bytes, rng: Random) -> bytes:
    """One place in one of the JSON values of a file becomes another value, comes twice, or goes."""
    try:
        whole: object = json.loads(content)
    except (ValueError, RecursionError):
        return _json_line_changed(content, rng)
    holder = [whole]
    _change_somewhere(holder, rng)
    return _dumped(holder[0] if holder else None, rng)


def _json_line_changed(content: bytes, rng: Random) -> bytes:
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        value: object = json.loads(lines[at])
    except (ValueError, RecursionError):
        return _bytes_changed(content, rng)
    holder = [value]
    _change_somewhere(holder, rng)
    lines[at] = _dumped(holder[0] if holder else None, rng)
    return b"\n".join(lines)


def _dumped(value: object, rng: Random) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=rng.random() < 0.7)
    except RecursionError:
        return b""
    return text.encode("utf-8", "surrogatepass")


def _change_somewhere(holder: list[object], rng: Random) -> None:
    places: list[tuple[list[object] | dict[str, object], int | str]] = []
    _collect(holder, places)
    container, key = rng.choice(places)
    match rng.randrange(6):
        case 0:
            del container[key]  # type: ignore[arg-type]
        case 1 if isinstance(container, dict):
            container[str(rng.choice(("", "id", "text", "extras", "format", "x\ud800", "é")))] = container[
                str(key)
            ]
        case 2 if isinstance(container, list):
            container.append(container[int(key)])
        case 3:
            _, other = rng.choice(places)
            container[key] = other  # type: ignore[index]
        case _:
            container[key] = rng.choice(AWKWARD_VALUES)  # type: ignore[index]


def _collect(
    value: object, places: list[tuple[list[object] | dict[str, object], int | str]], depth: int = 0
) -> None:
    if depth > 50:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            places.append((value, key))
            _collect(inner, places, depth + 1)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            places.append((value, number))
            _collect(inner, places, depth + 1)


def _csv_changed(content: bytes, rng: Random) -> bytes:
    """One cell becomes another, or a row loses or gains one, or a column is called otherwise."""
    text = content.decode("utf-8", "replace")
    try:
        rows = list(csv.reader(io.StringIO(text)))
    except csv.Error:
        return _bytes_changed(content, rng)
    if not any(rows):
        return _bytes_changed(content, rng)
    row = rng.choice([row for row in rows if row])
    at = rng.randrange(len(row))
    match rng.randrange(6):
        case 0:
            del row[at]
        case 1:
            row.insert(at, "x")
        case 2:
            row[at] = rng.choice(rng.choice([row for row in rows if row]))
        case _:
            value = rng.choice(AWKWARD_VALUES)
            row[at] = value if isinstance(value, str) else json.dumps(value)
    made = io.StringIO(newline="")
    csv.writer(made, lineterminator="\n").writerows(rows)
    return made.getvalue().encode("utf-8", "surrogatepass")


def _toml_changed(content: bytes, rng: Random) -> bytes:
    """One setting becomes another value, comes twice, goes, or gets another name or table."""
    lines = content.decode("utf-8", "replace").split("\n")
    settings = [number for number, line in enumerate(lines) if "=" in line and not line.startswith("#")]
    if not settings:
        return _bytes_changed(content, rng)
    at = rng.choice(settings)
    name, _, value = lines[at].partition("=")
    match rng.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[rng.choice(settings)])
        case 2:
            lines[at] = f"{name}={lines[rng.choice(settings)].partition('=')[2]}"
        case 3:
            other = rng.choice(("x", "a.b.c", '""', f"{name.strip()}.x", "name"))
            lines[at] = f"{other} ={value}"
        case 4:
            lines.insert(
                at, rng.choice(("[x]", "[[bots]]", "[study]", "[[study]]", "[a." + "b." * 2000 + "c]"))
            )
        case _:
            lines[at] = f"{name}= {rng.choice(AWKWARD_TOML)}"
    return "\n".join(lines).encode("utf-8", "surrogatepass")


AWKWARD_CELLS: tuple[bytes, ...] = (
    b"<c/>",
    b"<c><v></v></c>",
    b"<c><v>1e400</v></c>",
    b"<c><v>-1e308</v></c>",
    b"<c><v>nan</v></c>",
    b"<c><v>" + b"9" * 400 + b"</v></c>",
    b'<c t="s"><v>7</v></c>',
    b'<c t="b"><v>1</v></c>',
    b'<c t="e"><v>#DIV/0!</v></c>',
    b'<c t="d"><v>2026-05-04T12:30:00</v></c>',
    b'<c t="d"><v>soon</v></c>',
    b'<c t="str"><f>1+1</f><v>2</v></c>',
    b'<c s="3"><v>45000.5</v></c>',
    b'<c t="inlineStr"><is><t></t></is></c>',
    b'<c t="inlineStr"><is><t>=1+1</t></is></c>',
    b'<c t="inlineStr"><is><t>&#xD800;</t></is></c>',
    b'<c t="inlineStr"><is><t>&#0;&none;</t></is></c>',
    b'<c t="inlineStr"><is><t>' + b"x" * 40_000 + b"</t></is></c>",
    b'<c r="ZZZ9"><v>1</v></c>',
    b'<c r="XFD1048576"><v>1</v></c>',
    b'<c r="A0"><v>1</v></c>',
    b'<c r="B99999999999"><v>1</v></c>',
    b"</row><row>",
    b"<row>" * 300,
    b"</sheetData>",
)


def _sheet_changed(content: bytes, rng: Random) -> bytes:
    """One part of an Excel file becomes another, goes, or has a cell that nobody expects."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            parts = {name: file.read(name) for name in file.namelist()}
    except (zipfile.BadZipFile, zipfile.LargeZipFile, KeyError, ValueError, NotImplementedError, OSError):
        return _bytes_changed(content, rng)
    if not parts:
        return _bytes_changed(content, rng)
    sheets = [name for name in parts if "worksheets/" in name]
    name = rng.choice(sheets) if sheets and rng.random() < 0.75 else rng.choice(list(parts))
    match rng.randrange(8):
        case 0:
            del parts[name]
        case 1:
            parts[name] = rng.choice(list(parts.values()))
        case 2 | 3:
            parts[name] = _bytes_changed(parts[name], rng)
        case _:
            parts[name] = _cell_changed(parts[name], rng)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for part, held in parts.items():
            file.writestr(part, held)
    return made.getvalue()


def _cell_changed(sheet: bytes, rng: Random) -> bytes:
    cells = sheet.split(b"</c>")
    if len(cells) < 2:
        return _bytes_changed(sheet, rng)
    at = rng.randrange(len(cells) - 1)
    before, begun, _ = cells[at].rpartition(b"<c")
    cells[at] = before + rng.choice(AWKWARD_CELLS).removesuffix(b"</c>") if begun else cells[at]
    return b"</c>".join(cells)
