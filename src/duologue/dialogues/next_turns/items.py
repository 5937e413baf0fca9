"""What is asked in next utterance classification: a context and candidate replies, one of them the true one.

One JSON object a line under a header. People and models answer the same file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from duologue.dialogues.json_values import dump_json, json_name, json_objects
from duologue.dialogues.records import Json, Turn
from duologue.dialogues.sources import OnProgress, Source
from duologue.errors import NewerFormat
from duologue.files import replacing

FORMAT = "duologue.next-turns/1"

Split = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)


@dataclass(frozen=True, slots=True)
class NextTurnItem:
    """A context and the candidate replies to it.

    Where every reply of the corpus is a candidate, ``candidates`` is empty and ``pool`` names the file that
    lists them (`read_pool`); ``truth`` is then a place in that list.
    """

    id: str
    corpus: str
    split: Split
    dialogue: str
    """The dialogue that context and true reply come from."""
    context: tuple[Turn, ...]
    candidates: tuple[str, ...]
    truth: int
    """The place of the true reply among the candidates, from 0."""
    sources: tuple[str, ...] = ()
    """The dialogue that each candidate comes from."""
    background: tuple[str, ...] = ()
    """What else belongs to the dialogue, such as persona lines."""
    about: tuple[str, ...] = ()
    """By its letter, the speaker whom each line of the background is about; "" where nobody knows."""
    pool: str = ""
    """The file beside this one that lists the candidates, one a line."""
    left_out: tuple[int, ...] = ()
    """Places in the pool that are no candidates here: other turns of the same dialogue."""

    @property
    def true_reply(self) -> str:
        """The reply that was given in the dialogue; of an item with a pool, see `pool_candidates`."""
        return self.candidates[self.truth]


def write_next_turns(items: Iterable[NextTurnItem], path: Path, *, about: Mapping[str, Json]) -> int:
    """Write items to a file, whole or not at all; returns how many.

    Args:
        items: The items.
        path: The file.
        about: How they were made, kept in the header.

    Raises:
        ExportError: The file cannot be written.
        StoreFull: The disk is full.
    """
    count = 0
    with replacing(path) as file:
        file.write(dump_json({"format": FORMAT, **about}).encode() + b"\n")
        for item in items:
            file.write(dump_json(_record(item)).encode() + b"\n")
            count += 1
    return count


def read_next_turns(path: Path, *, on_progress: OnProgress | None = None) -> Iterator[NextTurnItem]:
    """Read items one by one.

    Raises:
        FormatError: A line is no item; says which, and which field.
        NewerFormat: A later version of Duologue wrote the file.
        UnreadableFile: The file cannot be opened.
    """
    source = Source(path, on_progress=on_progress)
    lines = json_objects(source)
    header = next(lines, None)
    if header is None:
        raise source.error(None, expected="items of next utterance classification", got="an empty file")
    _check_header(source, *header)
    seen: set[str] = set()
    for line, record in lines:
        item = _item(source, line, record)
        if item.id in seen:
            raise source.error(line, "id", expected="an id that no other item has", got=repr(item.id))
        seen.add(item.id)
        yield item


def write_pool(replies: Iterable[str], path: Path) -> int:
    """Write the replies of a corpus, one JSON text a line; returns how many."""
    count = 0
    with replacing(path) as file:
        for reply in replies:
            file.write(dump_json(reply).encode() + b"\n")
            count += 1
    return count


def read_pool(items: Path, item: NextTurnItem) -> tuple[str, ...]:
    """All replies of the corpus that an item's candidates are.

    Args:
        items: The file that the item was read from; its pool lies beside it.
        item: The item.

    Raises:
        FormatError: A line is no text, or the list is shorter than the item says.
        UnreadableFile: The file cannot be opened.
    """
    from duologue.dialogues.json_values import json_values

    source = Source(items.parent / item.pool)
    replies = []
    for line, value in json_values(source):
        if not isinstance(value, str):
            raise source.error(line, expected="a reply as a JSON text", got=json_name(value))
        replies.append(value)
    if item.truth >= len(replies):
        raise source.error(None, expected=f"at least {item.truth + 1} replies", got=str(len(replies)))
    return tuple(replies)


def pool_candidates(item: NextTurnItem, pool: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """The candidates of an item with a pool, and the place of the true one among them.

    Example:
        >>> item = NextTurnItem("i", "c", "test", "d", (), (), 2, pool="p.jsonl", left_out=(0,))
        >>> pool_candidates(item, ["same dialogue", "elsewhere", "true"])
        (('elsewhere', 'true'), 1)
    """
    without = frozenset(item.left_out)
    candidates = tuple(reply for place, reply in enumerate(pool) if place not in without)
    return candidates, item.truth - sum(place < item.truth for place in without)


def _record(item: NextTurnItem) -> dict[str, Json]:
    record: dict[str, Json] = {
        "id": item.id,
        "corpus": item.corpus,
        "split": item.split,
        "dialogue": item.dialogue,
        "context": [{"speaker": turn.speaker, "text": turn.text} for turn in item.context],
        "truth": item.truth,
    }
    if item.pool:
        return record | {"pool": item.pool, "left_out": item.left_out} | _background(item)
    return record | {"candidates": item.candidates, "sources": item.sources} | _background(item)


def _background(item: NextTurnItem) -> dict[str, Json]:
    about = {"about": item.about} if any(item.about) else {}
    return {"background": item.background, **about} if item.background else {}


def _check_header(source: Source, line: int, record: Mapping[str, Json]) -> None:
    found = record.get("format")
    if found == FORMAT:
        return
    if isinstance(found, str) and found.startswith("duologue.next-turns/"):
        raise NewerFormat(source.path, found, FORMAT)
    raise source.error(
        line,
        "format",
        expected=f'a header {{"format": "{FORMAT}"}}',
        hint="Make the items from a corpus: see `duologue --help`.",
    )


def _item(source: Source, line: int, record: Mapping[str, Json]) -> NextTurnItem:
    def text(key: str) -> str:
        value = record.get(key)
        if not isinstance(value, str) or not value:
            raise source.error(line, key, expected="a text", got=json_name(value))
        return value

    def texts(key: str) -> tuple[str, ...]:
        value = record.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise source.error(line, key, expected="a list of texts", got=json_name(value))
        return tuple(value)

    candidates, sources = texts("candidates"), texts("sources")
    pool = text("pool") if "pool" in record else ""
    if not pool and len(candidates) < 2:
        raise source.error(line, "candidates", expected="at least 2 replies", got=str(len(candidates)))
    if sources and len(sources) != len(candidates):
        raise source.error(line, "sources", expected="as many as candidates", got=str(len(sources)))
    background, about = texts("background"), texts("about")
    if about and len(about) != len(background):
        raise source.error(line, "about", expected="as many as lines of background", got=str(len(about)))
    return NextTurnItem(
        id=text("id"),
        corpus=text("corpus"),
        split=_split(source, line, record),
        dialogue=text("dialogue"),
        context=_context(source, line, record),
        candidates=candidates,
        truth=_truth(source, line, record, None if pool else len(candidates)),
        sources=sources,
        background=background,
        about=about,
        pool=pool,
        left_out=_places(source, line, record),
    )


def _split(source: Source, line: int, record: Mapping[str, Json]) -> Split:
    value = record.get("split")
    found = next((split for split in SPLITS if split == value), None)
    if found is None:
        raise source.error(line, "split", expected=f"one of {', '.join(SPLITS)}", got=json_name(value))
    return found


def _truth(source: Source, line: int, record: Mapping[str, Json], candidates: int | None) -> int:
    value = record.get("truth")
    if not _is_place(value) or (candidates is not None and int(str(value)) >= candidates):
        expected = "a place in the pool" if candidates is None else f"a number from 0 to {candidates - 1}"
        raise source.error(line, "truth", expected=expected, got=json_name(value))
    return int(str(value))


def _places(source: Source, line: int, record: Mapping[str, Json]) -> tuple[int, ...]:
    value = record.get("left_out", [])
    if not isinstance(value, list) or not all(map(_is_place, value)):
        raise source.error(line, "left_out", expected="a list of places in the pool", got=json_name(value))
    return tuple(value)


def _is_place(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _context(source: Source, line: int, record: Mapping[str, Json]) -> tuple[Turn, ...]:
    value = record.get("context")
    if not isinstance(value, list) or not value:
        raise source.error(line, "context", expected="a list of turns", got=json_name(value))
    turns = []
    for number, turn in enumerate(value, 1):
        speaker, said = (turn.get("speaker"), turn.get("text")) if isinstance(turn, Mapping) else (None, None)
        if not isinstance(speaker, str) or not isinstance(said, str):
            expected = "a turn with speaker and text"
            raise source.error(line, f"context, turn {number}", expected=expected, got=json_name(turn))
        turns.append(Turn(speaker, said))
    return tuple(turns)
