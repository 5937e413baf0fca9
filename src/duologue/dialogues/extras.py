"""Fields of a file that Duologue does not use: kept on reading, put back on writing."""

from __future__ import annotations

from collections.abc import Mapping

from duologue.dialogues.records import Json


def unknown_fields(record: Mapping[str, Json], known: frozenset[str]) -> dict[str, Json]:
    """Return the fields of a record that its format does not know.

    Example:
        >>> unknown_fields({"text": "Hi!", "mood": "good"}, frozenset({"text"}))
        {'mood': 'good'}
    """
    return {key: value for key, value in record.items() if key not in known}


def with_extras(record: dict[str, Json], extras: Mapping[str, Json]) -> dict[str, Json]:
    """Put extras beside a record's own fields, or under ``extras`` when one of them would hide a field.

    Example:
        >>> with_extras({"text": "Hi!"}, {"mood": "good"})
        {'text': 'Hi!', 'mood': 'good'}
        >>> with_extras({"text": "Hi!"}, {"text": "raw"})
        {'text': 'Hi!', 'extras': {'text': 'raw'}}
    """
    if not extras:
        return record
    if record.keys().isdisjoint(extras):
        return record | dict(extras)
    return record | {"extras": dict(extras)}
